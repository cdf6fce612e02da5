#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <pier/array.h>

namespace pier {

// How elements lie in a file, one after the other.
struct Elements {
  DType dtype = DType::invalid;
  Shape shape;
  bool fortran_order = false;
  bool big_endian = false;
};

// Bytes that they take in host memory, or nothing when strides of 63 bits cannot express it.
std::optional<std::uint64_t> elements_nbytes(const Elements& elements);

// A view of `bytes` (exactly as many as elements_nbytes) where its elements can be read in place, else a copy.
Array view_elements(const Elements& elements, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

// A new array, 64-byte aligned; `fill` writes the bytes as the file has them.
Array new_elements(const Elements& elements, const std::function<void(std::span<std::byte>)>& fill);

// Whether the elements lie densely with the first dimension fastest.
bool is_column_major(const Array& array);

}  // namespace pier
