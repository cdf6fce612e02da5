#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/elements.h"

namespace pier {

// Bytes from the front of a file that tell how long its header is.
constexpr std::size_t npy_prefix = 12;

struct NpyHeader {
  Elements elements;
  bool untyped = false;  // void: only the width is known
};

bool has_npy_magic(std::span<const std::byte> bytes);

// Bytes before the elements; `front` holds the first npy_prefix bytes, or all if there are fewer. Checks magic, version and
// that `total`, the size of the whole, is not exceeded. At most 1 MiB, a thousand times what a plain array needs.
std::size_t npy_header_size(std::span<const std::byte> front, std::uint64_t total, std::string_view source);

// Parses the whole header (npy_header_size bytes) and checks that elements of just `data_bytes` follow it.
NpyHeader parse_npy_header(std::span<const std::byte> header, std::uint64_t data_bytes, std::string_view source);

// Whether NumPy has no code of its own for the type, so that its elements are stored as void of their width.
bool is_void_in_npy(DType type);

// The header that numpy.save writes, a multiple of 64 bytes long.
std::string make_npy_header(DType type, std::span<const std::int64_t> shape, bool fortran_order, bool untyped = false);

}  // namespace pier
