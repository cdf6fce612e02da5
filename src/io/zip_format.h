#pragma once

#include <cstddef>
#include <cstdint>

namespace pier::zip {

// Records and figures of PKWARE's APPNOTE 6.3.10, sections 4.3 to 4.5; sizes without names, extra fields and comments.
constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50, locator_signature = 0x07064b50;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator_size = 20;

constexpr std::uint16_t method_stored = 0, method_deflated = 8;
constexpr std::uint16_t flag_encrypted = 1, flag_descriptor = 1 << 3, flag_strong = 1 << 6, flag_utf8 = 1 << 11,
                        flag_masked = 1 << 13;
constexpr std::uint16_t extra_zip64 = 0x0001;
// In a field of the old records: the value is in the zip64 one.
constexpr std::uint16_t see_zip64_16 = 0xFFFF;
constexpr std::uint32_t see_zip64 = 0xFFFFFFFF;

}  // namespace pier::zip
