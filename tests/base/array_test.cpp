#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>

#include <pier/array.h>
#include <pier/error.h>

#include "base/support.h"

// AddressSanitizer would end the program where the C library says that memory is short. Without it nobody asks.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() { return "allocator_may_return_null=1"; }

namespace pier {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

std::vector<std::int32_t> counted(std::size_t count) {
  std::vector<std::int32_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

template <class T>
std::vector<T> list(const Array& array) {
  const Array dense = array.row_major();
  const auto values = dense.values<T>();
  return {values.begin(), values.end()};
}

TEST(Array, StartsOnABoundaryOf64BytesWhateverItsSize) {
  for (const std::int64_t size : {0, 1, 3, 16, 17, 1000}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Array::zeros(DType::uint8, {size}).data()) % 64, 0u) << size;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Array::uninitialized(DType::float64, {size}).data()) % 64, 0u) << size;
  }
}

TEST(Array, OfNothingHasNoElements) {
  const Array none;
  EXPECT_EQ(none.dtype(), DType::invalid);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.nbytes(), 0u);
  EXPECT_EQ(none.copy().size(), 0);
  EXPECT_EQ(preview(none), "invalid[] []");
}

TEST(Array, KeepsTypeShapeAndValues) {
  const Array array = Array::from(counted(6), {2, 3});
  EXPECT_EQ(array.type(), (TensorType{DType::int32, {2, 3}}));
  EXPECT_EQ(array.nbytes(), 24u);
  EXPECT_THAT(array.strides(), ElementsAre(12, 4));
  EXPECT_TRUE(array.is_row_major());
  EXPECT_THAT(list<std::int32_t>(array), ElementsAre(0, 1, 2, 3, 4, 5));
  const Array scalar = Array::scalar(2.5);
  EXPECT_EQ(scalar.type(), (TensorType{DType::float64, {}}));
  EXPECT_EQ(scalar.values<double>()[0], 2.5);
  EXPECT_EQ(Array::scalar(true).dtype(), DType::boolean);
  EXPECT_EQ(Array::scalar(std::complex<float>(1, 2)).dtype(), DType::complex64);
  EXPECT_EQ(Array::scalar(BFloat16{0x3f80}).dtype(), DType::bfloat16);
}

TEST(Array, MapsEveryIntegerTypeOfCxxToItsWidth) {
  EXPECT_EQ(dtype_of<signed char>, DType::int8);
  EXPECT_EQ(dtype_of<unsigned char>, DType::uint8);
  EXPECT_EQ(dtype_of<short>, DType::int16);
  EXPECT_EQ(dtype_of<unsigned>, DType::uint32);
  EXPECT_EQ(dtype_of<long long>, DType::int64);
  EXPECT_EQ(dtype_of<long>, sizeof(long) == 8 ? DType::int64 : DType::int32);
  EXPECT_EQ(dtype_of<wchar_t>, DType::invalid);
  EXPECT_EQ(dtype_of<long double>, DType::invalid);
  EXPECT_EQ(dtype_of<const char*>, DType::invalid);
}

TEST(Array, RefusesANumberOfValuesThatIsNotTheShapes) {
  const Error error = error_of([] { Array::from(counted(5), {2, 3}); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.message(), "5 values for int32[2,3]");
}

TEST(Array, RefusesShapesThatNoMemoryHolds) {
  for (const Shape& shape : {Shape{huge}, Shape{huge / 2, 4}, Shape{1 << 30, 1 << 30, 16}, Shape{0, huge / 2}, Shape{-1}, Shape{2, -3}}) {
    EXPECT_EQ(error_of([&] { Array::zeros(DType::float64, shape); }).code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error_of([&] { Array::view(&shape, DType::float64, shape, nullptr); }).code(), ErrorCode::invalid_argument);
  }
  EXPECT_EQ(error_of([] { Array::zeros(DType::token, {}); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([] { Array::zeros(DType::invalid, {2}); }).code(), ErrorCode::invalid_argument);
}

TEST(Array, TellsThatMemoryIsShort) {
  const Error error = error_of([] { Array::uninitialized(DType::uint8, {std::int64_t{1} << 62}); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  EXPECT_THAT(error.message(), HasSubstr("uint8[4611686018427387904]"));
}

TEST(ArrayView, IsKeptAliveByItsOwner) {
  auto owner = std::make_shared<std::vector<float>>(4, 1.5f);
  const std::weak_ptr<std::vector<float>> watch = owner;
  const float* const data = owner->data();
  Array array = Array::view(data, DType::float32, {2, 2}, std::move(owner));
  const Array copy = array;
  array = Array();
  ASSERT_FALSE(watch.expired());
  EXPECT_EQ(copy.values<float>()[3], 1.5f);
}

TEST(ArrayView, ReadsFortranOrderWithoutACopyAndMakesItRowMajor) {
  const auto values = counted(6);
  const Array array = Array::view(values.data(), DType::int32, {2, 3}, nullptr, {4, 8});
  EXPECT_FALSE(array.is_row_major());
  EXPECT_EQ(array.data(), reinterpret_cast<const std::byte*>(values.data()));
  EXPECT_THAT(list<std::int32_t>(array), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_EQ(preview(array), "int32[2,3] [0, 2, 4, 1, 3, 5]");
}

TEST(ArrayView, ReadsBackwardAndRepeatedElements) {
  const auto values = counted(6);
  EXPECT_THAT(list<std::int32_t>(Array::view(&values[5], DType::int32, {6}, nullptr, {-4})), ElementsAre(5, 4, 3, 2, 1, 0));
  EXPECT_THAT(list<std::int32_t>(Array::view(&values[4], DType::int32, {2, 2}, nullptr, {-8, 4})), ElementsAre(4, 5, 2, 3));
  EXPECT_THAT(list<std::int32_t>(Array::view(&values[1], DType::int32, {2, 3}, nullptr, {0, 4})), ElementsAre(1, 2, 3, 1, 2, 3));
  EXPECT_THAT(list<std::int32_t>(Array::view(&values[0], DType::int32, {2, 2, 1}, nullptr, {12, 8, 77})), ElementsAre(0, 2, 3, 5));
}

TEST(ArrayView, CopiesEveryWidthOfElements) {
  std::vector<std::uint8_t> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  for (const DType type : {DType::uint8, DType::uint16, DType::float32, DType::float64, DType::complex128}) {
    const auto width = static_cast<std::int64_t>(host_bytes(type));
    const Array array = Array::view(bytes.data(), type, {3, 2, 2}, nullptr, {width * 8, width, width * 3});
    const Array dense = array.copy();
    ASSERT_TRUE(dense.is_row_major());
    std::size_t place = 0;
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 2; ++j)
        for (std::int64_t k = 0; k < 2; ++k, ++place)
          EXPECT_EQ(std::memcmp(dense.data() + place * static_cast<std::size_t>(width),
                                bytes.data() + i * width * 8 + j * width + k * width * 3, static_cast<std::size_t>(width)), 0)
              << name(type) << " " << place;
  }
}

TEST(ArrayView, OfThousandsOfDimensionsIsCopiedWithoutDeepRecursion) {
  const auto values = counted(4);
  Shape shape(200000, 1);
  std::vector<std::int64_t> strides(shape.size(), 4);
  shape.front() = shape.back() = 2;
  strides.front() = 4;
  strides.back() = 8;
  EXPECT_THAT(list<std::int32_t>(Array::view(values.data(), DType::int32, shape, nullptr, strides)), ElementsAre(0, 2, 1, 3));
}

TEST(ArrayView, IsRowMajorWhenItsStridesOnlyLookOdd) {
  const auto values = counted(6);
  // The stride of a dimension of one element, or of an array without any, is never used.
  EXPECT_TRUE(Array::view(values.data(), DType::int32, {1, 3}, nullptr, {-999, 4}).is_row_major());
  EXPECT_TRUE(Array::view(values.data(), DType::int32, {3, 0}, nullptr, {1, 1}).is_row_major());
  EXPECT_TRUE(Array::view(values.data(), DType::int32, {0, 3}, nullptr, {1, 1}).is_row_major());
  EXPECT_TRUE(Array::view(values.data(), DType::int32, {2, 3}, nullptr, {12, 4}).is_row_major());
  EXPECT_FALSE(Array::view(values.data(), DType::int32, {2, 3}, nullptr, {0, 4}).is_row_major());
}

TEST(ArrayView, OfNoElementsNeedsNoMemory) {
  const Array empty = Array::view(nullptr, DType::int32, {4, 0, huge / 16}, nullptr);
  EXPECT_EQ(empty.size(), 0);
  EXPECT_EQ(empty.copy().size(), 0);
  EXPECT_TRUE(empty.values<std::int32_t>().empty());
  EXPECT_EQ(error_of([] { Array::view(nullptr, DType::int32, {1}, nullptr); }).message(), "a view of null memory");
}

TEST(ArrayView, RefusesStridesThatCannotBe) {
  const auto values = counted(6);
  const auto view = [&](Shape shape, std::vector<std::int64_t> strides) {
    return error_of([&] { Array::view(values.data(), DType::int32, shape, nullptr, strides); }).message();
  };
  EXPECT_EQ(view({2, 3}, {4}), "1 strides for an array of rank 2");
  EXPECT_THAT(view({3}, {huge}), HasSubstr("walk further than 2^63 bytes"));
  EXPECT_THAT(view({3}, {-huge}), HasSubstr("walk further than 2^63 bytes"));
  EXPECT_THAT(view({2, 2}, {huge, huge}), HasSubstr("walk further than 2^63 bytes"));
  EXPECT_THAT(view({2}, {huge}), HasSubstr("walk further than 2^63 bytes"));
}

TEST(ArrayValues, AreRefusedForAnotherTypeOrderOrAlignment) {
  const auto values = counted(6);
  const Array array = Array::view(values.data(), DType::int32, {2, 3}, nullptr, {4, 8});
  EXPECT_EQ(error_of([&] { array.values<float>(); }).message(), "the array is int32[2,3] and was read as float32");
  EXPECT_EQ(error_of([&] { array.values<std::int32_t>(); }).message(), "int32[2,3] is not row-major");
  const Array odd = Array::view(reinterpret_cast<const std::byte*>(values.data()) + 1, DType::int32, {2}, nullptr);
  const Error error = error_of([&] { odd.values<std::int32_t>(); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.message(), "int32[2] does not lie on a boundary of 4 bytes");
  EXPECT_EQ(odd.copy().values<std::int32_t>().size(), 2u);
}

TEST(ArrayWriting, IsAllowedOnlyWhereNobodyElseReads) {
  Array array = Array::zeros(DType::float32, {3});
  array.mutable_values<float>()[1] = 7;
  EXPECT_THAT(list<float>(array), ElementsAre(0, 7, 0));
  {
    const Array copy = array;
    const Error error = error_of([&] { array.mutable_bytes(); });
    EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
    EXPECT_THAT(error.message(), HasSubstr("shares its memory"));
  }
  EXPECT_EQ(array.mutable_bytes().size(), 12u);
  const std::shared_ptr<const void> kept = array.owner();
  EXPECT_EQ(error_of([&] { array.mutable_bytes(); }).code(), ErrorCode::failed_precondition);
  float memory[2] = {};
  Array view = Array::view(memory, DType::float32, {2}, std::make_shared<int>(1));
  EXPECT_EQ(error_of([&] { view.mutable_bytes(); }).code(), ErrorCode::failed_precondition);
}

TEST(Array, ThatWasMovedFromIsEmpty) {
  Array array = Array::from(counted(4), {4});
  Array taken = std::move(array);
  EXPECT_EQ(array.size(), 0);  // NOLINT(bugprone-use-after-move): that is the promise
  EXPECT_EQ(array.dtype(), DType::invalid);
  EXPECT_EQ(array.data(), nullptr);
  EXPECT_EQ(taken.mutable_bytes().size(), 16u);
  array = std::move(taken);
  EXPECT_EQ(array.size(), 4);
  EXPECT_EQ(taken.size(), 0);
  Array& same = array;
  array = std::move(same);
  EXPECT_EQ(array.size(), 4);
}

TEST(ArrayAs, ReadsTheSameBytesAsAnotherTypeOfTheSameWidth) {
  const Array raw = Array::from(std::vector<std::uint16_t>{0x3f80, 0xc000}, {2});
  const Array array = raw.as(DType::bfloat16);
  EXPECT_EQ(array.data(), raw.data());
  EXPECT_EQ(preview(array), "bfloat16[2] [1, -2]");
  EXPECT_EQ(error_of([&] { raw.as(DType::float32); }).message(),
            "uint16[2] cannot be read as float32: elements of 2 and 4 bytes");
  EXPECT_EQ(error_of([&] { raw.as(DType::invalid); }).code(), ErrorCode::invalid_argument);
}

TEST(ArrayAs, MakesBooleansOfNothingButZeroAndOne) {
  const Array raw = Array::from(std::vector<std::uint8_t>{0, 1, 2, 255, 128, 0}, {2, 3});
  // Every second element, backwards.
  const Array view = Array::view(raw.data() + 4, DType::uint8, {3}, raw.owner(), {-2});
  for (const auto& [array, expected] : {std::pair{raw.as(DType::boolean), "bool[2,3] [false, true, true, true, true, false]"},
                                        std::pair{view.as(DType::boolean), "bool[3] [true, true, false]"}}) {
    EXPECT_EQ(preview(array), expected);
    for (const bool& value : array.values<bool>()) EXPECT_LE(*reinterpret_cast<const unsigned char*>(&value), 1);
  }
  EXPECT_EQ(raw.values<std::uint8_t>()[3], 255);
}

TEST(Preview, ShowsTheFirstValuesExactly) {
  EXPECT_EQ(preview(Array::from(std::vector<float>{0.1f, -1e20f, 3}, {3})), "float32[3] [0.1, -1e+20, 3]");
  EXPECT_EQ(preview(Array::scalar(0.1 + 0.2)), "float64[] [0.30000000000000004]");
  EXPECT_EQ(preview(Array::from(std::vector<std::int64_t>{huge, -huge - 1}, {2})),
            "int64[2] [9223372036854775807, -9223372036854775808]");
  EXPECT_EQ(preview(Array::scalar(~std::uint64_t{0})), "uint64[] [18446744073709551615]");
  EXPECT_EQ(preview(Array::scalar(std::int32_t{-1000000})), "int32[] [-1000000]");
  EXPECT_EQ(preview(Array::scalar(std::complex<float>(1.5f, -2))), "complex64[] [1.5-2j]");
  EXPECT_EQ(preview(Array::scalar(std::complex<double>(0, 2))), "complex128[] [0+2j]");
  EXPECT_EQ(preview(Array::scalar(true)), "bool[] [true]");
  EXPECT_EQ(preview(Array::from(counted(5), {5}), 2), "int32[5] [0, 1, ... 3 more]");
  EXPECT_EQ(preview(Array::from(counted(5), {5}), 0), "int32[5] [... 5 more]");
  EXPECT_EQ(preview(Array::zeros(DType::float32, {0})), "float32[0] []");
}

TEST(Array, MayBeDroppedByAnotherThreadWhileOneWaitsToWrite) {
  for (int round = 0; round < 50; ++round) {
    Array array = Array::zeros(DType::int32, {64});
    std::thread reader([copy = array]() mutable {
      EXPECT_EQ(copy.values<std::int32_t>()[63], 0);
      copy = Array();
    });
    for (;;) {
      try {
        array.mutable_values<std::int32_t>()[63] = 1;
        break;
      } catch (const Error&) {
        std::this_thread::yield();
      }
    }
    reader.join();
  }
}

}  // namespace
}  // namespace pier
