#include <pier/array.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include <pier/error.h>

#include "base/text.h"

namespace pier {
namespace {

// CPU plugins alias host memory that starts on this boundary and copy any other (measured on PJRT 0.81 to 0.115).
constexpr std::size_t alignment = 64;

std::vector<std::int64_t> row_major_strides(const Shape& shape, std::size_t element) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t step = static_cast<std::int64_t>(element);
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

bool strides_are_row_major(const Shape& shape, const std::vector<std::int64_t>& strides, std::size_t element) {
  std::int64_t step = static_cast<std::int64_t>(element);
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

std::size_t checked_nbytes(DType type, const Shape& shape) {
  if (host_bytes(type) == 0) throw Error(ErrorCode::invalid_argument, text("{} cannot hold data", name(type)));
  const auto count = static_cast<std::uint64_t>(num_elements(shape));
  std::uint64_t bytes = 0;
  // The extents that are not zero must have a product that strides in bytes can express, too.
  std::int64_t step = static_cast<std::int64_t>(host_bytes(type));
  for (const std::int64_t extent : shape)
    if (extent > 0 && __builtin_mul_overflow(step, extent, &step))
      throw Error(ErrorCode::invalid_argument, text("{} has more than 2^63 bytes", describe(type, shape)));
  if (__builtin_mul_overflow(count, host_bytes(type), &bytes) || bytes > std::numeric_limits<std::int64_t>::max())
    throw Error(ErrorCode::invalid_argument, text("{} has more than 2^63 bytes", describe(type, shape)));
  return static_cast<std::size_t>(bytes);
}

std::shared_ptr<void> allocate(std::size_t bytes, DType type, const Shape& shape) {
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (!memory)
    throw Error(ErrorCode::resource_exhausted,
                text("no memory for {} ({})", describe(type, shape), bytes_text(bytes)));
  return {memory, [](void* p) { std::free(p); }};
}

void copy_strided(const std::byte* source, const Array& array, std::size_t dimension, std::byte*& target,
                  std::size_t element) {
  if (dimension == array.shape().size()) {
    std::memcpy(target, source, element);
    target += element;
    return;
  }
  for (std::int64_t i = 0; i < array.shape()[dimension]; ++i) {
    copy_strided(source + i * array.strides()[dimension], array, dimension + 1, target, element);
  }
}

}  // namespace

Array Array::uninitialized(DType type, Shape shape) {
  const std::size_t bytes = checked_nbytes(type, shape);
  Array array;
  array.dtype_ = type;
  array.size_ = num_elements(shape);
  array.strides_ = row_major_strides(shape, host_bytes(type));
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
  checked_nbytes(type, shape);
  if (!strides.empty() && strides.size() != shape.size())
    throw Error(ErrorCode::invalid_argument, text("{} strides for an array of rank {}", strides.size(), shape.size()));
  Array array;
  array.dtype_ = type;
  array.size_ = num_elements(shape);
  if (!data && array.size_ > 0) throw Error(ErrorCode::invalid_argument, "a view of null memory");
  array.strides_ = strides.empty() ? row_major_strides(shape, host_bytes(type)) : std::move(strides);
  array.row_major_ = strides_are_row_major(shape, array.strides_, host_bytes(type));
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

Array Array::row_major() const {
  if (row_major_) return *this;
  Array dense = uninitialized(dtype_, shape_);
  // Extents beside a zero may be of any size, so they must not be walked.
  if (size_ == 0) return dense;
  std::byte* target = dense.mutable_bytes().data();
  copy_strided(data_, *this, 0, target, host_bytes(dtype_));
  return dense;
}

void Array::check_values(DType type) const {
  if (type != dtype_)
    throw Error(ErrorCode::invalid_argument,
                text("the array is {} and was read as {}", describe(dtype_, shape_), name(type)));
  if (!row_major_)
    throw Error(ErrorCode::invalid_argument, text("{} is not row-major", describe(dtype_, shape_)))
        .note("take row_major() of it first");
}

std::span<std::byte> Array::mutable_bytes() {
  if (!writable_ || owner_.use_count() != 1)
    throw Error(ErrorCode::failed_precondition,
                text("{} is a view or shares its memory, and cannot be written", describe(dtype_, shape_)));
  return {const_cast<std::byte*>(data_), nbytes()};
}

Array Array::as(DType type) const {
  if (host_bytes(type) != host_bytes(dtype_))
    throw Error(ErrorCode::invalid_argument, text("{} cannot be read as {}: elements of {} and {} bytes",
                                                  describe(dtype_, shape_), name(type), host_bytes(dtype_),
                                                  host_bytes(type)));
  Array array = *this;
  array.dtype_ = type;
  return array;
}

std::string preview(const Array& array, std::size_t limit) {
  std::string out = describe(array.dtype(), array.shape());
  out += " [";
  const Array dense = array.row_major();
  const auto count = static_cast<std::size_t>(dense.size());
  const std::size_t step = host_bytes(dense.dtype());
  for (std::size_t i = 0; i < count && i < limit; ++i) {
    if (i) out += ", ";
    const std::byte* element = dense.data() + i * step;
    if (dense.dtype() == DType::int64 || dense.dtype() == DType::uint64) {
      std::uint64_t raw;
      std::memcpy(&raw, element, sizeof raw);
      out += dense.dtype() == DType::int64 ? std::to_string(static_cast<std::int64_t>(raw)) : std::to_string(raw);
    } else if (dense.dtype() == DType::complex64 || dense.dtype() == DType::complex128) {
      const bool wide = dense.dtype() == DType::complex128;
      const DType part = wide ? DType::float64 : DType::float32;
      out += text("{:.9g}{:+.9g}j", to_double(part, element), to_double(part, element + step / 2));
    } else if (dense.dtype() == DType::boolean) {
      out += to_double(dense.dtype(), element) != 0 ? "true" : "false";
    } else {
      out += text("{:.9g}", to_double(dense.dtype(), element));
    }
  }
  if (count > limit) out += text(", ... {} more", count - limit);
  return out + "]";
}

}  // namespace pier
