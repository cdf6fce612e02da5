#include "io/literal.h"

#include <charconv>
#include <optional>
#include <string>

#include <pier/error.h>

#include "base/text.h"
#include "io/source.h"

namespace pier {
namespace {

class Cursor {
 public:
  Cursor(std::string_view header, std::string_view source) : header_(header), source_(source) {}

  [[noreturn]] void fail(std::string_view why) const {
    std::string_view shown = header_;
    while (!shown.empty() && (shown.back() == ' ' || shown.back() == '\n')) shown.remove_suffix(1);
    throw IntegrityError(text("{}: the .npy header is not the dictionary that NumPy writes: {} at byte {} of {}", source_,
                              why, at_, in_quotes(shown)));
  }

  void blanks() {
    while (at_ < header_.size() && std::string_view(" \t\r\n\f").find(header_[at_]) != std::string_view::npos) ++at_;
  }

  // Whether the next character after blanks is `c`, which is then passed.
  bool take(char c) {
    blanks();
    if (at_ == header_.size() || header_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(text("no '{}'", c));
  }

  bool take_word(std::string_view word) {
    blanks();
    if (header_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool at_string() {
    blanks();
    const std::string_view rest = header_.substr(at_);
    return rest.starts_with('\'') || rest.starts_with('"') || rest.starts_with("u'") || rest.starts_with("u\"");
  }

  std::string_view string() {
    if (!at_string()) fail("no string");
    if (header_[at_] == 'u') ++at_;
    const char quote = header_[at_++];
    const std::size_t begin = at_;
    const std::size_t end = header_.find(quote, begin);
    if (end == std::string_view::npos) fail("a string without an end");
    const std::string_view content = header_.substr(begin, end - begin);
    if (content.find_first_of("\\\n") != std::string_view::npos) fail("a string with an escape or a line break");
    at_ = end + 1;
    return content;
  }

  std::int64_t extent() {
    blanks();
    std::int64_t value = 0;
    const char* const begin = header_.data() + at_;
    const char* const end = header_.data() + header_.size();
    if (begin != end && *begin == '-') fail("a negative extent");
    const auto [next, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range) fail("an extent beyond 2^63");
    if (error != std::errc()) fail("no extent");
    at_ += static_cast<std::size_t>(next - begin);
    if (at_ < header_.size() && header_[at_] == 'L') ++at_;
    return value;
  }

  Shape shape() {
    Shape extents;
    expect('(');
    if (take(')')) return extents;
    for (;;) {
      extents.push_back(extent());
      const bool comma = take(',');
      if (take(')')) {
        // (3) is a number in Python, not a tuple.
        if (extents.size() == 1 && !comma) fail("a shape of one dimension without its comma");
        return extents;
      }
      if (!comma) fail("no ','");
    }
  }

  // A bracketed value as it stands, brackets matched by number only.
  std::string_view bracketed() {
    blanks();
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < header_.size()) {
      const char c = header_[at_];
      if (c == '\'' || c == '"') {
        string();
        continue;
      }
      ++at_;
      if (c == '[' || c == '(' || c == '{') ++depth;
      else if ((c == ']' || c == ')' || c == '}') && (depth == 0 || --depth == 0)) break;
      else if (depth == 0) break;
    }
    if (depth != 0 || header_.substr(begin, 1).find_first_of("[({") == std::string_view::npos) fail("no element type");
    return header_.substr(begin, at_ - begin);
  }

  bool at_end() {
    blanks();
    return at_ == header_.size();
  }

 private:
  std::string_view header_;
  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace

NpyLiteral parse_npy_literal(std::string_view header, std::string_view source) {
  Cursor cursor(header, source);
  NpyLiteral literal;
  bool has_descr = false, has_order = false, has_shape = false;
  const auto once = [&](bool& seen, std::string_view key) {
    if (seen) cursor.fail(text("a second '{}'", key));
    seen = true;
  };
  cursor.expect('{');
  while (!cursor.take('}')) {
    const std::string_view key = cursor.string();
    cursor.expect(':');
    if (key == "descr") {
      once(has_descr, key);
      literal.descr_is_text = cursor.at_string();
      literal.descr = literal.descr_is_text ? cursor.string() : cursor.bracketed();
    } else if (key == "fortran_order") {
      once(has_order, key);
      literal.fortran_order = cursor.take_word("True");
      if (!literal.fortran_order && !cursor.take_word("False")) cursor.fail("neither True nor False");
    } else if (key == "shape") {
      once(has_shape, key);
      literal.shape = cursor.shape();
    } else {
      cursor.fail(text("an unknown key {}", in_quotes(key)));
    }
    if (!cursor.take(',')) {
      cursor.expect('}');
      break;
    }
  }
  if (!cursor.at_end()) cursor.fail("more after the dictionary");
  if (!has_descr) cursor.fail("no 'descr'");
  if (!has_order) cursor.fail("no 'fortran_order'");
  if (!has_shape) cursor.fail("no 'shape'");
  return literal;
}

}  // namespace pier
