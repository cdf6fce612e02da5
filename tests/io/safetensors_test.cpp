#include <pier/safetensors.h>

#include "io/packed.h"
#include "io/support.h"

namespace pier::io_test {
namespace {

NamedArrays read(const std::string& bytes) { return read_safetensors(source_of(bytes, "x.safetensors")); }

void expect_refused(const std::string& bytes, ErrorCode code, std::vector<std::string> parts) {
  parts.push_back("x.safetensors");
  expect_error([&] { read(bytes); }, code, parts);
}

const std::string four = "\1\2\3\4";

std::string tensor(const std::string& type, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}
std::string file_of(const std::string& type, const std::string& shape, const std::string& offsets,
                    const std::string& data) {
  return safetensors(R"({"a":)" + tensor(type, shape, offsets) + "}", data);
}

bool can_hold(DType type) {
  for (const DType other : {DType::complex128, DType::float8_e4m3b11fnuz, DType::float8_e4m3, DType::float8_e3m4,
                            DType::int1, DType::int2, DType::int4, DType::uint1, DType::uint2, DType::uint4})
    if (type == other) return false;
  return true;
}

TEST(Safetensors, KeepsEveryTypeAndShapeThatItHas) {
  const Folder folder;
  NamedArrays arrays;
  for (const DType type : all_dtypes())
    for (const Shape& shape : {Shape{}, {4}, {0}, {2, 4}, {2, 0, 3}, {2, 3, 4}, {1, 2, 1, 4}, {2, 1, 2, 1, 2}})
      if (can_hold(type) && (bits(type) >= 8 || !shape.empty()))
        arrays.push_back({describe(type, shape), pattern(type, shape)});
  save_safetensors(folder / "a.safetensors", arrays);
  const NamedArrays loaded = load_safetensors(folder / "a.safetensors");
  ASSERT_EQ(loaded.size(), arrays.size());
  for (const Entry& entry : arrays) expect_same(find(loaded, entry.name), entry.array, entry.name);
}

TEST(Safetensors, NamesTheTypeItLacksAndWhatToDo) {
  const Folder folder;
  for (const DType type : all_dtypes()) {
    if (can_hold(type)) continue;
    expect_error([&] { save_safetensors(folder / "a.safetensors", {{"x", pattern(type, {8})}}); },
                 ErrorCode::invalid_argument, {"a.safetensors", "'x'", std::string(name(type)), ".npy"});
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Safetensors, RefusesToSaveWhatDoesNotFillItsLastByte) {
  const Folder folder;
  expect_error([&] { save_safetensors(folder / "a.safetensors", {{"x", pattern(DType::float4_e2m1fn, {3})}}); },
               ErrorCode::invalid_argument, {"float4_e2m1fn[3]", "last byte"});
}

TEST(Safetensors, RefusesToSaveElementsOfWhichOnlyTheWidthIsKnown) {
  const Folder folder;
  expect_error([&] { save_safetensors(folder / "a.safetensors", load_arrays(golden("bfloat16.npy"))); },
               ErrorCode::invalid_argument, {"only the width", "Array::as"});
}

TEST(Safetensors, UnpacksFourBitsLowHalfFirst) {
  const Array array = read(file_of("F4", "[4]", "[0,2]", "\x21\x43"))[0].array;
  EXPECT_EQ(element_bytes(array), "\1\2\3\4");
}

TEST(Safetensors, UnpacksSixBitsFromTheLowestUp) {
  // 1, 2, 3, 4 at bits 0, 6, 12 and 18 of one number.
  const std::uint32_t number = 1u | 2u << 6 | 3u << 12 | 4u << 18;
  const Array array = read(file_of("F6_E2M3", "[4]", "[0,3]", raw(number).substr(0, 3)))[0].array;
  EXPECT_EQ(element_bytes(array), "\1\2\3\4");
}

TEST(Safetensors, PackingDropsBitsAboveTheWidth) {
  const std::string bytes = "\xF1\xF2";
  const auto packed = pack_bits(std::as_bytes(std::span(bytes)), 4);
  EXPECT_THAT(packed, testing::ElementsAre(std::byte{0x21}));
}

TEST(Safetensors, DataStartsOnASixtyFourByteBoundaryAndWholeMultiplesStayThere) {
  const Folder folder;
  save_safetensors(folder / "a.safetensors", {{"odd", pattern(DType::float64, {3})},
                                              {"big", pattern(DType::uint8, {128})},
                                              {"a", pattern(DType::int16, {5})},
                                              {"wide", pattern(DType::float32, {16})}});
  const NamedArrays loaded = load_safetensors(folder / "a.safetensors");
  const auto place = [&](const std::string& name) {
    return reinterpret_cast<std::uintptr_t>(find(loaded, name).data()) % 64;
  };
  EXPECT_EQ(place("big"), 0u);
  EXPECT_EQ(place("wide"), 0u);
  EXPECT_EQ(place("odd"), 0u);
  for (const Entry& entry : loaded) EXPECT_EQ(entry.array.owner(), loaded[0].array.owner()) << entry.name;
}

TEST(Safetensors, CopiesElementsAtOddAddresses) {
  const std::string header =
      R"({"a":)" + tensor("U8", "[1]", "[0,1]") + R"(,"b":)" + tensor("F64", "[2]", "[1,17]") + "}";
  const NamedArrays loaded = read(safetensors(header, "x" + raw(1.5) + raw(-2.0)));
  EXPECT_THAT(find(loaded, "b").values<double>(), testing::ElementsAre(1.5, -2));
}

TEST(Safetensors, ReadsEveryByteButZeroAsTrue) {
  EXPECT_THAT(read(file_of("BOOL", "[4]", "[0,4]", std::string("\0\1\2\xFF", 4)))[0].array.values<bool>(),
              testing::ElementsAre(false, true, true, true));
}

TEST(Safetensors, ReadsAndWritesAFileWithoutTensors) {
  const Folder folder;
  save_safetensors(folder / "a.safetensors", {});
  EXPECT_TRUE(load_safetensors(folder / "a.safetensors").empty());
  EXPECT_TRUE(load_arrays(folder / "a.safetensors").empty());
}

TEST(Safetensors, TakesWhatTheReferenceImplementationTakes) {
  const std::string plain = tensor("U8", "[4]", "[0,4]");
  for (const std::string& header :
       {R"({"a":)" + plain + "}   ", R"({"__metadata__":{"x":"y","z":""},"a":)" + plain + "}",
        R"({"a":)" + plain + R"(,"__metadata__":null})", R"({ "a" : )" + plain + " }\n\t",
        std::string(
            R"({"a":{"data_offsets":[0,4],"later":{"x":[1,-2,1.5,null,true,"y",{}]},"shape":[4],"dtype":"U8"}})")})
    EXPECT_EQ(to_string(read(safetensors(header, four))[0].array.type()), "uint8[4]") << header;
}

TEST(Safetensors, WritesNamesOfEveryKind) {
  const Folder folder;
  const std::vector<std::string> names = {"", "a\"b\\c", "line\nbreak", "\x01\x1f", "ümlaut \U0001F600", "a/b.c"};
  NamedArrays arrays;
  for (const std::string& each : names) arrays.push_back({each, pattern(DType::int8, {3})});
  save_safetensors(folder / "a.safetensors", arrays);
  const NamedArrays loaded = load_safetensors(folder / "a.safetensors");
  EXPECT_EQ(loaded.size(), names.size());
  for (const std::string& each : names) expect_same(find(loaded, each), pattern(DType::int8, {3}));
}

TEST(Safetensors, RefusesALengthThatTheFileDoesNotHold) {
  expect_refused("", ErrorCode::integrity, {"holds 0 bytes"});
  expect_refused("\1\0\0", ErrorCode::integrity, {"8 bytes"});
  expect_refused(raw(std::uint64_t{500}) + "{}", ErrorCode::integrity, {"500 bytes", "holds 2 bytes"});
  expect_refused(raw(std::uint64_t{100'000'001}) + "{}", ErrorCode::integrity, {"100000001", "100000000"});
  expect_refused(raw(~std::uint64_t{0}) + "{}", ErrorCode::integrity, {"18446744073709551615"});
}

TEST(Safetensors, RefusesHeadersThatAreNotJson) {
  const std::string good = R"({"a":)" + tensor("U8", "[4]", "[0,4]") + "}";
  for (const std::string& header :
       {std::string("{"), std::string("[]"), std::string(" {}"), std::string("null"), std::string(), good + "x",
        good + std::string("\0", 1), good.substr(0, good.size() - 1), std::string("{\"a\xFF\":1}"),
        std::string("{'a':1}"), std::string("{\"a\":1,}"), good + good})
    expect_refused(safetensors(header, four), ErrorCode::integrity, {});
}

TEST(Safetensors, RefusesHeadersOfAnotherForm) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"a":1})", "a number in a place"},
      {R"({"a":[]})", "a list in a place"},
      {R"({"a":{}})", "no dtype"},
      {R"({"a":{"dtype":"U8","shape":[4]}})", "no data_offsets"},
      {R"({"a":{"dtype":"U8","data_offsets":[0,4]}})", "no shape"},
      {R"({"a":{"dtype":8,"shape":[4],"data_offsets":[0,4]}})", "a number in a place"},
      {R"({"a":{"dtype":"U8","shape":4,"data_offsets":[0,4]}})", "a number in a place"},
      {R"({"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}})", "a negative number"},
      {R"({"a":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}})", "a fraction"},
      {R"({"a":{"dtype":"U8","shape":["4"],"data_offsets":[0,4]}})", "a string in a place"},
      {R"({"a":{"dtype":"U8","shape":[[4]],"data_offsets":[0,4]}})", "a list in a place"},
      {R"({"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,4]}})", "beyond 2^63"},
      {R"({"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,4]}})", "a fraction"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0]}})", "fewer than two"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,4]}})", "more than two"},
      {R"({"a":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "a second dtype"},
      {R"({"__metadata__":{"x":1}})", "a number in a place"},
      {R"({"__metadata__":{"x":{"y":"z"}}})", "an object in a place"},
      {R"({"__metadata__":{"x":"y","x":"z"}})", "the key 'x' twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "a second __metadata__"},
      {R"({"__metadata__":"x"})", "a string in a place"},
      {R"({"__metadata__":{"x":"\u0000"}})", "NUL"},
      {R"({"a\u0000b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "NUL"},
  };
  for (const auto& [header, part] : cases) expect_refused(safetensors(header, four), ErrorCode::integrity, {part});
}

TEST(Safetensors, RefusesATensorTwice) {
  const std::string one = R"("a":)" + tensor("U8", "[4]", "[0,4]");
  expect_refused(safetensors("{" + one + "," + one + "}", four), ErrorCode::integrity, {"two tensors are named 'a'"});
}

TEST(Safetensors, RefusesDepthWithoutEnd) {
  const std::string open(100'000, '['), close(100'000, ']');
  expect_refused(safetensors(R"({"a":{"later":)" + open + close + "}}", ""), ErrorCode::integrity, {"nested too deep"});
}

TEST(Safetensors, NamesAnUnknownTypeAndTheKnownOnes) {
  expect_refused(file_of("I4", "[8]", "[0,4]", four), ErrorCode::invalid_argument, {"tensor 'a'", "'I4'", "BF16"});
}

TEST(Safetensors, RefusesSizesThatAreNotThoseOfTypeAndShape) {
  expect_refused(file_of("F32", "[2]", "[0,4]", four), ErrorCode::integrity,
                 {"'a'", "float32[2]", "takes 8 bytes", "give it 4"});
  expect_refused(file_of("F4", "[7]", "[0,4]", four), ErrorCode::integrity, {"'a'", "whole number of bytes"});
  expect_refused(file_of("F64", "[4611686018427387904,4]", "[0,4]", four), ErrorCode::integrity, {"'a'", "whole number"});
  expect_refused(file_of("U8", "[0,9223372036854775807,9223372036854775807]", "[0,0]", ""), ErrorCode::integrity,
                 {"'a'"});
}

TEST(Safetensors, RefusesOffsetsThatDoNotTileTheFile) {
  expect_refused(file_of("U8", "[3]", "[1,4]", four), ErrorCode::integrity, {"'a'", "begins at 1, where 0"});
  expect_refused(file_of("U8", "[3]", "[0,3]", four), ErrorCode::integrity, {"take 3 bytes", "holds 4 bytes"});
  expect_refused(file_of("U8", "[8]", "[0,8]", four), ErrorCode::integrity, {"'a'", "[0, 8]", "holds 4 bytes"});
  expect_refused(file_of("U8", "[4]", "[4,0]", four), ErrorCode::integrity, {"'a'", "[4, 0]"});
  expect_refused(file_of("U8", "[1]", "[18446744073709551615,18446744073709551615]", four), ErrorCode::integrity,
                 {"'a'"});
  const auto two = [](const std::string& a, const std::string& b) {
    return safetensors(R"({"a":)" + tensor("U8", "[2]", a) + R"(,"b":)" + tensor("U8", "[2]", b) + "}", four);
  };
  EXPECT_EQ(read(two("[2,4]", "[0,2]")).size(), 2u);
  expect_refused(two("[0,2]", "[0,2]"), ErrorCode::integrity, {"'b'", "overlap"});
  expect_refused(two("[0,2]", "[1,3]"), ErrorCode::integrity, {"'b'", "overlap"});
}

TEST(Safetensors, TakesSixtyFourDimensionsAndNoMore) {
  const auto shape = [](std::size_t rank) {
    std::string out = "[1";
    for (std::size_t i = 1; i < rank; ++i) out += ",1";
    return out + "]";
  };
  EXPECT_EQ(read(file_of("U8", shape(64), "[0,1]", "x"))[0].array.shape().size(), 64u);
  expect_refused(file_of("U8", shape(65), "[0,1]", "x"), ErrorCode::invalid_argument, {"65 dimensions", "64"});
}

TEST(Safetensors, RefusesToSaveTheNameOfItsMetadata) {
  const Folder folder;
  expect_error([&] { save_safetensors(folder / "a.safetensors", {{"__metadata__", pattern(DType::int8, {1})}}); },
               ErrorCode::invalid_argument, {"a.safetensors", "'__metadata__'"});
}

TEST(Safetensors, SavesColumnMajorArraysInRowMajorOrder) {
  const Folder folder;
  const NamedArrays arrays = load_arrays(golden("fortran.npy"));
  save_safetensors(folder / "a.safetensors", arrays);
  expect_same(load_safetensors(folder / "a.safetensors")[0].array, pattern(DType::int16, {2, 3, 4}));
}

}  // namespace
}  // namespace pier::io_test
