#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/pjrt.h"

namespace fake {

using Dims = std::vector<std::int64_t>;

struct ElementType {
  pier::abi::PJRT_Buffer_Type type;
  std::size_t bits;
  std::string_view xla;   ///< "f32", "pred"
  std::string_view mlir;  ///< "f32", "i1"; empty where MLIR text cannot name it.
  int hlo;                ///< Number in an HLO module; 0 where it is not known here.
};

/// Null for types that hold no data, and for numbers that are no type.
const ElementType* find_element(int type) noexcept;
const ElementType* find_xla_element(std::string_view name) noexcept;
const ElementType* find_mlir_element(std::string_view name) noexcept;

/// The type, if the posed version knows it; else a violation and a refusal, or an abort where that is wanted.
const ElementType& require_element(int type);

/// Bytes of one element in host memory.
std::size_t host_bytes(const ElementType& element) noexcept;
/// Whether several elements share a byte on the device.
bool is_packed(const ElementType& element) noexcept;

/// Number of elements; refuses negative extents and products that leave 63 bits.
std::int64_t count_elements(const Dims& dims);
std::int64_t device_bytes(const ElementType& element, const Dims& dims);

struct TensorType {
  pier::abi::PJRT_Buffer_Type type = pier::abi::PJRT_Buffer_Type_INVALID;
  Dims dims;
  friend bool operator==(const TensorType&, const TensorType&) = default;
};
/// "f32[2,3]"
std::string to_string(const TensorType& type);

/// {n-1, ..., 1, 0}
std::vector<std::int64_t> row_major(std::size_t rank);
std::vector<std::int64_t> column_major(std::size_t rank);
/// Byte strides of a dense array in that order, innermost dimension first in `minor_to_major`.
std::vector<std::int64_t> dense_strides(const Dims& dims, const std::vector<std::int64_t>& minor_to_major,
                                        std::size_t element_bytes);

/// Copies an array element by element between two layouts, both in host form.
void copy_strided(std::byte* target, const std::vector<std::int64_t>& target_strides, const std::byte* source,
                  const std::vector<std::int64_t>& source_strides, const Dims& dims, std::size_t element_bytes);

/// Host form (a byte for each element) to packed device form and back; both in the same order of elements.
void pack(std::byte* target, const std::byte* source, std::size_t count, std::size_t bits) noexcept;
void unpack(std::byte* target, const std::byte* source, std::size_t count, std::size_t bits) noexcept;

}  // namespace fake
