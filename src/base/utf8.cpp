#include "base/utf8.h"

#include <algorithm>

#include "base/text.h"

namespace pier {

std::size_t utf8_sequence(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (at(i) < 0x80 || at(i) > 0xBF) return 0;
  return length;
}

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string shortened(std::string_view whole, std::size_t limit) {
  if (whole.size() <= limit) return std::string(whole);
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(whole[end]) & 0xC0U) == 0x80U && limit - end < 4) --end;
  return text("{}... ({} bytes)", whole.substr(0, end), whole.size());
}

std::string escaped(std::string_view raw, std::string_view kept) {
  std::string out;
  while (!raw.empty()) {
    const std::size_t length = utf8_sequence(raw);
    const auto first = static_cast<unsigned char>(raw[0]);
    const bool control =
        first < 0x20 || first == 0x7F || (first == 0xC2 && length == 2 && static_cast<unsigned char>(raw[1]) < 0xA0);
    const std::string_view whole = raw.substr(0, std::max<std::size_t>(length, 1));
    if (length != 0 && (!control || kept.find(raw[0]) != std::string_view::npos)) out += whole;
    else
      for (const char c : whole) out += text("\\x{:02x}", static_cast<unsigned char>(c));
    raw.remove_prefix(whole.size());
  }
  return out;
}

}  // namespace pier
