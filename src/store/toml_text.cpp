#include "store/toml_text.h"

#include <algorithm>

#include <pier/error.h>

#include "base/text.h"
#include "base/utf8.h"
#include "store/member_path.h"

namespace pier {
namespace {

bool starts_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' || c == '\'';
}

// Goes through the text with an eye for strings and comments only.
class Scanner {
 public:
  Scanner(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  void run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    bool fresh = true;    // nothing on this line yet
    bool header = false;  // this line is a table's header, whose brackets enclose no value
    int depth = 0;        // of arrays and inline tables
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        fresh = true;
        header = false;
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        fresh = false;
        skip_string(c);
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        refuse("has a character beyond ASCII outside of strings");
      } else {
        if (c == '[' && fresh && depth == 0) {
          header = true;
          require_key();
        }
        if (!header && (c == '[' || c == '{')) ++depth;
        if (!header && (c == ']' || c == '}')) depth = std::max(depth - 1, 0);
        fresh = false;
        ++at_;
      }
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view fault) const {
    throw Error(ErrorCode::invalid_argument, text("{}, line {}: {}", path_.native(), line_, fault));
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
};

}  // namespace

void require_toml_text(std::string_view content, const std::filesystem::path& path) {
  if (!valid_utf8(content)) throw Error(ErrorCode::invalid_argument, text("{} is not UTF-8", path.native()));
  Scanner(content, path).run();
}

}  // namespace pier
