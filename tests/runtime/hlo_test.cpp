#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include <pier/error.h>

#include "runtime/hlo.h"

namespace pier::runtime {
namespace {

constexpr const char* golden[] = {"types_0.81.pb", "types_0.115.pb"};
constexpr std::string_view wanted =
    "float32[2,3] bfloat16[4] bool[] complex64[2] uint8[0,5] int64[3] -> float32[3,2] bfloat16[4] bool[] complex64[2] uint8[0,5] int64[3]";

std::string load(const std::string& name) {
  std::ifstream file(PIER_TEST_DATA "/golden/" + name, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string show(const std::optional<Signature>& signature) {
  if (!signature) return "nothing";
  std::string out;
  for (const TensorType& type : signature->arguments) out += to_string(type) + " ";
  out += "->";
  for (const TensorType& type : signature->results) out += " " + to_string(type);
  return out;
}

std::string read(std::string_view bytes) {
  const auto module = find_hlo_module(bytes);
  return module ? show(hlo_signature(*module)) : "no module";
}

// Fields of a protocol buffer message.
std::string number(std::uint64_t value) {
  std::string out;
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  return out + static_cast<char>(value);
}
std::string field(unsigned tag, std::uint64_t value) { return number(tag << 3) + number(value); }
std::string field(unsigned tag, const std::string& bytes) { return number(tag << 3 | 2) + number(bytes.size()) + bytes; }

std::string shape(unsigned primitive, const std::string& more = {}) { return field(2, primitive) + more; }
std::string module_of(const std::string& parameter, const std::string& result) {
  return field(1, std::string("name")) + field(3, std::string("x")) + field(4, field(1, parameter) + field(2, result));
}

TEST(Hlo, ReadsThePrintedTypesOfRealPrograms) {
  for (const char* name : golden) {
    const std::string bytes = load(name);
    ASSERT_GT(bytes.size(), 1000u) << name;
    EXPECT_EQ(read(bytes), wanted) << name;
  }
}

TEST(Hlo, ReadsAModuleBareAndInEitherWrapper) {
  for (const char* name : golden) {
    const std::string bytes = load(name);
    const auto module = find_hlo_module(bytes);
    ASSERT_TRUE(module);
    EXPECT_LT(module->size(), bytes.size());
    EXPECT_EQ(find_hlo_module(*module), module);
    // HloProto has a third field of its own, which is no computation.
    const std::string proto = field(1, std::string(*module)) + field(3, std::string("buffers"));
    EXPECT_EQ(find_hlo_module(proto), *module);
    EXPECT_EQ(read(proto), wanted);
  }
}

TEST(Hlo, TakesPackedAndUnpackedDimensionsAndTuplesApart) {
  const std::string f32 = shape(11, field(3, number(2) + number(300)));
  const std::string s32 = shape(4, field(3, std::uint64_t{7}));
  const std::string tuple = shape(13, field(4, f32) + field(4, shape(13, field(4, s32) + field(4, shape(17)))));
  EXPECT_EQ(read(module_of(f32, tuple)), "float32[2,300] -> float32[2,300] int32[7] token[]");
  EXPECT_EQ(read(module_of(shape(13), shape(13))), "->");
}

TEST(Hlo, KnowsEveryPrimitiveType) {
  const std::pair<unsigned, DType> primitives[] = {
      {1, DType::boolean}, {2, DType::int8}, {3, DType::int16}, {4, DType::int32}, {5, DType::int64}, {6, DType::uint8},
      {7, DType::uint16}, {8, DType::uint32}, {9, DType::uint64}, {10, DType::float16}, {11, DType::float32},
      {12, DType::float64}, {15, DType::complex64}, {16, DType::bfloat16}, {17, DType::token}, {18, DType::complex128},
      {19, DType::float8_e5m2}, {20, DType::float8_e4m3fn}, {21, DType::int4}, {22, DType::uint4},
      {23, DType::float8_e4m3b11fnuz}, {24, DType::float8_e5m2fnuz}, {25, DType::float8_e4m3fnuz}, {26, DType::int2},
      {27, DType::uint2}, {28, DType::float8_e4m3}, {29, DType::float8_e3m4}, {30, DType::int1}, {31, DType::uint1},
      {32, DType::float4_e2m1fn}, {33, DType::float8_e8m0fnu}, {35, DType::float6_e3m2fn}, {36, DType::float6_e2m3fn}};
  for (const auto& [primitive, type] : primitives)
    EXPECT_EQ(read(module_of(shape(primitive), shape(13))), std::string(name(type)) + "[] ->") << primitive;
  for (const unsigned none : {0u, 14u, 34u, 37u, 1000u, 0xffffffffu}) EXPECT_EQ(read(module_of(shape(none), shape(13))), "nothing") << none;
}

TEST(Hlo, GivesNoSignatureForDynamicNegativeOrEndlessShapes) {
  EXPECT_EQ(read(module_of(shape(11, field(3, number(4)) + field(6, number(1))), shape(13))), "nothing");
  EXPECT_EQ(read(module_of(shape(11, field(3, number(4)) + field(6, std::uint64_t{1})), shape(13))), "nothing");
  EXPECT_EQ(read(module_of(shape(11, field(3, number(4)) + field(6, number(0))), shape(13))), "float32[4] ->");
  EXPECT_EQ(read(module_of(shape(11, field(3, number(~std::uint64_t{0}))), shape(13))), "nothing");
  std::string nested = shape(11);
  for (int depth = 0; depth < 1000; ++depth) nested = shape(13, field(4, nested));
  EXPECT_EQ(read(module_of(nested, shape(13))), "nothing");
  EXPECT_EQ(read(field(1, std::string("name")) + field(3, std::string("x"))), "nothing");
  EXPECT_EQ(read(field(1, field(1, std::string("name")) + field(4, field(2, shape(13))))), "->");
}

TEST(Hlo, IsNotSeenInOtherBytes) {
  for (const std::string& bytes : {std::string(), std::string("HloModule cos, entry"), std::string("module {}"), std::string(1000, '\0'),
                                   std::string(1000, '\xff'), field(1, std::string("name")), field(3, std::string("x")),
                                   field(1, std::uint64_t{5}) + field(3, std::string("x")), std::string("\x7f" "ELF\2\1\1")})
    EXPECT_EQ(find_hlo_module(bytes), std::nullopt) << bytes.substr(0, 20);
}

TEST(Hlo, SurvivesEveryTruncation) {
  for (const char* name : golden) {
    const std::string whole = load(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // A copy of just that size, so that a sanitizer sees a read behind it.
      const std::vector<char> exact(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string got = read({exact.data(), exact.size()});
      EXPECT_TRUE(got == wanted || got == "no module" || got == "nothing") << size << ": " << got;
    }
  }
}

TEST(Hlo, SurvivesRandomChanges) {
  std::mt19937 random(11);
  const std::string whole = load(golden[1]);
  const std::string module(*find_hlo_module(whole));
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = round % 2 ? whole : module;
    for (int change = 0; change < 3; ++change) bytes[random() % std::min<std::size_t>(bytes.size(), 800)] = static_cast<char>(random());
    read(bytes);
    hlo_signature(bytes);
  }
}

}  // namespace
}  // namespace pier::runtime
