#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <pier/error.h>
#include <pier/store.h>

#include "base/file.h"
#include "base/platform.h"
#include "store/home.h"
#include "store/layout.h"

namespace pier::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class InstallFromServer : public testing::Test {
 protected:
  void serve(std::function<Reply(const Request&)> file = {}) {
    server = std::make_unique<Server>(index_of(request, wheel, std::move(file)));
    set_env("PIER_INDEX_URL", server->url("/simple"));
  }
  int downloads() const { return server->count("/files/" + request.pin.file); }
  static InstalledPlugin only() {
    const Inventory inventory = installed_plugins();
    EXPECT_TRUE(inventory.rejected.empty()) << inventory.rejected.at(0).reason;
    EXPECT_EQ(inventory.plugins.size(), 1u);
    return inventory.plugins.empty() ? InstalledPlugin{} : inventory.plugins.front();
  }

  Home home;
  std::string wheel = plugin_wheel();
  PluginRequest request = plugin_request(wheel);
  InstallOptions options{.load_test = [](const InstalledPlugin&) { return std::string("0.115"); }};
  std::unique_ptr<Server> server;
};

TEST_F(InstallFromServer, BringsThePinnedPluginAndListsIt) {
  serve();
  request.create_options = {{"cpu_device_count", std::int64_t{1}}};
  request.environment = {{"SOME_FLAG", "1"}};
  const InstallResult result = install(request, options);
  EXPECT_EQ(result.outcome, Outcome::installed);
  EXPECT_EQ(downloads(), 1);
  const InstalledPlugin plugin = only();
  EXPECT_EQ(plugin.library, result.plugin.library);
  EXPECT_EQ(plugin.manifest, result.plugin.manifest);
  EXPECT_EQ(plugin.library.native(), (home.data() / "plugins/test" / ("1.0-" + request.pin.sha256.substr(0, 12)) / request.pin.member).native());
  EXPECT_EQ(read_text(plugin.library), host_library());
  EXPECT_EQ(plugin.origin, Origin::installed);
  EXPECT_EQ(plugin.labels, request.labels);
  EXPECT_EQ(plugin.priority, 10);
  EXPECT_EQ(plugin.api_version, "0.115");
  EXPECT_EQ(plugin.source, server->url("/simple"));
  EXPECT_EQ(plugin.create_options, request.create_options);
  EXPECT_EQ(plugin.environment, request.environment);
  EXPECT_EQ(plugin.sha256, request.pin.sha256);
  EXPECT_EQ(plugin.library_sha256, sha256_hex(host_library()));
  EXPECT_TRUE(verify_plugin(plugin).empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
  // The wheel's layout is kept; the archive itself is not.
  EXPECT_TRUE(std::filesystem::exists(plugin.root / "test_plugin/__init__.py"));
  EXPECT_FALSE(std::filesystem::exists(home.cache() / "downloads" / (request.pin.sha256 + ".part")));
}

TEST_F(InstallFromServer, AsksNobodyWhenItIsThere) {
  serve();
  install(request, options);
  server.reset();
  set_env("PIER_OFFLINE", "1");
  const InstallResult again = install(request, options);
  EXPECT_EQ(again.outcome, Outcome::already_installed);
  EXPECT_THAT(again.notes.at(0), HasSubstr(request.pin.sha256));
  EXPECT_EQ(again.plugin.manifest, Layout(host_platform()).manifest("test"));
  // It waits for nobody either.
  const auto held = FileLock::try_acquire(Layout(host_platform()).lock("test"));
  ASSERT_TRUE(held);
  options.lock_timeout = std::chrono::milliseconds(0);
  EXPECT_EQ(install(request, options).outcome, Outcome::already_installed);
}

TEST_F(InstallFromServer, RefusesTheNetworkWhenOffline) {
  serve();
  set_env("PIER_OFFLINE", "1");
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_available);
    EXPECT_THAT(error.what(), HasSubstr("pier install test"));
    EXPECT_THAT(error.what(), HasSubstr("PIER_OFFLINE"));
  }
  EXPECT_TRUE(server->requests().empty());
  EXPECT_TRUE(std::filesystem::is_empty(home.path()));
  options.find_links = {(home.path() / "missing").native()};
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing (--find-links): there is no such file or folder"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(home.path()));
}

TEST_F(InstallFromServer, TakesALocalIndexEvenOffline) {
  write_text(home.path() / "index/test-plugin/index.html", "<a href='../files/" + request.pin.file + "'>x</a>");
  write_text(home.path() / "index/files" / request.pin.file, wheel);
  options.index_url = (home.path() / "index").native();
  options.offline = true;
  EXPECT_EQ(install(request, options).plugin.source, (home.path() / "index").native());
}

TEST_F(InstallFromServer, TakesALocalFileOfThePinnedHashEvenOffline) {
  serve();
  write_text(home.path() / "wheels" / request.pin.file, wheel);
  options.find_links = {(home.path() / "wheels").native()};
  options.offline = true;
  EXPECT_EQ(install(request, options).plugin.source, (home.path() / "wheels").native());
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(InstallFromServer, PassesOverALocalFileWithOtherBytes) {
  serve();
  std::string other = wheel;
  other[other.size() / 2] = static_cast<char>(other[other.size() / 2] ^ 1);
  write_text(home.path() / "wheels" / request.pin.file, other);
  set_env("PIP_FIND_LINKS", (home.path() / "wheels").native());
  EXPECT_EQ(install(request, options).plugin.source, server->url("/simple"));
  EXPECT_TRUE(verify_plugin(only()).empty());
}

TEST_F(InstallFromServer, LooksForTheFileInEveryLocalPlace) {
  std::string other = wheel;
  other[other.size() / 2] = static_cast<char>(other[other.size() / 2] ^ 1);
  write_text(home.path() / "bad" / request.pin.file, other);
  write_text(home.path() / "worse" / request.pin.file, std::string(wheel.size(), 'x'));
  write_text(home.path() / "good" / request.pin.file, wheel);
  options.offline = true;
  options.find_links = {(home.path() / "bad").native(), (home.path() / "worse").native()};
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::integrity);
    EXPECT_THAT(error.what(), HasSubstr("bad: is not the pinned file"));
    EXPECT_THAT(error.what(), HasSubstr("worse: is not the pinned file"));
  }
  options.find_links.push_back((home.path() / "good").native());
  EXPECT_EQ(install(request, options).plugin.source, (home.path() / "good").native());
  EXPECT_TRUE(verify_plugin(only()).empty());
}

TEST_F(InstallFromServer, ReportsProgressOnTheCallersThread) {
  wheel = plugin_wheel("1.0", 4'000'000);
  request = plugin_request(wheel);
  serve();
  const auto caller = std::this_thread::get_id();
  std::vector<Phase> phases;
  std::uint64_t last = 0;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
    if (progress.phase != Phase::downloading) return;
    EXPECT_GE(progress.done, last);
    EXPECT_EQ(progress.total, wheel.size());
    last = progress.done;
  };
  install(request, options);
  EXPECT_EQ(last, wheel.size());
  for (const Phase phase : {Phase::searching, Phase::downloading, Phase::checking, Phase::loading, Phase::finishing})
    EXPECT_THAT(phases, Contains(phase)) << name(phase);
}

TEST_F(InstallFromServer, CanBeCancelledAndGoesOnLater) {
  wheel = plugin_wheel("1.0", 4'000'000);
  request = plugin_request(wheel);
  serve([&](const Request& asked) {
    Reply reply = with_ranges(asked, wheel);
    reply.chunk = 400'000;
    reply.pace = std::chrono::milliseconds(60);
    return reply;
  });
  options.progress = [&](const Progress& progress) {
    if (progress.phase == Phase::downloading && progress.done > 1'000'000) throw std::runtime_error("cancelled");
  };
  EXPECT_THROW(install(request, options), std::runtime_error);
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
  options.progress = {};
  install(request, options);
  EXPECT_TRUE(server->requests().back().headers.contains("range"));
  EXPECT_TRUE(verify_plugin(only()).empty());
}

TEST_F(InstallFromServer, KeepsTheOldVersionUntilTheNewOneIsWhole) {
  serve();
  install(request, options);
  const InstalledPlugin old = only();
  const std::string newer = plugin_wheel("2.0");
  const PluginRequest next = plugin_request(newer, "2.0");
  server = std::make_unique<Server>(index_of(next, newer));
  set_env("PIER_INDEX_URL", server->url("/simple"));
  options.load_test = [](const InstalledPlugin&) -> std::string { throw Error(ErrorCode::not_available, "it crashed"); };
  EXPECT_THROW(install(next, options), Error);
  EXPECT_EQ(only().version, "1.0");
  EXPECT_TRUE(verify_plugin(only()).empty());
  options.load_test = [](const InstalledPlugin&) { return std::string("0.116"); };
  EXPECT_EQ(install(next, options).outcome, Outcome::replaced);
  EXPECT_EQ(only().version, "2.0");
  // For going back: the old files stay, and need no network.
  EXPECT_TRUE(std::filesystem::exists(old.library));
  set_env("PIER_OFFLINE", "1");
  const InstallResult back = install(request, options);
  EXPECT_EQ(back.outcome, Outcome::replaced);
  EXPECT_EQ(only().version, "1.0");
}

TEST_F(InstallFromServer, DoesNotFetchAgainWhatFailedItsLoadTest) {
  serve();
  InstallOptions bad = options;
  bad.load_test = [](const InstalledPlugin& plugin) -> std::string {
    EXPECT_EQ(read_text(plugin.library), host_library());
    throw Error(ErrorCode::not_available, "the plugin hangs");
  };
  EXPECT_THROW(install(request, bad), Error);
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_TRUE(installed_plugins().rejected.empty());
  set_env("PIER_OFFLINE", "1");
  const InstallResult result = install(request, options);
  EXPECT_EQ(result.outcome, Outcome::installed);
  EXPECT_EQ(result.plugin.source, server->url("/simple"));
  EXPECT_EQ(downloads(), 1);
}

TEST_F(InstallFromServer, RefusesAWheelThatBringsOurManifest) {
  WheelBuilder builder;
  builder.file("test_plugin/lib/plugin.so", host_library()).file("pier-manifest.toml", "schema = 1\n");
  wheel = builder.build();
  request = plugin_request(wheel);
  serve();
  EXPECT_THROW(install(request, options), IntegrityError);
  EXPECT_TRUE(installed_plugins().plugins.empty());
}

TEST_F(InstallFromServer, RepairsADamagedLibrary) {
  serve();
  const auto library = install(request, options).plugin.library;
  write_text(library, host_library() + "damage");
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_THAT(installed_plugins().rejected.at(0).reason, HasSubstr("install it again"));
  const InstallResult result = install(request, options);
  EXPECT_EQ(result.outcome, Outcome::repaired);
  EXPECT_TRUE(verify_plugin(only()).empty());
  std::filesystem::remove(only().library);
  EXPECT_EQ(install(request, options).outcome, Outcome::repaired);
  EXPECT_TRUE(verify_plugin(only()).empty());
  std::filesystem::remove_all(only().root);
  EXPECT_EQ(install(request, options).outcome, Outcome::repaired);
}

TEST_F(InstallFromServer, RepairsALostOrShortenedCompanionFile) {
  serve();
  const auto companion = install(request, options).plugin.root / "test_plugin/__init__.py";
  std::filesystem::remove(companion);
  EXPECT_EQ(install(request, options).outcome, Outcome::repaired);
  EXPECT_TRUE(verify_plugin(only()).empty());
  write_text(only().root / "test_plugin/__init__.py", "short");
  EXPECT_EQ(install(request, options).outcome, Outcome::repaired);
  EXPECT_TRUE(verify_plugin(only()).empty());
  EXPECT_EQ(install(request, options).outcome, Outcome::already_installed);
}

TEST_F(InstallFromServer, NoticesOtherBytesOfTheSameSize) {
  serve();
  const auto library = install(request, options).plugin.library;
  std::string bytes = host_library();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_text(library, bytes);
  EXPECT_FALSE(verify_plugin(only()).empty());
  EXPECT_EQ(install(request, options).outcome, Outcome::repaired);
}

TEST_F(InstallFromServer, ReplacesByForce) {
  serve();
  install(request, options);
  options.force = true;
  EXPECT_EQ(install(request, options).outcome, Outcome::replaced);
  EXPECT_EQ(downloads(), 2);
  EXPECT_TRUE(verify_plugin(only()).empty());
  int folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(home.data() / "plugins/test")) folders += entry.is_directory();
  EXPECT_EQ(folders, 1);
}

TEST_F(InstallFromServer, BringsNewSettingsWithoutFetching) {
  serve();
  install(request, options);
  request.labels = {"cpu", "fast"};
  request.priority = 99;
  EXPECT_EQ(install(request, options).outcome, Outcome::already_installed);
  EXPECT_EQ(only().labels, request.labels);
  EXPECT_EQ(only().priority, 99);
  EXPECT_EQ(downloads(), 1);
}

TEST_F(InstallFromServer, KeepsForeignPlatformsApartAndUnloaded) {
  WheelBuilder builder;
  builder.file("test_plugin/lib/plugin.so", foreign_library());
  wheel = builder.build();
  request = plugin_request(wheel);
  request.pin.platform = foreign_platform();
  request.pin.min_system = "99.0";
  serve();
  options.load_test = [](const InstalledPlugin&) -> std::string { throw std::logic_error("never called"); };
  const InstallResult result = install(request, options);
  EXPECT_EQ(result.plugin.origin, Origin::foreign);
  EXPECT_THAT(result.plugin.library.native(), HasSubstr("/foreign/" + foreign_platform() + "/plugins/test/"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("cannot load")));
  EXPECT_EQ(only().origin, Origin::foreign);
  EXPECT_FALSE(remove_plugin("test"));
  EXPECT_TRUE(remove_plugin("test", foreign_platform()));
  EXPECT_TRUE(installed_plugins().plugins.empty());
}

TEST_F(InstallFromServer, RefusesALibraryForAnotherProcessor) {
  WheelBuilder builder;
  builder.file("test_plugin/lib/plugin.so", foreign_library());
  wheel = builder.build();
  request = plugin_request(wheel);
  serve();
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_available);
    EXPECT_THAT(error.what(), HasSubstr("test_plugin/lib/plugin.so of " + request.pin.file));
    EXPECT_THAT(error.what(), HasSubstr(foreign_platform().substr(foreign_platform().find('-') + 1)));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr(".pier-")));
  }
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
}

TEST_F(InstallFromServer, RefusesAWheelWithoutTheLibrary) {
  request.pin.member = "test_plugin/lib/other.so";
  serve();
  try {
    install(request, options);
    FAIL();
  } catch (const IntegrityError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it has test_plugin/lib/plugin.so"));
  }
}

TEST_F(InstallFromServer, RefusesASystemThatIsTooOldBeforeFetching) {
  if (!host_system_version()) FAIL() << "this machine's C library has no version; the promise cannot be shown here";
  request.pin.min_system = "99.0";
  serve();
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_available);
    EXPECT_THAT(error.what(), HasSubstr("99.0"));
  }
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(InstallFromServer, RefusesAnImpossibleRequest) {
  serve();
  const auto refused = [&](auto change) {
    PluginRequest bad = request;
    change(bad);
    try {
      install(bad, options);
      return false;
    } catch (const Error& error) {
      return error.code() == ErrorCode::invalid_argument;
    }
  };
  EXPECT_TRUE(refused([](PluginRequest& r) { r.id = "../evil"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.id = ""; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.id = "Upper"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.id = std::string(65, 'a'); }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.sha256 = "abc"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.file = "../x.whl"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.file = "x.exe"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.member = "/etc/passwd"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.member = "../x.so"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.version = "../1"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.package = "a/b"; }));
  EXPECT_TRUE(refused([](PluginRequest& r) { r.pin.platform = "amiga"; }));
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(InstallFromServer, InstallsAYankedPinAndSaysSo) {
  Server yanked([&](const Request& asked) -> Reply {
    if (asked.path == "/simple/test-plugin/")
      return {.body = R"({"files": [{"filename": ")" + request.pin.file + R"(", "url": "/w.whl", "yanked": "crashes on Mondays"}]})"};
    return with_ranges(asked, wheel);
  });
  options.index_url = yanked.url("/simple");
  EXPECT_THAT(install(request, options).notes, Contains(HasSubstr("crashes on Mondays")));
}

TEST_F(InstallFromServer, IsRemovedWithItsManifest) {
  serve();
  install(request, options);
  EXPECT_TRUE(remove_plugin("test"));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_FALSE(std::filesystem::exists(home.data() / "plugins/test"));
  EXPECT_FALSE(remove_plugin("test"));
  EXPECT_FALSE(remove_plugin("never-there"));
  EXPECT_THROW(remove_plugin("../.."), Error);
  EXPECT_EQ(install(request, options).outcome, Outcome::installed);
}

TEST_F(InstallFromServer, WorksUnderAStrictUmask) {
  serve();
  const mode_t before = ::umask(077);
  install(request, options);
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(only().library.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_TRUE(verify_plugin(only()).empty());
}

TEST_F(InstallFromServer, LetsOnlyTheOwnerWriteWhateverTheUmask) {
  serve();
  const mode_t before = ::umask(0);
  install(request, options);
  ::umask(before);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home.data())) {
    struct stat status {};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    // Locks hold a hint for people and nothing else.
    const std::string name = entry.path().filename().native();
    if (!name.ends_with(".lock")) {
      EXPECT_EQ(status.st_mode & 07777, S_ISDIR(status.st_mode) ? 0755u : 0644u) << entry.path();
    }
  }
}

TEST_F(InstallFromServer, FindsItsFilesUnderAHomeWithDots) {
  serve();
  std::filesystem::create_directories(home.path() / "deep/target");
  std::filesystem::create_directory_symlink("deep/target", home.path() / "link");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(home.path() / "deep");
  int downloads_before = 0;
  const std::vector<std::string> places = {"./x", "../y", (home.path() / "link/../z").native(), (home.path() / "w/").native()};
  for (const std::string& place : places) {
    set_env("PIER_HOME", place);
    const auto first = install(request, options).plugin;
    EXPECT_EQ(downloads(), ++downloads_before) << place;
    EXPECT_EQ(install(request, options).outcome, Outcome::already_installed) << place;
    EXPECT_TRUE(verify_plugin(only()).empty()) << place;
    // Without its manifest the folder is taken again, and nothing is fetched.
    std::filesystem::remove(first.manifest);
    EXPECT_EQ(install(request, options).plugin.library, first.library) << place;
    EXPECT_EQ(only().library, first.library) << place;
    EXPECT_EQ(downloads(), downloads_before) << place;
  }
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(home.path() / "deep/z/data/manifests/test.toml"));
}

TEST_F(InstallFromServer, SaysWhatFailedWhenItTakesAFolderAgain) {
  serve();
  options.load_test = {};
  install(request, options);
  std::filesystem::remove(Layout(host_platform()).manifest("test"));
  options.load_test = [](const InstalledPlugin&) -> std::string { throw Error(ErrorCode::not_available, "it crashed"); };
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it crashed"));
  }
  options.load_test = [](const InstalledPlugin&) -> std::string { throw std::runtime_error("cancelled"); };
  EXPECT_THROW(install(request, options), std::runtime_error);
  EXPECT_EQ(downloads(), 1);
  options.load_test = [](const InstalledPlugin&) { return std::string("0.115"); };
  EXPECT_EQ(install(request, options).plugin.manifest, Layout(host_platform()).manifest("test"));
  EXPECT_EQ(downloads(), 1);
}

TEST_F(InstallFromServer, RefusesSettingsThatCannotBeReadBackBeforeItFetches) {
  serve();
  request.environment = {{"A-B", "1"}};
  EXPECT_THROW(install(request, options), Error);
  request.environment.clear();
  request.labels = {"not a label"};
  EXPECT_THROW(install(request, options), Error);
  EXPECT_TRUE(server->requests().empty());
  EXPECT_TRUE(std::filesystem::is_empty(home.path()));
}

TEST_F(InstallFromServer, RemovesDownloadsThatNobodyWentOnWith) {
  serve();
  const auto folder = home.cache() / "downloads";
  const std::string old(64, 'a');
  const std::string fresh(64, 'b');
  const std::string busy(64, 'c');
  for (const auto& name : {old, fresh, busy})
    for (const char* extension : {".part", ".state", ".lock"}) write_text(folder / (name + extension), "x");
  const auto held = FileLock::try_acquire(folder / (busy + ".lock"));
  ASSERT_TRUE(held);
  for (const auto& name : {old, busy})
    for (const char* extension : {".part", ".state", ".lock"})
      std::filesystem::last_write_time(folder / (name + extension), std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 31));
  install(request, options);
  for (const char* extension : {".part", ".state", ".lock"}) {
    EXPECT_FALSE(std::filesystem::exists(folder / (old + extension)));
    EXPECT_TRUE(std::filesystem::exists(folder / (fresh + extension)));
    EXPECT_TRUE(std::filesystem::exists(folder / (busy + extension)));
  }
}

TEST_F(InstallFromServer, WritesNoCredentialsAnywhere) {
  serve();
  std::string url = server->url("/simple");
  url.insert(7, "user:topsecret@");
  set_env("PIER_INDEX_URL", url);
  install(request, options);
  EXPECT_EQ(only().source, server->url("/simple"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home.path()))
    EXPECT_FALSE(entry.is_regular_file() && read_text(entry.path()).find("topsecret") != std::string::npos) << entry.path();
}

TEST_F(InstallFromServer, NeverRunsWhatAWheelBrings) {
  WheelBuilder builder;
  builder.file("test_plugin/lib/plugin.so", host_library());
  builder.file("evil.pth", "import os; os.system('touch " + (home.path() / "ran").native() + "')\n");
  builder.file("test_plugin-1.0.data/scripts/run.sh", "#!/bin/sh\ntouch '" + (home.path() / "ran").native() + "'\n");
  wheel = builder.build();
  request = plugin_request(wheel);
  serve();
  install(request, options);
  EXPECT_FALSE(std::filesystem::exists(home.path() / "ran"));
}

TEST_F(InstallFromServer, IsNotListedWithoutItsManifest) {
  serve();
  install(request, options);
  std::filesystem::remove(Layout(host_platform()).manifest("test"));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  // The files are whole, so they are used again without the network.
  set_env("PIER_OFFLINE", "1");
  EXPECT_EQ(install(request, options).outcome, Outcome::installed);
  EXPECT_EQ(only().api_version, "0.115");
}

TEST_F(InstallFromServer, CanBeMovedToAnotherPlace) {
  serve();
  install(request, options);
  std::filesystem::rename(home.data(), home.path() / "elsewhere");
  std::filesystem::create_directories(home.path() / "new");
  std::filesystem::rename(home.path() / "elsewhere", home.path() / "new/data");
  set_env("PIER_HOME", (home.path() / "new").native());
  EXPECT_TRUE(verify_plugin(only()).empty());
  EXPECT_TRUE(only().library.native().starts_with((home.path() / "new").native()));
}

}  // namespace
}  // namespace pier::test
