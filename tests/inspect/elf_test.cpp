#include "inspect/elf_file.h"

#include <gmock/gmock.h>

#include <chrono>

#include <dlfcn.h>

#include <pier/error.h>
#include <pier/inspect.h>

namespace pier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using test::Bytes;
using test::ElfFile;

const std::filesystem::path fixtures = PIER_INSPECT_FIXTURES;

// The bytes outlive the image in these tests only as long as the returned pair lives.
struct Read {
  explicit Read(const ElfFile& file) : bytes(file.build()), binary(inspect(bytes.span(), "plugin.so")) {}
  const Image& image() const { return binary.images.front(); }
  Bytes bytes;
  Binary binary;
};

std::string refusal(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(inspect(bytes, "plugin.so"));
  } catch (const IntegrityError& error) {
    return error.what();
  }
  return "no refusal";
}

ElfFile rich() {
  ElfFile file;
  file.needed = {"libc.so.6", "libstdc++.so.6"};
  file.soname = "libplugin.so.1";
  file.runpath = "$ORIGIN/x:/opt/lib";
  file.build_id = "\x01\x23\xab";
  file.versions_needed = {{"libc.so.6", {"GLIBC_2.9", "GLIBC_2.34", "GLIBC_PRIVATE"}}, {"libstdc++.so.6", {"GLIBCXX_3.4.22"}}};
  file.versions_defined = {"VERS_1.0"};
  file.symbols = {{"Other", 1}, {"GetPjrtApi", 2}};
  return file;
}

TEST(Elf, ReadsWhatTheLoaderReads) {
  const Read read(rich());
  const Image& image = read.image();
  EXPECT_EQ(image.platform, "linux-x86_64");
  EXPECT_EQ(image.kind, ObjectKind::shared_library);
  EXPECT_EQ(image.soname, "libplugin.so.1");
  EXPECT_EQ(image.build_id, "0123ab");
  EXPECT_THAT(image.needed, ElementsAre(NeededLibrary{"libc.so.6"}, NeededLibrary{"libstdc++.so.6"}));
  EXPECT_THAT(image.runpath, ElementsAre("$ORIGIN/x", "/opt/lib"));
  EXPECT_THAT(image.rpath, ElementsAre());
  EXPECT_THAT(image.versions_needed,
              ElementsAre(SymbolVersion{"libc.so.6", "GLIBC_2.9"}, SymbolVersion{"libc.so.6", "GLIBC_2.34"},
                          SymbolVersion{"libc.so.6", "GLIBC_PRIVATE"}, SymbolVersion{"libstdc++.so.6", "GLIBCXX_3.4.22"}));
  EXPECT_THAT(image.versions_defined, ElementsAre("VERS_1.0"));
}

TEST(Elf, ComparesVersionsAsNumbersNotAsText) {
  const Read read(rich());
  EXPECT_EQ(read.image().newest_needed("GLIBC_"), "2.34");
  EXPECT_EQ(read.image().newest_needed("GLIBCXX_"), "3.4.22");
  EXPECT_EQ(read.image().newest_needed("CXXABI_"), std::nullopt);
  EXPECT_EQ(read.image().minimum_system, (ReleaseNumber{2, 34, 0}));
}

TEST(Elf, FindsAVersionedEntryThroughEveryKindOfTable) {
  for (const ElfFile::Hash hash : {ElfFile::Hash::gnu, ElfFile::Hash::sysv, ElfFile::Hash::none})
    for (const bool sections : {true, false}) {
      ElfFile file = rich();
      file.hash = hash;
      file.sections = sections;
      const Read read(file);
      EXPECT_EQ(read.image().find_export("GetPjrtApi"), "GetPjrtApi@@VERS_1.0");
      EXPECT_EQ(read.image().find_export("Other"), "Other");
      EXPECT_FALSE(read.image().exports("GetPjrtAp"));
      EXPECT_FALSE(read.image().exports("GetPjrtApi2"));
      EXPECT_FALSE(read.image().exports(""));
    }
}

TEST(Elf, ReadsBothClassesAndByteOrders) {
  for (const int bits : {32, 64})
    for (const bool big_endian : {false, true}) {
      ElfFile file = rich();
      file.bits = bits;
      file.big_endian = big_endian;
      file.machine = 21;
      const Read read(file);
      EXPECT_EQ(read.image().platform, big_endian ? "linux-ppc64" : "linux-ppc64le");
      EXPECT_EQ(read.image().bits, bits);
      EXPECT_EQ(read.image().soname, "libplugin.so.1");
      EXPECT_EQ(read.image().versions_needed.size(), 4u);
      EXPECT_EQ(read.image().build_id, "0123ab");
      EXPECT_EQ(read.image().find_export("GetPjrtApi"), "GetPjrtApi@@VERS_1.0");
    }
}

TEST(Elf, DoesNotTakeSymbolsThatDlsymDoesNotTake) {
  ElfFile file = rich();
  file.symbols = {{"undefined", 0, 0},           {"local", 0, 1, 0x02},      {"hidden", 0, 1, 0x12, 2},
                  {"section", 0, 1, 0x13},       {"old", 0x8002, 1},         {"protected", 0, 1, 0x12, 3},
                  {"data", 0, 1, 0x11},          {"weak", 0, 1, 0x22},       {"indirect", 0, 1, 0x1a}};
  const Read read(file);
  for (const char* name : {"undefined", "local", "hidden", "section", "old"}) EXPECT_FALSE(read.image().exports(name)) << name;
  for (const char* name : {"protected", "data", "weak", "indirect"}) EXPECT_TRUE(read.image().exports(name)) << name;
}

TEST(Elf, OffersMisspeltAndMangledEntries) {
  ElfFile file = rich();
  file.symbols = {{"GetPjRtApi"}, {"_Z10GetPjrtApiv"}, {"Unrelated"}, {"GetLibtpuSdkApi"}, {"Get_Pjrt_Apy"},
                  {"MyPjrtApiTable"}};
  const Read read(file);
  EXPECT_FALSE(read.image().exports("GetPjrtApi"));
  EXPECT_THAT(read.image().similar_exports("GetPjrtApi"),
              ElementsAre("GetPjRtApi", "Get_Pjrt_Apy", "MyPjrtApiTable", "_Z10GetPjrtApiv"));
  EXPECT_THAT(read.image().similar_exports("GetPjrtApi", 1), ElementsAre("GetPjRtApi"));
}

TEST(Elf, OneLongNameOfAllSymbolsCostsNoTime) {
  ElfFile file = rich();
  file.symbols.assign(20'000, ElfFile::Symbol{""});
  file.symbols.front().name = "_Z10GetPjrtApiv" + std::string((1u << 20) - 100, 'a');
  file.symbols.back().name = "GetPjRtApi";
  Bytes bytes = file.build();
  const auto number = [&](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes.data()[at + i]);
    return value;
  };
  // Behind the null symbol, in the section that the second section header tells of; an entry has 24 bytes, its name first.
  const std::uint64_t symbols = number(number(40) + 64 + 24) + 24;
  const std::uint64_t long_name = number(symbols) & 0xffffffff;
  for (std::size_t i = 1; i + 1 < file.symbols.size(); ++i) bytes.set(symbols + i * 24, long_name, 4);
  const Binary binary = inspect(bytes.span(), "plugin.so");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(binary.images.front().similar_exports("GetPjrtApi"), ElementsAre("GetPjRtApi"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_TRUE(binary.images.front().exports(file.symbols.front().name)) << "a long name is a name all the same";
}

TEST(Elf, NamesTheProcessor) {
  const auto platform = [](std::uint16_t machine, int bits, bool big_endian, std::uint8_t abi) {
    ElfFile file;
    file.machine = machine, file.bits = bits, file.big_endian = big_endian, file.abi = abi;
    return Read(file).image().platform;
  };
  EXPECT_EQ(platform(183, 64, false, 0), "linux-aarch64");
  EXPECT_EQ(platform(183, 64, true, 0), "linux-aarch64_be");
  EXPECT_EQ(platform(62, 32, false, 0), "linux-x32");
  EXPECT_EQ(platform(3, 32, false, 3), "linux-i386");
  EXPECT_EQ(platform(243, 64, false, 0), "linux-riscv64");
  EXPECT_EQ(platform(62, 64, false, 9), "freebsd-x86_64");
  EXPECT_EQ(platform(999, 64, false, 0), "linux-machine-999");
}

TEST(Elf, ReadsAHeaderThatStandsAlone) {
  Bytes header;
  header.text("\x7f" "ELF").u8(2).u8(1).u8(1).pad_to(16).u16(3).u16(183).u32(1).pad_to(64);
  const Binary binary = inspect(header.span(), "plugin.so");
  EXPECT_EQ(binary.images.front().platform, "linux-aarch64");
  EXPECT_FALSE(binary.images.front().loadable);
  EXPECT_FALSE(binary.images.front().exports("GetPjrtApi"));
}

TEST(Elf, TellsExecutablesFromLibraries) {
  ElfFile file = rich();
  file.flags_1 = 0x8000000;  // DF_1_PIE
  EXPECT_EQ(Read(file).image().kind, ObjectKind::executable);
  file.flags_1 = 0;
  file.type = 2;
  EXPECT_EQ(Read(file).image().kind, ObjectKind::executable);
  file.type = 1;
  EXPECT_EQ(Read(file).image().kind, ObjectKind::object_file);
  file.type = 4;
  EXPECT_EQ(Read(file).image().kind, ObjectKind::other);
}

TEST(Elf, ReadsFlagsStackAndProcessorLevel) {
  ElfFile file = rich();
  file.flags_1 = 0x800 | 0x40;  // DF_1_NODEFLIB, DF_1_NOOPEN
  file.stack_flags = 7;
  file.x86_levels = 0b0101;
  const Read read(file);
  EXPECT_TRUE(read.image().no_default_folders);
  EXPECT_FALSE(read.image().loadable);
  EXPECT_TRUE(read.image().executable_stack);
  EXPECT_EQ(read.image().x86_level, 3);
}

TEST(Elf, RefusesAHeaderThatNoSystemHas) {
  Bytes file = rich().build();
  file.set(4, 3, 1);
  EXPECT_THAT(refusal(file.span()), HasSubstr("unknown ELF class 3"));
  file = rich().build();
  file.set(5, 0, 1);
  EXPECT_THAT(refusal(file.span()), HasSubstr("unknown ELF byte order 0"));
}

TEST(Elf, RefusesEveryTruncationAndNamesThePlatform) {
  const Bytes file = rich().build();
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THROW(static_cast<void>(inspect(file.span().first(size), "plugin.so")), IntegrityError) << size;
  EXPECT_THAT(refusal(file.span().first(file.size() - 1)),
              HasSubstr("plugin.so (linux-x86_64 shared library) is damaged or cut off"));
}

TEST(Elf, RefusesHostileSizes) {
  const auto with = [](std::size_t at, std::uint64_t value, std::size_t width) {
    Bytes file = rich().build();
    file.set(at, value, width);
    return refusal(file.span());
  };
  EXPECT_THAT(with(32, UINT64_MAX, 8), HasSubstr("program header table"));      // e_phoff
  EXPECT_THAT(with(40, UINT64_MAX - 1, 8), HasSubstr("section header table"));  // e_shoff
  EXPECT_THAT(with(54, 1, 2), HasSubstr("program header has 1 bytes"));         // e_phentsize
  EXPECT_THAT(with(56, 65535, 2), HasSubstr("program header table"));           // e_phnum
  EXPECT_THAT(with(64 + 8, UINT64_MAX, 8), HasSubstr("loaded segment"));        // p_offset
  EXPECT_THAT(with(64 + 32, UINT64_MAX, 8), HasSubstr("loaded segment"));       // p_filesz
  EXPECT_THAT(with(64 + 16, UINT64_MAX, 8), HasSubstr("loaded segment"));       // p_vaddr
}

TEST(Elf, RefusesMoreNeededLibrariesThanAnyoneHas) {
  ElfFile file = rich();
  file.needed.assign(5000, "libx.so");
  EXPECT_THAT(refusal(file.build().span()), HasSubstr("more than 4096 needed libraries"));
  file = rich();
  file.versions_needed[0].versions.assign(5000, "V_1");
  EXPECT_THAT(refusal(file.build().span()), HasSubstr("more than 4096 needed versions"));
  file = rich();
  file.needed = {std::string(5000, 'x')};
  EXPECT_THAT(refusal(file.build().span()), HasSubstr("longer than 4096 bytes"));
}

TEST(Elf, ReadsWhatTheSystemsLinkerWrites) {
  const Binary binary = inspect(fixtures / "plugin.so");
  const Image& image = binary.images.front();
  EXPECT_EQ(binary.format, BinaryFormat::elf);
  EXPECT_TRUE(binary.path.is_absolute());
  EXPECT_EQ(binary.size, std::filesystem::file_size(fixtures / "plugin.so"));
  EXPECT_EQ(image.soname, "plugin.so.7");
  EXPECT_EQ(image.build_id, "0123456789abcdef");
  EXPECT_THAT(image.runpath, ElementsAre("$ORIGIN/x"));
  EXPECT_THAT(image.needed, ::testing::Contains(NeededLibrary{"libbeside.so.1"}));
  EXPECT_THAT(image.versions_defined, ElementsAre("VERS_1.0"));
  EXPECT_EQ(image.find_export("GetPjrtApi"), "GetPjrtApi@@VERS_1.0");
}

TEST(Elf, ReadsTheOldHashTableAndRpathOfTheSystemsLinker) {
  const Binary binary = inspect(fixtures / "rpath.so");
  EXPECT_THAT(binary.images.front().rpath, ElementsAre("$ORIGIN/x"));
  EXPECT_THAT(binary.images.front().runpath, ElementsAre());
  EXPECT_EQ(binary.images.front().find_export("GetPjrtApi"), "GetPjrtApi");
}

TEST(Elf, AgreesWithDlsymOnTheCLibrary) {
  void* const malloc_at = ::dlsym(RTLD_DEFAULT, "malloc");
  ASSERT_NE(malloc_at, nullptr);
  void* const handle = ::dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  Dl_info where{};
  ASSERT_NE(::dladdr(::dlsym(handle, "strlen"), &where), 0);
  const Binary binary = inspect(std::filesystem::path(where.dli_fname));
  for (const char* name : {"strlen", "memcpy", "qsort", "fopen", "no_such_function", "environ", "errno", "getentropy",
                           "_dl_open", "sys_errlist", "__libc_start_main", "inet_aton", "pthread_create"})
    EXPECT_EQ(binary.images.front().exports(name), ::dlsym(handle, name) != nullptr) << name;
  ::dlclose(handle);
}

TEST(Elf, KeepsTheFileReadableAsLongAsAnImageLives) {
  Image image;
  {
    Binary binary = inspect(fixtures / "plugin.so");
    image = std::move(binary.images.front());
  }
  EXPECT_TRUE(image.exports("GetPjrtApi"));
}

}  // namespace
}  // namespace pier
