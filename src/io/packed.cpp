#include "io/packed.h"

namespace pier {

void unpack_bits(std::span<const std::byte> packed, unsigned width, std::span<std::byte> elements) {
  unsigned held = 0, bits = 0;
  std::size_t next = 0;
  for (std::byte& element : elements) {
    if (bits < width) {
      held |= std::to_integer<unsigned>(packed[next++]) << bits;
      bits += 8;
    }
    element = static_cast<std::byte>(held & ((1u << width) - 1u));
    held >>= width;
    bits -= width;
  }
}

std::vector<std::byte> pack_bits(std::span<const std::byte> elements, unsigned width) {
  std::vector<std::byte> packed;
  packed.reserve((elements.size() * width + 7) / 8);
  unsigned held = 0, bits = 0;
  for (const std::byte element : elements) {
    held |= (std::to_integer<unsigned>(element) & ((1u << width) - 1u)) << bits;
    bits += width;
    if (bits < 8) continue;
    packed.push_back(static_cast<std::byte>(held & 0xFFu));
    held >>= 8;
    bits -= 8;
  }
  if (bits > 0) packed.push_back(static_cast<std::byte>(held));
  return packed;
}

}  // namespace pier
