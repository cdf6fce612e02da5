#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <pier/files.h>

#include "base/file.h"
#include "io/source.h"

namespace pier {

// An array as a .npy file has it.
struct NpyBytes {
  std::string header;
  Array array;  // dense, row-major or column-major
  std::span<const std::byte> data() const { return {array.data(), array.nbytes()}; }
};
NpyBytes npy_bytes(const Array& array, bool untyped);

// Write the whole content of a file and leave the commit to the caller, who may have several files to put in place. Throw Error
// (invalid_argument) for arrays that the format cannot hold; a .npy holds just one.
void write_npy(AtomicFile& file, const NamedArrays& arrays);
void write_npz(AtomicFile& file, const NamedArrays& arrays);
void write_safetensors(AtomicFile& file, const NamedArrays& arrays);

using ArrayWriter = void (*)(AtomicFile& file, const NamedArrays& arrays);

struct ArrayFormat {
  std::string_view suffix;
  bool holds_many;
  bool (*recognise)(std::span<const std::byte> bytes);
  NamedArrays (*read)(const Source& source);
  ArrayWriter write;
};

// The format that the suffix names in upper or lower case, or nullptr.
const ArrayFormat* format_by_suffix(const std::filesystem::path& path);

void save_with(ArrayWriter write, const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode);

}  // namespace pier
