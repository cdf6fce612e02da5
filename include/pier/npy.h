#pragma once

#include <filesystem>

#include <pier/array.h>
#include <pier/export.h>
#include <pier/files.h>

namespace pier {

/// Loads a .npy file (format versions 1.0, 2.0 and 3.0). Without a copy the array is a view of the mapped file, Fortran
/// order included (as strides); a copy is made for big-endian files, for elements at addresses that their type does not
/// allow, and for booleans other than 0 and 1.
/// Elements that NumPy calls void ('V1', 'V2') come as uint8 and uint16: use array.as(DType::bfloat16) and the like, or
/// load_arrays(), which marks them. '<f1', as ml_dtypes writes float8_e5m2, comes as that type.
/// Throws Error: io, not_found or permission_denied for reading; integrity when the header lies or the file is cut short;
/// invalid_argument for objects, strings, dates, records, long double and ranks above 64.
PIER_API Array load_npy(const std::filesystem::path& path);

/// Writes what numpy.save writes for the same array, byte for byte; column-major arrays keep their order. Types that NumPy
/// itself lacks are written as void of their width, so that numpy.load(path).view(ml_dtypes.bfloat16) reads them; this holds
/// for float8_e5m2 too, for which numpy.save would write a file that numpy.load refuses.
PIER_API void save_npy(const std::filesystem::path& path, const Array& array, SaveMode mode = SaveMode::refuse);

}  // namespace pier
