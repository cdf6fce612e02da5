#include "io/elements.h"

#include <algorithm>
#include <cstring>

#include "base/shape.h"

namespace pier {
namespace {

// The width of what is swapped and aligned as one: a complex number is two of them.
std::size_t part_bytes(DType type) {
  const bool complex = type == DType::complex64 || type == DType::complex128;
  return host_bytes(type) / (complex ? 2 : 1);
}

std::int64_t element_bytes(const Elements& elements) { return static_cast<std::int64_t>(host_bytes(elements.dtype)); }

std::vector<std::int64_t> column_major_strides(const Elements& elements) {
  return dense_strides(element_bytes(elements), elements.shape, Order::column_major);
}

template <class T, T (*swap)(T)>
void swap_all(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    value = swap(value);
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
}

std::uint16_t swap16(std::uint16_t v) { return __builtin_bswap16(v); }
std::uint32_t swap32(std::uint32_t v) { return __builtin_bswap32(v); }
std::uint64_t swap64(std::uint64_t v) { return __builtin_bswap64(v); }

void swap_bytes(std::span<std::byte> bytes, std::size_t width) {
  if (width == 2) swap_all<std::uint16_t, swap16>(bytes);
  if (width == 4) swap_all<std::uint32_t, swap32>(bytes);
  if (width == 8) swap_all<std::uint64_t, swap64>(bytes);
}

// Without elements either order is row-major, too.
bool needs_strides(const Elements& elements) {
  return elements.fortran_order && elements.shape.size() > 1 && num_elements(elements.shape) > 0;
}

bool is_zero_or_one(std::byte byte) { return byte <= std::byte{1}; }

}  // namespace

std::optional<std::uint64_t> elements_nbytes(const Elements& elements) {
  const auto bytes = checked_product(element_bytes(elements), elements.shape);
  if (!bytes) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

Array new_elements(const Elements& elements, const std::function<void(std::span<std::byte>)>& fill) {
  Array array = Array::uninitialized(elements.dtype, elements.shape);
  const std::span<std::byte> bytes = array.mutable_bytes();
  fill(bytes);
  if (elements.big_endian) swap_bytes(bytes, part_bytes(elements.dtype));
  // NumPy reads every byte but 0 as true; a C++ bool holds nothing but 0 and 1.
  if (elements.dtype == DType::boolean)
    for (std::byte& byte : bytes) byte = byte == std::byte{0} ? std::byte{0} : std::byte{1};
  if (!needs_strides(elements)) return array;
  return Array::view(array.data(), elements.dtype, elements.shape, array.owner(),
                     column_major_strides(elements));
}

Array view_elements(const Elements& elements, std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  const std::size_t part = part_bytes(elements.dtype);
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % part == 0;
  const bool swapped = elements.big_endian && part > 1;
  const bool truth = elements.dtype != DType::boolean || std::all_of(bytes.begin(), bytes.end(), is_zero_or_one);
  if (!aligned || swapped || !truth) {
    return new_elements(elements, [&](std::span<std::byte> target) {
      if (!bytes.empty()) std::memcpy(target.data(), bytes.data(), bytes.size());
    });
  }
  std::vector<std::int64_t> strides;
  if (needs_strides(elements)) strides = column_major_strides(elements);
  return Array::view(bytes.data(), elements.dtype, elements.shape, std::move(owner), std::move(strides));
}

bool is_column_major(const Array& array) {
  return strides_are_dense(static_cast<std::int64_t>(host_bytes(array.dtype())), array.shape(), array.strides(), Order::column_major);
}

}  // namespace pier
