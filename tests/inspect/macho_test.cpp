#include "inspect/macho_file.h"

#include <chrono>

#include <gmock/gmock.h>

#include <pier/error.h>
#include <pier/inspect.h>

namespace pier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using test::Bytes;
using test::MachoFile;

struct Read {
  explicit Read(Bytes file) : bytes(std::move(file)), binary(inspect(bytes.span(), "plugin.dylib")) {}
  const Image& image() const { return binary.images.front(); }
  Bytes bytes;
  Binary binary;
};

std::string refusal(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(inspect(bytes, "plugin.dylib"));
  } catch (const IntegrityError& error) {
    return error.what();
  }
  return "no refusal";
}

MachoFile rich() {
  MachoFile file;
  file.libraries = {{"/usr/lib/libSystem.B.dylib"}, {"@rpath/libmlx.dylib"}, {"/usr/lib/libweak.dylib", 0x80000018}};
  file.rpath = {"@loader_path", "/opt/lib"};
  file.exports = {"_GetPjrtApi", "_GetOther", "_Main"};
  return file;
}

TEST(MachO, ReadsWhatTheLoaderReads) {
  const Read read(rich().build());
  const Image& image = read.image();
  EXPECT_EQ(read.binary.format, BinaryFormat::macho);
  EXPECT_FALSE(read.binary.universal);
  EXPECT_EQ(image.platform, "macos-arm64");
  EXPECT_EQ(image.kind, ObjectKind::shared_library);
  EXPECT_EQ(image.soname, "@rpath/libplugin.dylib");
  EXPECT_EQ(image.build_id, "30313233343536373839616263646566");
  EXPECT_EQ(image.minimum_system, (ReleaseNumber{13, 0, 0}));
  EXPECT_EQ(image.sdk, (ReleaseNumber{15, 0, 0}));
  EXPECT_THAT(image.needed, ElementsAre(NeededLibrary{"/usr/lib/libSystem.B.dylib", false},
                                        NeededLibrary{"@rpath/libmlx.dylib", false},
                                        NeededLibrary{"/usr/lib/libweak.dylib", true}));
  EXPECT_THAT(image.rpath, ElementsAre("@loader_path", "/opt/lib"));
  EXPECT_EQ(image.signature, CodeSignature::ad_hoc);
}

TEST(MachO, FindsTheEntryInEveryKindOfTable) {
  for (const auto kind : {MachoFile::Exports::trie_in_dyld_info, MachoFile::Exports::trie, MachoFile::Exports::symbol_table}) {
    MachoFile file = rich();
    file.exports_in = kind;
    const Read read(file.build());
    EXPECT_EQ(read.image().find_export("GetPjrtApi"), "_GetPjrtApi");
    EXPECT_TRUE(read.image().exports("Main"));
    EXPECT_FALSE(read.image().exports("Get"));
    EXPECT_FALSE(read.image().exports("GetPjrtApi2"));
    EXPECT_FALSE(read.image().exports("_GetPjrtApi"));
  }
}

TEST(MachO, OffersMisspeltAndMangledEntries) {
  MachoFile file = rich();
  file.exports = {"_GetPjRtApi", "__Z10GetPjrtApiv", "_Other"};
  EXPECT_THAT(Read(file.build()).image().similar_exports("GetPjrtApi"), ElementsAre("GetPjRtApi", "_Z10GetPjrtApiv"));
}

TEST(MachO, ReadsBothWidthsAndByteOrders) {
  for (const int bits : {32, 64})
    for (const bool big_endian : {false, true}) {
      MachoFile file = rich();
      file.bits = bits;
      file.big_endian = big_endian;
      file.cpu = bits == 64 ? 0x01000012 : 18;
      for (const auto kind : {MachoFile::Exports::trie, MachoFile::Exports::symbol_table}) {
        file.exports_in = kind;
        const Read read(file.build());
        EXPECT_EQ(read.image().platform, bits == 64 ? "macos-ppc64" : "macos-ppc");
        EXPECT_EQ(read.image().big_endian, big_endian);
        EXPECT_EQ(read.image().needed.size(), 3u);
        EXPECT_TRUE(read.image().exports("GetPjrtApi"));
        EXPECT_EQ(read.image().signature, CodeSignature::ad_hoc);
      }
    }
}

TEST(MachO, ReadsTheOldVersionCommandAndItsAbsence) {
  MachoFile file = rich();
  file.old_version_command = true;
  file.minimum = 10u << 16 | 14u << 8 | 6u;
  EXPECT_EQ(to_string(*Read(file.build()).image().minimum_system), "10.14.6");
  file.minimum.reset();
  EXPECT_EQ(Read(file.build()).image().minimum_system, std::nullopt);
  EXPECT_EQ(Read(file.build()).image().platform, "macos-arm64");
}

TEST(MachO, NamesOtherApplePlatforms) {
  MachoFile file = rich();
  file.platform = 2;
  EXPECT_EQ(Read(file.build()).image().platform, "ios-arm64");
  file.platform = 7;
  EXPECT_EQ(Read(file.build()).image().platform, "iossimulator-arm64");
}

TEST(MachO, TellsSignatures) {
  MachoFile file = rich();
  file.ad_hoc = false;
  EXPECT_EQ(Read(file.build()).image().signature, CodeSignature::signed_by_someone);
  file.is_signed = false;
  EXPECT_EQ(Read(file.build()).image().signature, CodeSignature::none);
}

TEST(MachO, TellsExecutablesAndBundlesApart) {
  MachoFile file = rich();
  file.type = 8;
  EXPECT_EQ(Read(file.build()).image().kind, ObjectKind::shared_library);
  file.type = 2;
  EXPECT_EQ(Read(file.build()).image().kind, ObjectKind::executable);
  EXPECT_FALSE(Read(file.build()).image().loadable);
  file.type = 9;
  EXPECT_EQ(Read(file.build()).image().kind, ObjectKind::other);
}

TEST(MachO, ReadsEveryImageOfUniversalFiles) {
  MachoFile intel = rich();
  intel.cpu = MachoFile::x86_64;
  intel.minimum = 10u << 16 | 14u << 8;
  MachoFile pointer_auth = rich();
  pointer_auth.subtype = 2;
  for (const int bits : {32, 64}) {
    const Read read(test::universal({intel, pointer_auth, rich()}, bits));
    EXPECT_TRUE(read.binary.universal);
    EXPECT_EQ(read.binary.platforms(), "macos-x86_64, macos-arm64e, macos-arm64");
    EXPECT_EQ(read.binary.image_for("macos-x86_64")->minimum_system, (ReleaseNumber{10, 14, 0}));
    EXPECT_EQ(read.binary.image_for("darwin-arm64"), &read.binary.images[2]);
    EXPECT_EQ(read.binary.image_for("linux-x86_64"), nullptr);
    EXPECT_EQ(read.binary.images[1].offset, 8192u);
    for (const Image& image : read.binary.images) EXPECT_TRUE(image.exports("GetPjrtApi"));
  }
}

TEST(MachO, RefusesEveryTruncation) {
  for (const auto kind : {MachoFile::Exports::trie_in_dyld_info, MachoFile::Exports::trie, MachoFile::Exports::symbol_table}) {
    MachoFile file = rich();
    file.exports_in = kind;
    for (const Bytes& bytes : {file.build(), test::universal({file}, 32), test::universal({file}, 64)})
      // Between the table and the first image of universal files lies only filling.
      for (std::size_t size = 0; size < bytes.size(); size += size > 64 && size < 4032 && bytes.size() > 4096 ? 64u : 1u)
        EXPECT_THROW(static_cast<void>(inspect(bytes.span().first(size), "plugin.dylib")), IntegrityError) << size;
  }
  const Bytes file = rich().build();
  EXPECT_THAT(refusal(file.span().first(file.size() - 1)),
              HasSubstr("plugin.dylib (arm64 shared library) is damaged or cut off"));
}

TEST(MachO, RefusesHostileCounts) {
  const auto with = [](std::size_t at, std::uint64_t value) {
    Bytes file = rich().build();
    file.set(at, value, 4);
    return refusal(file.span());
  };
  EXPECT_THAT(with(16, 0xffffffff), HasSubstr("load command"));      // ncmds
  EXPECT_THAT(with(20, 0xffffffff), HasSubstr("the load commands"));  // sizeofcmds
  EXPECT_THAT(with(36, 4), HasSubstr("fewer than its own header"));   // cmdsize
  EXPECT_THAT(with(36, 0xfffffff8), HasSubstr("load command"));
  Bytes fat(true);
  fat.u32(0xcafebabe).u32(44).u32(7);
  EXPECT_THAT(refusal(fat.span()), HasSubstr("table of architectures"));
  Bytes none(true);
  none.u32(0xcafebabf).u32(0);
  EXPECT_THAT(refusal(none.span()), HasSubstr("holds no architecture"));
  Bytes many(true);
  many.u32(0xcafebabf).u32(0x7fffffff);
  EXPECT_THAT(refusal(many.span()), HasSubstr("not believable"));
}

TEST(MachO, RefusesAUniversalFileWhoseTableLies) {
  Bytes file = test::universal({rich()}, 64);
  Bytes big(true);
  big.append(file.span());
  big.set(8, MachoFile::x86_64, 4);
  EXPECT_THAT(refusal(big.span()), HasSubstr("says x86_64, the image there is arm64"));
  Bytes overflow(true);
  overflow.append(file.span());
  overflow.set(16, UINT64_MAX - 8, 8);
  EXPECT_THAT(refusal(overflow.span()), HasSubstr("the arm64 image of the universal file"));
}

TEST(MachO, ADeepExportTrieCostsNoTime) {
  MachoFile file = rich();
  file.is_signed = false;
  file.exports = {"_" + std::string(4u << 20, 'x')};
  Bytes bytes = file.build();
  const std::size_t trie_at = bytes.size() - test::export_trie(file.exports).size();
  // Each node is a symbol, one letter longer than the one before: 1, a flag, one child, "a", where that is in four LEB128 bytes.
  constexpr std::size_t nodes = 300'000, size = 9;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t child = (i + 1) * size;
    const std::size_t fields[size] = {1, 0, i + 1 < nodes, 'a', 0, (child & 127) | 128, (child >> 7 & 127) | 128, (child >> 14 & 127) | 128, child >> 21};
    for (std::size_t k = 0; k < size; ++k) bytes.set(trie_at + i * size + k, fields[k], 1);
  }
  const Read read(bytes);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(read.image().similar_exports("GetPjrtApi"), ElementsAre());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(MachO, AnExportTrieThatRunsInACircleEnds) {
  MachoFile file = rich();
  file.is_signed = false;
  Bytes bytes = file.build();
  const std::size_t trie_at = bytes.size() - test::export_trie(file.exports).size();
  // A root whose only edge "_" leads back to it.
  Bytes circle;
  circle.u8(0).u8(1).string("_").u8(0);
  for (std::size_t i = 0; i < circle.size(); ++i)
    bytes.set(trie_at + i, std::to_integer<std::uint64_t>(circle.data()[i]), 1);
  const Read read(bytes);
  EXPECT_FALSE(read.image().exports("___"));
  EXPECT_THROW(static_cast<void>(read.image().similar_exports("GetPjrtApi")), IntegrityError);
  // An edge without a name would not bring a lookup forward.
  bytes.set(trie_at + 2, 0, 1);
  EXPECT_THROW(static_cast<void>(Read(bytes).image().exports("GetPjrtApi")), IntegrityError);
}

}  // namespace
}  // namespace pier
