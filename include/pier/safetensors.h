#pragma once

#include <filesystem>

#include <pier/export.h>
#include <pier/files.h>

namespace pier {

/// Loads every tensor of a .safetensors file, in order of name. Tensors are views of the mapped file where their offset
/// allows it. Packed types take one byte for each element in the array: F4 holds its first element in the lower half of a
/// byte, as in ONNX and PyTorch; F6_E2M3 and F6_E3M2 go on in the same way from the lowest bit up (the format leaves their
/// order open). `__metadata__` is checked and not returned.
/// Throws Error: io, not_found or permission_denied for reading; integrity when the header is malformed, names something
/// twice, or its offsets do not tile the file; invalid_argument for an unknown element type and ranks above 64.
PIER_API NamedArrays load_safetensors(const std::filesystem::path& path);

/// Writes a .safetensors file whose data starts on a 64-byte boundary; tensors of a multiple of 64 bytes come first, so that
/// they stay on one. Throws Error (invalid_argument) for element types that the format lacks, naming them.
PIER_API void save_safetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                               SaveMode mode = SaveMode::refuse);

}  // namespace pier
