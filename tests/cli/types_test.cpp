#include <algorithm>
#include <cstring>
#include <iterator>
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

// Types that no program can take: StableHLO has no one-bit integers, and the fake plugin's compiler no six-bit floats.
constexpr DType without_programs[] = {DType::int1, DType::uint1, DType::float6_e2m3fn, DType::float6_e3m2fn};

std::vector<DType> types_of_programs() {
  std::vector<DType> types;
  for (const DType type : all_dtypes())
    if (std::find(std::begin(without_programs), std::end(without_programs), type) == std::end(without_programs)) types.push_back(type);
  return types;
}

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

class EveryType : public testing::TestWithParam<DType> {
 protected:
  EveryType() {
    sandbox.use_fake();
    const std::string tensor = "tensor<7x" + std::string(stablehlo_name(GetParam())) + ">";
    sandbox.write("m.mlir", module_text("fake.identity", tensor, tensor));
  }
  Sandbox sandbox;
};

TEST_P(EveryType, PassesThroughNpyAndNpzBitForBit) {
  const DType type = GetParam();
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
  const DType type = GetParam();
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
  const DType type = GetParam();
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

INSTANTIATE_TEST_SUITE_P(Types, EveryType, testing::ValuesIn(types_of_programs()),
                         [](const testing::TestParamInfo<DType>& test) { return std::string(name(test.param)); });

TEST_P(EveryType, OfScalarsAndZeroExtentsIsKept) {
  const DType type = GetParam();
  const std::string element(stablehlo_name(type));
  const std::string tensors = "tensor<" + element + ">, tensor<0x3x" + element + ">";
  sandbox.write("m.mlir", module_text("fake.identity", tensors, tensors));
  const Array seven = pattern(type);
  sandbox.write("x.npz", NamedArrays{{"a", Array::view(seven.data() + host_bytes(type), type, {}, seven.owner())},
                                     {"b", Array::zeros(type, {0, 3})}});
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "y.npz"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const NamedArrays got = load_arrays(sandbox.path("y.npz"));
  const NamedArrays sent = load_arrays(sandbox.path("x.npz"));
  ASSERT_EQ(got.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(got[i].array.shape(), sent[i].array.shape());
    EXPECT_TRUE(same_elements(got[i].array.as(type), sent[i].array.as(type))) << preview(got[i].array.as(type));
  }
}

TEST(Types, OfFortranOrderAndSwappedFilesAreKept) {
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
