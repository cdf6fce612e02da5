#include "io/source.h"

#include <algorithm>
#include <vector>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"

namespace pier {
namespace {

// Bytes of the well-formed UTF-8 sequence at the front (Unicode, table 3-7), or 0.
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

}  // namespace

Source map_source(const std::filesystem::path& path) {
  const MappedFile file(path);
  return {file.bytes(), file.owner(), path.native()};
}

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string in_quotes(std::string_view raw) {
  std::string out = "'";
  while (!raw.empty()) {
    const std::size_t length = utf8_sequence(raw);
    const auto first = static_cast<unsigned char>(raw[0]);
    // U+0080 to U+009F, C2 80 to C2 9F, are control characters too.
    const bool control =
        first < 0x20 || first == 0x7F || (first == 0xC2 && length == 2 && static_cast<unsigned char>(raw[1]) < 0xA0);
    if (length == 0 || control) {
      for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i)
        out += text("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(raw[i])));
    } else {
      out += raw.substr(0, length);
    }
    raw.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + "'";
}

void check_rank(std::size_t rank, std::string_view source) {
  if (rank > max_rank)
    throw Error(ErrorCode::invalid_argument,
                text("{}: an array of {} dimensions; pier takes up to {}", source, rank, max_rank));
}

void check_savable(const std::filesystem::path& path, const NamedArrays& arrays) {
  std::vector<std::string_view> names;
  names.reserve(arrays.size());
  for (const Entry& entry : arrays) {
    if (host_bytes(entry.array.dtype()) == 0)
      throw Error(ErrorCode::invalid_argument, text("{}: the array {} has the type {}, which holds no data",
                                                    path.native(), in_quotes(entry.name), name(entry.array.dtype())));
    check_rank(entry.array.shape().size(), text("{}: {}", path.native(), in_quotes(entry.name)));
    if (!valid_utf8(entry.name) || entry.name.find('\0') != std::string::npos)
      throw Error(ErrorCode::invalid_argument,
                  text("{}: {} cannot name an array: names are UTF-8 without NUL", path.native(), in_quotes(entry.name)));
    names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw Error(ErrorCode::invalid_argument, text("{}: two arrays are named {}", path.native(), in_quotes(*twice)));
}

}  // namespace pier
