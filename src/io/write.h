#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <pier/files.h>

#include "base/file.h"

namespace pier {

inline AtomicFile::Existing existing(SaveMode mode) {
  return mode == SaveMode::replace ? AtomicFile::Existing::replace : AtomicFile::Existing::refuse;
}

// An array as a .npy file has it.
struct NpyBytes {
  std::string header;
  Array array;  // dense, row-major or column-major
  std::span<const std::byte> data() const { return {array.data(), array.nbytes()}; }
};
NpyBytes npy_bytes(const Array& array, bool untyped);

void write_npy(const std::filesystem::path& path, const Entry& entry, SaveMode mode);

}  // namespace pier
