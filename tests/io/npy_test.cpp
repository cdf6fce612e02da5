#include <pier/npy.h>

#include "io/npy_header.h"
#include "io/support.h"

namespace pier::io_test {
namespace {

using testing::HasSubstr;

Entry read(std::string_view bytes) { return read_npy(source_of(bytes, "x.npy")); }

void expect_refused(std::string_view bytes, ErrorCode code, std::vector<std::string> parts) {
  parts.push_back("x.npy");
  expect_error([&] { read(bytes); }, code, parts);
}

const std::string eight(8, '\1');

TEST(Npy, KeepsEveryTypeAndShape) {
  const Folder folder;
  for (const DType type : all_dtypes()) {
    for (const Shape& shape : {Shape{}, {3}, {0}, {2, 3}, {2, 0, 3}, {2, 3, 4}, {1, 2, 1, 3}, {2, 1, 2, 1, 2}}) {
      const Array array = pattern(type, shape);
      save_npy(folder / "a.npy", array, SaveMode::replace);
      const NamedArrays loaded = load_arrays(folder / "a.npy");
      ASSERT_EQ(loaded.size(), 1u);
      const bool typed = !loaded[0].untyped;
      EXPECT_EQ(typed, loaded[0].array.dtype() == type);
      expect_same(loaded[0].array.as(type), array, describe(type, shape));
    }
  }
}

TEST(Npy, MarksWhatTheFileKnowsOnlyTheWidthOf) {
  const NamedArrays loaded = load_arrays(golden("bfloat16.npy"));
  EXPECT_TRUE(loaded[0].untyped);
  EXPECT_EQ(loaded[0].array.dtype(), DType::uint16);
  EXPECT_TRUE(load_arrays(golden("int4.npy"))[0].untyped);
  EXPECT_EQ(load_arrays(golden("int4.npy"))[0].array.dtype(), DType::uint8);
  EXPECT_FALSE(load_arrays(golden("uint16.npy"))[0].untyped);
}

TEST(Npy, SavesAnUntypedEntryAsUntyped) {
  const Folder folder;
  save_arrays(folder / "a.npy", load_arrays(golden("bfloat16.npy")));
  EXPECT_EQ(content(folder / "a.npy"), content(golden("bfloat16.npy")));
}

TEST(Npy, ViewsTheMappedFileWithoutACopy) {
  const Folder folder;
  save_npy(folder / "a.npy", pattern(DType::float32, {1 << 20}));
  const Array array = load_npy(folder / "a.npy");
  // Data follow a header of 128 bytes on a page of the mapping; allocated memory would not lie so.
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 4096, 128u);
}

TEST(Npy, ViewOutlivesFileAndName) {
  const Folder folder;
  save_npy(folder / "a.npy", pattern(DType::int32, {1000}));
  const Array array = load_npy(folder / "a.npy");
  std::filesystem::remove(folder / "a.npy");
  expect_same(array, pattern(DType::int32, {1000}));
}

TEST(Npy, ReadsFortranOrderAsStrides) {
  const Array array = load_npy(golden("fortran.npy"));
  EXPECT_EQ(array.strides(), (std::vector<std::int64_t>{2, 4, 12}));
  EXPECT_FALSE(array.is_row_major());
  expect_same(array, pattern(DType::int16, {2, 3, 4}));
}

TEST(Npy, KeepsFortranOrderWhenSaving) {
  const Folder folder;
  save_npy(folder / "a.npy", load_npy(golden("fortran.npy")));
  EXPECT_EQ(content(folder / "a.npy"), content(golden("fortran.npy")));
}

TEST(Npy, MakesOtherStridesRowMajorWhenSaving) {
  const Folder folder;
  const Array dense = pattern(DType::int32, {6});
  // Backwards, every second one.
  const Array view = Array::view(dense.data() + 5 * 4, DType::int32, {3}, dense.owner(), {-8});
  save_npy(folder / "a.npy", view);
  expect_same(load_npy(folder / "a.npy"), view);
}

TEST(Npy, SwapsBigEndianFiles) {
  for (const char* type : {"int16", "uint32", "float64", "complex64", "complex128", "bfloat16"}) {
    const std::string name(type);
    EXPECT_NE(content(golden("big_" + name + ".npy")), content(golden("little_" + name + ".npy")));
    expect_same(load_npy(golden("big_" + name + ".npy")), load_npy(golden("little_" + name + ".npy")), name);
  }
}

TEST(Npy, SwapsBigEndianFortranOrder) {
  const Entry entry =
      read(npy("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 2)}", std::string("\0\1\0\2\0\3\0\4", 8)));
  const Array dense = entry.array.row_major();
  EXPECT_THAT(dense.values<std::uint16_t>(), testing::ElementsAre(1, 3, 2, 4));
}

TEST(Npy, ReadsEveryVersion) {
  const Array expected = pattern(DType::float32, {2, 3});
  expect_same(load_npy(golden("version_2.npy")), expected);
  expect_same(load_npy(golden("version_3.npy")), expected);
  for (const char version : {'\0', '\4', '\xFF'}) {
    std::string file = content(golden("float32.npy"));
    file[6] = version;
    expect_refused(file, ErrorCode::invalid_argument, {"version", "pier reads 1.0, 2.0 and 3.0"});
  }
}

TEST(Npy, AcceptsTheSpellingsThatNumPyAccepts) {
  for (const char* dictionary : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
                                 R"({"descr":"<f4","fortran_order":False,"shape":(2,)})",
                                 "  { 'shape' :\t( 2 , ) ,\n 'descr' : u'<f4' , 'fortran_order' : False }  \n",
                                 "{'fortran_order': False, 'shape': (2L,), 'descr': 'f4'}",
                                 "{'descr': '=f4', 'fortran_order': True, 'shape': (2,)}",
                                 "{'descr': '|f4', 'fortran_order': False, 'shape': (2,)}"}) {
    const Entry entry = read(npy(dictionary, eight));
    EXPECT_EQ(to_string(entry.array.type()), "float32[2]") << dictionary;
  }
}

TEST(Npy, RefusesOtherDictionaries) {
  for (const char* dictionary : {"",
                                 "{",
                                 "{}",
                                 "[]",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
                                 "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
                                 "{'descr': '<f4', 'fortran_order': False}",
                                 "{'descr': '<f4', 'shape': (2,)}",
                                 "{'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
                                 "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2,,)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2.0,)}",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                                 "{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': [('a', '<f4'), 'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': , 'fortran_order': False, 'shape': (2,)}",
                                 "{'descr': None, 'fortran_order': False, 'shape': (2,)}"}) {
    expect_refused(npy(dictionary, eight), ErrorCode::integrity, {"dictionary", " at byte "});
  }
}

TEST(Npy, NamesTheElementTypeItRefuses) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"records", "[('a', '<f4'), ('b', '<i2')]"},
                                                                  {"objects", "|O"},
                                                                  {"bytes", "|S3"},
                                                                  {"text", "<U3"},
                                                                  {"dates", "<M8[ns]"},
                                                                  {"spans", "<m8[s]"},
                                                                  {"longdouble", "<f16"},
                                                                  {"void3", "|V3"}};
  for (const auto& [name, descr] : cases)
    expect_error(
        [&] { load_npy(golden("refused_" + name + ".npy")); }, ErrorCode::invalid_argument,
        {"refused_" + name + ".npy", descr == "[('a', '<f4'), ('b', '<i2')]" ? "[('a', '<f4')" : descr, "astype"});
  expect_error([] { load_npy(golden("refused_objects.npy")); }, ErrorCode::invalid_argument, {"Python objects"});
}

TEST(Npy, RefusesAHeaderThatPromisesMoreThanTheFileHolds) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 3), }\n", eight), ErrorCode::integrity,
                 {"(1000, 3)", "'<f4'", "12000 bytes", "8 bytes follow"});
}

TEST(Npy, RefusesBytesThatTheHeaderDoesNotPromise) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", eight), ErrorCode::integrity,
                 {"take 4 bytes", "8 bytes follow"});
}

TEST(Npy, RefusesSizesThatOverflow) {
  for (const char* shape : {"(4611686018427387904, 4)", "(9223372036854775807,)", "(4294967296, 4294967296, 4294967296)",
                            "(0, 9223372036854775807)"}) {
    expect_refused(npy(std::string("{'descr': '<f8', 'fortran_order': False, 'shape': ") + shape + "}", ""),
                   ErrorCode::integrity, {"more than 2^63 bytes"});
  }
}

TEST(Npy, RefusesAFileCutShortAnywhere) {
  const std::string whole = content(golden("float32.npy"));
  for (std::size_t length = 0; length < whole.size(); ++length)
    expect_refused(whole.substr(0, length), ErrorCode::integrity, {});
}

TEST(Npy, RefusesAnythingElseByItsFirstBytes) {
  expect_refused("PK\x03\x04 and more", ErrorCode::integrity, {"not a .npy array", "'PK\\x03\\x04"});
}

TEST(Npy, TakesSixtyFourDimensionsAndNoMore) {
  const auto file = [](std::size_t rank) {
    std::string shape;
    for (std::size_t i = 0; i < rank; ++i) shape += "1,";
    return npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + ")}", "x");
  };
  EXPECT_EQ(read(file(64)).array.shape().size(), 64u);
  expect_refused(file(65), ErrorCode::invalid_argument, {"65 dimensions", "64"});
}

TEST(Npy, RefusesAHeaderAboveOneMebibyte) {
  const std::uint32_t length = 2u << 20;
  const std::string file = std::string("\x93NUMPY\x02\x00", 8) + raw(length) + std::string(length, ' ');
  expect_refused(file, ErrorCode::invalid_argument, {"pier reads up to 1048576"});
  expect_refused(file.substr(0, 100), ErrorCode::integrity, {"2097164", "holds 100"});
}

TEST(Npy, AllocatesNothingForAnArrayThatTheFileDoesNotHold) {
  // A big-endian array needs memory of its own; asking for these eight terabytes would be another error.
  expect_refused(npy("{'descr': '>f8', 'fortran_order': False, 'shape': (1000000000000,)}", eight), ErrorCode::integrity,
                 {"8000000000000 bytes"});
}

TEST(Npy, HugeExtentsWithoutElementsCostNothing) {
  const Entry entry = read(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1000000000000, 0, 5)}", ""));
  EXPECT_EQ(entry.array.row_major().size(), 0);
}

TEST(Npy, CopiesElementsAtOddAddresses) {
  std::string dictionary = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1)}";
  while ((10 + dictionary.size()) % 8 != 3) dictionary += ' ';
  const std::vector<double> values = {1.5, -2};
  const Entry entry = read(npy(dictionary, raw(values[0]) + raw(values[1])));
  EXPECT_THAT(entry.array.values<double>(), testing::ElementsAre(1.5, -2));
}

TEST(Npy, ReadsEveryByteButZeroAsTrue) {
  const Entry entry = read(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", std::string("\0\1\2\xFF", 4)));
  EXPECT_THAT(entry.array.values<bool>(), testing::ElementsAre(false, true, true, true));
}

TEST(Npy, EscapesControlCharactersInMessages) {
  const Error error = error_of([] { read(npy("{'\x1b[31m': 1}", "")); });
  EXPECT_THAT(error.what(), HasSubstr("\\x1b[31m"));
  EXPECT_EQ(std::string_view(error.what()).find('\x1b'), std::string_view::npos);
}

TEST(Npy, RefusesToReplaceAFileUnlessTold) {
  const Folder folder;
  write(folder / "a.npy", "mine");
  expect_error([&] { save_npy(folder / "a.npy", pattern(DType::int8, {2})); }, ErrorCode::already_exists,
               {(folder / "a.npy").native()});
  EXPECT_EQ(content(folder / "a.npy"), "mine");
  save_npy(folder / "a.npy", pattern(DType::int8, {2}), SaveMode::replace);
  expect_same(load_npy(folder / "a.npy"), pattern(DType::int8, {2}));
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Npy, ReplacesTheFileThatItsArrayIsMappedFrom) {
  const Folder folder;
  save_npy(folder / "a.npy", pattern(DType::int8, {1000}));
  const Array array = load_npy(folder / "a.npy");
  save_npy(folder / "a.npy", array, SaveMode::replace);
  expect_same(load_npy(folder / "a.npy"), pattern(DType::int8, {1000}));
}

TEST(Npy, NamesThePathItCannotReadOrWrite) {
  const Folder folder;
  expect_error([&] { load_npy(folder / "none.npy"); }, ErrorCode::not_found, {(folder / "none.npy").native()});
  expect_error([&] { load_npy(folder.path()); }, ErrorCode::io, {folder.path().native(), "folder"});
  expect_error([&] { save_npy(folder / "no" / "a.npy", pattern(DType::int8, {1})); }, ErrorCode::not_found, {"no/a.npy"});
}

TEST(Npy, RefusesToSaveWhatHoldsNoData) {
  const Folder folder;
  expect_error([&] { save_npy(folder / "a.npy", Array()); }, ErrorCode::invalid_argument, {"a.npy", "invalid"});
  EXPECT_EQ(folder.files(), 0u);
}

TEST(NpyHeader, IsAlwaysAMultipleOfSixtyFourBytes) {
  for (std::size_t rank = 0; rank <= max_rank; ++rank) {
    const Shape shape(rank, rank % 2 ? 1 : 123456789);
    EXPECT_EQ(make_npy_header(DType::float32, shape, false).size() % 64, 0u);
  }
}

}  // namespace
}  // namespace pier::io_test
