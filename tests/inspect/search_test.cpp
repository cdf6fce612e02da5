#include "inspect/search.h"

#include <gmock/gmock.h>

#include <bit>

#include <pier/error.h>

#include "inspect/elf_file.h"
#include "inspect/macho_file.h"

namespace pier {
namespace {

using inspection::LoaderCache;
using inspection::SearchPlaces;
using inspection::SearchResult;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using test::Bytes;
using test::ElfFile;

ElfFile library(const std::string& soname, std::vector<std::string> needed = {}) {
  ElfFile file;
  file.soname = soname;
  file.needed = std::move(needed);
  return file;
}

// A machine of folders below one temporary folder.
class Search : public ::testing::Test {
 protected:
  Search() {
    places_.default_folders = {at("lib")};
    std::filesystem::create_directories(at("lib"));
  }

  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  void put(const std::string& name, const ElfFile& file) { folder_.write(name, file.build().span()); }
  void put(const std::string& name, const std::string& soname, std::vector<std::string> needed = {}) {
    put(name, library(soname, std::move(needed)));
  }
  SearchResult search(const ElfFile& plugin, std::vector<std::filesystem::path> preloaded = {}) {
    put("plugin/plugin.so", plugin);
    const Binary binary = inspect(folder_.path() / "plugin/plugin.so");
    return inspection::search_elf(binary, binary.images.front(), places_, preloaded);
  }
  static std::string path_of(const SearchResult& result, std::string_view name) {
    for (const LibraryLookup& lookup : result.libraries)
      if (lookup.name == name) return lookup.path ? lookup.path->string() : "missing";
    return "not looked up";
  }
  static std::string how_of(const SearchResult& result, std::string_view name) {
    for (const LibraryLookup& lookup : result.libraries)
      if (lookup.name == name) return lookup.how;
    return "not looked up";
  }
  static std::string codes(const SearchResult& result) {
    std::string out;
    for (const Finding& finding : result.findings) out += (out.empty() ? "" : " ") + finding.code;
    return out;
  }

  test::Folder folder_;
  SearchPlaces places_;
};

TEST_F(Search, FindsALibraryInTheSystemFolders) {
  put("lib/liba.so.1", "liba.so.1");
  const SearchResult result = search(library("", {"liba.so.1"}));
  EXPECT_EQ(path_of(result, "liba.so.1"), at("lib/liba.so.1"));
  EXPECT_EQ(how_of(result, "liba.so.1"), "system folder");
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Search, SaysWhereAMissingLibraryWasLookedFor) {
  ElfFile plugin = library("", {"libnope.so.1"});
  plugin.runpath = "$ORIGIN/x:/no/such/place";
  places_.library_path = {at("env")};
  const SearchResult result = search(plugin);
  ASSERT_EQ(codes(result), "library-missing");
  EXPECT_EQ(result.findings[0].severity, Severity::error);
  EXPECT_THAT(result.findings[0].message, HasSubstr("libnope.so.1, which " + at("plugin/plugin.so") + " needs, was not found"));
  ASSERT_EQ(result.libraries.size(), 1u);
  EXPECT_THAT(result.libraries[0].looked_in,
              ElementsAre(at("env") + " (LD_LIBRARY_PATH; no such folder)",
                          at("plugin/x") + " (RUNPATH of " + at("plugin/plugin.so") + "; no such folder)",
                          "/no/such/place (RUNPATH of " + at("plugin/plugin.so") + "; no such folder)",
                              at("lib") + " (system folder)"));
  for (const std::string& place : result.libraries[0].looked_in) EXPECT_THAT(result.findings[0].message, HasSubstr(place));
}

TEST_F(Search, RpathGoesBeforeTheVariableAndRunpathBehindIt) {
  put("plugin/x/liba.so.1", "liba.so.1");
  put("env/liba.so.1", "liba.so.1");
  places_.library_path = {at("env")};
  ElfFile plugin = library("", {"liba.so.1"});
  plugin.rpath = "$ORIGIN/x";
  EXPECT_EQ(path_of(search(plugin), "liba.so.1"), at("plugin/x/liba.so.1"));
  plugin.runpath = "${ORIGIN}/x";
  const SearchResult result = search(plugin);
  EXPECT_EQ(path_of(result, "liba.so.1"), at("env/liba.so.1"));
  // The library's own copy lost: worth a word.
  ASSERT_EQ(codes(result), "library-shadowed");
  EXPECT_THAT(result.findings[0].message, AllOf(HasSubstr(at("plugin/x/liba.so.1")), HasSubstr(at("env/liba.so.1")),
                                                HasSubstr("LD_LIBRARY_PATH")));
}

TEST_F(Search, ARunpathSwitchesTheRpathOfTheSameFileOff) {
  put("plugin/x/liba.so.1", "liba.so.1");
  ElfFile plugin = library("", {"liba.so.1"});
  plugin.rpath = "$ORIGIN/x";
  plugin.runpath = "$ORIGIN/y";
  EXPECT_EQ(codes(search(plugin)), "library-missing");
}

TEST_F(Search, RpathIsInheritedAndRunpathIsNot) {
  put("plugin/x/liba.so.1", "liba.so.1", {"libb.so.1"});
  put("plugin/x/libb.so.1", "libb.so.1");
  ElfFile plugin = library("", {"liba.so.1"});
  plugin.rpath = "$ORIGIN/x";
  EXPECT_EQ(path_of(search(plugin), "libb.so.1"), at("plugin/x/libb.so.1"));
  plugin.rpath.clear();
  plugin.runpath = "$ORIGIN/x";
  const SearchResult result = search(plugin);
  EXPECT_EQ(path_of(result, "liba.so.1"), at("plugin/x/liba.so.1"));
  EXPECT_EQ(path_of(result, "libb.so.1"), "missing");
  EXPECT_THAT(result.findings[0].message, HasSubstr("which " + at("plugin/x/liba.so.1") + " needs"));
}

TEST_F(Search, TheProgramsRpathServesLibrariesWithoutRunpath) {
  put("program/liba.so.1", "liba.so.1");
  places_.program_rpath = {at("program")};
  EXPECT_EQ(path_of(search(library("", {"liba.so.1"})), "liba.so.1"), at("program/liba.so.1"));
  ElfFile plugin = library("", {"liba.so.1"});
  plugin.runpath = "/no/such/place";
  EXPECT_EQ(path_of(search(plugin), "liba.so.1"), "missing");
}

TEST_F(Search, ExpandsLibAndPlatform) {
  put("plugin/lib/special/liba.so.1", "liba.so.1");
  put("plugin/zen9/libb.so.1", "libb.so.1");
  places_.lib = "lib/special";
  places_.platform = "zen9";
  ElfFile plugin = library("", {"liba.so.1", "libb.so.1"});
  plugin.runpath = "$ORIGIN/$LIB:${ORIGIN}/${PLATFORM}";
  const SearchResult result = search(plugin);
  EXPECT_EQ(path_of(result, "liba.so.1"), at("plugin/lib/special/liba.so.1"));
  EXPECT_EQ(path_of(result, "libb.so.1"), at("plugin/zen9/libb.so.1"));
}

TEST_F(Search, ALoadedLibraryWinsOverEverything) {
  put("loaded/liba.so.1", "liba.so.1");
  put("plugin/x/liba.so.1", "liba.so.1");
  places_.loaded = {{at("loaded/liba.so.1"), "liba.so.1"}};
  ElfFile plugin = library("", {"liba.so.1"});
  plugin.runpath = "$ORIGIN/x";
  const SearchResult result = search(plugin);
  EXPECT_EQ(path_of(result, "liba.so.1"), at("loaded/liba.so.1"));
  EXPECT_EQ(how_of(result, "liba.so.1"), "already loaded");
  EXPECT_EQ(codes(result), "library-shadowed");
}

TEST_F(Search, LibrariesLoadedBeforeSatisfyTheNeedByTheirSoname) {
  put("nvidia/file-name.so", "libcudart.so.13");
  const SearchResult result = search(library("", {"libcudart.so.13"}), {at("nvidia/file-name.so")});
  EXPECT_EQ(path_of(result, "libcudart.so.13"), at("nvidia/file-name.so"));
  EXPECT_EQ(how_of(result, "libcudart.so.13"), "loaded before");
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Search, PassesOverFilesForOtherProcessors) {
  ElfFile other = library("liba.so.1");
  other.machine = 183;
  put("env/liba.so.1", other);
  put("lib/liba.so.1", "liba.so.1");
  places_.library_path = {at("env")};
  const SearchResult result = search(library("", {"liba.so.1"}));
  EXPECT_EQ(path_of(result, "liba.so.1"), at("lib/liba.so.1"));
  EXPECT_THAT(result.libraries[0].looked_in, Contains(HasSubstr("skipped: it is for linux-aarch64")));
}

TEST_F(Search, StopsAtABrokenFileAsTheLoaderDoes) {
  folder_.write("env/liba.so.1", test::as_bytes("not a library"));
  put("lib/liba.so.1", "liba.so.1");
  places_.library_path = {at("env")};
  const SearchResult result = search(library("", {"liba.so.1"}));
  EXPECT_EQ(codes(result), "library-broken");
  EXPECT_EQ(path_of(result, "liba.so.1"), "missing");
}

TEST_F(Search, FollowsTheNeedsOfWhatItFindsOnce) {
  put("lib/liba.so.1", "liba.so.1", {"libb.so.1", "libc.so.1"});
  put("lib/libb.so.1", "libb.so.1", {"libc.so.1", "liba.so.1"});
  put("lib/libc.so.1", "libc.so.1", {"liba.so.1"});
  const SearchResult result = search(library("", {"liba.so.1"}));
  EXPECT_EQ(result.libraries.size(), 3u);
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Search, AsksForNoDefaultFoldersWhereTheFileForbidsThem) {
  put("lib/liba.so.1", "liba.so.1");
  ElfFile plugin = library("", {"liba.so.1"});
  plugin.flags_1 = 0x800;
  EXPECT_EQ(path_of(search(plugin), "liba.so.1"), "missing");
}

TEST_F(Search, SaysThatALibraryIsForMusl) {
  const SearchResult result = search(library("", {"libc.musl-x86_64.so.1"}));
  ASSERT_EQ(codes(result), "library-missing");
  EXPECT_THAT(result.findings[0].remedy, HasSubstr("Alpine"));
}

TEST_F(Search, NamesTheGlibcThatIsTooOld) {
  ElfFile libc = library("libc.so.6");
  libc.versions_defined = {"GLIBC_2.9", "GLIBC_2.36", "GLIBC_2.17"};
  put("lib/libc.so.6", libc);
  ElfFile plugin = library("", {"libc.so.6"});
  plugin.versions_needed = {{"libc.so.6", {"GLIBC_2.17", "GLIBC_9.99", "GLIBC_2.38"}}};
  const SearchResult result = search(plugin);
  ASSERT_EQ(codes(result), "glibc-too-old");
  EXPECT_EQ(result.findings[0].severity, Severity::error);
  EXPECT_EQ(result.findings[0].message,
            at("plugin/plugin.so") + " needs GLIBC_9.99, GLIBC_2.38 of libc.so.6; this machine's glibc (" + at("lib/libc.so.6") +
                ") has versions up to GLIBC_2.36");
}

TEST_F(Search, NamesTheLibstdcxxThatIsTooOldBySequence) {
  ElfFile library_file = library("libstdc++.so.6");
  library_file.versions_defined = {"GLIBCXX_3.4.30", "GLIBCXX_3.4.9", "CXXABI_1.3.13"};
  put("lib/libstdc++.so.6", library_file);
  ElfFile plugin = library("", {"libstdc++.so.6"});
  plugin.versions_needed = {{"libstdc++.so.6", {"GLIBCXX_3.4.32", "CXXABI_1.3.15", "GLIBCXX_3.4.9"}}};
  const SearchResult result = search(plugin);
  EXPECT_EQ(codes(result), "libstdcxx-too-old libstdcxx-too-old");
  EXPECT_THAT(result.findings[0].message, AllOf(HasSubstr("needs GLIBCXX_3.4.32 of"), HasSubstr("up to GLIBCXX_3.4.30")));
  EXPECT_THAT(result.findings[1].message, AllOf(HasSubstr("needs CXXABI_1.3.15 of"), HasSubstr("up to CXXABI_1.3.13")));
}

TEST_F(Search, AWeakVersionOrALibraryWithoutVersionsIsOnlyAWarning) {
  ElfFile one = library("liba.so.1");
  one.versions_defined = {"A_1"};
  put("lib/liba.so.1", one);
  put("lib/libb.so.1", "libb.so.1");
  ElfFile plugin = library("", {"liba.so.1", "libb.so.1"});
  plugin.versions_needed = {{"liba.so.1", {"A_2"}, true}, {"libb.so.1", {"B_1"}}};
  const SearchResult result = search(plugin);
  EXPECT_EQ(codes(result), "symbol-version no-version-information");
  for (const Finding& finding : result.findings) EXPECT_EQ(finding.severity, Severity::warning);
}

TEST_F(Search, AForeignLibraryIsOnlyLookedUpBesideItself) {
  put("plugin/x/liba.so.1", "liba.so.1");
  put("lib/libb.so.1", "libb.so.1");
  places_ = {};
  places_.complete = false;
  ElfFile plugin = library("", {"liba.so.1", "libb.so.1"});
  plugin.runpath = "$ORIGIN/x:" + at("lib");
  const SearchResult result = search(plugin);
  EXPECT_EQ(path_of(result, "liba.so.1"), at("plugin/x/liba.so.1"));
  EXPECT_EQ(path_of(result, "libb.so.1"), "missing");
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST(LoaderFolders, AreToldApartByTheVariable) {
  const std::vector<std::string> system = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"};
  const auto sorted = [&](std::vector<std::string> first, std::string_view variable, std::vector<std::string> rpath = {}) {
    SearchPlaces places;
    places.program_rpath = std::move(rpath);
    first.insert(first.end(), system.begin(), system.end());
    inspection::sort_folders(first, variable, places);
    EXPECT_EQ(places.default_folders, system);
    return places.library_path;
  };
  EXPECT_THAT(sorted({}, ""), IsEmpty());
  EXPECT_THAT(sorted({"/a", "/b"}, "/a/:/b"), ElementsAre("/a", "/b"));
  EXPECT_THAT(sorted({"/a", "/b"}, "/a:/a;/b:/a"), ElementsAre("/a", "/b"));
  EXPECT_THAT(sorted({"/lib"}, "/lib"), ElementsAre("/lib"));
  EXPECT_THAT(sorted({"", "/home/x/lib"}, ":$ORIGIN/lib"), ElementsAre(".", "/home/x/lib"));
  EXPECT_THAT(sorted({"/rpath", "/a"}, "/a", {"/rpath"}), ElementsAre("/a"));
}

struct CacheEntry {
  std::uint32_t flags;
  std::string name;
  std::string path;
  std::uint64_t hwcap = 0;
};

Bytes cache_file(const std::vector<CacheEntry>& entries, bool behind_old_table) {
  const bool big = std::endian::native == std::endian::big;
  Bytes table(big), strings(big);
  const std::size_t strings_at = 48 + 24 * entries.size();
  table.text("glibc-ld.so.cache1.1").u32(entries.size()).u32(0).pad_to(48);
  for (const CacheEntry& entry : entries) {
    table.u32(entry.flags).u32(strings_at + strings.size());
    strings.string(entry.name);
    table.u32(strings_at + strings.size()).u32(0).u64(entry.hwcap);
    strings.string(entry.path);
  }
  table.append(strings.span());
  if (!behind_old_table) return table;
  Bytes out(big);
  out.text("ld.so-1.7.0").u8(0).u32(3).pad_to(16 + 3 * 12).align(8).append(table.span());
  return out;
}

TEST_F(Search, ReadsTheLoadersCache) {
  put("far/liba.so.1", "liba.so.1");
  for (const bool behind_old_table : {false, true}) {
    folder_.write("cache", cache_file({{0x0303, "liba.so.1", at("v3/liba.so.1"), 1ull << 62},
                                       {0x0003, "liba.so.1", at("i386/liba.so.1")},
                                       {0x0303, "liba.so.1", at("far/liba.so.1")}},
                                      behind_old_table).span());
    EXPECT_THAT(LoaderCache::read(at("cache"), "x86_64").paths("liba.so.1"), ElementsAre(at("far/liba.so.1"),
                                                                                         at("v3/liba.so.1")));
    places_.cache = at("cache");
    const SearchResult result = search(library("", {"liba.so.1"}));
    EXPECT_EQ(path_of(result, "liba.so.1"), at("far/liba.so.1"));
    EXPECT_EQ(how_of(result, "liba.so.1"), at("cache"));
  }
}

TEST_F(Search, ADamagedCacheIsSaidAndTheSearchGoesOn) {
  put("lib/liba.so.1", "liba.so.1");
  places_.cache = at("cache");
  const Bytes good = cache_file({{0x0303, "liba.so.1", at("far/liba.so.1")}}, false);
  for (std::size_t size = 0; size < good.size(); ++size) {
    folder_.write("cache", good.span().first(size));
    EXPECT_THROW(static_cast<void>(LoaderCache::read(at("cache"), "x86_64")), IntegrityError) << size;
  }
  const SearchResult result = search(library("", {"liba.so.1"}));
  EXPECT_EQ(codes(result), "search-incomplete");
  EXPECT_EQ(path_of(result, "liba.so.1"), at("lib/liba.so.1"));
  Bytes lying = good;
  lying.set(20, 0x7fffffff, 4);
  folder_.write("cache", lying.span());
  EXPECT_THROW(static_cast<void>(LoaderCache::read(at("cache"), "x86_64")), IntegrityError);
}

TEST_F(Search, AnAbsentCacheIsEmpty) { EXPECT_EQ(LoaderCache::read(at("none"), "x86_64").size(), 0u); }

class MachoSearch : public Search {
 protected:
  SearchResult search_macho(const test::MachoFile& plugin, bool host_is_macos) {
    folder_.write("plugin/plugin.dylib", plugin.build().span());
    const Binary binary = inspect(folder_.path() / "plugin/plugin.dylib");
    return inspection::search_macho(binary, binary.images.front(), host_is_macos, {});
  }
  void put_dylib(const std::string& name, const std::string& install_name, std::uint32_t cpu = test::MachoFile::arm64) {
    test::MachoFile file;
    file.install_name = install_name;
    file.cpu = cpu;
    folder_.write(name, file.build().span());
  }
};

TEST_F(MachoSearch, FindsWhatLiesBesideTheLibraryOnAnyMachine) {
  put_dylib("plugin/libmlx.dylib", "@rpath/libmlx.dylib");
  put_dylib("plugin/sub/libb.dylib", "@loader_path/sub/libb.dylib");
  test::MachoFile plugin;
  plugin.rpath = {"@loader_path"};
  plugin.libraries = {{"@rpath/libmlx.dylib"}, {"@loader_path/sub/libb.dylib"}, {"/usr/lib/libSystem.B.dylib"},
                      {"/opt/libx.dylib"}};
  const SearchResult result = search_macho(plugin, false);
  EXPECT_EQ(path_of(result, "@rpath/libmlx.dylib"), at("plugin/libmlx.dylib"));
  EXPECT_EQ(path_of(result, "@loader_path/sub/libb.dylib"), at("plugin/sub/libb.dylib"));
  EXPECT_EQ(how_of(result, "/usr/lib/libSystem.B.dylib"), "part of macOS");
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(MachoSearch, SaysWhatShouldLieBesideTheLibraryAndDoesNot) {
  put_dylib("plugin/libintel.dylib", "@rpath/libintel.dylib", test::MachoFile::x86_64);
  test::MachoFile plugin;
  plugin.rpath = {"@loader_path", "@loader_path/../lib"};
  plugin.libraries = {{"@rpath/libmlx.dylib"}, {"@rpath/libintel.dylib"}, {"@loader_path/weak.dylib", 0x80000018}};
  const SearchResult result = search_macho(plugin, false);
  ASSERT_EQ(codes(result), "library-missing library-missing");
  EXPECT_THAT(result.findings[0].message, AllOf(HasSubstr("@rpath/libmlx.dylib"), HasSubstr(at("plugin/../lib/libmlx.dylib"))));
  EXPECT_THAT(result.findings[1].message, HasSubstr("skipped: it is for macos-x86_64"));
}

TEST_F(MachoSearch, LeavesToTheMacWhatOnlyTheMacKnows) {
  test::MachoFile plugin;
  plugin.rpath = {"@executable_path/../lib"};
  plugin.libraries = {{"@rpath/libmlx.dylib"}};
  EXPECT_THAT(search_macho(plugin, false).findings, IsEmpty());
  plugin.rpath = {"/opt/homebrew/lib"};
  EXPECT_THAT(search_macho(plugin, false).findings, IsEmpty());
  EXPECT_EQ(codes(search_macho(plugin, true)), "library-missing");
}

}  // namespace
}  // namespace pier
