#include "store/json_events.h"

#include <array>
#include <charconv>

#include "base/utf8.h"

namespace pier {
namespace {

constexpr int deepest = 64;

// Bytes that a string holds as they are; quotes, backslashes, control characters and everything beyond ASCII need a look.
constexpr std::array<bool, 256> plain = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 0x80; ++c) table[c] = c != '"' && c != '\\';
  return table;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Stop {};

class Scanner {
 public:
  Scanner(std::string_view text, JsonEvents& events) : text_(text), events_(events) {}

  std::optional<JsonFault> run() {
    try {
      space();
      value(0);
      space();
      if (at_ != text_.size()) fail();
    } catch (const JsonFault& fault) {
      return fault;
    } catch (const Stop&) {
      // Whoever said so knows why.
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] void fail() const { throw JsonFault{at_, false}; }
  static void go_on(bool wanted) {
    if (!wanted) throw Stop{};
  }

  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void expect(char c) {
    if (at_ >= text_.size() || text_[at_] != c) fail();
    ++at_;
  }
  void word(std::string_view spelling) {
    if (text_.substr(at_, spelling.size()) != spelling) fail();
    at_ += spelling.size();
  }

  void value(int depth) {
    switch (peek()) {
      case '{': return object(depth + 1);
      case '[': return array(depth + 1);
      case '"': return go_on(events_.string(string()));
      case 't': word("true"); return go_on(events_.boolean(true));
      case 'f': word("false"); return go_on(events_.boolean(false));
      case 'n': return word("null");
      default: return number();
    }
  }

  void enter(int depth) {
    if (depth > deepest) throw JsonFault{at_, true};
    ++at_;
    space();
  }

  void object(int depth) {
    enter(depth);
    go_on(events_.start_object());
    if (peek() != '}') {
      for (;;) {
        if (peek() != '"') fail();
        go_on(events_.key(string()));
        space();
        expect(':');
        space();
        value(depth);
        space();
        if (peek() != ',') break;
        ++at_;
        space();
      }
    }
    expect('}');
    go_on(events_.end_object());
  }

  void array(int depth) {
    enter(depth);
    go_on(events_.start_array());
    if (peek() != ']') {
      for (;;) {
        value(depth);
        space();
        if (peek() != ',') break;
        ++at_;
        space();
      }
    }
    expect(']');
    go_on(events_.end_array());
  }

  void digits() {
    if (!is_digit(peek())) fail();
    while (is_digit(peek())) ++at_;
  }

  void number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0') ++at_;
    else digits();
    if (peek() == '.') {
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    std::uint64_t value = 0;
    const char* const end = text_.data() + at_;
    const auto [stop, error] = std::from_chars(text_.data() + start, end, value);
    go_on(events_.number(error == std::errc() && stop == end ? std::optional(value) : std::nullopt));
  }

  // The string at the reading position: a part of the text where nothing in it is escaped.
  std::string_view string() {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && plain[static_cast<unsigned char>(text_[at_])]) ++at_;
    if (peek() == '"') return text_.substr(start, at_++ - start);
    decoded_.assign(text_, start, at_ - start);
    for (;;) {
      if (at_ >= text_.size()) fail();
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return decoded_;
      }
      if (c == '\\') {
        ++at_;
        escape();
        continue;
      }
      const std::size_t size = utf8_sequence(text_.substr(at_));
      if (size == 0 || static_cast<unsigned char>(c) < 0x20) fail();
      decoded_.append(text_, at_, size);
      at_ += size;
    }
  }

  void escape() {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    if (c == 'u') {
      ++at_;
      return code_point();
    }
    const std::size_t found = c == '\0' ? std::string_view::npos : names.find(c);
    if (found == std::string_view::npos) fail();
    decoded_ += meanings[found];
    ++at_;
  }

  std::uint32_t four_digits() {
    std::uint32_t value = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 4 || error != std::errc() || stop != digits.data() + 4) fail();
    at_ += 4;
    return value;
  }

  void code_point() {
    std::uint32_t code = four_digits();
    if (code >= 0xd800 && code < 0xdc00) {
      word("\\u");
      const std::uint32_t low = four_digits();
      if (low < 0xdc00 || low > 0xdfff) fail();
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
      fail();
    }
    const auto add = [&](std::uint32_t byte) { decoded_ += static_cast<char>(static_cast<unsigned char>(byte)); };
    const auto rest = [&](int shift) { add(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xc0 | (code >> 6));
      rest(0);
    } else if (code < 0x10000) {
      add(0xe0 | (code >> 12));
      rest(6);
      rest(0);
    } else {
      add(0xf0 | (code >> 18));
      rest(12);
      rest(6);
      rest(0);
    }
  }

  std::string_view text_;
  JsonEvents& events_;
  std::size_t at_ = 0;
  std::string decoded_;
};

}  // namespace

std::optional<JsonFault> read_json(std::string_view text, JsonEvents& events) { return Scanner(text, events).run(); }

}  // namespace pier
