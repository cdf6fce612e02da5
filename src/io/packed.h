#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pier {

// Elements of `width` bits (1 to 8), one after the other from the lowest bit of the first byte up, to one byte each.
// `packed` holds (elements.size() * width + 7) / 8 bytes.
void unpack_bits(std::span<const std::byte> packed, unsigned width, std::span<std::byte> elements);

// The reverse; bits of an element above `width` are dropped.
std::vector<std::byte> pack_bits(std::span<const std::byte> elements, unsigned width);

}  // namespace pier
