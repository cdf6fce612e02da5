#pragma once

#include <cstdint>
#include <string_view>

namespace fake {

/// FNV-1a: enough to tell programs apart.
inline std::uint64_t hash(std::string_view bytes) noexcept {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return value;
}

}  // namespace fake
