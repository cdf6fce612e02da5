#include <pier/dtype.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <pier/error.h>

#include "base/shape.h"
#include "base/text.h"

namespace pier {
namespace {

// How the bits of a small float are read: IEEE keeps the top exponent for inf and nan; the others give it to numbers.
enum class Specials { none, ieee, nan_all_ones, nan_is_minus_zero, not_a_float };

struct Row {
  DType type;
  std::string_view name;
  std::string_view stablehlo;
  std::uint8_t bits;
  std::uint8_t exponent_bits = 0;
  std::uint8_t mantissa_bits = 0;
  std::int16_t bias = 0;
  Specials specials = Specials::not_a_float;
};

// Formats: the StableHLO specification, section Types, and the OCP micro-scaling formats specification 1.0.
constexpr std::array<Row, 34> rows = {{
    {DType::invalid, "invalid", "invalid", 0},
    {DType::boolean, "bool", "i1", 8},
    {DType::int8, "int8", "i8", 8},
    {DType::int16, "int16", "i16", 16},
    {DType::int32, "int32", "i32", 32},
    {DType::int64, "int64", "i64", 64},
    {DType::uint8, "uint8", "ui8", 8},
    {DType::uint16, "uint16", "ui16", 16},
    {DType::uint32, "uint32", "ui32", 32},
    {DType::uint64, "uint64", "ui64", 64},
    {DType::float16, "float16", "f16", 16, 5, 10, 15, Specials::ieee},
    {DType::float32, "float32", "f32", 32},
    {DType::float64, "float64", "f64", 64},
    {DType::bfloat16, "bfloat16", "bf16", 16, 8, 7, 127, Specials::ieee},
    {DType::complex64, "complex64", "complex<f32>", 64},
    {DType::complex128, "complex128", "complex<f64>", 128},
    {DType::float8_e5m2, "float8_e5m2", "f8E5M2", 8, 5, 2, 15, Specials::ieee},
    {DType::float8_e4m3fn, "float8_e4m3fn", "f8E4M3FN", 8, 4, 3, 7, Specials::nan_all_ones},
    {DType::float8_e4m3b11fnuz, "float8_e4m3b11fnuz", "f8E4M3B11FNUZ", 8, 4, 3, 11, Specials::nan_is_minus_zero},
    {DType::float8_e5m2fnuz, "float8_e5m2fnuz", "f8E5M2FNUZ", 8, 5, 2, 16, Specials::nan_is_minus_zero},
    {DType::float8_e4m3fnuz, "float8_e4m3fnuz", "f8E4M3FNUZ", 8, 4, 3, 8, Specials::nan_is_minus_zero},
    {DType::int4, "int4", "i4", 4},
    {DType::uint4, "uint4", "ui4", 4},
    {DType::token, "token", "token", 0},
    {DType::int2, "int2", "i2", 2},
    {DType::uint2, "uint2", "ui2", 2},
    {DType::float8_e4m3, "float8_e4m3", "f8E4M3", 8, 4, 3, 7, Specials::ieee},
    {DType::float8_e3m4, "float8_e3m4", "f8E3M4", 8, 3, 4, 3, Specials::ieee},
    {DType::float8_e8m0fnu, "float8_e8m0fnu", "f8E8M0FNU", 8},
    {DType::float4_e2m1fn, "float4_e2m1fn", "f4E2M1FN", 4, 2, 1, 1, Specials::none},
    {DType::int1, "int1", "si1", 1},
    {DType::uint1, "uint1", "ui1", 1},
    {DType::float6_e2m3fn, "float6_e2m3fn", "f6E2M3FN", 6, 2, 3, 1, Specials::none},
    {DType::float6_e3m2fn, "float6_e3m2fn", "f6E3M2FN", 6, 3, 2, 3, Specials::none},
}};

constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].type) != i) return false;
  return true;
}
static_assert(rows_in_order());

const Row& row(DType type) noexcept {
  const auto index = static_cast<std::size_t>(type);
  return rows[index < rows.size() ? index : 0];
}

double decode_small_float(const Row& format, std::uint32_t raw) noexcept {
  const std::uint32_t magnitude_bits = static_cast<std::uint32_t>(format.exponent_bits) + format.mantissa_bits;
  const bool negative = (raw >> magnitude_bits) & 1u;
  const std::uint32_t magnitude = raw & ((1u << magnitude_bits) - 1u);
  const std::uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1u);
  const std::uint32_t exponent = magnitude >> format.mantissa_bits;
  const std::uint32_t top = (1u << format.exponent_bits) - 1u;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  if (format.specials == Specials::nan_is_minus_zero && negative && magnitude == 0) return nan;
  if (format.specials == Specials::nan_all_ones && magnitude == (1u << magnitude_bits) - 1u) return nan;
  if (format.specials == Specials::ieee && exponent == top) {
    if (mantissa) return nan;
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  const double fraction = exponent ? mantissa + (1u << format.mantissa_bits) : mantissa;
  const int scale = static_cast<int>(exponent ? exponent : 1) - format.bias - format.mantissa_bits;
  const double value = std::ldexp(fraction, scale);
  return negative ? -value : value;
}

template <class T>
double load(const std::byte* element) noexcept {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return static_cast<double>(value);
}

std::string extents(std::span<const std::int64_t> shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i) out += ',';
    out += std::to_string(shape[i]);
  }
  return out + ']';
}

double load_small_signed(const std::byte* element, unsigned width) noexcept {
  const auto raw = static_cast<unsigned>(std::to_integer<std::uint8_t>(*element)) & ((1u << width) - 1u);
  const int value = static_cast<int>(raw);
  return value >= (1 << (width - 1)) ? value - (1 << width) : value;
}

}  // namespace

std::span<const DType> all_dtypes() noexcept {
  static constexpr auto list = [] {
    std::array<DType, rows.size() - 2> out{};
    std::size_t n = 0;
    for (const Row& r : rows)
      if (r.bits) out[n++] = r.type;
    return out;
  }();
  return list;
}

std::string_view name(DType type) noexcept { return row(type).name; }
std::string_view stablehlo_name(DType type) noexcept { return row(type).stablehlo; }

std::optional<DType> parse_dtype(std::string_view text) noexcept {
  for (const Row& r : rows) {
    if (r.type == DType::invalid) continue;
    if (r.name == text || r.stablehlo == text) return r.type;
  }
  if (text == "pred") return DType::boolean;
  return std::nullopt;
}

std::size_t bits(DType type) noexcept { return row(type).bits; }
std::size_t host_bytes(DType type) noexcept { return (bits(type) + 7) / 8; }

std::int64_t num_elements(std::span<const std::int64_t> shape) {
  if (const auto count = checked_product(1, shape)) return *count;
  for (const std::int64_t extent : shape)
    if (extent < 0)
      throw Error(ErrorCode::invalid_argument, text("the shape {} has the negative extent {}", extents(shape), extent));
  throw Error(ErrorCode::invalid_argument, text("the shape {} has more than 2^63 elements", extents(shape)));
}

std::size_t dense_bytes(DType type, std::span<const std::int64_t> shape) {
  const std::size_t element = host_bytes(type);
  if (element == 0) throw Error(ErrorCode::invalid_argument, text("{} cannot hold data", name(type)));
  num_elements(shape);
  if (const auto bytes = checked_product(static_cast<std::int64_t>(element), shape)) return static_cast<std::size_t>(*bytes);
  throw Error(ErrorCode::invalid_argument, text("{} has more than 2^63 bytes", describe(type, shape)));
}

std::string describe(DType type, std::span<const std::int64_t> shape) { return std::string(name(type)) + extents(shape); }

std::string to_string(const TensorType& type) { return describe(type.dtype, type.shape); }

double to_double(DType type, const std::byte* element) noexcept {
  switch (type) {
    case DType::boolean: return std::to_integer<int>(*element) != 0;
    case DType::int8: return load<std::int8_t>(element);
    case DType::int16: return load<std::int16_t>(element);
    case DType::int32: return load<std::int32_t>(element);
    case DType::int64: return load<std::int64_t>(element);
    case DType::uint8: return load<std::uint8_t>(element);
    case DType::uint16: return load<std::uint16_t>(element);
    case DType::uint32: return load<std::uint32_t>(element);
    case DType::uint64: return load<std::uint64_t>(element);
    case DType::float32:
    case DType::complex64: return load<float>(element);
    case DType::float64:
    case DType::complex128: return load<double>(element);
    case DType::int1: return load_small_signed(element, 1);
    case DType::int2: return load_small_signed(element, 2);
    case DType::int4: return load_small_signed(element, 4);
    case DType::uint1: return std::to_integer<int>(*element) & 1;
    case DType::uint2: return std::to_integer<int>(*element) & 3;
    case DType::uint4: return std::to_integer<int>(*element) & 15;
    case DType::float8_e8m0fnu: {
      // Only an exponent: 2^(raw - 127), with the last value for nan.
      const int raw = std::to_integer<int>(*element);
      return raw == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, raw - 127);
    }
    default: break;
  }
  const Row& format = row(type);
  if (format.specials == Specials::not_a_float) return std::numeric_limits<double>::quiet_NaN();
  std::uint32_t raw = std::to_integer<std::uint8_t>(element[0]);
  if (format.bits == 16) {
    std::uint16_t wide;
    std::memcpy(&wide, element, sizeof wide);
    raw = wide;
  }
  return decode_small_float(format, raw);
}

}  // namespace pier
