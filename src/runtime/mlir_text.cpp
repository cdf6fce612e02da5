#include "runtime/mlir_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace pier::runtime {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '-'; }

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  std::size_t position() const { return at_; }
  void seek(std::size_t position) { at_ = position; }
  void advance(std::size_t count = 1) { at_ = std::min(at_ + count, text_.size()); }

  void skip_space() {
    while (!done()) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        while (!done() && peek() != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  // The token if it comes next, white space before it aside.
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    if (is_word(token.back()) && at_ + token.size() < text_.size() && is_word(text_[at_ + token.size()])) return false;
    at_ += token.size();
    return true;
  }

  std::string_view word() {
    skip_space();
    const std::size_t start = at_;
    while (!done() && is_word(peek())) ++at_;
    return text_.substr(start, at_ - start);
  }

  // A double-quoted string without its quotes; escapes stay as they are.
  std::optional<std::string_view> string() {
    skip_space();
    if (peek() != '"') return std::nullopt;
    const std::size_t start = ++at_;
    while (!done() && peek() != '"') advance(peek() == '\\' ? 2u : 1u);
    if (done()) return std::nullopt;
    return text_.substr(start, at_++ - start);
  }

  // Skips one bracketed group, strings and comments within it respected; the cursor stands on its opening bracket. An arrow's
  // '>' closes nothing.
  bool skip_group() {
    std::string closers;
    do {
      skip_space();
      if (done()) return false;
      const char c = peek();
      if (c == '"') {
        if (!string()) return false;
        continue;
      }
      if (c == '-' && text_.substr(at_).starts_with("->")) {
        at_ += 2;
        continue;
      }
      if (c == '(') closers.push_back(')');
      else if (c == '[') closers.push_back(']');
      else if (c == '{') closers.push_back('}');
      else if (c == '<') closers.push_back('>');
      else if (c == ')' || c == ']' || c == '}' || c == '>') {
        // A comparison sign inside an attribute is no bracket.
        if (closers.empty()) return false;
        if (c == closers.back()) closers.pop_back();
        else if (c != '>') return false;
      }
      ++at_;
    } while (!closers.empty());
    return true;
  }

  std::string_view since(std::size_t start) const { return text_.substr(start, at_ - start); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// tensor<2x3xf32>, tensor<complex<f64>>, tensor<4xi8, #encoding>
std::optional<TensorType> parse_tensor(Cursor& cursor) {
  if (cursor.take("!stablehlo.token")) return TensorType{DType::token, {}};
  if (!cursor.take("tensor")) return std::nullopt;
  cursor.skip_space();
  const std::size_t start = cursor.position();
  if (cursor.peek() != '<' || !cursor.skip_group()) return std::nullopt;
  std::string_view inside = cursor.since(start);
  inside = inside.substr(1, inside.size() - 2);

  TensorType type;
  for (;;) {
    while (!inside.empty() && inside.front() == ' ') inside.remove_prefix(1);
    std::int64_t extent = 0;
    const auto [rest, error] = std::from_chars(inside.data(), inside.data() + inside.size(), extent);
    if (error == std::errc::result_out_of_range) return std::nullopt;
    if (error != std::errc()) break;
    inside.remove_prefix(static_cast<std::size_t>(rest - inside.data()));
    if (extent < 0 || inside.empty() || inside.front() != 'x') return std::nullopt;
    inside.remove_prefix(1);
    type.shape.push_back(extent);
  }
  // What follows the element type after a comma is an encoding, which the array does not depend on.
  std::size_t end = 0;
  for (int depth = 0; end < inside.size() && (inside[end] != ',' || depth); ++end) {
    if (inside[end] == '<') ++depth;
    if (inside[end] == '>') --depth;
  }
  inside = inside.substr(0, end);
  while (!inside.empty() && inside.back() == ' ') inside.remove_suffix(1);
  const std::optional<DType> element = parse_dtype(inside);
  if (!element) return std::nullopt;
  type.dtype = *element;
  return type;
}

// Skips what may follow a type in a list: attributes and locations.
bool skip_trailers(Cursor& cursor) {
  for (;;) {
    cursor.skip_space();
    if (cursor.peek() == '{') {
      if (!cursor.skip_group()) return false;
    } else if (cursor.take("loc")) {
      cursor.skip_space();
      if (cursor.peek() != '(' || !cursor.skip_group()) return false;
    } else {
      return true;
    }
  }
}

// "(" [%name ":"] type {attributes} loc(...) "," ... ")"
std::optional<std::vector<TensorType>> parse_type_list(Cursor& cursor) {
  if (!cursor.take("(")) return std::nullopt;
  std::vector<TensorType> types;
  if (cursor.take(")")) return types;
  do {
    if (cursor.take("%")) {
      cursor.word();
      if (!cursor.take(":")) return std::nullopt;
    }
    auto type = parse_tensor(cursor);
    if (!type) return std::nullopt;
    types.push_back(std::move(*type));
    if (!skip_trailers(cursor)) return std::nullopt;
  } while (cursor.take(","));
  if (!cursor.take(")")) return std::nullopt;
  return types;
}

std::optional<std::vector<TensorType>> parse_results(Cursor& cursor) {
  cursor.skip_space();
  if (cursor.peek() == '(') return parse_type_list(cursor);
  auto type = parse_tensor(cursor);
  if (!type) return std::nullopt;
  return std::vector<TensorType>{std::move(*type)};
}

struct Head {
  std::string name;
  bool is_private = false;
  std::optional<Signature> signature;
};

// A module of one function after another; what lies in the bodies of functions is stepped over.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : cursor_(text) {}

  std::optional<Signature> entry() {
    while (!cursor_.done()) {
      cursor_.skip_space();
      const char c = cursor_.peek();
      bool read = true;
      if (c == '"') read = quoted();
      else if (is_word(c)) read = word();
      else if (c == '}') read = leave();
      else if (is_opening(c)) read = cursor_.skip_group();
      else cursor_.advance();
      if (!read) return std::nullopt;
      if (main_) return main_->signature;
    }
    return public_functions_ == 1 ? only_->signature : std::nullopt;
  }

 private:
  static bool is_opening(char c) { return c == '(' || c == '[' || c == '{' || c == '<'; }

  // "builtin.module"() <{properties}> ({ operations }) and "func.func"() <{properties}> ({ body }) {attributes}
  bool quoted() {
    const auto name = cursor_.string();
    if (!name) return false;
    if (*name == "builtin.module") return enter_generic();
    if (*name == "func.func") return generic_function();
    return true;
  }

  bool word() {
    const std::string_view name = cursor_.word();
    if (name == "module" || name == "builtin.module") return enter_custom();
    if (name == "func.func") return custom_function();
    return true;
  }

  // module @name attributes {...} { operations }
  bool enter_custom() {
    if (cursor_.take("@") && !cursor_.string()) cursor_.word();
    if (cursor_.take("attributes") && !skip_if('{')) return false;
    if (!cursor_.take("{")) return true;
    ++depth_;
    return true;
  }

  bool enter_generic() {
    for (;;) {
      cursor_.skip_space();
      if (cursor_.peek() == '(') {
        const std::size_t start = cursor_.position();
        cursor_.advance();
        if (cursor_.take("{")) {
          ++depth_;
          return true;
        }
        cursor_.seek(start);
      } else if (cursor_.peek() != '<') {
        return true;
      }
      if (!cursor_.skip_group()) return false;
    }
  }

  bool leave() {
    cursor_.advance();
    if (depth_ > 0) --depth_;
    return true;
  }

  bool skip_if(char opening) {
    cursor_.skip_space();
    return cursor_.peek() == opening && cursor_.skip_group();
  }

  // [visibility] @name(arguments) [-> results] [attributes {...}] [{ body }]
  bool custom_function() {
    Head head;
    if (cursor_.take("private")) head.is_private = true;
    else if (!cursor_.take("public")) cursor_.take("nested");
    if (!cursor_.take("@")) return true;
    const auto quoted_name = cursor_.string();
    head.name = std::string(quoted_name ? *quoted_name : cursor_.word());
    cursor_.skip_space();
    const std::size_t list = cursor_.position();
    if (auto arguments = parse_type_list(cursor_)) {
      if (!cursor_.take("->")) {
        head.signature = Signature{std::move(*arguments), {}};
      } else if (auto results = parse_results(cursor_)) {
        head.signature = Signature{std::move(*arguments), std::move(*results)};
      }
    }
    const bool found = is_entry(head);
    note(std::move(head));
    if (found) return true;
    cursor_.seek(list);
    return skip_function();
  }

  // From the argument list to the end of the body.
  bool skip_function() {
    if (!skip_if('(')) return false;
    if (cursor_.take("->")) {
      cursor_.skip_space();
      if (cursor_.peek() == '(') {
        if (!cursor_.skip_group()) return false;
      } else {
        cursor_.take("!");
        cursor_.word();
        cursor_.skip_space();
        if (cursor_.peek() == '<' && !cursor_.skip_group()) return false;
      }
    }
    if (cursor_.take("attributes") && !skip_if('{')) return false;
    cursor_.skip_space();
    return cursor_.peek() != '{' || cursor_.skip_group();
  }

  bool generic_function() {
    Head head;
    for (;;) {
      cursor_.skip_space();
      const char c = cursor_.peek();
      if (c == '<' || c == '{') {
        if (!generic_attributes(head)) return false;
      } else if (c == '(') {
        if (!cursor_.skip_group()) return false;
      } else {
        break;
      }
      // The properties come before the body, which need not be read then.
      if (is_entry(head) && head.signature) break;
    }
    note(std::move(head));
    return true;
  }

  // {function_type = (...) -> ..., sym_name = "main", sym_visibility = "private"}
  bool generic_attributes(Head& head) {
    const std::size_t start = cursor_.position();
    if (!cursor_.skip_group()) return false;
    std::string_view inside = cursor_.since(start);
    const std::size_t open = inside.find('{');
    if (open == std::string_view::npos) return true;
    Cursor inner(inside.substr(open + 1));
    while (!inner.done()) {
      inner.skip_space();
      const char c = inner.peek();
      if (c == '"') {
        if (!inner.string()) return true;
      } else if (is_opening(c)) {
        if (!inner.skip_group()) return true;
      } else if (is_word(c)) {
        attribute(inner, head);
      } else {
        inner.advance();
      }
    }
    return true;
  }

  static void attribute(Cursor& inner, Head& head) {
    const std::string_view key = inner.word();
    if (!inner.take("=")) return;
    const std::size_t value = inner.position();
    if (key == "sym_name") {
      if (const auto text = inner.string()) head.name = std::string(*text);
    } else if (key == "sym_visibility") {
      if (const auto text = inner.string()) head.is_private = *text == "private";
    } else if (key == "function_type") {
      auto arguments = parse_type_list(inner);
      if (arguments && inner.take("->"))
        if (auto results = parse_results(inner)) {
          head.signature = Signature{std::move(*arguments), std::move(*results)};
          return;
        }
      // A type that is not known here; the other attributes still count.
      inner.seek(value);
    }
  }

  // Functions of a module within the module are not its entry.
  bool is_entry(const Head& head) const { return depth_ <= 1 && head.name == "main"; }

  void note(Head head) {
    if (depth_ > 1 || head.name.empty()) return;
    if (head.name == "main") {
      main_ = std::move(head);
    } else if (!head.is_private) {
      ++public_functions_;
      only_ = std::move(head);
    }
  }

  Cursor cursor_;
  std::size_t depth_ = 0;
  std::size_t public_functions_ = 0;
  std::optional<Head> main_;
  std::optional<Head> only_;
};

// An alias at the head of a file: #name = ... or !name = ...
bool is_alias(Cursor& cursor) { return (cursor.take("#") || cursor.take("!")) && !cursor.word().empty() && cursor.take("="); }

}  // namespace

std::optional<Signature> mlir_text_signature(std::string_view text) { return Scanner(text).entry(); }

bool looks_like_mlir_text(std::string_view bytes) {
  Cursor cursor(bytes.substr(0, 1 << 16));
  cursor.skip_space();
  const std::size_t at = cursor.position();
  if (cursor.peek() == '#' || cursor.peek() == '!') return is_alias(cursor);
  constexpr std::array<std::string_view, 8> starts = {"module",          "builtin.module", "\"builtin.module\"", "func.func",
                                                      "\"func.func\"", "vhlo.func_v1",   "\"vhlo.func_v1\"",   "sdy.mesh"};
  for (const std::string_view start : starts) {
    if (cursor.take(start)) return true;
    cursor.seek(at);
  }
  return false;
}

}  // namespace pier::runtime
