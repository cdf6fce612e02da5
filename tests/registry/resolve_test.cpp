#include <algorithm>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include <pier/registry.h>
#include <pier/store.h>

#if defined(__linux__)
#include <sys/inotify.h>
#endif

#include "base/file.h"
#include "base/platform.h"
#include "registry/home.h"

namespace {

using pier::Candidate;
using pier::ErrorCode;
using pier::Resolution;
using pier::resolve;
using pier::SearchDepth;
using registry_test::error_of;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Resolve : public registry_test::Home {
 protected:
  // Nothing here is ever loaded, so the smallest library with the entry symbol will do.
  std::filesystem::path library(const std::string& name, const std::string& original = "null_table.so") const {
    return Home::library(name, original);
  }

  void register_as(const std::string& id, const std::filesystem::path& path, std::vector<std::string> labels = {},
                   std::optional<int> priority = {}) {
    pier::RegisterRequest request;
    request.id = id;
    request.labels = std::move(labels);
    request.priority = priority;
    request.probe = false;
    pier::register_library(path, request);
  }

  // A manifest as an administrator, an installer or another machine would have left it.
  void write_manifest(const std::filesystem::path& file, const std::string& id, const std::filesystem::path& library, const std::string& more = "") {
    registry_test::write_file(file, "schema = 1\nid = \"" + id + "\"\nlibrary = \"" + library.string() + "\"\n" + more);
  }

  static const Candidate* find(const Resolution& resolution, std::string_view source) {
    const auto at = std::find_if(resolution.candidates.begin(), resolution.candidates.end(), [&](const Candidate& c) { return c.source == source; });
    return at == resolution.candidates.end() ? nullptr : &*at;
  }

  // What both depths of the search take; they must agree.
  static Candidate taken(std::string_view selector) {
    const Resolution whole = resolve(selector);
    const Resolution quick = resolve(selector, SearchDepth::until_found);
    if (!whole.taken() || !quick.taken()) {
      EXPECT_EQ(whole.taken(), nullptr) << selector;
      EXPECT_EQ(quick.taken(), nullptr) << selector;
      return {};
    }
    EXPECT_EQ(whole.taken()->library, quick.taken()->library) << selector;
    EXPECT_EQ(whole.taken()->source, quick.taken()->source) << selector;
    for (const Candidate& candidate : whole.candidates) EXPECT_FALSE(candidate.reason.empty()) << candidate.source;
    return *whole.taken();
  }
};

TEST_F(Resolve, TheOrderOfTheSearchHolds) {
  const auto by_path = library("by_path.so");
  const auto by_variable = library("by_variable.so");
  const auto by_list = library("libpjrt_cpu.so");
  const auto by_name = library("by_name.so");
  const auto registered = library("registered.so");
  const auto system = library("system.so");
  const auto installed = library("installed.so");
  register_as("cpu", registered);
  write_manifest(folder() / "system/pier/plugins/cpu.toml", "cpu", system);
  write_manifest(folder() / "home/data/manifests/cpu.toml", "cpu", installed, "version = \"1.0\"\n");
  set("PIER_PLUGIN_CPU", by_variable);
  set("PJRT_PLUGIN_LIBRARY_PATH", by_list);
  set("PJRT_NAMES_AND_LIBRARY_PATHS", "other:/nowhere.so,cpu:" + by_name.string());

  std::vector<std::string> sources;
  for (const Candidate& candidate : resolve("cpu").candidates) sources.push_back(candidate.source);
  EXPECT_THAT(sources, testing::ElementsAre("PIER_PLUGIN_CPU", "PJRT_PLUGIN_LIBRARY_PATH", "PJRT_NAMES_AND_LIBRARY_PATHS", "registered",
                                            "system", "installed", "catalog"));
  EXPECT_EQ(taken(by_path.string()).library, by_path);
  EXPECT_EQ(taken("cpu").library, by_variable);
  unset("PIER_PLUGIN_CPU");
  EXPECT_EQ(taken("cpu").library, by_list);
  unset("PJRT_PLUGIN_LIBRARY_PATH");
  EXPECT_EQ(taken("cpu").library, by_name);
  unset("PJRT_NAMES_AND_LIBRARY_PATHS");
  EXPECT_EQ(taken("cpu").library, registered);
  pier::unregister_plugin("cpu");
  EXPECT_EQ(taken("cpu").library, system);
  std::filesystem::remove(folder() / "system/pier/plugins/cpu.toml");
  EXPECT_EQ(taken("cpu").library, installed);
  EXPECT_EQ(taken("cpu").version, "1.0");
  std::filesystem::remove(folder() / "home/data/manifests/cpu.toml");
  const Candidate last = taken("cpu");
  EXPECT_EQ(last.source, "catalog");
  EXPECT_TRUE(last.library.empty());
  EXPECT_FALSE(last.package.empty());
}

TEST_F(Resolve, TheReasonsSayWhatBeatWhat) {
  register_as("cpu", library("registered.so"));
  set("PIER_PLUGIN_CPU", library("by_variable.so"));
  const Resolution resolution = resolve("cpu");
  EXPECT_EQ(find(resolution, "PIER_PLUGIN_CPU")->reason, "the first that fits");
  EXPECT_THAT(find(resolution, "registered")->reason, HasSubstr("comes after PIER_PLUGIN_CPU cpu"));
  EXPECT_THAT(find(resolution, "catalog")->reason, HasSubstr("not needed"));
  EXPECT_THAT(resolution.places, Contains("PJRT_PLUGIN_LIBRARY_PATH is not set"));
}

TEST_F(Resolve, AVariableMayNameAFolder) {
  const auto plugin = library("pjrt_c_api_cpu_plugin.so");
  registry_test::write_file(folder() / "lib/readme.txt", "");
  registry_test::write_file(folder() / "lib/libm.so", "");
  set("PIER_PLUGIN_CPU", folder() / "lib");
  EXPECT_EQ(taken("cpu").library, plugin);
  unset("PIER_PLUGIN_CPU");
  set("PJRT_PLUGIN_LIBRARY_PATH", "/nowhere:" + (folder() / "lib").string());
  EXPECT_EQ(taken("cpu").library, plugin);
  EXPECT_EQ(find(resolve("tt"), "PJRT_PLUGIN_LIBRARY_PATH"), nullptr);
}

TEST_F(Resolve, AVariableOfAnIdTakesThePlaceOfTheOthersAndAListOfFoldersAddsToThem) {
  const auto plugin = library("pjrt_c_api_other_plugin.so");
  register_as("mine", library("mine.so"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder());
  set("PIER_PLUGIN_MINE", "lib/pjrt_c_api_other_plugin.so");
  EXPECT_EQ(taken("mine").library, plugin) << "a path need not be absolute";
  unset("PIER_PLUGIN_MINE");
  set("PJRT_PLUGIN_LIBRARY_PATH", "/nowhere:lib");
  EXPECT_EQ(taken("other").library, plugin);
  EXPECT_EQ(taken("mine").library, library("mine.so"));
  std::filesystem::current_path(before);
}

TEST_F(Resolve, ALibraryThatPjrtPluginLibraryPathNamesIsTheDefault) {
  register_as("mine", library("mine.so"), {"gpu"});
  const auto plugin = library("libpjrt_tt.so");
  set("PJRT_PLUGIN_LIBRARY_PATH", plugin);
  EXPECT_EQ(taken("auto").library, plugin);
  EXPECT_EQ(taken("tt").library, plugin);
  EXPECT_EQ(taken("gpu").id, "mine");
}

TEST_F(Resolve, NamesOfOtherFrameworksFindTheirAccelerator) {
  const auto plugin = library("anything.so");
  set("PJRT_NAMES_AND_LIBRARY_PATHS", "MTL:" + plugin.string() + ",broken,:/x.so,also:");
  for (const char* selector : {"metal", "gpu"}) {
    const Candidate candidate = taken(selector);
    EXPECT_EQ(candidate.library, plugin);
    EXPECT_EQ(candidate.id, "metal");
    EXPECT_EQ(candidate.priority, 500);
    EXPECT_EQ(candidate.create_options.count("visible_devices"), 1u);
  }
  EXPECT_EQ(taken("mtl").library, plugin);
  const Resolution resolution = resolve("gpu");
  for (const char* bad : {"'broken'", "':/x.so'", "'also:'"}) EXPECT_THAT(resolution.places, Contains(HasSubstr(bad)));
}

TEST_F(Resolve, VariablesOfOtherToolsComeFromTheCatalog) {
  const auto plugin = library("pjrt_plugin_metal_14.so");
  set("METAL_LIBRARY_PATH", folder() / "lib");
  EXPECT_EQ(taken("metal").library, plugin);
  EXPECT_EQ(taken("metal").source, "METAL_LIBRARY_PATH");
  EXPECT_EQ(taken("gpu").library, plugin);
  EXPECT_THAT(resolve("cpu").places, Contains(HasSubstr("METAL_LIBRARY_PATH: " + plugin.string() + " is for 'metal'")));
}

TEST_F(Resolve, UnderscoresInAVariableStandForOtherSignsOfAnId) {
  const auto plugin = library("x.so");
  set("PIER_PLUGIN_MY_OWN", plugin);
  EXPECT_EQ(taken("my-own").id, "my-own");
  EXPECT_EQ(taken("my.own").library, plugin);
  EXPECT_EQ(taken("auto").id, "my_own");
}

TEST_F(Resolve, MetalAnswersToGpuWithItsLabel) {
  const auto metal = library("metal.so");
  register_as("metal", metal);
  EXPECT_EQ(taken("gpu").library, metal);
  EXPECT_EQ(taken("gpu").id, "metal");
  EXPECT_THAT(taken("metal").labels, testing::ElementsAre("gpu"));
}

TEST_F(Resolve, ALabelGoesByPriorityAndAnIdByOrder) {
  register_as("slow-gpu", library("slow.so"), {"gpu"}, 10);
  register_as("fast-gpu", library("fast.so"), {"gpu"}, 900);
  EXPECT_EQ(taken("gpu").id, "fast-gpu");
  EXPECT_EQ(taken("slow-gpu").id, "slow-gpu");
  EXPECT_THAT(find(resolve("gpu"), "registered")->reason, HasSubstr("the highest priority, 900, of 2"));
  register_as("gpu", library("itself.so"), {}, 1);
  EXPECT_EQ(taken("gpu").id, "gpu") << "an id comes before a label";
}

TEST_F(Resolve, AutoTakesTpuBeforeGpuBeforeOthersBeforeCpu) {
  register_as("cpu", library("cpu.so"));
  EXPECT_EQ(taken("auto").id, "cpu");
  register_as("own", library("own.so"));
  EXPECT_EQ(taken("auto").id, "own");
  register_as("some-gpu", library("gpu.so"), {"gpu"});
  EXPECT_EQ(taken("auto").id, "some-gpu");
  register_as("some-tpu", library("tpu.so"), {"tpu"});
  EXPECT_EQ(taken("auto").id, "some-tpu");
  EXPECT_EQ(taken("").id, "some-tpu");
}

TEST_F(Resolve, AutoPassesOverWhatHasNoDeviceHere) {
  registry_test::write_file(folder() / "catalog/zap.toml",
                            "format = 1\nid = \"zap\"\nlabels = [\"gpu\"]\npriority = 700\nseen = [\"path:" + (folder() / "zap0").string() + "\"]\n");
  set("PIER_CATALOG", folder() / "catalog");
  register_as("cpu", library("cpu.so"));
  register_as("zap", library("zap.so"));
  EXPECT_EQ(taken("auto").id, "cpu");
  const Resolution whole = resolve("auto");
  const auto zap = std::find_if(whole.candidates.begin(), whole.candidates.end(), [](const Candidate& c) { return c.id == "zap" && c.source == "registered"; });
  ASSERT_NE(zap, whole.candidates.end());
  EXPECT_EQ(zap->reason, "no device of it is seen on this machine");
  EXPECT_EQ(taken("zap").id, "zap") << "who names it gets it";
  EXPECT_EQ(taken("gpu").id, "zap") << "the only gpu there is";
  registry_test::write_file(folder() / "zap0", "");
  EXPECT_EQ(taken("auto").id, "zap");
}

TEST_F(Resolve, AutoOnAnEmptyMachineTakesTheCatalogsCpu) {
  const Candidate candidate = taken("auto");
  EXPECT_EQ(candidate.id, "cpu");
  EXPECT_EQ(candidate.source, "catalog");
}

TEST_F(Resolve, PierPlatformIsTheDefault) {
  register_as("cpu", library("cpu.so"));
  register_as("some-gpu", library("gpu.so"), {"gpu"});
  set("PIER_PLATFORM", "cpu");
  EXPECT_EQ(taken("auto").id, "cpu");
  EXPECT_EQ(resolve("auto").selector, "cpu");
  EXPECT_THAT(resolve("auto").places, Contains("PIER_PLATFORM chooses 'cpu'"));
  EXPECT_EQ(taken("gpu").id, "some-gpu") << "a selector comes before it";
  const auto other = library("other.so");
  set("PIER_PLATFORM", other);
  EXPECT_EQ(taken("auto").library, other);
  set("PIER_PLATFORM", "auto");
  EXPECT_EQ(taken("auto").id, "some-gpu");
}

TEST_F(Resolve, APluginForAnotherPlatformIsListedAndNotTaken) {
  write_manifest(folder() / "home/data/manifests/zap.toml", "zap", library("zap.so"), "platform = \"windows-arm64\"\n");
  const Resolution resolution = resolve("zap");
  EXPECT_EQ(resolution.taken(), nullptr);
  ASSERT_NE(find(resolution, "installed"), nullptr);
  EXPECT_THAT(find(resolution, "installed")->reason, HasSubstr("for windows-arm64; this machine is "));
  EXPECT_FALSE(find(resolution, "installed")->usable);
}

TEST_F(Resolve, ALibraryForAnotherPlatformIsToldByItsHeader) {
  // The first 64 bytes of an ELF file say which processor it is for; byte 18 is the machine (183: aarch64, 62: x86-64).
  std::string bytes;
  {
    std::ifstream in(library("host.so"), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  bytes[18] = static_cast<char>(bytes[18] == 62 ? 183 : 62);
  registry_test::write_file(folder() / "lib/pjrt_foreign.so", bytes);
  const Resolution resolution = resolve((folder() / "lib/pjrt_foreign.so").string());
  EXPECT_EQ(resolution.taken(), nullptr);
  EXPECT_THAT(resolution.candidates.at(0).reason, HasSubstr("this machine is " + to_string(pier::host_platform())));
}

TEST_F(Resolve, WhatIsNoLibraryIsSaid) {
  const auto reason = [](const std::filesystem::path& path) {
    const Resolution resolution = resolve(path.string());
    EXPECT_EQ(resolution.taken(), nullptr);
    return resolution.candidates.at(0).reason;
  };
  registry_test::write_file(folder() / "text.so", "<html><body>login</body></html>");
  std::filesystem::create_directories(folder() / "empty");
  EXPECT_EQ(reason(folder() / "gone.so"), "no such file");
  EXPECT_THAT(reason(folder() / "text.so"), HasSubstr("text.so"));
  EXPECT_THAT(reason(folder() / "empty"), HasSubstr("a folder without a library"));
}

TEST_F(Resolve, LibrariesThatOthersCanWriteAreRefused) {
  const auto plugin = library("plugin.so");
  const auto reason = [&] {
    const Resolution resolution = resolve(plugin.string());
    EXPECT_EQ(resolution.taken(), nullptr);
    return resolution.candidates.at(0).reason;
  };
  EXPECT_EQ(taken(plugin.string()).library, plugin);
  ::chmod(plugin.c_str(), 0757);
  EXPECT_THAT(reason(), HasSubstr("everyone may write " + plugin.string()));
  ::chmod(plugin.c_str(), 0755);
  ::chmod(plugin.parent_path().c_str(), 0777);
  EXPECT_THAT(reason(), HasSubstr("everyone may write the folder " + plugin.parent_path().string()));
  ::chmod(plugin.parent_path().c_str(), 0755);
  ::chmod(folder().c_str(), 0777);
  EXPECT_THAT(reason(), HasSubstr("everyone may write the folder " + folder().string()));
  ::chmod(folder().c_str(), 01777);
  EXPECT_EQ(taken(plugin.string()).library, plugin) << "a sticky folder protects what is in it";
}

TEST_F(Resolve, RegisteredLibrariesAreHeldToTheSameRule) {
  const auto plugin = library("plugin.so");
  register_as("mine", plugin);
  ::chmod(plugin.c_str(), 0777);
  const Resolution resolution = resolve("mine");
  EXPECT_EQ(resolution.taken(), nullptr);
  EXPECT_THAT(find(resolution, "registered")->reason, HasSubstr("everyone may write"));
}

TEST_F(Resolve, AStrangersLibraryIsRefused) {
  ASSERT_EQ(::geteuid(), 0u) << "this test gives a file away, which only root can";
  const auto plugin = library("plugin.so");
  ASSERT_EQ(::chown(plugin.c_str(), 12345, 12345), 0);
  EXPECT_THAT(resolve(plugin.string()).candidates.at(0).reason, HasSubstr("belongs to user 12345, who is neither root nor you"));
  ASSERT_EQ(::chown(plugin.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(plugin.parent_path().c_str(), 12345, 12345), 0);
  EXPECT_THAT(resolve(plugin.string()).candidates.at(0).reason, HasSubstr(plugin.parent_path().string() + " belongs to user 12345"));
}

TEST_F(Resolve, AnUnusableChoiceGivesWayToTheNextPlace) {
  register_as("cpu", library("registered.so"));
  set("PIER_PLUGIN_CPU", folder() / "typo.so");
  EXPECT_EQ(taken("cpu").source, "registered");
  EXPECT_EQ(find(resolve("cpu"), "PIER_PLUGIN_CPU")->reason, "no such file");
}

TEST_F(Resolve, APathToARegisteredLibraryKeepsItsOptions) {
  const auto plugin = library("plugin.so");
  pier::RegisterRequest request;
  request.id = "mine";
  request.probe = false;
  request.create_options = {{"cores", std::int64_t{4}}};
  request.environment = {{"MINE", "1"}};
  pier::register_library(plugin, request);
  const Candidate candidate = taken(plugin.string());
  EXPECT_EQ(candidate.id, "mine");
  EXPECT_EQ(candidate.create_options, request.create_options);
  EXPECT_EQ(candidate.environment, request.environment);
}

TEST_F(Resolve, ABareFileNameIsALibraryInTheCurrentFolder) {
  const auto plugin = library("plugin.so");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(plugin.parent_path());
  EXPECT_EQ(taken("plugin.so").library, plugin);
  std::filesystem::current_path(before);
}

TEST_F(Resolve, ABrokenManifestIsReportedAndHarmsNobody) {
  register_as("cpu", library("cpu.so"));
  registry_test::write_file(folder() / "home/config/plugins/bad.toml", "schema = ");
  EXPECT_EQ(taken("cpu").source, "registered");
  EXPECT_THAT(resolve("cpu").places, Contains(HasSubstr("bad.toml")));
}

TEST_F(Resolve, WhatCannotBeASelectorIsRefused) {
  for (const char* bad : {"a b", "cpu:1", "-x", "g\xC3\xBC"}) EXPECT_EQ(error_of([&] { resolve(bad); }).code(), ErrorCode::invalid_argument) << bad;
  EXPECT_THAT(error_of([] { resolve("cpu:1"); }).what(), HasSubstr("one device of a plugin is chosen from its client"));
  EXPECT_EQ(taken("CPU").id, "cpu");
}

TEST_F(Resolve, NothingIsFoundForAnUnknownName) {
  const Resolution resolution = resolve("warp9");
  EXPECT_EQ(resolution.taken(), nullptr);
  const std::string what = not_found_error(resolution).what();
  EXPECT_THAT(what, HasSubstr("no plugin for 'warp9'"));
  EXPECT_THAT(what, HasSubstr("the catalog has: cpu, "));
  EXPECT_THAT(what, HasSubstr("pier register PATH --id warp9"));
}

TEST_F(Resolve, TheErrorListsEveryCandidateAndTheCommand) {
  set("PIER_PLUGIN_METAL", folder() / "typo.so");
  const pier::Error error = not_found_error(resolve("metal"));
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.notes(), Contains(HasSubstr("PIER_PLUGIN_METAL metal " + (folder() / "typo.so").string() + ": no such file")));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("catalog metal")));
  // Its packages are for Macs; to name the command that installs one would help nobody here.
  EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("pier install metal"), HasSubstr("no package for this machine; run `pier register PATH --id metal`")));
  EXPECT_EQ(std::string(error.what()).find("run `pier install metal`") != std::string::npos, pier::host_platform().os == pier::Os::macos);
  EXPECT_THAT(error.what(), Not(HasSubstr("doctor")));
}

TEST_F(Resolve, AManifestThatOthersCanWriteIsRefused) {
  register_as("mine", library("plugin.so"));
  const auto manifest = folder() / "home/config/plugins/mine.toml";
  EXPECT_EQ(taken("mine").manifest, manifest);
  ::chmod(manifest.c_str(), 0666);
  const Resolution resolution = resolve("mine");
  EXPECT_EQ(resolution.taken(), nullptr);
  EXPECT_THAT(find(resolution, "registered")->reason, HasSubstr("everyone may write " + manifest.string()));
  EXPECT_EQ(taken(library("plugin.so").string()).id, "plugin") << "nor does it say anything about the library";
}

TEST_F(Resolve, WhatIsJudgedIsWhatIsLoaded) {
  const auto plugin = library("plugin.so");
  const auto link = folder() / "link.so";
  std::filesystem::create_symlink(plugin, link);
  register_as("mine", link);
  EXPECT_EQ(taken("mine").library, plugin);
  EXPECT_EQ(taken(link.string()).library, plugin);
}

TEST_F(Resolve, WhoeverRegistersALibraryMayAcceptThatOthersCanWriteIt) {
  const auto plugin = library("plugin.so");
  ::chmod(plugin.c_str(), 0777);
  pier::RegisterRequest request;
  request.id = "mine";
  request.probe = false;
  request.allow_others = true;
  pier::register_library(plugin, request);
  EXPECT_EQ(taken("mine").library, plugin);
  request.allow_others = false;
  EXPECT_EQ(error_of([&] { pier::register_library(plugin, request); }).code(), ErrorCode::permission_denied);
}

TEST_F(Resolve, ABrokenEntryOfTheSitesCatalogHarmsNoOther) {
  registry_test::write_file(folder() / "catalog/zap.toml", "format = ");
  set("PIER_CATALOG", folder() / "catalog");
  register_as("cpu", library("cpu.so"));
  write_manifest(folder() / "home/config/plugins/zap.toml", "zap", library("zap.so"), "labels = [\"gpu\"]\npriority = 500\n");
  for (const char* selector : {"cpu", "auto", "gpu", "zap"}) EXPECT_FALSE(taken(selector).library.empty()) << selector;
  set("PIER_PLUGIN_ZAP", library("other.so"));
  set("PJRT_NAMES_AND_LIBRARY_PATHS", "zap:" + library("third.so").string());
  for (const char* selector : {"cpu", "auto", "gpu", "zap"}) EXPECT_FALSE(taken(selector).library.empty()) << selector;
  EXPECT_THAT(warnings(), Contains(HasSubstr("zap.toml:1")));
}

#if defined(__linux__)
// Whether the call opens the file.
template <class Call>
bool opens(const std::filesystem::path& file, Call call) {
  const pier::Fd watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  EXPECT_GE(::inotify_add_watch(watch.get(), file.c_str(), IN_OPEN), 0);
  call();
  char events[4096];
  return ::read(watch.get(), events, sizeof events) > 0;
}

TEST_F(Resolve, AnIdIsSettledByItsOwnManifestsAlone) {
  register_as("mine", library("mine.so"));
  register_as("other", library("other.so"), {"mine"}, 900);
  const auto other = folder() / "home/config/plugins/other.toml";
  EXPECT_FALSE(opens(other, [] { EXPECT_EQ(resolve("mine", SearchDepth::until_found).taken()->id, "mine"); }));
  EXPECT_EQ(taken("mine").id, "mine");
  // One that cannot be used leaves the name to those that have it as a label.
  ::chmod(library("mine.so").c_str(), 0777);
  EXPECT_EQ(taken("mine").id, "other");
}

TEST_F(Resolve, APluginThatIsNotAskedForIsNotEvenOpened) {
  const auto plugin = library("libpjrt_other.so");
  const auto mine = library("mine.so");
  register_as("mine", mine);
  for (const char* variable : {"PIER_PLUGIN_OTHER", "PJRT_PLUGIN_LIBRARY_PATH", "METAL_LIBRARY_PATH", "PJRT_NAMES_AND_LIBRARY_PATHS"}) {
    const bool with_name = std::string_view(variable).starts_with("PJRT_NAMES");
    set(variable, (with_name ? "other:" : "") + plugin.string());
    EXPECT_FALSE(opens(plugin, [] { EXPECT_EQ(taken("mine").id, "mine"); })) << variable;
    const char* const id = std::string_view(variable).starts_with("METAL") ? "metal" : "other";
    EXPECT_TRUE(opens(plugin, [&] { EXPECT_EQ(taken(id).library, plugin); })) << variable;
    unset(variable);
  }
}
#endif

// These would end the process when they are loaded.
TEST_F(Resolve, NothingIsLoaded) {
  write_manifest(folder() / "home/config/plugins/bomb.toml", "bomb", library("bomb.so", "abort_in_constructor.so"), "labels = [\"gpu\"]\npriority = 500\n");
  set("PIER_PLUGIN_OTHER", library("other.so", "abort_in_constructor.so"));
  register_as("cpu", library("cpu.so"));
  EXPECT_EQ(taken("cpu").id, "cpu");
  EXPECT_EQ(taken("bomb").id, "bomb");
  EXPECT_EQ(taken("auto").id, "bomb");
}

TEST_F(Resolve, ANameThatSeveralEntriesRegisterUnderIsTheirBest) {
  set("PJRT_NAMES_AND_LIBRARY_PATHS", "cuda:" + library("cuda.so").string());
  EXPECT_EQ(taken("gpu").id, "cuda13");
  EXPECT_EQ(taken("cuda").library, library("cuda.so"));
}

// The entries of the catalog that a search parsed; TOML is slow to read, so a start must not.
std::vector<std::string> parsed_by(std::string_view selector) {
  std::vector<std::string> parsed;
  pier::set_log_callback([&](pier::LogLevel, std::string_view message) {
    const std::size_t at = message.find("catalog/");
    if (message.starts_with("reading ")) parsed.emplace_back(message.substr(at == std::string_view::npos ? 0 : at));
  });
  resolve(selector, SearchDepth::until_found);
  pier::set_log_callback({});
  return parsed;
}

TEST_F(Resolve, AStartWithAnInstalledPluginParsesNoCatalogEntry) {
  write_manifest(folder() / "home/config/plugins/cpu.toml", "cpu", library("cpu.so"), "priority = 100\n");
  write_manifest(folder() / "home/config/plugins/zap.toml", "zap", library("zap.so"), "labels = [\"gpu\"]\npriority = 500\n");
  for (const char* selector : {"cpu", "zap", "gpu", "auto"}) EXPECT_THAT(parsed_by(selector), testing::IsEmpty()) << selector;
}

TEST_F(Resolve, OnlyTheEntriesAskedForAreParsed) {
  EXPECT_THAT(parsed_by("metal"), testing::ElementsAre("catalog/metal.toml"));
  EXPECT_THAT(parsed_by("warp9"), testing::IsEmpty());
  const std::vector<std::string> gpus = parsed_by("gpu");
  EXPECT_THAT(gpus, testing::IsSupersetOf({"catalog/metal.toml", "catalog/cuda13.toml"}));
  EXPECT_THAT(gpus, Not(Contains("catalog/cpu.toml")));
  EXPECT_THAT(gpus, Not(Contains("catalog/tpu.toml")));
}

}  // namespace
