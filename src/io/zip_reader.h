#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/source.h"

namespace pier {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;           // when decompressed
  std::span<const std::byte> data;  // as the file has it
};

// The members of a zip file in the order of its directory. Checks that directory and local headers agree, that no two
// members overlap, that each is stored or deflated and not encrypted, and that no name comes twice. Layout: PKWARE
// APPNOTE 6.3.10, zip64 included; archives in several parts or with bytes before or after are refused.
std::vector<ZipMember> read_zip(const Source& source);

}  // namespace pier
