#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pier::cli {

/// Writes to standard output. Throws Error (io) when it cannot: a full disk must not look like success.
void print(std::string_view text);

/// Writes to the standard error that the user gave, even while a plugin's own is captured. Never throws.
void print_error(std::string_view text) noexcept;

/// Text from a plugin or a file as it may appear on a terminal: control characters and broken UTF-8 become \xNN; newlines and
/// tabs stay.
std::string printable(std::string_view text);

/// The text with every line after the first indented.
std::string hanging(std::string_view text, std::size_t indent);

/// Bold where standard output is a terminal that may be coloured (NO_COLOR unset, TERM not "dumb").
std::string bold(std::string_view text);

/// Aligned columns, two spaces apart, without trailing space.
class Table {
 public:
  explicit Table(std::vector<std::string> header = {}) : header_(std::move(header)) {}
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Every line starts with that many spaces.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// "a, b, c"
std::string join(const std::vector<std::string>& items, std::string_view separator = ", ");

/// The word of `known` that `word` most likely meant, or empty.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace pier::cli
