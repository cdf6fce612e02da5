#include "runtime/mlir_text.h"

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

// After "func.func": [visibility] @name(arguments) [-> results]
std::optional<Head> parse_custom_head(Cursor& cursor) {
  Head head;
  if (cursor.take("private")) head.is_private = true;
  else if (!cursor.take("public")) cursor.take("nested");
  if (!cursor.take("@")) return std::nullopt;
  const auto quoted = cursor.string();
  head.name = std::string(quoted ? *quoted : cursor.word());
  auto arguments = parse_type_list(cursor);
  if (!arguments) return head;
  std::vector<TensorType> results;
  if (cursor.take("->")) {
    auto list = parse_results(cursor);
    if (!list) return head;
    results = std::move(*list);
  }
  head.signature = Signature{std::move(*arguments), std::move(results)};
  return head;
}

// The attributes of a generic operation: {function_type = (...) -> ..., sym_name = "main", sym_visibility = "private"}
void parse_generic_attributes(Cursor& cursor, Head& head) {
  const std::size_t start = cursor.position();
  if (!cursor.skip_group()) return;
  std::string_view inside = cursor.since(start);
  Cursor inner(inside);
  while (!inner.done()) {
    inner.skip_space();
    const char c = inner.peek();
    if (c == '"') {
      if (!inner.string()) return;
    } else if ((c == '(' || c == '[' || c == '{' || c == '<') && inner.position() > 1) {
      if (!inner.skip_group()) return;
    } else if (is_word(c)) {
      const std::string_view key = inner.word();
      if (!inner.take("=")) continue;
      if (key == "sym_name") {
        if (const auto value = inner.string()) head.name = std::string(*value);
      } else if (key == "sym_visibility") {
        if (const auto value = inner.string()) head.is_private = *value == "private";
      } else if (key == "function_type") {
        auto arguments = parse_type_list(inner);
        if (!arguments || !inner.take("->")) return;
        if (auto results = parse_results(inner)) head.signature = Signature{std::move(*arguments), std::move(*results)};
      }
    } else {
      inner.advance();
    }
  }
}

// After "func.func" in quotes: () <{properties}> ({region}) {attributes}
std::optional<Head> parse_generic_head(Cursor& cursor) {
  Head head;
  for (;;) {
    cursor.skip_space();
    const char c = cursor.peek();
    if (c == '<' || c == '{') parse_generic_attributes(cursor, head);
    else if (c != '(' || !cursor.skip_group()) break;
  }
  if (head.name.empty()) return std::nullopt;
  return head;
}

}  // namespace

std::optional<Signature> mlir_text_signature(std::string_view text) {
  Cursor cursor(text);
  std::optional<Head> only;
  std::size_t public_functions = 0;
  while (!cursor.done()) {
    cursor.skip_space();
    std::optional<Head> head;
    if (cursor.peek() == '"') {
      const auto quoted = cursor.string();
      if (!quoted) break;
      if (*quoted != "func.func") continue;
      head = parse_generic_head(cursor);
    } else if (is_word(cursor.peek())) {
      if (cursor.word() != "func.func") continue;
      head = parse_custom_head(cursor);
    } else {
      cursor.advance();
      continue;
    }
    if (!head) continue;
    if (head->name == "main") return head->signature;
    if (!head->is_private) {
      ++public_functions;
      only = std::move(head);
    }
  }
  if (public_functions == 1) return only->signature;
  return std::nullopt;
}

bool looks_like_mlir_text(std::string_view bytes) {
  Cursor cursor(bytes.substr(0, 1 << 16));
  cursor.skip_space();
  constexpr std::array<std::string_view, 9> starts = {"module", "func.func", "\"builtin.module\"", "builtin.module", "\"func.func\"",
                                                      "#",      "!",         "\"vhlo.func_v1\"",    "vhlo.func_v1"};
  for (const std::string_view start : starts) {
    const std::size_t at = cursor.position();
    if (!is_word(start.back()) ? bytes.substr(at).starts_with(start) : cursor.take(start)) return true;
    cursor.seek(at);
  }
  return false;
}

}  // namespace pier::runtime
