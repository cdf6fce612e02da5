#include <pier/npz.h>

#include <zlib.h>

#include "base/file.h"
#include "io/zip_file.h"
#include "io/zip_writer.h"

namespace pier::io_test {
namespace {

NamedArrays read(const std::string& bytes) { return read_npz(source_of(bytes, "x.npz")); }

void expect_refused(const std::string& bytes, ErrorCode code, std::vector<std::string> parts) {
  parts.push_back("x.npz");
  expect_error([&] { read(bytes); }, code, parts);
}

std::string one_to_three() { return npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}", "\1\2\3"); }

std::string deflate_raw(const std::string& data) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(data.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

ZipEntry deflated(const std::string& name, const std::string& data) {
  return {name, deflate_raw(data), zip::method_deflated, 0, data.size(), crc32(std::as_bytes(std::span(data)))};
}

TEST(Npz, KeepsEveryTypeAndShape) {
  const Folder folder;
  NamedArrays arrays;
  for (const DType type : all_dtypes())
    for (const Shape& shape : {Shape{}, {3}, {0}, {2, 3}, {2, 0, 3}, {2, 3, 4}, {1, 2, 1, 3}, {2, 1, 2, 1, 2}})
      arrays.push_back({describe(type, shape), pattern(type, shape)});
  save_npz(folder / "a.npz", arrays);
  const NamedArrays loaded = load_npz(folder / "a.npz");
  ASSERT_EQ(loaded.size(), arrays.size());
  for (const Entry& entry : arrays)
    expect_same(find(loaded, entry.name).as(entry.array.dtype()), entry.array, entry.name);
}

TEST(Npz, GivesItsArraysInOrderOfName) {
  const Folder folder;
  save_npz(folder / "a.npz",
           {{"b", pattern(DType::int8, {1})}, {"a", pattern(DType::int8, {2})}, {"B", pattern(DType::int8, {3})}});
  const NamedArrays loaded = load_npz(folder / "a.npz");
  EXPECT_EQ(loaded[0].name + loaded[1].name + loaded[2].name, "Bab");
}

TEST(Npz, StoredMembersAreViewsOnSixtyFourByteBoundaries) {
  const Folder folder;
  NamedArrays arrays;
  for (int i = 0; i < 70; ++i)
    arrays.push_back({std::string(static_cast<std::size_t>(i), 'x'), pattern(DType::uint8, {i + 1})});
  save_npz(folder / "a.npz", arrays);
  const NamedArrays loaded = load_npz(folder / "a.npz");
  for (const Entry& entry : loaded) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(entry.array.data()) % 64, 0u) << entry.name.size();
    EXPECT_EQ(entry.array.owner(), loaded[0].array.owner());
  }
}

TEST(Npz, DeflatedMembersStartOnSixtyFourByteBoundaries) {
  for (const Entry& entry : load_npz(golden("deflated.npz")))
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(entry.array.data()) % 64, 0u) << entry.name;
}

TEST(Npz, ReadsAndWritesAnEmptyArchive) {
  const Folder folder;
  save_npz(folder / "a.npz", {});
  EXPECT_TRUE(load_npz(folder / "a.npz").empty());
  EXPECT_TRUE(load_arrays(folder / "a.npz").empty());
}

TEST(Npz, WritesZip64ForMoreThan65534Members) {
  const Folder folder;
  {
    AtomicFile file(folder / "a.npz", AtomicFile::Existing::refuse);
    ZipWriter writer(file);
    const std::string data = one_to_three();
    const std::array parts = {std::as_bytes(std::span(data))};
    for (int i = 0; i < 65535; ++i) writer.add(std::to_string(i), parts);
    writer.finish();
    file.commit();
  }
  const NamedArrays loaded = load_npz(folder / "a.npz");
  EXPECT_EQ(loaded.size(), 65535u);
  EXPECT_EQ(content(folder / "a.npz").substr(content(folder / "a.npz").size() - 12, 2), "\xFF\xFF");
}

TEST(Npz, EqualArraysGiveEqualFiles) {
  const Folder folder;
  save_npz(folder / "a.npz", {{"x", pattern(DType::float32, {5})}});
  save_npz(folder / "b.npz", {{"x", pattern(DType::float32, {5})}});
  EXPECT_EQ(content(folder / "a.npz"), content(folder / "b.npz"));
}

TEST(Npz, ReadsWhatTheBuilderOfTheseTestsMakes) {
  const NamedArrays arrays =
      read(zip_file({{"a.npy", one_to_three()}, deflated("b", one_to_three())}, {.comment = "a comment"}));
  ASSERT_EQ(arrays.size(), 2u);
  for (const Entry& entry : arrays)
    EXPECT_THAT(entry.array.values<std::uint8_t>(), testing::ElementsAre(1, 2, 3)) << entry.name;
  EXPECT_EQ(arrays[0].name + arrays[1].name, "ab");
}

TEST(Npz, RefusesAWrongCrc) {
  expect_refused(zip_file({{"a.npy", one_to_three(), 0, 0, {}, 1}}), ErrorCode::integrity,
                 {"member 'a.npy'", "CRC-32", "promises 00000001"});
  ZipEntry entry = deflated("a.npy", one_to_three());
  entry.crc = 1;
  expect_refused(zip_file({entry}), ErrorCode::integrity, {"member 'a.npy'", "CRC-32", "promises 00000001"});
}

TEST(Npz, RefusesEncryptionAndOtherMethods) {
  for (const std::uint16_t flag : {zip::flag_encrypted, zip::flag_strong, zip::flag_masked})
    expect_refused(zip_file({{"a.npy", one_to_three(), 0, flag}}), ErrorCode::invalid_argument, {"'a.npy'", "encrypted"});
  expect_error([] { load_npz(golden("bzip2.npz")); }, ErrorCode::invalid_argument,
               {"bzip2.npz", "'float32.npy'", "method 12"});
}

TEST(Npz, RefusesTwoMembersOfOneName) {
  expect_refused(zip_file({{"a.npy", one_to_three()}, {"a.npy", one_to_three()}}), ErrorCode::integrity,
                 {"two members are named 'a.npy'"});
  expect_refused(zip_file({{"a.npy", one_to_three()}, {"a", one_to_three()}}), ErrorCode::integrity,
                 {"two arrays are named 'a'"});
}

TEST(Npz, RefusesMembersThatOverlap) {
  const std::string file = one_to_three();
  expect_refused(zip_file({{"a.npy", file}, {.name = "b.npy", .data = file, .local_name = "a.npy", .offset = 0}}),
                 ErrorCode::integrity, {"its header names it 'a.npy'"});
  // The outer member's data holds the whole of the inner one.
  const std::string inner = zip_file({{"b.npy", file}});
  const std::string inner_local = inner.substr(0, zip::local_size + 5 + file.size());
  const std::string outer = npy(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(inner_local.size()) + ",)}", inner_local);
  const auto offset = static_cast<std::uint32_t>(zip::local_size + 5 + outer.size() - inner_local.size());
  expect_refused(zip_file({{"a.npy", outer}, {.name = "b.npy", .data = file, .offset = offset}}), ErrorCode::integrity,
                 {"overlaps the member 'a.npy'"});
}

TEST(Npz, RefusesALocalHeaderThatContradictsTheDirectory) {
  const std::string file = one_to_three();
  expect_refused(zip_file({{.name = "a", .data = file, .local_name = "b"}}), ErrorCode::integrity,
                 {"'a'", "names it 'b'"});
  expect_refused(zip_file({{.name = "a", .data = file, .local_size = 1}}), ErrorCode::integrity,
                 {"'a'", "promises 1 bytes"});
  expect_refused(zip_file({{.name = "a", .data = file, .local_packed = 1}}), ErrorCode::integrity, {"'a'", "in 1"});
  expect_refused(zip_file({{.name = "a", .data = file, .local_crc = 1}}), ErrorCode::integrity, {"CRC-32 differ"});
  expect_refused(zip_file({{.name = "a", .data = file, .local_method = 8}}), ErrorCode::integrity, {"different methods"});
}

TEST(Npz, RefusesSizesThatLie) {
  const std::string file = one_to_three();
  expect_refused(zip_file({{.name = "a", .data = file, .size = 5}}), ErrorCode::integrity, {"'a'", "for 5"});
  expect_refused(zip_file({{.name = "a", .data = file, .size = 70000, .local_packed = 70000, .packed = 70000}}),
                 ErrorCode::integrity, {"'a'", "70000 bytes", "do not fit"});
  expect_refused(zip_file({{.name = "a", .data = file, .offset = 1u << 30}}), ErrorCode::integrity,
                 {"'a'", "behind the directory"});
  expect_refused(zip_file({{.name = "a", .data = file, .offset = 4}}), ErrorCode::integrity, {"'a'", "no header at 4"});
  expect_refused(zip_file({{.name = "a", .data = file, .size = zip::see_zip64}}), ErrorCode::integrity,
                 {"zip64 field is too short"});
}

TEST(Npz, RefusesADirectoryThatLies) {
  const std::vector<ZipEntry> one = {{"a.npy", one_to_three()}};
  expect_refused(zip_file(one, {.entries = 0}), ErrorCode::integrity, {"belong to no member"});
  expect_refused(zip_file(one, {.entries = 2}), ErrorCode::integrity, {"cannot hold 2 members"});
  expect_refused(zip_file(one, {.size = 10}), ErrorCode::integrity, {"does not end where"});
  expect_refused(zip_file(one, {.offset = 0xFFFFFF00}), ErrorCode::integrity, {"does not end where"});
  expect_refused(zip_file(one, {.before = "x"}), ErrorCode::integrity, {"does not end where"});
  expect_refused("x" + zip_file(one), ErrorCode::integrity, {"does not end where"});
  expect_refused(zip_file(one) + "x", ErrorCode::integrity, {"no directory at the end", "cut short"});
  expect_refused(zip_file(one, {.disk = 1}), ErrorCode::integrity, {"one part of several"});
  expect_refused(zip_file({{.name = "a", .data = one_to_three(), .disk = 1}}), ErrorCode::integrity,
                 {"one part of several"});
}

TEST(Npz, RefusesBrokenExtraFields) {
  const std::string file = one_to_three(), wide = std::string("\1\0\0\0", 4);
  expect_refused(zip_file({{.name = "a", .data = file, .central_extra = std::string("\1\0\xFF\0", 4)}}),
                 ErrorCode::integrity, {"longer than its place"});
  expect_refused(zip_file({{.name = "a", .data = file, .central_extra = wide + wide}}), ErrorCode::integrity,
                 {"two zip64 fields"});
}

TEST(Npz, RefusesMoreThanDeflateCanMakeBeforeAllocatingIt) {
  ZipEntry entry = deflated("a", one_to_three());
  entry.size = 0xFFFFFFF0;
  expect_refused(zip_file({entry}), ErrorCode::integrity, {"4294967280 bytes cannot come out of"});
}

TEST(Npz, RefusesDeflatedDataOfAnotherLengthThanPromised) {
  const std::string file = one_to_three();
  ZipEntry more = deflated("a", file);
  more.data = deflate_raw(file + "x");
  expect_refused(zip_file({more}), ErrorCode::integrity, {"'a'", "more than the promised"});
  ZipEntry less = deflated("a", file);
  less.data = deflate_raw(file.substr(0, file.size() - 1));
  expect_refused(zip_file({less}), ErrorCode::integrity, {"'a'", "1 short"});
  ZipEntry behind = deflated("a", file);
  behind.data += "xyz";
  expect_refused(zip_file({behind}), ErrorCode::integrity, {"'a'", "3 bytes follow"});
  ZipEntry cut = deflated("a", file);
  cut.data.resize(cut.data.size() - 4);
  expect_refused(zip_file({cut}), ErrorCode::integrity, {"'a'", "ends early"});
  ZipEntry broken = deflated("a", file);
  broken.data[0] = '\x07';
  expect_refused(zip_file({broken}), ErrorCode::integrity, {"'a'", "broken", "invalid block type"});
}

TEST(Npz, RefusesAnArrayThatTakesAnotherSizeThanItsMember) {
  const std::string file = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000,)}", "12345678");
  for (const ZipEntry& entry : {ZipEntry{"a.npy", file}, deflated("a.npy", file)})
    expect_refused(zip_file({entry}), ErrorCode::integrity, {"'a.npy'", "8000000 bytes", "8 bytes follow"});
}

TEST(Npz, RefusesMembersThatAreNoArrays) {
  for (const std::string& data :
       {std::string(), std::string("text"), std::string("a longer text than the prefix of an array")})
    for (const ZipEntry& entry : {ZipEntry{"a.txt", data}, deflated("a.txt", data)})
      expect_refused(zip_file({entry}), ErrorCode::integrity, {"'a.txt'", "not a .npy array"});
}

TEST(Npz, RefusesNamesThatAreNotText) {
  expect_refused(zip_file({{"a\xFF", one_to_three()}}), ErrorCode::integrity, {"'a\\xff'", "UTF-8"});
  expect_refused(zip_file({{std::string("a\0b", 3), one_to_three()}}), ErrorCode::integrity, {"'a\\x00b'"});
}

TEST(Npz, RefusesToSaveANameTwiceOrOneThatIsNotText) {
  const Folder folder;
  const Array array = pattern(DType::int8, {1});
  expect_error([&] { save_npz(folder / "a.npz", {{"x", array}, {"x", array}}); }, ErrorCode::invalid_argument,
               {"a.npz", "two arrays are named 'x'"});
  expect_error([&] { save_npz(folder / "a.npz", {{"\xFF", array}}); }, ErrorCode::invalid_argument, {"a.npz", "'\\xff'"});
  expect_error([&] { save_npz(folder / "a.npz", {{std::string(70000, 'x'), array}}); }, ErrorCode::invalid_argument,
               {"65535"});
  expect_error([&] { save_npz(folder / "a.npz", {{"x", Array()}}); }, ErrorCode::invalid_argument,
               {"a.npz", "'x'", "invalid"});
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Npz, RefusesToReplaceAFileUnlessTold) {
  const Folder folder;
  write(folder / "a.npz", "mine");
  expect_error([&] { save_npz(folder / "a.npz", {}); }, ErrorCode::already_exists, {(folder / "a.npz").native()});
  EXPECT_EQ(content(folder / "a.npz"), "mine");
}

TEST(Crc32, AgreesWithZlib) {
  std::string data;
  for (int i = 0; i < 100; ++i) {
    const auto bytes = reinterpret_cast<const Bytef*>(data.data());
    EXPECT_EQ(crc32(std::as_bytes(std::span(data))), ::crc32(0, bytes, static_cast<uInt>(data.size())));
    EXPECT_EQ(crc32(std::as_bytes(std::span(data)), 12345), ::crc32(12345, bytes, static_cast<uInt>(data.size())));
    data += static_cast<char>(i * 71);
  }
}

}  // namespace
}  // namespace pier::io_test
