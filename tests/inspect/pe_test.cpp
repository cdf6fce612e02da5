#include "inspect/pe_file.h"

#include <gmock/gmock.h>

#include <pier/error.h>
#include <pier/inspect.h>

namespace pier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using test::Bytes;
using test::PeFile;

struct Read {
  explicit Read(const PeFile& file) : bytes(file.build()), binary(inspect(bytes.span(), "plugin.dll")) {}
  const Image& image() const { return binary.images.front(); }
  Bytes bytes;
  Binary binary;
};

std::string refusal(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(inspect(bytes, "plugin.dll"));
  } catch (const IntegrityError& error) {
    return error.what();
  }
  return "no refusal";
}

PeFile rich() {
  PeFile file;
  file.exports = {"Alpha", "GetPjrtApi", "Zulu"};
  file.imports = {"KERNEL32.dll", "MSVCP140.dll"};
  file.delay_imports = {"nvml.dll"};
  return file;
}

TEST(Pe, ReadsWhatTheLoaderReads) {
  for (const int bits : {32, 64}) {
    PeFile file = rich();
    file.bits = bits;
    file.machine = bits == 64 ? 0xaa64 : 0x14c;
    const Read read(file);
    const Image& image = read.image();
    EXPECT_EQ(read.binary.format, BinaryFormat::pe);
    EXPECT_EQ(image.platform, bits == 64 ? "windows-arm64" : "windows-i386");
    EXPECT_EQ(image.bits, bits);
    EXPECT_EQ(image.kind, ObjectKind::shared_library);
    EXPECT_EQ(image.soname, "plugin.dll");
    EXPECT_EQ(image.build_id, "00112233445566773839616263646566");
    EXPECT_EQ(image.minimum_system, (ReleaseNumber{6, 2, 0}));
    EXPECT_THAT(image.needed,
                ElementsAre(NeededLibrary{"KERNEL32.dll", false}, NeededLibrary{"MSVCP140.dll", false},
                            NeededLibrary{"nvml.dll", true}));
    EXPECT_EQ(image.signature, CodeSignature::none);
  }
}

TEST(Pe, FindsExportsByTheSortedNames) {
  const Read read(rich());
  for (const char* name : {"Alpha", "GetPjrtApi", "Zulu"}) EXPECT_EQ(read.image().find_export(name), name);
  for (const char* name : {"", "Aaa", "GetPjrtAp", "GetPjrtApi2", "Zzz"}) EXPECT_FALSE(read.image().exports(name)) << name;
}

TEST(Pe, OffersTheMisspeltEntry) {
  PeFile file = rich();
  file.exports = {"GetPjRtApi", "Other"};
  EXPECT_FALSE(Read(file).image().exports("GetPjrtApi"));
  EXPECT_THAT(Read(file).image().similar_exports("GetPjrtApi"), ElementsAre("GetPjRtApi"));
}

TEST(Pe, TellsExecutablesFirmwareAndSignatures) {
  PeFile file = rich();
  file.flags = 0x0022;
  file.certificate = true;
  EXPECT_EQ(Read(file).image().kind, ObjectKind::executable);
  EXPECT_EQ(Read(file).image().signature, CodeSignature::signed_by_someone);
  file.subsystem = 10;
  EXPECT_EQ(Read(file).image().platform, "efi-x86_64");
}

TEST(Pe, RefusesADosProgram) {
  Bytes dos;
  dos.text("MZ").pad_to(0x3c).u32(0x40).pad_to(128);
  EXPECT_THAT(refusal(dos.span()), HasSubstr("DOS program"));
}

TEST(Pe, RefusesEveryTruncation) {
  PeFile file = rich();
  for (const bool certificate : {false, true}) {
    file.certificate = certificate;
    const Bytes bytes = file.build();
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(static_cast<void>(inspect(bytes.span().first(size), "plugin.dll")), IntegrityError) << size;
  }
}

TEST(Pe, RefusesHostileSizes) {
  const auto with = [](std::size_t at, std::uint64_t value, std::size_t width) {
    Bytes file = rich().build();
    file.set(at, value, width);
    return refusal(file.span());
  };
  EXPECT_THAT(with(0x3c, 0xffffffff, 4), HasSubstr("no PE header"));
  EXPECT_THAT(with(0x86, 0xffff, 2), HasSubstr("section"));            // number of sections
  EXPECT_THAT(with(0x94, 10, 2), HasSubstr("PE header"));              // size of the optional header
  EXPECT_THAT(with(0x98, 0x777, 2), HasSubstr("unknown PE kind"));
  EXPECT_THAT(with(0x98 + 112 + 8, 0xfffffff0, 4), HasSubstr("import directory"));
  // An export directory that the section cuts off.
  Bytes file = rich().build();
  file.set(0x98 + 112, 0x1000 + 0x300 - 8, 4);
  EXPECT_THAT(refusal(file.span()), HasSubstr("export directory"));
}

}  // namespace
}  // namespace pier
