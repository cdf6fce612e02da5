#include "fake_plugin/element.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "fake_plugin/ledger.h"
#include "fake_plugin/settings.h"
#include "fake_plugin/steering.h"

namespace fake {
namespace {

using namespace pier::abi;

constexpr std::array elements = {
    ElementType{PJRT_Buffer_Type_PRED, 8, "pred", "i1", 1},
    ElementType{PJRT_Buffer_Type_S8, 8, "s8", "i8", 2},
    ElementType{PJRT_Buffer_Type_S16, 16, "s16", "i16", 3},
    ElementType{PJRT_Buffer_Type_S32, 32, "s32", "i32", 4},
    ElementType{PJRT_Buffer_Type_S64, 64, "s64", "i64", 5},
    ElementType{PJRT_Buffer_Type_U8, 8, "u8", "ui8", 6},
    ElementType{PJRT_Buffer_Type_U16, 16, "u16", "ui16", 7},
    ElementType{PJRT_Buffer_Type_U32, 32, "u32", "ui32", 8},
    ElementType{PJRT_Buffer_Type_U64, 64, "u64", "ui64", 9},
    ElementType{PJRT_Buffer_Type_F16, 16, "f16", "f16", 10},
    ElementType{PJRT_Buffer_Type_F32, 32, "f32", "f32", 11},
    ElementType{PJRT_Buffer_Type_F64, 64, "f64", "f64", 12},
    ElementType{PJRT_Buffer_Type_BF16, 16, "bf16", "bf16", 16},
    ElementType{PJRT_Buffer_Type_C64, 64, "c64", "complex<f32>", 15},
    ElementType{PJRT_Buffer_Type_C128, 128, "c128", "complex<f64>", 18},
    ElementType{PJRT_Buffer_Type_F8E5M2, 8, "f8e5m2", "f8E5M2", 19},
    ElementType{PJRT_Buffer_Type_F8E4M3FN, 8, "f8e4m3fn", "f8E4M3FN", 20},
    ElementType{PJRT_Buffer_Type_F8E4M3B11FNUZ, 8, "f8e4m3b11fnuz", "f8E4M3B11FNUZ", 23},
    ElementType{PJRT_Buffer_Type_F8E5M2FNUZ, 8, "f8e5m2fnuz", "f8E5M2FNUZ", 24},
    ElementType{PJRT_Buffer_Type_F8E4M3FNUZ, 8, "f8e4m3fnuz", "f8E4M3FNUZ", 25},
    ElementType{PJRT_Buffer_Type_S4, 4, "s4", "i4", 21},
    ElementType{PJRT_Buffer_Type_U4, 4, "u4", "ui4", 22},
    ElementType{PJRT_Buffer_Type_S2, 2, "s2", "i2", 26},
    ElementType{PJRT_Buffer_Type_U2, 2, "u2", "ui2", 27},
    ElementType{PJRT_Buffer_Type_F8E4M3, 8, "f8e4m3", "f8E4M3", 28},
    ElementType{PJRT_Buffer_Type_F8E3M4, 8, "f8e3m4", "f8E3M4", 29},
    ElementType{PJRT_Buffer_Type_F8E8M0FNU, 8, "f8e8m0fnu", "f8E8M0FNU", 33},
    ElementType{PJRT_Buffer_Type_F4E2M1FN, 4, "f4e2m1fn", "f4E2M1FN", 32},
    ElementType{PJRT_Buffer_Type_S1, 1, "s1", "", 30},
    ElementType{PJRT_Buffer_Type_U1, 1, "u1", "ui1", 31},
    ElementType{PJRT_Buffer_Type_F6E2M3FN, 6, "f6e2m3fn", "f6E2M3FN", 0},
    ElementType{PJRT_Buffer_Type_F6E3M2FN, 6, "f6e3m2fn", "f6E3M2FN", 0},
};

template <class Predicate>
const ElementType* find_where(Predicate predicate) noexcept {
  const auto found = std::find_if(elements.begin(), elements.end(), predicate);
  return found == elements.end() ? nullptr : &*found;
}

}  // namespace

const ElementType* find_element(int type) noexcept {
  return find_where([&](const ElementType& element) { return element.type == type; });
}
const ElementType* find_xla_element(std::string_view name) noexcept {
  return find_where([&](const ElementType& element) { return element.xla == name; });
}
const ElementType* find_mlir_element(std::string_view name) noexcept {
  return find_where([&](const ElementType& element) { return !element.mlir.empty() && element.mlir == name; });
}

const ElementType& require_element(int type) {
  const auto now = settings();
  const EnumFact* fact = find_enum("PJRT_Buffer_Type");
  const ValueFact* value = fact == nullptr ? nullptr : find_value(*fact, type);
  const ElementType* element = find_element(type);
  if (value != nullptr && element != nullptr && value->since <= now->minor()) return *element;
  const std::string text = "element type " + std::to_string(type) + " is unknown to PJRT 0." + std::to_string(now->minor());
  if (now->abort_on_unknown_enum) {
    std::fprintf(stderr, "fake_plugin: %s\n", text.c_str());
    std::abort();
  }
  misuse(text);
}

bool is_packed(const ElementType& element) noexcept {
  return element.bits == 1 || element.bits == 2 || element.bits == 4;
}

std::size_t host_bytes(const ElementType& element) noexcept { return (element.bits + 7) / 8; }

std::int64_t count_elements(const Dims& dims) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t extent : dims) {
    if (extent < 0) refuse("a negative extent");
    if (extent == 0) empty = true;
    else if (__builtin_mul_overflow(count, extent, &count)) refuse("the shape is too large");
  }
  return empty ? 0 : count;
}

std::int64_t device_bytes(const ElementType& element, const Dims& dims) {
  const std::int64_t count = count_elements(dims);
  const std::int64_t unit = is_packed(element) ? static_cast<std::int64_t>(8 / element.bits) : 1;
  if (unit > 1) return count / unit + (count % unit != 0);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, static_cast<std::int64_t>(host_bytes(element)), &bytes)) {
    refuse("the shape is too large");
  }
  return bytes;
}

std::string to_string(const TensorType& type) {
  const ElementType* element = find_element(type.type);
  std::string text = element == nullptr ? "type" + std::to_string(type.type) : std::string(element->xla);
  text += '[';
  for (std::size_t i = 0; i < type.dims.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(type.dims[i]);
  return text + ']';
}

std::vector<std::int64_t> row_major(std::size_t rank) {
  std::vector<std::int64_t> order = column_major(rank);
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<std::int64_t> column_major(std::size_t rank) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  return order;
}

std::vector<std::int64_t> dense_strides(const Dims& dims, const std::vector<std::int64_t>& minor_to_major,
                                        std::size_t element_bytes) {
  std::vector<std::int64_t> strides(dims.size());
  auto stride = static_cast<std::int64_t>(element_bytes);
  for (const std::int64_t dimension : minor_to_major) {
    strides[static_cast<std::size_t>(dimension)] = stride;
    stride *= std::max<std::int64_t>(dims[static_cast<std::size_t>(dimension)], 1);
  }
  return strides;
}

void copy_strided(std::byte* target, const std::vector<std::int64_t>& target_strides, const std::byte* source,
                  const std::vector<std::int64_t>& source_strides, const Dims& dims, std::size_t element_bytes) {
  const std::int64_t count = count_elements(dims);
  if (count == 0) return;
  if (target_strides == source_strides && target_strides == dense_strides(dims, row_major(dims.size()), element_bytes)) {
    std::memcpy(target, source, static_cast<std::size_t>(count) * element_bytes);
    return;
  }
  Dims index(dims.size(), 0);
  for (std::int64_t done = 0; done < count; ++done) {
    std::int64_t to = 0;
    std::int64_t from = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      to += index[d] * target_strides[d];
      from += index[d] * source_strides[d];
    }
    std::memcpy(target + to, source + from, element_bytes);
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
}

void pack(std::byte* target, const std::byte* source, std::size_t count, std::size_t bits) noexcept {
  const std::size_t in_byte = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  for (std::size_t i = 0; i < count; i += in_byte) {
    unsigned byte = 0;
    for (std::size_t k = 0; k < in_byte && i + k < count; ++k) {
      byte |= (std::to_integer<unsigned>(source[i + k]) & mask) << (k * bits);
    }
    target[i / in_byte] = static_cast<std::byte>(byte);
  }
}

void unpack(std::byte* target, const std::byte* source, std::size_t count, std::size_t bits) noexcept {
  const std::size_t in_byte = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  // Real plugins leave the upper bits of signed values at zero too.
  for (std::size_t i = 0; i < count; ++i) {
    target[i] = static_cast<std::byte>((std::to_integer<unsigned>(source[i / in_byte]) >> (i % in_byte * bits)) & mask);
  }
}

}  // namespace fake
