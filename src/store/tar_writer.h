#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "base/file.h"

struct archive;

namespace pier {

// Writes a tar archive whose bytes depend on nothing but names and contents. Throws the Error of the file system.
class TarWriter {
 public:
  explicit TarWriter(AtomicFile& file);
  ~TarWriter();
  TarWriter(const TarWriter&) = delete;
  TarWriter& operator=(const TarWriter&) = delete;

  // A file of that size begins; write() brings its bytes.
  void begin(const std::string& name, std::uint64_t size);
  void write(std::span<const std::byte> bytes);
  void finish();

 private:
  static std::ptrdiff_t write_out(archive* writer, void* self, const void* bytes, std::size_t size);
  void check(int result) const;

  AtomicFile& file_;
  archive* writer_ = nullptr;
  std::exception_ptr thrown_;  // what the file said; libarchive knows C only
};

}  // namespace pier
