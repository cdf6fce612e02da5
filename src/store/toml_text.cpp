#include "store/toml_text.h"

#include <algorithm>
#include <string>

#include <pier/error.h>

#include "base/text.h"
#include "base/utf8.h"
#include "store/member_path.h"

namespace pier {
namespace {

bool starts_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' || c == '\'';
}

// Goes through the text with an eye for strings, comments and what separates them. The parser takes a quote within another
// value for a part of that, so none may begin there: what looks like a string here must be one there.
class Scanner {
 public:
  Scanner(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  void run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    bool fresh = true;  // nothing on this line yet
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        fresh = true;
        header_ = false;
        if (open_.empty()) value_ = begun_ = false;
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        if (begun_) refuse("has a quote where no string can begin");
        fresh = false;
        begun_ = true;
        skip_string(c);
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        refuse("has a character beyond ASCII outside of strings");
      } else {
        if (c == '[' && fresh && open_.empty()) {
          header_ = true;
          require_key();
        }
        fresh = false;
        take(c);
        ++at_;
      }
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view fault) const {
    throw Error(ErrorCode::invalid_argument, text("{}, line {}: {}", path_.native(), line_, fault));
  }

  // A character outside of strings and comments.
  void take(char c) {
    const bool in_array = !open_.empty() && open_.back() == '[';
    const bool in_key = !value_ && !in_array;
    if (header_) {
      begun_ = c != '[' && c != '.';
    } else if (c == '[' || c == '{') {
      if (begun_) refuse("has a bracket where no value can begin");
      open_ += c;
      value_ = false;
    } else if (c == ']' || c == '}') {
      if (!open_.empty()) open_.pop_back();
      value_ = begun_ = true;
    } else if (c == ',') {
      value_ = begun_ = false;
    } else if (c == '=') {
      if (!in_key) refuse("has a '=' within a value");
      value_ = true;
      begun_ = false;
    } else {
      begun_ = c != '.' || !in_key;
    }
  }

  void require_key() const {
    std::size_t key = at_ + 1;
    if (key < text_.size() && text_[key] == '[') ++key;
    key = text_.find_first_not_of(" \t", key);
    if (key == std::string_view::npos || !starts_key(text_[key])) refuse("a table's header has no key");
  }

  void skip_string(char quote) {
    const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
    const bool long_one = text_.substr(at_).starts_with(three);
    at_ += long_one ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        // A short string ends with its line; the parser says so.
        if (!long_one) return;
        ++line_;
      }
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        at_ += 2;
        continue;
      }
      if (c == quote && (!long_one || text_.substr(at_).starts_with(three))) {
        at_ += long_one ? 3 : 1;
        // Up to two more quotes may belong to the text before the closing three.
        for (int more = 0; long_one && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
        return;
      }
      ++at_;
    }
  }

  std::string_view text_;
  const std::filesystem::path& path_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string open_;     // brackets of arrays and inline tables
  bool header_ = false;  // this line is a table's header, whose brackets enclose no value
  bool value_ = false;   // behind the '=' of a key
  bool begun_ = false;   // a key's part or a value has begun: no other one can before what separates them
};

}  // namespace

void require_toml_text(std::string_view content, const std::filesystem::path& path) {
  if (!valid_utf8(content)) throw Error(ErrorCode::invalid_argument, text("{} is not UTF-8", path.native()));
  Scanner(content, path).run();
}

}  // namespace pier
