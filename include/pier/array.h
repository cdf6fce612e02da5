#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pier/dtype.h>
#include <pier/export.h>

namespace pier {

/// Stands for the element types that C++ has no type for: the bits of a float16, a bfloat16 and so on.
template <DType type, class Bits>
struct Opaque {
  Bits bits;
  friend bool operator==(Opaque, Opaque) = default;
};
using Float16 = Opaque<DType::float16, std::uint16_t>;
using BFloat16 = Opaque<DType::bfloat16, std::uint16_t>;

template <class T>
constexpr DType dtype_of = [] {
  if constexpr (std::is_same_v<T, bool>) return DType::boolean;
  else if constexpr (std::is_same_v<T, float>) return DType::float32;
  else if constexpr (std::is_same_v<T, double>) return DType::float64;
  else if constexpr (std::is_same_v<T, std::complex<float>>) return DType::complex64;
  else if constexpr (std::is_same_v<T, std::complex<double>>) return DType::complex128;
  // GNU dialects count __int128 among the integers.
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, wchar_t> && sizeof(T) <= 8)
    return static_cast<DType>((std::is_signed_v<T> ? 2 : 6) + std::countr_zero(sizeof(T)));
  else return DType::invalid;
}();
template <DType type, class Bits>
constexpr DType dtype_of<Opaque<type, Bits>> = type;

/// An array in host memory: a small value that shares its bytes with its copies. Elements lie at byte strides from the
/// first one, so that a mapped Fortran-order file needs no copy. Memory that pier allocates starts on a 64-byte boundary,
/// which lets a CPU plugin use it without copying.
class PIER_API Array {
 public:
  /// An array of type invalid without elements.
  Array() = default;
  Array(const Array&) = default;
  Array& operator=(const Array&) = default;
  /// What was moved from is an array of type invalid without elements.
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    Array taken(std::move(other));
    swap(taken);
    return *this;
  }
  void swap(Array& other) noexcept;

  /// Zeroed, row-major. Throws Error (invalid_argument) on a bad shape and Error (resource_exhausted) when memory is short.
  static Array zeros(DType type, Shape shape);

  /// Allocated and not initialised, row-major: for callers that write every element.
  static Array uninitialized(DType type, Shape shape);

  /// A view of memory that `owner` keeps alive. `strides` are in bytes, one for each dimension, may be negative or zero;
  /// empty means row-major. `data` is the element at index 0 of every dimension. The last copy of the array may be dropped on
  /// a thread of a plugin that was given it, so `owner` must be fit to end there. Throws Error (invalid_argument) on a bad shape,
  /// on a number of strides that is not the rank, and when the strides walk further than 2^63 bytes.
  static Array view(const void* data, DType type, Shape shape, std::shared_ptr<const void> owner,
                    std::vector<std::int64_t> strides = {});

  /// A copy of `values`, row-major. Throws when their number is not that of the shape.
  template <class T>
  static Array from(std::span<const T> values, Shape shape) {
    static_assert(dtype_of<T> != DType::invalid, "no PJRT element type for T");
    return copy_of(values.data(), values.size(), dtype_of<T>, std::move(shape));
  }
  template <class T>
  static Array from(const std::vector<T>& values, Shape shape) {
    return from(std::span<const T>(values), std::move(shape));
  }
  template <class T>
  static Array scalar(T value) {
    return from(std::span<const T>(&value, 1), {});
  }

  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  TensorType type() const { return {dtype_, shape_}; }
  std::int64_t size() const noexcept { return size_; }
  /// Bytes that the elements take when dense: size() * host_bytes(dtype()).
  std::size_t nbytes() const noexcept { return static_cast<std::size_t>(size_) * host_bytes(dtype_); }

  /// Byte strides, one for each dimension.
  const std::vector<std::int64_t>& strides() const noexcept { return strides_; }
  bool is_row_major() const noexcept { return row_major_; }
  const std::byte* data() const noexcept { return data_; }
  /// Keeps the memory alive; hand it to whoever reads data() later.
  const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

  /// This array if row-major, else a row-major copy.
  Array row_major() const;
  /// A row-major copy in memory of its own, 64-byte aligned.
  Array copy() const;

  /// The elements of a row-major array. Throws Error (invalid_argument) on another type or order, and when the memory is not
  /// aligned for T, as in a file that places its data so; copy() gives aligned memory.
  template <class T>
  std::span<const T> values() const {
    check_values(dtype_of<T>, alignof(T));
    return {reinterpret_cast<const T*>(data_), static_cast<std::size_t>(size_)};
  }

  /// Writable bytes of an array that pier allocated and that no copy shares; throws Error (failed_precondition) otherwise.
  std::span<std::byte> mutable_bytes();
  template <class T>
  std::span<T> mutable_values() {
    check_values(dtype_of<T>, alignof(T));
    return {reinterpret_cast<T*>(mutable_bytes().data()), static_cast<std::size_t>(size_)};
  }

  /// The same bytes read as another type of the same width: how NumPy's 'V2' becomes bfloat16. To boolean it is a copy in which
  /// every byte but 0 has become 1.
  Array as(DType type) const;

 private:
  static Array copy_of(const void* data, std::size_t count, DType type, Shape shape);
  void check_values(DType type, std::size_t alignment) const;

  DType dtype_ = DType::invalid;
  bool row_major_ = true;
  bool writable_ = false;
  Shape shape_;
  std::vector<std::int64_t> strides_;
  std::int64_t size_ = 0;
  const std::byte* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

/// Type, shape and the first `limit` values: "float32[3] [0.5, 1, 2]".
PIER_API std::string preview(const Array& array, std::size_t limit = 8);

}  // namespace pier
