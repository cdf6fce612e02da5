#include <algorithm>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include <pier/registry.h>

#if defined(__linux__)
#include <sys/inotify.h>
#endif

#include "base/file.h"
#include "base/platform.h"
#include "registry/home.h"
#include "registry/library_walk.h"
#include "registry/python_environment.h"
#include "registry/python_metadata.h"

namespace {

namespace fs = std::filesystem;
using pier::Candidate;
using pier::resolve;
using pier::Resolution;
using pier::SearchDepth;
using registry_test::write_file;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A virtual environment with nothing in it, and an empty catalog entry to be met there.
class Python : public registry_test::Home {
 protected:
  Python() {
    fs::create_directories(site());
    fs::create_directories(folder() / "work");
    before_ = fs::current_path();
    fs::current_path(folder() / "work");
    set("VIRTUAL_ENV", folder() / "env");
  }
  ~Python() override { fs::current_path(before_); }

  fs::path site() const { return folder() / "env/lib/python3.12/site-packages"; }

  fs::path put(const fs::path& library) const {
    fs::create_directories(library.parent_path());
    fs::copy_file(fs::path(FAKE_PLUGIN_DIR) / "null_table.so", library, fs::copy_options::overwrite_existing);
    return library;
  }

  // A package that was installed into the environment, as the files in its .dist-info tell.
  void package(const std::string& name, const std::string& entry_points = "", const std::string& record = "") const {
    write_file(site() / (name + ".dist-info") / "METADATA", "Name: x\n");
    if (!entry_points.empty()) write_file(site() / (name + ".dist-info") / "entry_points.txt", entry_points);
    if (!record.empty()) write_file(site() / (name + ".dist-info") / "RECORD", record);
  }

  // An accelerator of the site's catalog whose package has the library at that place.
  void entry(const std::string& id, const std::string& package, const std::string& member, const std::string& seen = "always") {
    write_file(folder() / "catalog" / (id + ".toml"),
               "format = 1\nid = \"" + id + "\"\nlabels = [\"gpu\"]\npriority = 500\nseen = [\"" + seen + "\"]\n[[package]]\nname = \"" + package +
                   "\"\nversion = \"1.2\"\napi = \"0.99\"\n[package.create_options]\nlanes = 8\n[package.environment]\nZAP_QUIET = \"1\"\n"
                   "[[package.file]]\nplatform = \"" + to_string(pier::host_platform()) + "\"\nfile = \"x.whl\"\nsize = 1\nsha256 = \"" +
                   std::string(64, 'a') + "\"\nmember = \"" + member + "\"\n");
    set("PIER_CATALOG", folder() / "catalog");
  }

  static std::vector<Candidate> found(const Resolution& resolution) {
    std::vector<Candidate> out;
    for (const Candidate& candidate : resolution.candidates)
      if (candidate.source == "python") out.push_back(candidate);
    return out;
  }

  static Candidate taken(std::string_view selector) {
    const Resolution whole = resolve(selector);
    const Resolution quick = resolve(selector, SearchDepth::until_found);
    const Candidate none;
    const Candidate& a = whole.taken() ? *whole.taken() : none;
    const Candidate& b = quick.taken() ? *quick.taken() : none;
    EXPECT_EQ(a.library, b.library) << selector;
    for (const Candidate& candidate : whole.candidates) EXPECT_FALSE(candidate.reason.empty()) << candidate.source;
    return a;
  }

 private:
  fs::path before_;
};

TEST_F(Python, APackageThatTheCatalogKnowsGetsItsIdOptionsAndVersion) {
  entry("zap", "Zap.PJRT_plugin", "zap_home/zap.so");
  const auto library = put(site() / "zap_home/zap.so");
  package("zap_pjrt_plugin-1.2");
  const Candidate candidate = taken("zap");
  EXPECT_EQ(candidate.library, library);
  EXPECT_EQ(candidate.source, "python");
  EXPECT_EQ(candidate.package, "zap-pjrt-plugin");
  EXPECT_EQ(candidate.version, "1.2");
  EXPECT_EQ(candidate.api_version, "0.99");
  EXPECT_EQ(candidate.labels, std::vector<std::string>{"gpu"});
  EXPECT_EQ(candidate.create_options.count("lanes"), 1u);
  EXPECT_THAT(candidate.environment, ElementsAre(std::pair<std::string, std::string>("ZAP_QUIET", "1")));
  EXPECT_EQ(candidate.found_in, site().string() + " (VIRTUAL_ENV)");
  EXPECT_EQ(taken("gpu").library, library);
  EXPECT_THAT(resolve("zap").places, Contains(site().string() + " (VIRTUAL_ENV): 1 plugin"));
  EXPECT_THAT(resolve("cpu").places, Contains(HasSubstr("1 plugin, 1 of them of other names")));
}

TEST_F(Python, AKnownPackageOfAnotherVersionIsFoundByItsRecord) {
  entry("zap", "zap-plugin", "zap_home/zap.so");
  const auto library = put(site() / "new_place/libpjrt_zap.so");
  package("zap_plugin-2.0rc1", "", "new_place/libpjrt_zap.so,sha256=x,1\n\"new, place/x.so\",,\n../../../out_plugin.so,,\n/abs_plugin.so,,\n");
  EXPECT_EQ(taken("zap").library, library);
  EXPECT_EQ(taken("zap").version, "2.0rc1");
  EXPECT_EQ(taken("zap").api_version, "") << "the catalog speaks of another version";
}

TEST_F(Python, EntryPointsOfBothGroupsNameAPluginAndItsFolderIsItsId) {
  const auto first = put(site() / "jax_plugins/warp9/lib/libpjrt_plugin_warp.so");
  const auto second = put(site() / "own_plugin/deep/pjrt_own.so");
  package("warp-3.1", "[console_scripts]\nx = y:z\n[jax_plugins]\nw = jax_plugins.warp9:initialize [extra]\n");
  package("own_plugin-0.1", "# a comment\n[xla_plugins]\nown = own_plugin.deep.entry\n[other]\nnot = jax_plugins\n");
  EXPECT_EQ(taken("warp9").library, first);
  EXPECT_EQ(taken("warp9").version, "3.1");
  EXPECT_EQ(taken("warp9").package, "warp");
  EXPECT_EQ(taken("deep").library, second);
  EXPECT_EQ(found(resolve("auto")).size(), 2u);
}

TEST_F(Python, ALibraryFarFromItsEntryPointIsFoundByTheRecord) {
  fs::create_directories(site() / "jax_plugins/far_metal");
  const auto library = put(site() / "far/_libs/pjrt_plugin_far.so");
  package("far_metal-1.0", "[jax_plugins]\nfar-metal = jax_plugins.far_metal\n", "far/_libs/pjrt_plugin_far.so,sha256=x,3\r\nfar/gone_plugin.so,,\r\n");
  EXPECT_EQ(taken("far_metal").library, library);
}

TEST_F(Python, NamespaceFoldersCountWithoutMetadata) {
  const auto plain = put(site() / "xla_plugins/plain/pjrt_plain.so");
  entry("zap", "zap-plugin", "jax_plugins/zap_home/zap_plugin.so");
  const auto known = put(site() / "jax_plugins/zap_home/zap_plugin.so");
  EXPECT_EQ(taken("plain").library, plain);
  EXPECT_EQ(taken("plain").version, "");
  EXPECT_EQ(taken("zap").library, known);
  EXPECT_EQ(taken("zap").create_options.count("lanes"), 1u);
}

TEST_F(Python, APackageWithoutALibraryIsReported) {
  fs::create_directories(site() / "jax_plugins/front");
  package("front-1.0", "[jax_plugins]\nfront = jax_plugins.front\n");
  const Resolution resolution = resolve("front");
  EXPECT_EQ(resolution.taken(), nullptr);
  EXPECT_THAT(resolution.places, Contains(HasSubstr("front 1.0 brings no plugin library")));
}

TEST_F(Python, WhatPierWasGivenComesFirstAndTheCatalogLast) {
  entry("zap", "zap-plugin", "zap_home/zap.so");
  const auto library = put(site() / "zap_home/zap.so");
  package("zap_plugin-1.2");
  EXPECT_EQ(taken("zap").library, library);
  std::vector<std::string> sources;
  for (const Candidate& candidate : resolve("zap").candidates) sources.push_back(candidate.source);
  EXPECT_THAT(sources, ElementsAre("python", "catalog"));

  pier::RegisterRequest request;
  request.id = "zap";
  request.probe = false;
  const auto mine = Home::library("mine.so", "null_table.so");
  pier::register_library(mine, request);
  for (const char* selector : {"zap", "gpu", "auto"}) EXPECT_EQ(taken(selector).library, mine) << selector;
  const Resolution resolution = resolve("zap");
  ASSERT_EQ(found(resolution).size(), 1u);
  EXPECT_THAT(found(resolution).front().reason, HasSubstr("not needed: registered zap"));
}

TEST_F(Python, AutoTakesOnlyWhatHasADeviceHere) {
  entry("zap", "zap-plugin", "zap_home/zap.so", "path:" + (folder() / "zap0").string());
  const auto library = put(site() / "zap_home/zap.so");
  package("zap_plugin-1.2");
  EXPECT_EQ(taken("auto").source, "catalog");
  write_file(folder() / "zap0", "");
  EXPECT_EQ(taken("auto").library, library);
}

TEST_F(Python, WhatOthersCanWriteIsRefused) {
  const auto library = put(site() / "jax_plugins/warp9/pjrt_warp.so");
  EXPECT_EQ(taken("warp9").library, library);
  ::chmod(library.c_str(), 0777);
  EXPECT_THAT(found(resolve("warp9")).front().reason, HasSubstr("everyone may write " + library.string()));
  EXPECT_EQ(taken("warp9").library, "");
  ::chmod(library.c_str(), 0755);
  // Whoever can write there can say what everything in it is, links to good libraries included.
  ::chmod(site().c_str(), 0777);
  const Resolution resolution = resolve("warp9");
  EXPECT_THAT(found(resolution), IsEmpty());
  EXPECT_THAT(resolution.places, Contains(HasSubstr("not used: everyone may write " + site().string())));
}

TEST_F(Python, ALinkIsJudgedByWhatItLeadsTo) {
  const auto real = put(folder() / "open/pjrt_warp.so");
  ::chmod(real.parent_path().c_str(), 0777);
  fs::create_directories(site() / "jax_plugins/warp9");
  fs::create_symlink(real, site() / "jax_plugins/warp9/pjrt_warp.so");
  const auto candidates = found(resolve("warp9"));
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates.front().library, real);
  EXPECT_THAT(candidates.front().reason, HasSubstr("everyone may write the folder"));
}

TEST_F(Python, ALibraryForAnotherMachineIsPassedOver) {
  write_file(site() / "jax_plugins/warp9/pjrt_warp.so", "no library at all");
  EXPECT_EQ(taken("warp9").library, "");
  EXPECT_FALSE(found(resolve("warp9")).front().reason.empty());
}

TEST_F(Python, EnvironmentsAreSearchedInTheirOrder) {
  unset("VIRTUAL_ENV");
  const auto in = [&](const fs::path& prefix, const std::string& python, const std::string& packages = "site-packages") {
    return put(prefix / "lib" / python / packages / "jax_plugins/warp9/pjrt_warp.so");
  };
  const auto conda_old = in(folder() / "conda", "python3.9");
  const auto conda = in(folder() / "conda", "python3.13");
  const auto here = in(folder() / "work/.venv", "python3.11");
  const auto user = in(folder() / "user/.local", "python3.11");
  const auto debian = in(folder() / "root/usr", "python3", "dist-packages");
  const auto local = in(folder() / "root/usr/local", "python3.11");
  set("CONDA_PREFIX", folder() / "conda");
  EXPECT_EQ(taken("warp9").library, conda);
  EXPECT_THAT(found(resolve("warp9")).front().found_in, HasSubstr("(CONDA_PREFIX)"));
  fs::remove(conda);
  EXPECT_EQ(taken("warp9").library, conda_old);
  unset("CONDA_PREFIX");
  EXPECT_EQ(taken("warp9").library, here);
  fs::remove_all(folder() / "work/.venv");
  EXPECT_EQ(taken("warp9").library, user);
  set("PYTHONUSERBASE", folder() / "elsewhere");
  EXPECT_EQ(taken("warp9").library, "");
  unset("PYTHONUSERBASE");
  EXPECT_THAT(resolve("warp9").places, Contains("VIRTUAL_ENV is not set"));

  std::vector<std::string> places;
  std::vector<fs::path> sites;
  for (const auto& site : pier::registry::python_site_folders(folder() / "root", places)) sites.push_back(site.path);
  const auto site_of = [](const fs::path& library) { return library.parent_path().parent_path().parent_path(); };
  EXPECT_THAT(sites, ElementsAre(site_of(user), site_of(local), site_of(debian)));
}

TEST_F(Python, PythonPathIsNotAPlaceOfPlugins) {
  put(folder() / "modules/jax_plugins/warp9/pjrt_warp.so");
  set("PYTHONPATH", folder() / "modules");
  EXPECT_EQ(taken("warp9").library, "");
}

TEST_F(Python, AVariableThatLeadsNowhereIsReported) {
  set("CONDA_PREFIX", "relative/env");
  set("VIRTUAL_ENV", folder() / "gone");
  const Resolution resolution = resolve("warp9");
  EXPECT_THAT(resolution.places, Contains("CONDA_PREFIX: 'relative/env' is not an absolute path"));
  EXPECT_THAT(resolution.places, Contains(HasSubstr("VIRTUAL_ENV: " + (folder() / "gone").string() + " has no packages")));
}

TEST_F(Python, NothingIsLoaded) {
  put(site() / "jax_plugins/warp9/pjrt_warp.so");
  fs::copy_file(fs::path(FAKE_PLUGIN_DIR) / "abort_in_constructor.so", site() / "jax_plugins/warp9/pjrt_bomb.so");
  EXPECT_EQ(found(resolve("warp9")).size(), 2u);
}

TEST(PythonMetadata, EntryPointsThatLeadOutOfTheFolderAreNone) {
  using pier::registry::plugin_entry_points;
  const auto modules = [](std::string_view text) {
    std::vector<std::string> out;
    for (const auto& point : plugin_entry_points(text)) out.push_back(point.module);
    return out;
  };
  EXPECT_THAT(modules("[jax_plugins]\na = ../x\nb = ..x\nc = /etc\nd = a..b\ne = .a\nf = a.\ng =\n= h\ni = ok.go\n"), ElementsAre("ok.go"));
  EXPECT_THAT(modules("[jax_plugins\nx = y\n"), ElementsAre("y"));
  EXPECT_THAT(modules("x = y\n[\n"), IsEmpty());
  EXPECT_THAT(modules(std::string(1000, '[')), IsEmpty());
}

TEST(PythonMetadata, RecordedPathsStayInTheFolder) {
  const auto paths = pier::registry::recorded_libraries("a/pjrt_x.so,sha256=1,2\n\"b,c/plugin.so\",,\n../pjrt_y.so,,\n/pjrt_z.so,,\na/../../pjrt.so,,\na/x.py,,\n,,\n\"");
  EXPECT_THAT(paths, ElementsAre("a/pjrt_x.so", "b,c/plugin.so"));
}

TEST_F(Python, AWalkEndsAtItsLimitsAndFollowsNoLink) {
  using pier::registry::plugin_libraries_below;
  for (int i = 0; i < 20; ++i) put(site() / "many" / std::to_string(i) / "pjrt_x.so");
  fs::create_directory_symlink(site(), site() / "many/loop");
  put(site() / "many/a/b/c/d/e/f/pjrt_deep.so");
  const auto all = plugin_libraries_below(site() / "many");
  EXPECT_EQ(all.paths.size(), 20u);
  EXPECT_FALSE(all.complete) << "one lies too deep";
  EXPECT_TRUE(plugin_libraries_below(site() / "many", {.depth = 10, .entries = 1000}).complete);
  const auto few = plugin_libraries_below(site() / "many", {.depth = 10, .entries = 10});
  EXPECT_LT(few.paths.size(), 10u);
  EXPECT_FALSE(few.complete);
}

#if defined(__linux__)
TEST_F(Python, AStartWithAPluginOfItsOwnDoesNotEvenLookThere) {
  const auto library = put(site() / "jax_plugins/warp9/pjrt_warp.so");
  pier::RegisterRequest request;
  request.id = "cpu";
  request.probe = false;
  pier::register_library(Home::library("cpu.so", "null_table.so"), request);
  const pier::Fd watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  for (const fs::path& place : {site(), site().parent_path(), site().parent_path().parent_path(), library.parent_path()})
    ASSERT_GE(::inotify_add_watch(watch.get(), place.c_str(), IN_OPEN | IN_ACCESS), 0);
  char events[4096];
  for (const char* selector : {"cpu", "auto"}) EXPECT_EQ(resolve(selector, SearchDepth::until_found).taken()->id, "cpu");
  EXPECT_LT(::read(watch.get(), events, sizeof events), 0) << "it opened something";
  EXPECT_EQ(resolve("warp9", SearchDepth::until_found).taken()->id, "warp9");
  EXPECT_GT(::read(watch.get(), events, sizeof events), 0);
}
#endif

}  // namespace
