#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pier {

// The CRC-32 of zip files (ISO 3309, polynomial EDB88320 reflected) of `bytes`, going on from `crc`. Ours, so that stored
// members need no compression library.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

}  // namespace pier
