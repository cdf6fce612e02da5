#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pier/export.h>

namespace pier {

/// Element types of PJRT, with PJRT's numbers (enum PJRT_Buffer_Type).
enum class DType : std::uint8_t {
  invalid = 0,
  boolean = 1,
  int8 = 2,
  int16 = 3,
  int32 = 4,
  int64 = 5,
  uint8 = 6,
  uint16 = 7,
  uint32 = 8,
  uint64 = 9,
  float16 = 10,
  float32 = 11,
  float64 = 12,
  bfloat16 = 13,
  complex64 = 14,
  complex128 = 15,
  float8_e5m2 = 16,
  float8_e4m3fn = 17,
  float8_e4m3b11fnuz = 18,
  float8_e5m2fnuz = 19,
  float8_e4m3fnuz = 20,
  int4 = 21,
  uint4 = 22,
  token = 23,
  int2 = 24,
  uint2 = 25,
  float8_e4m3 = 26,
  float8_e3m4 = 27,
  float8_e8m0fnu = 28,
  float4_e2m1fn = 29,
  int1 = 30,
  uint1 = 31,
  float6_e2m3fn = 32,
  float6_e3m2fn = 33,
};

/// Every type that can hold data, in PJRT's order.
PIER_API std::span<const DType> all_dtypes() noexcept;

/// Name as NumPy and ml_dtypes spell it: "bool", "float32", "int4", "float8_e4m3fn".
PIER_API std::string_view name(DType type) noexcept;

/// Spelling of the type in a StableHLO program: "i1", "f32", "ui4", "f8E4M3FN", "complex<f64>".
PIER_API std::string_view stablehlo_name(DType type) noexcept;

/// The type of that NumPy name or StableHLO spelling ("float32", "f32", "ui8", "i1", "f8E4M3FN", "complex<f32>"), or nothing.
PIER_API std::optional<DType> parse_dtype(std::string_view text) noexcept;

/// Bits of one value: 1, 2, 4, 6, 8 ... 128; 8 for boolean; 0 for token and invalid.
PIER_API std::size_t bits(DType type) noexcept;

/// Bytes of one element in host memory. Types below 8 bits take one byte each there, as in NumPy's ml_dtypes.
PIER_API std::size_t host_bytes(DType type) noexcept;

/// Extents of an array, outermost first; empty for a scalar.
using Shape = std::vector<std::int64_t>;

/// Number of elements; 1 for a scalar. Throws Error (invalid_argument) on a negative extent or when the product leaves
/// 63 bits.
PIER_API std::int64_t num_elements(std::span<const std::int64_t> shape);

/// Bytes of a dense array in host memory: num_elements * host_bytes. Throws Error (invalid_argument) for a type that holds no
/// data, on a negative extent, and when the bytes, or the strides in bytes of an array without elements, leave 63 bits.
PIER_API std::size_t dense_bytes(DType type, std::span<const std::int64_t> shape);

/// "float32[2,3]", "int4[]": type and shape as error messages show them.
PIER_API std::string describe(DType type, std::span<const std::int64_t> shape);

/// Type and shape of an argument or a result.
struct TensorType {
  DType dtype = DType::invalid;
  Shape shape;

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

PIER_API std::string to_string(const TensorType& type);

/// One element in host memory as a double (the real part of a complex one; exact for all types up to float64, rounded for
/// 64-bit integers beyond 2^53).
PIER_API double to_double(DType type, const std::byte* element) noexcept;

}  // namespace pier
