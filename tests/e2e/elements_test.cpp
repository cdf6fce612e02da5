#include <cstring>

#include "e2e/support.h"

namespace {

using e2e::client;

// Types that came with a later version than some of the plugins: there the refusal is the promise.
int since(pier::DType type) {
  using enum pier::DType;
  switch (type) {
    case int2:
    case uint2: return 53;
    case float8_e4m3:
    case float8_e3m4: return 55;
    case float8_e8m0fnu:
    case float4_e2m1fn: return 63;
    case int1:
    case uint1: return 94;
    case float6_e2m3fn:
    case float6_e3m2fn: return 114;
    default: return 0;
  }
}

// Every bit pattern that an element of the type can have in host memory, up to the size of the shape.
pier::Array patterns(pier::DType type, const pier::Shape& shape) {
  pier::Array array = pier::Array::uninitialized(type, shape);
  const auto bytes = array.mutable_bytes();
  const std::size_t width = pier::host_bytes(type);
  const auto bits = static_cast<unsigned>(pier::bits(type));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto value = static_cast<unsigned>((i / width) * 37 + i % width);
    if (type == pier::DType::boolean) value &= 1;
    else if (bits < 8) {
      // ml_dtypes and plugins alike leave the bits above a small element zero, for signed ones too.
      value &= (1u << bits) - 1;
    }
    bytes[i] = static_cast<std::byte>(value);
  }
  return array;
}

bool same_bytes(const pier::Array& a, const pier::Array& b) {
  return a.type() == b.type() && std::memcmp(a.row_major().data(), b.row_major().data(), a.nbytes()) == 0;
}

class EveryType : public testing::TestWithParam<pier::DType> {};

TEST_P(EveryType, ComesBackFromTheDeviceBitByBitInEveryRank) {
  const pier::DType type = GetParam();
  if (since(type) > e2e::expected_minor()) {
    EXPECT_THROW(client().put(patterns(type, {3})), pier::Unsupported);
    return;
  }
  for (const pier::Shape& shape : {pier::Shape{}, {1}, {7}, {0}, {3, 0, 2}, {5, 3}, {2, 3, 4, 1}, {1, 2, 1, 3, 1, 2, 2}}) {
    const pier::Array array = patterns(type, shape);
    for (const auto semantics : {pier::HostSemantics::copy, pier::HostSemantics::zero_copy}) {
      const pier::Buffer buffer = client().put(array, semantics);
      EXPECT_EQ(buffer.type(), array.type());
      const pier::Array back = buffer.to_array();
      EXPECT_TRUE(same_bytes(array, back)) << pier::preview(array, 40) << "\n" << pier::preview(back, 40);
    }
    EXPECT_TRUE(same_bytes(array, client().put(array).take()));
  }
}

TEST_P(EveryType, PassesThroughAProgramUnchanged) {
  const pier::DType type = GetParam();
  if (since(type) > e2e::expected_minor()) {
    EXPECT_THROW(client().put(patterns(type, {3})), pier::Unsupported);
    return;
  }
  // StableHLO has no signed or unsigned one-bit integers: its i1 is boolean.
  if (type == pier::DType::int1 || type == pier::DType::uint1) {
    EXPECT_EQ(client().put(patterns(type, {3})).dtype(), type);
    return;
  }
  const std::string spelling = [&]() -> std::string {
    using enum pier::DType;
    switch (type) {
      case boolean: return "i1";
      case int2: return "i2";
      case int4: return "i4";
      case int8: return "i8";
      case int16: return "i16";
      case int32: return "i32";
      case int64: return "i64";
      case uint2: return "ui2";
      case uint4: return "ui4";
      case uint8: return "ui8";
      case uint16: return "ui16";
      case uint32: return "ui32";
      case uint64: return "ui64";
      case float16: return "f16";
      case float32: return "f32";
      case float64: return "f64";
      case bfloat16: return "bf16";
      case complex64: return "complex<f32>";
      case complex128: return "complex<f64>";
      case float8_e5m2: return "f8E5M2";
      case float8_e4m3: return "f8E4M3";
      case float8_e4m3fn: return "f8E4M3FN";
      case float8_e4m3b11fnuz: return "f8E4M3B11FNUZ";
      case float8_e5m2fnuz: return "f8E5M2FNUZ";
      case float8_e4m3fnuz: return "f8E4M3FNUZ";
      case float8_e3m4: return "f8E3M4";
      case float8_e8m0fnu: return "f8E8M0FNU";
      case float4_e2m1fn: return "f4E2M1FN";
      case float6_e2m3fn: return "f6E2M3FN";
      case float6_e3m2fn: return "f6E3M2FN";
      default: return "";
    }
  }();
  ASSERT_FALSE(spelling.empty());
  // Reversed, so that the program must move elements of the type's width.
  const std::string tensor = "tensor<23x" + spelling + ">";
  const std::string code = "module { func.func public @main(%x: " + tensor + ") -> " + tensor +
                           " { %0 = stablehlo.reverse %x, dims = [0] : " + tensor + " return %0 : " + tensor + " } }";
  const pier::Module module = pier::Module::from_bytes(code);
  ASSERT_TRUE(module.signature());
  EXPECT_EQ(module.signature()->arguments.at(0).dtype, type);
  const pier::Array array = patterns(type, {23});
  const pier::Executable program = client().compile(module);
  const pier::Array back = program(client().put(array)).to_array();
  ASSERT_EQ(back.type(), array.type());
  const std::size_t width = pier::host_bytes(type);
  for (std::size_t i = 0; i < 23; ++i) {
    const std::byte* const got = back.data() + i * width;
    const std::byte* const sent = array.data() + (22 - i) * width;
    // Plugins that compute a small float in a larger one may give back another of its several nans.
    if (std::isnan(pier::to_double(type, got)) && std::isnan(pier::to_double(type, sent))) continue;
    EXPECT_EQ(std::memcmp(got, sent, width), 0) << "element " << i;
  }
  const auto signature = program.signature();
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->arguments.at(0), array.type());
}

INSTANTIATE_TEST_SUITE_P(Elements, EveryType,
                         testing::ValuesIn(pier::all_dtypes().begin(), pier::all_dtypes().end()),
                         [](const auto& element) { return std::string(pier::name(element.param)); });

TEST(RealPlugin, TakesFortranOrderAndBackwardStridesAsTheyAre) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const pier::Array columns = pier::Array::view(values.data(), pier::DType::float32, {2, 3}, nullptr, {4, 8});
  const pier::Array backward = pier::Array::view(values.data() + 5, pier::DType::float32, {6}, nullptr, {-4});
  EXPECT_EQ(pier::preview(client().put(columns, pier::HostSemantics::copy).to_array()), "float32[2,3] [1, 3, 5, 2, 4, 6]");
  EXPECT_EQ(pier::preview(client().put(backward, pier::HostSemantics::copy).to_array()), "float32[6] [6, 5, 4, 3, 2, 1]");
}

TEST_P(EveryType, IsTakenInAnyOrderAndDirection) {
  const pier::DType type = GetParam();
  if (since(type) > e2e::expected_minor()) {
    EXPECT_THROW(client().put(patterns(type, {3})), pier::Unsupported);
    return;
  }
  const auto width = static_cast<std::int64_t>(pier::host_bytes(type));
  const pier::Array source = patterns(type, {3, 5});
  const auto view = [&](std::int64_t first, pier::Shape shape, std::vector<std::int64_t> strides) {
    return pier::Array::view(source.data() + first * width, type, std::move(shape), source.owner(), std::move(strides));
  };
  for (const pier::Array& array : {view(0, {5, 3}, {width, 5 * width}), view(14, {3, 5}, {-5 * width, -width}),
                                   view(4, {3, 5}, {5 * width, -width}), view(0, {3, 3}, {5 * width, 2 * width}),
                                   view(2, {4, 3}, {0, 5 * width})})
    for (const auto semantics : {pier::HostSemantics::copy, pier::HostSemantics::zero_copy})
      EXPECT_TRUE(same_bytes(array.row_major(), client().put(array, semantics).to_array())) << pier::preview(array, 40);
}

}  // namespace
