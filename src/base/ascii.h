#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace pier {

// The letters A to Z in lower case, every other byte as it is, whatever the locale.
constexpr char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_ascii(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return lower_ascii(c); });
  return out;
}

// The text without those of `blanks` that stand at its ends.
constexpr std::string_view trim(std::string_view text, std::string_view blanks = " \t\r\n") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace pier
