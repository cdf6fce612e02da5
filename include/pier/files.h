#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <pier/array.h>
#include <pier/export.h>

namespace pier {

/// What to do with a file that is already there. Either way the new file appears whole or not at all.
enum class SaveMode { refuse, replace };

/// An array with its name in a file.
struct Entry {
  std::string name;
  Array array;
  /// The file tells how wide the elements are (1 or 2 bytes) but not what they mean: NumPy stores the types of ml_dtypes
  /// (bfloat16, most float8 kinds, int4 ...) that way. `array` is then uint8 or uint16; array.as(type) gives it its meaning.
  bool untyped = false;
};
using NamedArrays = std::vector<Entry>;

/// Loads a .npy, .npz or .safetensors file, told apart by what it holds, not by its name. A .npy gives one entry that is
/// named by the file's stem; the others give theirs in order of name (by byte). Arrays are views of the mapped file where
/// that is possible, and keep the mapping alive; the file must not be changed in place meanwhile.
/// Throws Error: io, not_found, permission_denied for reading; integrity where the file contradicts itself or is of no known format; invalid_argument
/// for a format, an element type or a rank (above 64) that pier does not take.
PIER_API NamedArrays load_arrays(const std::filesystem::path& path);

/// Saves in the format that the suffix names: .npy (one array only; its name is not kept), .npz or .safetensors.
/// Throws Error: invalid_argument for another suffix, a name used twice or an element type that the format lacks;
/// already_exists with SaveMode::refuse; io, permission_denied or resource_exhausted for writing.
PIER_API void save_arrays(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode = SaveMode::refuse);

}  // namespace pier
