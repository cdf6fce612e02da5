#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>
#include <pier/files.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;

struct Spelling {
  DType type;
  const char* mlir;
};

constexpr Spelling spellings[] = {
    {DType::boolean, "i1"},
    {DType::int8, "i8"},
    {DType::int16, "i16"},
    {DType::int32, "i32"},
    {DType::int64, "i64"},
    {DType::uint8, "ui8"},
    {DType::uint16, "ui16"},
    {DType::uint32, "ui32"},
    {DType::uint64, "ui64"},
    {DType::float16, "f16"},
    {DType::float32, "f32"},
    {DType::float64, "f64"},
    {DType::bfloat16, "bf16"},
    {DType::complex64, "complex<f32>"},
    {DType::complex128, "complex<f64>"},
    {DType::float8_e5m2, "f8E5M2"},
    {DType::float8_e4m3fn, "f8E4M3FN"},
    {DType::float8_e4m3b11fnuz, "f8E4M3B11FNUZ"},
    {DType::float8_e5m2fnuz, "f8E5M2FNUZ"},
    {DType::float8_e4m3fnuz, "f8E4M3FNUZ"},
    {DType::int4, "i4"},
    {DType::uint4, "ui4"},
    {DType::int2, "i2"},
    {DType::uint2, "ui2"},
    {DType::float8_e4m3, "f8E4M3"},
    {DType::float8_e3m4, "f8E3M4"},
    {DType::float8_e8m0fnu, "f8E8M0FNU"},
    {DType::float4_e2m1fn, "f4E2M1FN"},
};

// Seven elements, so that packed types end in the middle of a byte; every bit pattern of theirs comes up over the elements.
Array pattern(DType type) {
  Array array = Array::zeros(type, {7});
  const std::span<std::byte> bytes = array.mutable_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::size_t value = i * 37 + 5;
    if (type == DType::boolean) value &= 1;
    else if (bits(type) < 8) value &= (std::size_t{1} << bits(type)) - 1;
    bytes[i] = static_cast<std::byte>(value);
  }
  return array;
}

// Signed packed types may come back with their upper bits set or not: the value counts there, the bits everywhere else.
bool same_elements(const Array& a, const Array& b) {
  const std::size_t size = host_bytes(a.dtype());
  const Array left = a.row_major();
  const Array right = b.row_major();
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.size()); ++i) {
    const std::byte* const x = left.data() + i * size;
    const std::byte* const y = right.data() + i * size;
    if (bits(a.dtype()) < 8 ? to_double(a.dtype(), x) != to_double(a.dtype(), y) : std::memcmp(x, y, size) != 0) return false;
  }
  return true;
}

class EveryType : public testing::TestWithParam<Spelling> {
 protected:
  EveryType() {
    sandbox.use_fake();
    const std::string tensor = std::string("tensor<7x") + GetParam().mlir + ">";
    sandbox.write("m.mlir", module_text("fake.identity", tensor, tensor));
  }
  Sandbox sandbox;
};

TEST_P(EveryType, PassesThroughNpyAndNpzBitForBit) {
  const DType type = GetParam().type;
  const Array array = pattern(type);
  for (const std::string suffix : {".npy", ".npz"}) {
    sandbox.write("x" + suffix, array);
    const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x" + suffix, "-o", "y" + suffix});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(finished.out, HasSubstr(std::string(name(type)) + "[7]"));
    const NamedArrays got = load_arrays(sandbox.path("y" + suffix));
    ASSERT_EQ(got.size(), 1U);
    ASSERT_EQ(host_bytes(got[0].array.dtype()), host_bytes(type));
    EXPECT_TRUE(same_elements(got[0].array.as(type), array)) << preview(got[0].array.as(type)) << preview(array);
  }
}

TEST_P(EveryType, PassesThroughSafetensorsOrIsRefusedBeforeTheRun) {
  const DType type = GetParam().type;
  const Array array = pattern(type);
  sandbox.write("x.npy", array);
  bool format_has_it = true;
  try {
    sandbox.write("x.safetensors", array);
  } catch (const Error&) {
    format_has_it = false;
  }
  if (!format_has_it) {
    sandbox.use_fake("abort=PJRT_Client_Compile");
    const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "-o", "y.safetensors"});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.err, HasSubstr(std::string(name(type)) + "[7], which y.safetensors cannot hold"));
    return;
  }
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.safetensors", "-o", "y.safetensors"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const NamedArrays got = load_arrays(sandbox.path("y.safetensors"));
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].array.dtype(), type);
  EXPECT_TRUE(same_elements(got[0].array, array)) << preview(got[0].array) << preview(array);
}

TEST_P(EveryType, OfABytecodeModuleIsTakenFromTheCompiledProgram) {
  // XLA's spelling of the type, which the fake plugin reads.
  const DType type = GetParam().type;
  std::string xla(name(type));
  constexpr std::pair<std::string_view, std::string_view> prefixes[] = {
      {"bool", "pred"}, {"bfloat", "bf"}, {"complex", "c"}, {"uint", "u"}, {"int", "s"}, {"float8_", "f8"}, {"float4_", "f4"}, {"float", "f"}};
  for (const auto& [numpy, xla_prefix] : prefixes)
    if (xla.starts_with(numpy)) {
      xla.replace(0, numpy.size(), xla_prefix);
      break;
    }
  sandbox.write("m.mlirbc", "ML\xEFR fake.identity fake.signature=" + xla + "[7]->" + xla + "[7] ");
  sandbox.write("x.npy", pattern(type));
  const Finished finished = sandbox.pier({"run", "m.mlirbc", "-i", "x.npy", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/inputs/0/dtype"), name(type));
  EXPECT_EQ(json_at(finished.out, "/outputs/0/dtype"), name(type));
}

INSTANTIATE_TEST_SUITE_P(Types, EveryType, testing::ValuesIn(spellings),
                         [](const testing::TestParamInfo<Spelling>& test) { return std::string(name(test.param.type)); });

TEST(Types, OfPJRTThatHoldDataAreAllTested) {
  std::vector<DType> missing;
  for (const DType type : all_dtypes()) {
    bool found = false;
    for (const Spelling& spelling : spellings) found |= spelling.type == type;
    if (!found) missing.push_back(type);
  }
  // StableHLO has no such types: no program can take them.
  EXPECT_THAT(missing, testing::UnorderedElementsAre(DType::int1, DType::uint1, DType::float6_e2m3fn, DType::float6_e3m2fn));
}

TEST(Types, OfScalarsZeroExtentsFortranOrderAndSwappedFilesAreKept) {
  Sandbox sandbox;
  sandbox.use_fake();
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<2x3xi16>", "tensor<2x3xi16>"));
  const std::vector<std::int16_t> columns = {1, 4, 2, 5, 3, 6};
  const Array fortran = Array::view(columns.data(), DType::int16, {2, 3}, nullptr, {2, 4});
  ASSERT_FALSE(fortran.is_row_major());
  sandbox.write("x.npy", fortran);
  EXPECT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.npy"}).out, "result 0: int16[2,3] [1, 2, 3, 4, 5, 6]\n");
  // The same file with its two bytes of each element the other way round.
  std::string swapped = sandbox.read("x.npy");
  const std::size_t order = swapped.find("'<i2'");
  ASSERT_NE(order, std::string::npos);
  swapped[order + 1] = '>';
  for (std::size_t i = swapped.size() - 12; i < swapped.size(); i += 2) std::swap(swapped[i], swapped[i + 1]);
  sandbox.write("s.npy", swapped);
  EXPECT_EQ(sandbox.pier({"run", "m.mlir", "-i", "s.npy"}).out, "result 0: int16[2,3] [1, 2, 3, 4, 5, 6]\n");
}

}  // namespace
}  // namespace pier::cli_test
