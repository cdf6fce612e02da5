#include <pier/array.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <pier/error.h>

#include "base/shape.h"
#include "base/text.h"

namespace pier {
namespace {

// CPU plugins alias host memory that starts on this boundary and copy any other (measured on PJRT 0.81 to 0.115).
constexpr std::size_t alignment = 64;

std::int64_t element_bytes(DType type) { return static_cast<std::int64_t>(host_bytes(type)); }

// The offsets of all elements must fit, in both directions.
void check_reach(DType type, const Shape& shape, const std::vector<std::int64_t>& strides) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  std::int64_t forward = element_bytes(type);
  std::int64_t backward = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t walk = 0;
    const bool fits = !__builtin_mul_overflow(shape[i] - 1, strides[i], &walk) &&
                      !(walk < 0 ? __builtin_add_overflow(backward, walk, &backward)
                                 : __builtin_add_overflow(forward, walk, &forward));
    if (!fits)
      throw Error(ErrorCode::invalid_argument, text("the strides of {} walk further than 2^63 bytes", describe(type, shape)));
  }
}

std::shared_ptr<void> allocate(std::size_t bytes, DType type, const Shape& shape) {
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (!memory)
    throw Error(ErrorCode::resource_exhausted,
                text("no memory for {} ({})", describe(type, shape), bytes_text(bytes)));
  return {memory, [](void* p) { std::free(p); }};
}

struct Axis {
  std::int64_t extent;
  std::int64_t stride;
};

// Walks the elements in row-major order. Iterative: a file may name thousands of dimensions. Axes of one element are
// left out and axes that continue each other are merged, so the innermost run is as long as it can be.
std::vector<Axis> walk_of(const Array& array) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < array.shape().size(); ++i) {
    const Axis axis{array.shape()[i], array.strides()[i]};
    if (axis.extent == 1) continue;
    std::int64_t whole = 0;
    if (!axes.empty() && !__builtin_mul_overflow(axis.extent, axis.stride, &whole) && axes.back().stride == whole) {
      axes.back() = {axes.back().extent * axis.extent, axis.stride};
    } else {
      axes.push_back(axis);
    }
  }
  if (axes.empty()) axes.push_back({1, 0});
  return axes;
}

template <std::size_t width>
std::byte* copy_run(const std::byte* source, Axis run, std::byte* target) {
  for (std::int64_t i = 0; i < run.extent; ++i) {
    std::memcpy(target, source + i * run.stride, width);
    target += width;
  }
  return target;
}

std::byte* copy_run(const std::byte* source, Axis run, std::byte* target, std::size_t width) {
  if (run.stride == static_cast<std::int64_t>(width)) {
    const std::size_t bytes = static_cast<std::size_t>(run.extent) * width;
    std::memcpy(target, source, bytes);
    return target + bytes;
  }
  switch (width) {
    case 1: return copy_run<1>(source, run, target);
    case 2: return copy_run<2>(source, run, target);
    case 4: return copy_run<4>(source, run, target);
    case 8: return copy_run<8>(source, run, target);
    default: return copy_run<16>(source, run, target);
  }
}

// Copies elements that are not empty.
void copy_dense(const Array& array, std::byte* target) {
  std::vector<Axis> outer = walk_of(array);
  const Axis run = outer.back();
  outer.pop_back();
  std::vector<std::int64_t> index(outer.size());
  const std::byte* source = array.data();
  const std::size_t width = host_bytes(array.dtype());
  for (;;) {
    target = copy_run(source, run, target, width);
    std::size_t axis = outer.size();
    for (; axis > 0; --axis) {
      const Axis& here = outer[axis - 1];
      if (++index[axis - 1] < here.extent) {
        source += here.stride;
        break;
      }
      source -= (here.extent - 1) * here.stride;
      index[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}

// Of the element at a place in row-major order.
const std::byte* element_at(const Array& array, std::size_t place) {
  const std::byte* element = array.data();
  for (std::size_t i = array.shape().size(); i-- > 0;) {
    const auto extent = static_cast<std::size_t>(array.shape()[i]);
    element += static_cast<std::int64_t>(place % extent) * array.strides()[i];
    place /= extent;
  }
  return element;
}

// The shortest text that reads back as the same number.
template <class T>
std::string shortest(T value) {
  std::array<char, 32> out;
  const auto [end, error] = std::to_chars(out.data(), out.data() + out.size(), value);
  return {out.data(), end};
}

std::string real_text(DType type, const std::byte* element) {
  const double value = to_double(type, element);
  return type == DType::float64 ? shortest(value) : shortest(static_cast<float>(value));
}

std::string element_text(DType type, const std::byte* element) {
  switch (type) {
    case DType::boolean: return to_double(type, element) != 0 ? "true" : "false";
    case DType::int8:
    case DType::int16:
    case DType::int32:
    case DType::uint8:
    case DType::uint16:
    case DType::uint32: return text("{}", static_cast<std::int64_t>(to_double(type, element)));
    case DType::int64:
    case DType::uint64: {
      std::uint64_t raw = 0;
      std::memcpy(&raw, element, sizeof raw);
      return type == DType::int64 ? text("{}", static_cast<std::int64_t>(raw)) : text("{}", raw);
    }
    case DType::complex64:
    case DType::complex128: {
      const DType part = type == DType::complex128 ? DType::float64 : DType::float32;
      const std::string imaginary = real_text(part, element + host_bytes(part));
      return text("{}{}{}j", real_text(part, element), imaginary.front() == '-' ? "" : "+", imaginary);
    }
    default: return real_text(type, element);
  }
}

}  // namespace

Array Array::uninitialized(DType type, Shape shape) {
  const std::size_t bytes = dense_bytes(type, shape);
  Array array;
  array.dtype_ = type;
  array.size_ = num_elements(shape);
  array.strides_ = dense_strides(element_bytes(type), shape, Order::row_major);
  auto memory = allocate(bytes, type, shape);
  array.data_ = static_cast<const std::byte*>(memory.get());
  array.owner_ = std::move(memory);
  array.shape_ = std::move(shape);
  array.writable_ = true;
  return array;
}

Array Array::zeros(DType type, Shape shape) {
  Array array = uninitialized(type, std::move(shape));
  if (array.nbytes()) std::memset(array.mutable_bytes().data(), 0, array.nbytes());
  return array;
}

Array Array::view(const void* data, DType type, Shape shape, std::shared_ptr<const void> owner,
                  std::vector<std::int64_t> strides) {
  dense_bytes(type, shape);
  if (!strides.empty() && strides.size() != shape.size())
    throw Error(ErrorCode::invalid_argument, text("{} strides for an array of rank {}", strides.size(), shape.size()));
  Array array;
  array.dtype_ = type;
  array.size_ = num_elements(shape);
  if (!data && array.size_ > 0) throw Error(ErrorCode::invalid_argument, "a view of null memory");
  if (!strides.empty()) check_reach(type, shape, strides);
  array.row_major_ = strides.empty() || strides_are_dense(element_bytes(type), shape, strides, Order::row_major);
  array.strides_ = strides.empty() ? dense_strides(element_bytes(type), shape, Order::row_major) : std::move(strides);
  array.shape_ = std::move(shape);
  array.data_ = static_cast<const std::byte*>(data);
  array.owner_ = std::move(owner);
  return array;
}

Array Array::copy_of(const void* data, std::size_t count, DType type, Shape shape) {
  Array array = uninitialized(type, std::move(shape));
  if (static_cast<std::uint64_t>(array.size_) != count)
    throw Error(ErrorCode::invalid_argument, text("{} values for {}", count, describe(type, array.shape_)));
  if (count) std::memcpy(array.mutable_bytes().data(), data, array.nbytes());
  return array;
}

void Array::swap(Array& other) noexcept {
  std::swap(dtype_, other.dtype_);
  std::swap(row_major_, other.row_major_);
  std::swap(writable_, other.writable_);
  shape_.swap(other.shape_);
  strides_.swap(other.strides_);
  std::swap(size_, other.size_);
  std::swap(data_, other.data_);
  owner_.swap(other.owner_);
}

Array Array::row_major() const { return row_major_ ? *this : copy(); }

Array Array::copy() const {
  if (dtype_ == DType::invalid) return {};
  Array dense = uninitialized(dtype_, shape_);
  if (size_ > 0) copy_dense(*this, dense.mutable_bytes().data());
  return dense;
}

void Array::check_values(DType type, std::size_t wanted_alignment) const {
  if (type != dtype_)
    throw Error(ErrorCode::invalid_argument,
                text("the array is {} and was read as {}", describe(dtype_, shape_), name(type)));
  if (!row_major_)
    throw Error(ErrorCode::invalid_argument, text("{} is not row-major", describe(dtype_, shape_)))
        .note("take row_major() of it first");
  if (reinterpret_cast<std::uintptr_t>(data_) % wanted_alignment != 0)
    throw Error(ErrorCode::invalid_argument,
                text("{} does not lie on a boundary of {} bytes", describe(dtype_, shape_), wanted_alignment))
        .note("take copy() of it first");
}

std::span<std::byte> Array::mutable_bytes() {
  if (!writable_ || owner_.use_count() != 1)
    throw Error(ErrorCode::failed_precondition,
                text("{} is a view or shares its memory, and cannot be written", describe(dtype_, shape_)));
  // What another thread read through a copy that it has just dropped was read before what is written now.
  std::atomic_thread_fence(std::memory_order_acquire);
  return {const_cast<std::byte*>(data_), nbytes()};
}

Array Array::as(DType type) const {
  if (host_bytes(type) != host_bytes(dtype_))
    throw Error(ErrorCode::invalid_argument, text("{} cannot be read as {}: elements of {} and {} bytes",
                                                  describe(dtype_, shape_), name(type), host_bytes(dtype_),
                                                  host_bytes(type)));
  Array array = *this;
  if (type == DType::boolean && dtype_ != type) {
    // A C++ bool holds nothing but 0 and 1.
    array = copy();
    for (std::byte& byte : array.mutable_bytes()) byte = std::byte{byte != std::byte{0}};
  }
  array.dtype_ = type;
  return array;
}

std::string preview(const Array& array, std::size_t limit) {
  std::string out = describe(array.dtype(), array.shape()) + " [";
  const auto count = static_cast<std::size_t>(array.size());
  for (std::size_t i = 0; i < count && i < limit; ++i) {
    if (i) out += ", ";
    out += element_text(array.dtype(), element_at(array, i));
  }
  if (count > limit) out += text("{}... {} more", limit ? ", " : "", count - limit);
  return out + "]";
}

}  // namespace pier
