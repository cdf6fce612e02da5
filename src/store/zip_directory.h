#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace pier {

// A line of a zip's central directory, as it stands there.
struct ZipEntry {
  std::string name;         // raw bytes
  std::uint64_t size = 0;   // unpacked
  std::uint32_t mode = 0;   // Unix type and permissions; 0 when it was not made on such a system
  std::uint16_t flags = 0;

  bool is_encrypted() const { return (flags & 1) != 0; }
};

// Reads the directory at the end of a zip file, zip64 too. The archive library does not show it: it reports the names that
// stand before the members' data, which need not be the same. Throws IntegrityError when it is damaged, when bytes lie
// between its end and the end of the file, or when it has more than `limit` entries.
void read_zip_directory(int fd, const std::filesystem::path& path, std::uint64_t limit,
                        const std::function<void(const ZipEntry&)>& visit);

}  // namespace pier
