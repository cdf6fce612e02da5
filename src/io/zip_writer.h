#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace pier {

// Writes stored members into a zip file, the data of each on a 64-byte boundary.
class ZipWriter {
 public:
  // `always_zip64` uses the 64-bit records where the old ones would do.
  explicit ZipWriter(AtomicFile& file, bool always_zip64 = false) : file_(file), always_zip64_(always_zip64) {}

  // `name`: UTF-8, at most 65535 bytes; else Error (invalid_argument). The data is the parts one after the other.
  void add(const std::string& name, std::span<const std::span<const std::byte>> parts);
  // Writes the directory; to be called once, last.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
  };
  void write(std::string_view bytes);
  std::string central_record(const Member& member) const;

  AtomicFile& file_;
  bool always_zip64_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

}  // namespace pier
