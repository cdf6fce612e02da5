#include "inspect/preflight.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pier/error.h>

#include "inspect/cpu.h"
#include "inspect/elf_file.h"
#include "inspect/macho_file.h"
#include "inspect/pe_file.h"

namespace pier {
namespace {

using inspection::Host;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using test::Bytes;
using test::ElfFile;
using test::MachoFile;

const std::filesystem::path fixtures = PIER_INSPECT_FIXTURES;

std::string codes(const Preflight& result) {
  std::string out;
  for (const Finding& finding : result.findings) out += (out.empty() ? "" : " ") + finding.code;
  return out;
}

const Finding& finding(const Preflight& result, std::string_view code) {
  for (const Finding& each : result.findings)
    if (each.code == code) return each;
  throw std::runtime_error("no finding " + std::string(code) + " in: " + codes(result));
}

Host linux_host() {
  Host host;
  host.platform = {Os::linux_os, Arch::x86_64};
  host.system = ReleaseNumber{2, 36, 0};
  host.places.emplace();
  host.cpu_features = std::set<std::string>{"fma", "avx2"};
  return host;
}

ElfFile plugin() {
  ElfFile file;
  file.symbols = {{"GetPjrtApi"}};
  return file;
}

Preflight check(const Host& host, const Bytes& bytes, const PreflightOptions& options = {}) {
  return inspection::preflight_on(host, inspect(bytes.span(), "plugin"), options);
}

// The real loader's word on a file: empty when it loads.
std::string loader_says(const std::filesystem::path& path) {
  ::dlerror();
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return ::dlerror();
  ::dlclose(handle);
  return "";
}

TEST(Preflight, PassesAPluginThatTheLoaderTakes) {
  for (const char* name : {"plugin.so", "rpath.so"}) {
    const Preflight result = preflight(fixtures / name);
    EXPECT_TRUE(result.ok()) << codes(result);
    EXPECT_THAT(result.findings, IsEmpty()) << codes(result);
    EXPECT_EQ(loader_says(fixtures / name), "");
    bool found = false;
    for (const LibraryLookup& lookup : result.libraries) {
      EXPECT_TRUE(lookup.path.has_value()) << lookup.name;
      if (lookup.name == "libbeside.so.1") found = lookup.path == fixtures / "x/libbeside.so.1";
    }
    EXPECT_TRUE(found);
  }
}

TEST(Preflight, NamesTheMissingLibraryThatTheLoaderStumblesOver) {
  const Preflight result = preflight(fixtures / "lost.so");
  EXPECT_FALSE(result.ok());
  EXPECT_THAT(finding(result, "library-missing").message,
              AllOf(HasSubstr("libnope.so.1"), HasSubstr((fixtures / "x").string()), HasSubstr("/etc/ld.so.cache")));
  EXPECT_THAT(loader_says(fixtures / "lost.so"), HasSubstr("libnope.so.1"));
}

TEST(Preflight, NamesTheSymbolVersionThatTheLoaderMisses) {
  const Preflight result = preflight(fixtures / "newer.so");
  EXPECT_THAT(finding(result, "symbol-version").message, AllOf(HasSubstr("needs VER_2 of libver.so.1"),
                                                               HasSubstr("up to VER_1")));
  EXPECT_THAT(loader_says(fixtures / "newer.so"), HasSubstr("VER_2"));
}

TEST(Preflight, SaysThatAnEntryWasCompiledAsCpp) {
  const Preflight result = preflight(fixtures / "cpp.so");
  EXPECT_EQ(codes(result), "entry-missing");
  EXPECT_THAT(result.findings[0].message, HasSubstr("_Z10GetPjrtApiv"));
  EXPECT_THAT(result.findings[0].remedy, HasSubstr("extern \"C\""));
}

TEST(Preflight, FindsEveryLibraryThatThisProgramHasLoaded) {
  // The program's own needs are all met, so a search for them must meet them too.
  const Binary program = inspect(std::filesystem::read_symlink("/proc/self/exe"));
  auto places = inspection::host_search_places();
  ASSERT_TRUE(places.has_value());
  EXPECT_FALSE(places->default_folders.empty());
  places->loaded.clear();
  const inspection::SearchResult result = inspection::search_elf(program, program.images.front(), *places, {});
  EXPECT_FALSE(result.libraries.empty());
  for (const LibraryLookup& lookup : result.libraries) EXPECT_TRUE(lookup.path.has_value()) << lookup.name;
  for (const Finding& each : result.findings) EXPECT_NE(each.severity, Severity::error) << each.message;
}

TEST(Preflight, TellsTheWrongArchitectureInPlainWords) {
  ElfFile file = plugin();
  file.machine = 183;
  const Preflight result = check(linux_host(), file.build());
  EXPECT_EQ(codes(result), "wrong-architecture");
  EXPECT_EQ(result.findings[0].message, "plugin is for aarch64, this machine is x86_64");
  EXPECT_FALSE(result.ok());
}

TEST(Preflight, TellsTheWrongSystem) {
  const Preflight result = check(linux_host(), MachoFile{}.build());
  EXPECT_EQ(codes(result), "wrong-platform");
  EXPECT_EQ(result.findings[0].message, "plugin is for macos-arm64, this machine is linux-x86_64");
  PreflightOptions options;
  options.platform = "macos-x86_64";
  EXPECT_EQ(check(linux_host(), MachoFile{}.build(), options).findings[0].message, "plugin is for arm64, the target is x86_64");
  EXPECT_EQ(check(linux_host(), test::PeFile{}.build()).findings[0].message,
            "plugin is for windows-x86_64, this machine is linux-x86_64");
}

TEST(Preflight, AForeignLibraryPassesWithAPlainStatement) {
  PreflightOptions options;
  options.platform = "darwin-arm64";
  const Preflight mac = check(linux_host(), MachoFile{}.build(), options);
  EXPECT_TRUE(mac.ok());
  EXPECT_EQ(codes(mac), "foreign");
  EXPECT_EQ(mac.findings[0].severity, Severity::info);
  EXPECT_EQ(mac.findings[0].message, "macos-arm64 library: this machine (linux-x86_64) cannot load it");
  options.platform = "windows-x86_64";
  test::PeFile dll;
  dll.imports = {"KERNEL32.dll"};
  const Preflight windows = check(linux_host(), dll.build(), options);
  EXPECT_EQ(codes(windows), "foreign");
  ASSERT_EQ(windows.libraries.size(), 1u);
  EXPECT_EQ(windows.libraries[0].name, "KERNEL32.dll");
  EXPECT_EQ(windows.libraries[0].path, std::nullopt);
  EXPECT_EQ(windows.libraries[0].how, "left to the target machine");
}

TEST(Preflight, ComparesTheLeastMacosWithTheTargets) {
  MachoFile file;
  file.minimum = 26u << 16 | 1u << 8;
  PreflightOptions options;
  options.platform = "macos-arm64";
  EXPECT_EQ(codes(check(linux_host(), file.build(), options)), "foreign");
  options.system = ReleaseNumber{14, 5, 0};
  EXPECT_EQ(finding(check(linux_host(), file.build(), options), "macos-too-old").message,
            "plugin needs macOS 26.1, the target has 14.5");
  options.system = ReleaseNumber{26, 1, 0};
  EXPECT_EQ(codes(check(linux_host(), file.build(), options)), "foreign");

  Host mac;
  mac.platform = {Os::macos, Arch::aarch64};
  mac.system = ReleaseNumber{15, 0, 0};
  const Preflight here = check(mac, file.build());
  EXPECT_EQ(finding(here, "macos-too-old").message, "plugin needs macOS 26.1, this machine has 15.0");
}

TEST(Preflight, ComparesTheGlibcOfAForeignMachine) {
  ElfFile file = plugin();
  file.machine = 183;
  file.versions_needed = {{"libc.so.6", {"GLIBC_2.38"}}};
  PreflightOptions options;
  options.platform = "linux-aarch64";
  EXPECT_EQ(codes(check(linux_host(), file.build(), options)), "foreign");
  options.system = ReleaseNumber{2, 31, 0};
  EXPECT_EQ(finding(check(linux_host(), file.build(), options), "glibc-too-old").message,
            "plugin needs GLIBC_2.38, the target has 2.31");
}

TEST(Preflight, RefusesUnsignedCodeForAppleSilicon) {
  MachoFile file;
  file.is_signed = false;
  PreflightOptions options;
  options.platform = "macos-arm64";
  EXPECT_EQ(codes(check(linux_host(), file.build(), options)), "foreign unsigned");
  file.cpu = MachoFile::x86_64;
  options.platform = "macos-x86_64";
  EXPECT_EQ(codes(check(linux_host(), file.build(), options)), "foreign");
}

TEST(Preflight, RefusesWhatIsNoSharedLibrary) {
  ElfFile file = plugin();
  file.type = 1;
  EXPECT_EQ(finding(check(linux_host(), file.build()), "not-shared").message, "plugin is an object file, not a shared library");
  file.type = 3;
  file.flags_1 = 0x8000000;
  EXPECT_EQ(finding(check(linux_host(), file.build()), "not-shared").message, "plugin is an executable, not a shared library");
  file.flags_1 = 0x40;
  EXPECT_THAT(finding(check(linux_host(), file.build()), "not-shared").message, HasSubstr("nothing to load"));
}

TEST(Preflight, MissesTheEntryAndShowsWhatComesNear) {
  ElfFile file = plugin();
  file.symbols = {{"GetPjRtApi"}};
  const Preflight result = check(linux_host(), file.build());
  EXPECT_EQ(finding(result, "entry-missing").message, "plugin does not export GetPjrtApi; it exports GetPjRtApi");
  EXPECT_EQ(finding(result, "entry-missing").remedy, "the entry must be spelled exactly GetPjrtApi");
  PreflightOptions options;
  options.entry_symbol = "GetPjRtApi";
  EXPECT_TRUE(check(linux_host(), file.build(), options).ok());
  options.entry_symbol.clear();
  EXPECT_TRUE(check(linux_host(), file.build(), options).ok());
}

TEST(Preflight, NamesTheProcessorFeatureThatIsMissing) {
  PreflightOptions options;
  options.cpu_features = {"AVX2", "zzz"};
  const Preflight result = check(linux_host(), plugin().build(), options);
  EXPECT_THAT(finding(result, "cpu-too-old").message, AllOf(HasSubstr("features zzz,"), HasSubstr("SIGILL")));
  options.cpu_features = {"avx2", "fma"};
  EXPECT_TRUE(check(linux_host(), plugin().build(), options).ok());
  ElfFile demanding = plugin();
  demanding.x86_levels = 0b1000;
  EXPECT_THAT(finding(check(linux_host(), demanding.build()), "cpu-too-old").message, HasSubstr("avx512f"));
}

TEST(Preflight, KnowsTheProcessorOfThisMachine) {
  const auto features = inspection::host_cpu_features();
  ASSERT_TRUE(features.has_value());
  EXPECT_THAT(inspection::missing_features(*features, {"zzz"}), ElementsAre("zzz"));
#if defined(__x86_64__)
  EXPECT_THAT(inspection::missing_features(*features, {"sse2", "SSE2"}), IsEmpty());
#endif
}

TEST(Preflight, ReadsTheFeaturesOfTheFirstProcessor) {
  EXPECT_THAT(inspection::parse_cpuinfo("processor\t: 0\nflags\t\t: fpu sse4_1\n\nprocessor\t: 1\nflags: avx\n"),
              ElementsAre("fpu", "sse4_1"));
  EXPECT_THAT(inspection::parse_cpuinfo("Features\t: fp asimd"), ElementsAre("asimd", "fp"));
  EXPECT_THAT(inspection::parse_cpuinfo("flags"), IsEmpty());
  EXPECT_THAT(inspection::missing_features({"sse4_1"}, {"SSE4.1"}), IsEmpty());
}

#if defined(__linux__)
// The child has its own view of the mounts, where this user may have one.
TEST(Preflight, KnowsTheMountsFromWhichNothingCanBeLoaded) {
  EXPECT_FALSE(inspection::is_on_noexec_mount(fixtures)) << "other tests load libraries from there";
  EXPECT_FALSE(inspection::is_on_noexec_mount("/no/such/file"));
  enum { right, wrong, not_allowed };
  const pid_t child = ::fork();
  if (child == 0) {
    const bool own_view = ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    if (!own_view || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", fixtures.c_str(), "tmpfs", MS_NOEXEC, nullptr) != 0)
      ::_exit(not_allowed);
    ::_exit(inspection::is_on_noexec_mount(fixtures) ? right : wrong);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_NE(WEXITSTATUS(status), wrong);
}
#endif

TEST(Preflight, WarnsOfAnExecutableStack) {
  ElfFile file = plugin();
  file.stack_flags = 7;
  const Preflight result = check(linux_host(), file.build());
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(codes(result), "executable-stack");
}

TEST(Preflight, TurnsBrokenFilesIntoFindings) {
  const test::Folder folder;
  const Preflight wheel = preflight(folder.write("a.so", test::as_bytes("PK\x03\x04")));
  EXPECT_EQ(codes(wheel), "not-a-library");
  EXPECT_FALSE(wheel.binary.has_value());
  EXPECT_THAT(wheel.findings[0].message, HasSubstr("zip archive (a wheel?)"));
  EXPECT_THAT(wheel.findings[0].remedy, HasSubstr("pier install ID --find-links " + folder.path().string() + ";"));
  const Bytes file = plugin().build();
  const Preflight cut = preflight(folder.write("b.so", file.span().first(file.size() / 2)));
  EXPECT_EQ(codes(cut), "damaged");
  EXPECT_THAT(cut.findings[0].message, HasSubstr("cut off"));
  EXPECT_THROW(static_cast<void>(preflight(folder.path() / "none.so")), Error);
  EXPECT_THROW(static_cast<void>(preflight(folder.path())), Error);
}

TEST(Preflight, RefusesAnUnknownPlatformByName) {
  PreflightOptions options;
  options.platform = "plan9-mips";
  EXPECT_THROW(static_cast<void>(check(linux_host(), plugin().build(), options)), Error);
  EXPECT_THROW(static_cast<void>(preflight(fixtures / "plugin.so", options)), Error);
}

TEST(Preflight, SaysThatNeighboursOfALibraryInMemoryAreUnknown) {
  ElfFile file = plugin();
  file.runpath = "$ORIGIN/x";
  EXPECT_EQ(codes(check(linux_host(), file.build())), "search-incomplete");
}

TEST(Preflight, ExplainsQuarantineAndNeverLiftsIt) {
  const Finding found = inspection::quarantine_finding("/x/plugin.dylib", "0083;5f3b3c1e;Safari;1A2B");
  EXPECT_EQ(found.code, "quarantined");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.message, AllOf(HasSubstr("/x/plugin.dylib"), HasSubstr("downloaded by Safari")));
  EXPECT_THAT(found.remedy, AllOf(HasSubstr("xattr -d com.apple.quarantine '/x/plugin.dylib'"),
                                  HasSubstr("pier never does this")));
  for (const char* odd : {"", ";", "0083", ";;;;", "a;b;"})
    EXPECT_THAT(inspection::quarantine_finding("p", odd).message, ::testing::Not(HasSubstr("downloaded by")));
}

TEST(Preflight, TouchesOnlyTheHeadersOfAHugeLibrary) {
  // The headers of a small library with a segment of 4 GiB of nothing behind them, as a sparse file.
  ElfFile file = plugin();
  file.sections = false;
  Bytes bytes = file.build();
  constexpr std::uint64_t huge = std::uint64_t{4} << 30;
  bytes.set(64 + 32, huge, 8);
  bytes.set(64 + 40, huge, 8);
  const test::Folder folder;
  const std::filesystem::path path = folder.write("huge.so", bytes.span());
  std::filesystem::resize_file(path, huge);
  const Binary binary = inspect(path);
  EXPECT_TRUE(binary.images.front().exports("GetPjrtApi"));
  EXPECT_EQ(binary.size, huge);
  // Pages of the file that came into memory.
  const int fd = ::open(path.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  void* const memory = ::mmap(nullptr, huge, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  ASSERT_NE(memory, MAP_FAILED);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident(huge / page);
  ASSERT_EQ(::mincore(memory, huge, resident.data()), 0);
  ::munmap(memory, huge);
  const auto count = std::count_if(resident.begin(), resident.end(), [](unsigned char state) { return (state & 1) != 0; });
  EXPECT_LE(static_cast<std::size_t>(count) * page, std::size_t{16} << 20);
}

}  // namespace
}  // namespace pier
