#pragma once

#include <cstddef>

// What no sound plugin comes near. An answer beyond is refused before it is read.

namespace pier::abi {

/// Devices, memories, dimensions, results, attributes.
inline constexpr std::size_t sane_count = std::size_t{1} << 20;
/// Bytes of a name, a message, an attribute.
inline constexpr std::size_t sane_text = std::size_t{64} << 20;
/// Bytes of a call table or of an extension's entry.
inline constexpr std::size_t sane_table = 65536;
/// Bytes of a struct that stands in a list.
inline constexpr std::size_t sane_struct = 4096;
/// PJRT knows some 25 types of extension; a longer chain runs in a circle that changes, or through garbage.
inline constexpr std::size_t sane_extensions = 256;
inline constexpr std::size_t sane_payloads = 1024;

}  // namespace pier::abi
