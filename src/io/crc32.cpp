#include "io/crc32.h"

#include <array>
#include <cstring>

namespace pier {
namespace {

constexpr std::size_t lanes = 16;

// tables[k][b]: what byte b contributes when k more bytes follow in the block.
constexpr auto tables = [] {
  std::array<std::array<std::uint32_t, 256>, lanes> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1u) ? 0xEDB88320u : 0u);
    out[0][i] = value;
  }
  for (std::size_t lane = 1; lane < lanes; ++lane)
    for (std::size_t i = 0; i < 256; ++i) out[lane][i] = (out[lane - 1][i] >> 8) ^ out[0][out[lane - 1][i] & 0xFFu];
  return out;
}();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
  std::uint32_t state = ~crc;
  while (bytes.size() >= lanes) {
    std::array<std::uint32_t, lanes / 4> words;
    std::memcpy(words.data(), bytes.data(), lanes);
    words[0] ^= state;
    state = 0;
    for (std::size_t i = 0; i < lanes; ++i) state ^= tables[lanes - 1 - i][(words[i / 4] >> (8 * (i % 4))) & 0xFFu];
    bytes = bytes.subspan(lanes);
  }
  for (const std::byte byte : bytes)
    state = (state >> 8) ^ tables[0][(state ^ std::to_integer<std::uint32_t>(byte)) & 0xFFu];
  return ~state;
}

}  // namespace pier
