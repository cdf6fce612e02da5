#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include <pier/dtype.h>

#include "base/shape.h"
#include "base/support.h"

namespace pier {
namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

double read(DType type, std::uint64_t raw) {
  std::byte bytes[16] = {};
  std::memcpy(bytes, &raw, sizeof raw);
  return to_double(type, bytes);
}

TEST(DTypes, HaveTheNumbersOfPjrt) {
  EXPECT_EQ(static_cast<int>(DType::boolean), 1);
  EXPECT_EQ(static_cast<int>(DType::bfloat16), 13);
  EXPECT_EQ(static_cast<int>(DType::complex128), 15);
  EXPECT_EQ(static_cast<int>(DType::token), 23);
  EXPECT_EQ(static_cast<int>(DType::float6_e3m2fn), 33);
}

TEST(DTypes, AreListedOnceAndWithoutThoseThatHoldNoData) {
  const std::set<DType> all(all_dtypes().begin(), all_dtypes().end());
  EXPECT_EQ(all.size(), all_dtypes().size());
  EXPECT_EQ(all.size(), 32u);
  EXPECT_EQ(all.count(DType::invalid), 0u);
  EXPECT_EQ(all.count(DType::token), 0u);
  for (const DType type : all_dtypes()) {
    EXPECT_GT(bits(type), 0u) << name(type);
    EXPECT_EQ(host_bytes(type), bits(type) < 8 ? 1 : bits(type) / 8) << name(type);
  }
}

struct Spelling {
  const char* numpy;
  const char* stablehlo;
  std::size_t bits;
};

TEST(DTypes, AreNamedAndParsedInBothSpellings) {
  // Width and spelling by the StableHLO specification and by NumPy with ml_dtypes.
  const Spelling spellings[] = {
      {"bool", "i1", 8}, {"int1", "si1", 1}, {"int2", "i2", 2}, {"int4", "i4", 4}, {"int8", "i8", 8}, {"int16", "i16", 16},
      {"int32", "i32", 32}, {"int64", "i64", 64}, {"uint1", "ui1", 1}, {"uint2", "ui2", 2}, {"uint4", "ui4", 4},
      {"uint8", "ui8", 8}, {"uint16", "ui16", 16}, {"uint32", "ui32", 32}, {"uint64", "ui64", 64}, {"float16", "f16", 16},
      {"bfloat16", "bf16", 16}, {"float32", "f32", 32}, {"float64", "f64", 64}, {"complex64", "complex<f32>", 64},
      {"complex128", "complex<f64>", 128}, {"float8_e5m2", "f8E5M2", 8}, {"float8_e4m3", "f8E4M3", 8},
      {"float8_e3m4", "f8E3M4", 8}, {"float8_e4m3fn", "f8E4M3FN", 8}, {"float8_e4m3b11fnuz", "f8E4M3B11FNUZ", 8},
      {"float8_e5m2fnuz", "f8E5M2FNUZ", 8}, {"float8_e4m3fnuz", "f8E4M3FNUZ", 8}, {"float8_e8m0fnu", "f8E8M0FNU", 8},
      {"float6_e2m3fn", "f6E2M3FN", 6}, {"float6_e3m2fn", "f6E3M2FN", 6}, {"float4_e2m1fn", "f4E2M1FN", 4}};
  std::set<DType> seen;
  for (const Spelling& spelling : spellings) {
    const auto type = parse_dtype(spelling.numpy);
    ASSERT_TRUE(type) << spelling.numpy;
    EXPECT_EQ(parse_dtype(spelling.stablehlo), type) << spelling.stablehlo;
    EXPECT_EQ(name(*type), spelling.numpy);
    EXPECT_EQ(stablehlo_name(*type), spelling.stablehlo);
    EXPECT_EQ(bits(*type), spelling.bits) << spelling.numpy;
    seen.insert(*type);
  }
  EXPECT_EQ(seen.size(), all_dtypes().size());
  EXPECT_EQ(parse_dtype("pred"), DType::boolean);
}

TEST(DTypes, AreNotParsedFromAnythingElse) {
  for (const char* text : {"", "invalid", "f33", "F32", "float32 ", " f32", "float", "complex<f16>", "i", "f8"})
    EXPECT_EQ(parse_dtype(text), std::nullopt) << text;
}

TEST(DTypes, OfNoKnownNumberAreInvalid) {
  const auto unknown = static_cast<DType>(200);
  EXPECT_EQ(name(unknown), "invalid");
  EXPECT_EQ(bits(unknown), 0u);
  EXPECT_EQ(host_bytes(unknown), 0u);
}

TEST(SmallFloats, ReadAsMlDtypesReadsThemForEveryBitPattern) {
  std::ifstream table(PIER_TEST_DATA "/small_floats.txt");
  ASSERT_TRUE(table);
  std::size_t types = 0;
  for (std::string line; std::getline(table, line); ++types) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    const auto type = parse_dtype(word);
    ASSERT_TRUE(type) << word;
    std::uint64_t raw = 0;
    for (; words >> word; ++raw) {
      const double wanted = std::strtod(word.c_str(), nullptr);
      const double got = read(*type, raw);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << name(*type) << " " << raw;
      } else {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(wanted)) << name(*type) << " " << raw;
      }
    }
    EXPECT_EQ(raw, 1u << bits(*type)) << name(*type);
  }
  EXPECT_EQ(types, 11u);
}

TEST(SmallFloats, IgnoreTheUnusedBitsOfTheirByte) {
  EXPECT_EQ(read(DType::float4_e2m1fn, 0xf7), 6.0);
  EXPECT_EQ(read(DType::float6_e2m3fn, 0xc8), 1.0);
}

TEST(Float16, ReadsEveryBitPattern) {
  for (std::uint32_t raw = 0; raw < 65536; ++raw) {
    const std::uint32_t magnitude = raw & 0x7fffu;
    // The bits of a half, put into a float, are that half times 2^-112, below the normal numbers too.
    const float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    const double sign = raw & 0x8000u ? -1.0 : 1.0;
    const double got = read(DType::float16, raw);
    if (magnitude > 0x7c00u) ASSERT_TRUE(std::isnan(got)) << raw;
    else if (magnitude == 0x7c00u) ASSERT_EQ(got, sign * std::numeric_limits<double>::infinity()) << raw;
    else ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(sign * static_cast<double>(value))) << raw;
  }
}

TEST(BFloat16, ReadsEveryBitPatternAsTheUpperHalfOfAFloat) {
  for (std::uint32_t raw = 0; raw < 65536; ++raw) {
    const auto wanted = static_cast<double>(std::bit_cast<float>(raw << 16));
    const double got = read(DType::bfloat16, raw);
    if (std::isnan(wanted)) ASSERT_TRUE(std::isnan(got)) << raw;
    else ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(wanted)) << raw;
  }
}

TEST(SmallIntegers, ReadEveryBitPatternAndIgnoreTheRestOfTheByte) {
  for (int raw = 0; raw < 256; ++raw) {
    const auto bytes = static_cast<std::uint64_t>(raw);
    EXPECT_EQ(read(DType::uint1, bytes), raw % 2);
    EXPECT_EQ(read(DType::uint2, bytes), raw % 4);
    EXPECT_EQ(read(DType::uint4, bytes), raw % 16);
    EXPECT_EQ(read(DType::int1, bytes), -(raw % 2));
    EXPECT_EQ(read(DType::int2, bytes), raw % 4 - (raw % 4 >= 2 ? 4 : 0));
    EXPECT_EQ(read(DType::int4, bytes), raw % 16 - (raw % 16 >= 8 ? 16 : 0));
    EXPECT_EQ(read(DType::int8, bytes), raw - (raw >= 128 ? 256 : 0));
    EXPECT_EQ(read(DType::uint8, bytes), raw);
    EXPECT_EQ(read(DType::boolean, bytes), raw != 0);
  }
}

TEST(WideTypes, ReadTheirOwnWidth) {
  EXPECT_EQ(read(DType::int16, 0xffff8000u), -32768);
  EXPECT_EQ(read(DType::uint16, 0xffffffffu), 65535);
  EXPECT_EQ(read(DType::int32, 0xffffffff80000000u), -2147483648.0);
  EXPECT_EQ(read(DType::uint32, ~std::uint64_t{0}), 4294967295.0);
  EXPECT_EQ(read(DType::int64, ~std::uint64_t{0}), -1);
  EXPECT_EQ(read(DType::uint64, ~std::uint64_t{0}), 0x1p64);
  EXPECT_EQ(read(DType::float32, std::bit_cast<std::uint32_t>(1.5f)), 1.5);
  EXPECT_EQ(read(DType::float64, std::bit_cast<std::uint64_t>(0.1)), 0.1);
  EXPECT_EQ(read(DType::complex64, std::bit_cast<std::uint32_t>(2.5f)), 2.5);
  EXPECT_EQ(read(DType::complex128, std::bit_cast<std::uint64_t>(-7.0)), -7.0);
  EXPECT_TRUE(std::isnan(read(DType::token, 0)));
}

TEST(NumElements, IsTheProductAndOneForAScalar) {
  EXPECT_EQ(num_elements(Shape{}), 1);
  EXPECT_EQ(num_elements(Shape{2, 3, 4}), 24);
  EXPECT_EQ(num_elements(Shape{5, 0, 7}), 0);
  EXPECT_EQ(num_elements(Shape{huge}), huge);
}

TEST(NumElements, RefusesWhat63BitsCannotHoldAndNamesTheShape) {
  for (const Shape& shape : {Shape{huge, 2}, Shape{1 << 30, 1 << 30, 1 << 30}, Shape{0, huge, 2}, Shape{huge, 2, 0}}) {
    const Error error = test::error_of([&] { num_elements(shape); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.message(), testing::HasSubstr(std::to_string(shape[1])));
  }
  const Error error = test::error_of([] { num_elements(Shape{3, -4}); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.message(), "the shape [3,-4] has the negative extent -4");
}

TEST(DenseBytes, CountsWholeBytesForPackedTypes) {
  EXPECT_EQ(dense_bytes(DType::float32, Shape{2, 3}), 24u);
  EXPECT_EQ(dense_bytes(DType::int4, Shape{5}), 5u);
  EXPECT_EQ(dense_bytes(DType::complex128, Shape{}), 16u);
  EXPECT_EQ(dense_bytes(DType::float64, Shape{0, 9}), 0u);
}

TEST(DenseBytes, RefusesTypesWithoutDataAndWhat63BitsCannotHold) {
  EXPECT_EQ(test::error_of([] { dense_bytes(DType::token, Shape{}); }).message(), "token cannot hold data");
  EXPECT_EQ(test::error_of([] { dense_bytes(DType::float64, Shape{huge / 4}); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(test::error_of([] { dense_bytes(DType::float64, Shape{0, huge / 4}); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(dense_bytes(DType::uint8, Shape{huge}), static_cast<std::size_t>(huge));
}

TEST(CheckedProduct, CountsOrSaysThatItCannot) {
  EXPECT_EQ(checked_product(4, {}), 4);
  EXPECT_EQ(checked_product(4, std::vector<std::int64_t>{2, 3}), 24);
  EXPECT_EQ(checked_product(1, std::vector<std::int64_t>{huge, 0}), 0);
  EXPECT_EQ(checked_product(1, std::vector<std::int64_t>{huge, huge}), std::nullopt);
  EXPECT_EQ(checked_product(1, std::vector<std::int64_t>{huge, 0, huge}), std::nullopt);
  EXPECT_EQ(checked_product(1, std::vector<std::int64_t>{0, -1}), std::nullopt);
}

TEST(DenseStrides, GoThroughTheDimensionsInTheirOrder) {
  const std::vector<std::int64_t> shape = {2, 3, 4};
  EXPECT_EQ(dense_strides(8, shape, Order::row_major), (std::vector<std::int64_t>{96, 32, 8}));
  EXPECT_EQ(dense_strides(8, shape, Order::column_major), (std::vector<std::int64_t>{8, 16, 48}));
  EXPECT_TRUE(strides_are_dense(8, shape, std::vector<std::int64_t>{96, 32, 8}, Order::row_major));
  EXPECT_FALSE(strides_are_dense(8, shape, std::vector<std::int64_t>{96, 32, 8}, Order::column_major));
  EXPECT_TRUE(strides_are_dense(8, std::vector<std::int64_t>{1, 3}, std::vector<std::int64_t>{-7, 8}, Order::column_major));
  EXPECT_TRUE(strides_are_dense(8, std::vector<std::int64_t>{5, 0}, std::vector<std::int64_t>{7, 7}, Order::row_major));
}

TEST(Describe, ShowsTypeAndShape) {
  EXPECT_EQ(describe(DType::float32, Shape{2, 3}), "float32[2,3]");
  EXPECT_EQ(describe(DType::int4, Shape{}), "int4[]");
  EXPECT_EQ(to_string(TensorType{DType::bfloat16, {0}}), "bfloat16[0]");
}

}  // namespace
}  // namespace pier
