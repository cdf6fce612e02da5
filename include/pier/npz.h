#pragma once

#include <filesystem>

#include <pier/export.h>
#include <pier/files.h>

namespace pier {

/// Loads every member of a .npz file, in order of name (without the ".npy"). Stored members (numpy.savez) are views of the
/// mapped file; deflated ones (numpy.savez_compressed) are decompressed into arrays that start on a 64-byte boundary. The
/// CRC-32 of each member is verified.
/// Throws Error as load_npy() does, and invalid_argument for encryption and other compression methods.
PIER_API NamedArrays load_npz(const std::filesystem::path& path);

/// Writes a .npz as numpy.load reads it: members stored, in the order given, each array on a 64-byte boundary of the file,
/// without dates, so that equal arrays give equal files.
PIER_API void save_npz(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode = SaveMode::refuse);

}  // namespace pier
