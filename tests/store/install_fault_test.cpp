#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/store.h>

#include "base/file.h"
#include "base/platform.h"
#include "store/child.h"
#include "store/home.h"
#include "store/layout.h"

namespace pier::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class InstallFault : public testing::Test {
 protected:
  void serve(std::function<Reply(const Request&)> file) {
    server = std::make_unique<Server>(index_of(request, wheel, std::move(file)));
    set_env("PIER_INDEX_URL", server->url("/simple"));
  }
  int downloads() const { return server->count("/files/" + request.pin.file); }

  // Returns what went wrong.
  std::string install_in_child(const std::string& word) {
    const auto kept = home.path() / "wheel";
    if (!std::filesystem::exists(kept)) write_text(kept, wheel);
    const ChildEnd end = run_install_child(kept, "test", {word});
    return end.status == 0 ? "no error" : "status " + std::to_string(end.status) + ": " + end.errors;
  }
  // Because the system denies nothing to root.
  std::string install_as_nobody() { return install_in_child("nobody"); }

  // A home that the ordinary user owns.
  void give_away() {
    write_text(home.path() / "wheel", wheel);
    std::filesystem::permissions(home.path(), std::filesystem::perms::all);
    if (::geteuid() != 0) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home.path()))
      ASSERT_EQ(::chown(entry.path().c_str(), 65534, 65534), 0);
    ASSERT_EQ(::chown(home.path().c_str(), 65534, 65534), 0);
  }

  std::string failure() {
    try {
      install(request, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Home home;
  std::string wheel = plugin_wheel("1.0", 600'000);
  PluginRequest request = plugin_request(wheel);
  InstallOptions options{.load_test = [](const InstalledPlugin&) { return std::string("0.115"); }};
  std::unique_ptr<Server> server;
};

TEST_F(InstallFault, GoesOnAfterABrokenConnection) {
  serve([&](const Request& asked) {
    Reply reply = with_ranges(asked, wheel);
    if (asked.number == 1) reply.drop_after = wheel.size() / 2;
    return reply;
  });
  install(request, options);
  EXPECT_EQ(downloads(), 2);
  EXPECT_EQ(server->requests().back().headers.at("range"), "bytes=" + std::to_string(wheel.size() / 2) + "-");
}

TEST_F(InstallFault, GoesOnWhenTheServerOnlyClosesTheConnection) {
  serve([&](const Request& asked) {
    Reply reply = with_ranges(asked, wheel);
    reply.without_length = true;
    if (asked.number == 1) reply.drop_after = 100'000;
    return reply;
  });
  install(request, options);
  EXPECT_EQ(downloads(), 2);
}

TEST_F(InstallFault, StartsAnewWhenTheFileChangedMeanwhile) {
  const std::string other(wheel.size(), 'x');
  serve([&](const Request& asked) {
    if (asked.number == 1) {
      Reply reply = with_ranges(asked, other, "\"old\"");
      reply.drop_after = wheel.size() / 2;
      return reply;
    }
    return with_ranges(asked, wheel, "\"new\"");
  });
  install(request, options);
  // Half of the old one, the rest of the new one refused by its tag, all of the new one.
  EXPECT_EQ(downloads(), 3);
  EXPECT_FALSE(server->requests().back().headers.contains("range"));
}

TEST_F(InstallFault, StartsAnewWhenAnEarlierDownloadLeftOtherBytes) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  write_text(home.cache() / "downloads" / (request.pin.sha256 + ".part"), std::string(100'000, 'x'));
  install(request, options);
  EXPECT_EQ(downloads(), 2);
  EXPECT_EQ(installed_plugins().plugins.size(), 1u);
}

TEST_F(InstallFault, UsesAWholeEarlierDownload) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  write_text(home.cache() / "downloads" / (request.pin.sha256 + ".part"), wheel);
  options.offline = true;
  install(request, options);
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(InstallFault, RefusesAFileCutAtEvery64KiBAndGoesOnWithIt) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  const std::filesystem::path part = home.cache() / "downloads" / (request.pin.sha256 + ".part");
  const auto local = home.path() / "cut" / request.pin.file;
  for (std::size_t size = 0; size < wheel.size(); size += 64 << 10) {
    // A local file is refused, with no network to turn to.
    write_text(local, wheel.substr(0, size));
    options.find_links = {local.parent_path().native()};
    options.offline = true;
    EXPECT_THAT(failure(), AllOf(HasSubstr("not the pinned bytes"), HasSubstr(std::to_string(size) + " bytes"))) << size;
    options = {.load_test = options.load_test};
    EXPECT_TRUE(installed_plugins().plugins.empty()) << size;
    // An earlier download goes on from there.
    write_text(part, wheel.substr(0, size));
    install(request, options);
    EXPECT_EQ(server->requests().back().headers.contains("range"), size > 0) << size;
    EXPECT_TRUE(verify_plugin(installed_plugins().plugins.at(0)).empty()) << size;
    remove_plugin("test");
  }
}

TEST_F(InstallFault, GoesOnAfterAConnectionThatBreaksAtAny64KiB) {
  wheel = plugin_wheel("1.0", 200'000);
  request = plugin_request(wheel);
  for (std::size_t size = 64 << 10; size < wheel.size(); size += 64 << 10) {
    serve([&](const Request& asked) {
      Reply reply = with_ranges(asked, wheel);
      if (asked.number == 1) reply.drop_after = size;
      return reply;
    });
    install(request, options);
    EXPECT_EQ(server->requests().back().headers.at("range"), "bytes=" + std::to_string(size) + "-");
    remove_plugin("test");
  }
}

TEST_F(InstallFault, GetsThroughAnsweredErrorsThatPass) {
  for (const int status : {429, 500, 502, 503, 504, 408}) {
    serve([&](const Request& asked) -> Reply {
      if (asked.number == 1) return {.status = status, .headers = {{"Retry-After", "0"}}};
      return with_ranges(asked, wheel);
    });
    install(request, options);
    EXPECT_EQ(downloads(), 2) << status;
    remove_plugin("test");
  }
}

TEST_F(InstallFault, IsPatientWithASlowServer) {
  serve([&](const Request& asked) {
    Reply reply = with_ranges(asked, wheel);
    reply.chunk = 10'000;
    reply.pace = std::chrono::milliseconds(10);
    return reply;
  });
  install(request, options);
  EXPECT_EQ(downloads(), 1);
}

TEST_F(InstallFault, MakesTheFoldersThatAreMissing) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  set_env("PIER_HOME", (home.path() / "not/yet/there").native());
  EXPECT_EQ(install(request, options).outcome, Outcome::installed);
}

TEST_F(InstallFault, SaysThatThereIsNoHome) {
  // Only root can become somebody without an account.
  if (::geteuid() != 0) return;
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  give_away();
  EXPECT_THAT(install_in_child("homeless"), AllOf(HasSubstr("no home folder"), HasSubstr("PIER_HOME")));
}

TEST_F(InstallFault, RefusesOneFlippedBitAnywhere) {
  wheel = plugin_wheel();
  request = plugin_request(wheel);
  for (std::size_t at = 0; at < wheel.size(); at += std::min<std::size_t>(211, std::max<std::size_t>(wheel.size() - 1 - at, 1))) {
    std::string other = wheel;
    other[at] = static_cast<char>(other[at] ^ 0x10);
    serve([&](const Request& asked) { return with_ranges(asked, other); });
    try {
      install(request, options);
      FAIL() << at;
    } catch (const IntegrityError& error) {
      EXPECT_THAT(error.what(), HasSubstr(request.pin.sha256));
      EXPECT_THAT(error.what(), HasSubstr(sha256_hex(other)));
    }
    EXPECT_TRUE(installed_plugins().plugins.empty());
    EXPECT_EQ(temporaries_below(home.path()), 0);
    EXPECT_FALSE(std::filesystem::exists(home.cache() / "downloads" / (request.pin.sha256 + ".part")));
  }
}

TEST_F(InstallFault, RefusesAnotherLengthAtOnce) {
  serve([&](const Request&) -> Reply { return {.body = wheel + "more"}; });
  EXPECT_THAT(failure(), HasSubstr("announces"));
  serve([&](const Request&) -> Reply { return {.body = wheel + std::string(100'000, 'm'), .without_length = true}; });
  EXPECT_THAT(failure(), HasSubstr("more than"));
}

TEST_F(InstallFault, NamesAWebPageInPlaceOfTheFile) {
  serve([&](const Request&) -> Reply { return {.headers = {{"Content-Type", "text/html"}}, .body = "<html>log in</html>"}; });
  EXPECT_THAT(failure(), HasSubstr("web page"));
  std::string page = "<html>log in</html>";
  page.resize(wheel.size(), ' ');
  serve([&](const Request&) -> Reply { return {.body = page}; });
  EXPECT_THAT(failure(), HasSubstr("web page"));
  serve([&](const Request&) -> Reply { return {.status = 302, .headers = {{"Location", "/login"}}}; });
  EXPECT_THAT(failure(), HasSubstr("404"));
}

TEST_F(InstallFault, NamesForbiddenAndLimited) {
  serve([&](const Request&) -> Reply { return {.status = 403}; });
  EXPECT_THAT(failure(), HasSubstr("forbidden"));
  serve([&](const Request&) -> Reply { return {.status = 403, .headers = {{"X-RateLimit-Remaining", "0"}}}; });
  EXPECT_THAT(failure(), HasSubstr("rate limit"));
  serve([&](const Request&) -> Reply { return {.status = 404}; });
  EXPECT_THAT(failure(), HasSubstr("404"));
}

TEST_F(InstallFault, RefusesAFileThatComesCompressed) {
  serve([&](const Request&) -> Reply { return {.headers = {{"Content-Encoding", "gzip"}}, .body = "zzz"}; });
  EXPECT_THAT(failure(), HasSubstr("compressed"));
}

TEST_F(InstallFault, TellsADeniedFolderFromABusyLock) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  give_away();
  std::filesystem::create_directories(home.data());
  std::filesystem::permissions(home.data(), std::filesystem::perms(0555));
  const std::string message = install_as_nobody();
  EXPECT_THAT(message, HasSubstr("permission_denied"));
  EXPECT_THAT(message, HasSubstr(home.data().native()));
  EXPECT_THAT(message, HasSubstr("PIER_HOME"));
  EXPECT_THAT(message, testing::Not(HasSubstr("process")));
}

TEST_F(InstallFault, NamesALockThatCannotBeOpened) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  const auto lock = Layout(host_platform()).lock("test");
  write_text(lock, "");
  give_away();
  ASSERT_EQ(::chmod(lock.c_str(), 0), 0);
  const std::string message = install_as_nobody();
  EXPECT_THAT(message, HasSubstr("permission_denied"));
  EXPECT_THAT(message, HasSubstr("test.lock"));
  EXPECT_THAT(message, HasSubstr("PIER_HOME"));
}

TEST_F(InstallFault, NamesACacheThatCannotBeWritten) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  std::filesystem::create_directories(home.cache());
  give_away();
  ASSERT_EQ(::chmod(home.cache().c_str(), 0555), 0);
  const std::string message = install_as_nobody();
  EXPECT_THAT(message, HasSubstr("permission_denied"));
  EXPECT_THAT(message, HasSubstr(home.cache().native()));
}

TEST_F(InstallFault, InstallsAsAnOrdinaryUser) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  give_away();
  EXPECT_EQ(install_as_nobody(), "no error");
  EXPECT_EQ(installed_plugins().plugins.size(), 1u);
}

TEST_F(InstallFault, NamesAFileInPlaceOfAFolder) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  write_text(home.data() / "plugins", "not a folder");
  EXPECT_THAT(failure(), HasSubstr((home.data() / "plugins").native()));
}

TEST_F(InstallFault, WaitsForAnotherProcessNotForever) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  const auto path = Layout(host_platform()).lock("test");
  std::filesystem::create_directories(path.parent_path());
  const auto held = FileLock::try_acquire(path);
  ASSERT_TRUE(held);
  options.lock_timeout = std::chrono::milliseconds(300);
  bool waited = false;
  options.progress = [&](const Progress& progress) { waited = waited || progress.phase == Phase::waiting; };
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded);
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(::getpid())));
  }
  EXPECT_TRUE(waited);
}

TEST_F(InstallFault, SaysThatTheDiskIsFullAndGoesOnLater) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  EXPECT_THAT(install_in_child("small-files"), AllOf(HasSubstr("resource_exhausted"), HasSubstr("too large"), HasSubstr("PIER_HOME")));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
  EXPECT_THAT(install_in_child("full-disk"), AllOf(HasSubstr("resource_exhausted"), HasSubstr("No space left"), HasSubstr("PIER_HOME")));
  // What a disk took, and then refuses when the file is closed.
  EXPECT_THAT(install_in_child("refused-close"), AllOf(HasSubstr("resource_exhausted"), HasSubstr("quota"), HasSubstr("PIER_HOME")));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
  install(request, options);
  EXPECT_TRUE(verify_plugin(installed_plugins().plugins.at(0)).empty());
}

TEST_F(InstallFault, RefusesAFullDiskBeforeItStarts) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  request.pin.unpacked_size = std::uint64_t{1} << 60;
  EXPECT_THAT(failure(), HasSubstr("not enough space"));
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(InstallFault, SaysThatNoThreadCanBeStarted) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  give_away();
  EXPECT_THAT(install_in_child("no-threads"), AllOf(HasSubstr("resource_exhausted: cannot start a thread"), HasSubstr("ulimit -u")));
  EXPECT_TRUE(installed_plugins().plugins.empty());
}

TEST_F(InstallFault, SaysThatAnotherProgramChangedTheDownload) {
  const auto part = home.cache() / "downloads" / (request.pin.sha256 + ".part");
  serve([&](const Request& asked) {
    Reply reply = with_ranges(asked, wheel);
    reply.chunk = 20'000;
    reply.pace = std::chrono::milliseconds(20);
    return reply;
  });
  bool cut = false;
  options.progress = [&](const Progress& progress) {
    std::error_code ignored;
    // While its unpacking waits for more.
    if (progress.phase == Phase::downloading && progress.done > 200'000) std::filesystem::resize_file(part, 0, ignored), cut = true;
  };
  try {
    install(request, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_THAT(error.what(), HasSubstr("changed by another program"));
  }
  EXPECT_TRUE(cut);
  options.progress = {};
  install(request, options);
  EXPECT_TRUE(verify_plugin(installed_plugins().plugins.at(0)).empty());
}

TEST_F(InstallFault, KeepsADownloadThatIsNotAtFault) {
  const auto part = home.cache() / "downloads" / (request.pin.sha256 + ".part");
  write_text(part, wheel.substr(0, wheel.size() - 1000));
  const auto expect_kept = [&] { EXPECT_EQ(read_text(part).size(), wheel.size() - 1000); };
  // A login page in place of the rest, another length, another file on the index.
  serve([&](const Request&) -> Reply { return {.headers = {{"Content-Type", "text/html"}}, .body = "<html>log in</html>"}; });
  EXPECT_THAT(failure(), HasSubstr("web page"));
  expect_kept();
  serve([&](const Request&) -> Reply { return {.body = wheel + "more"}; });
  EXPECT_THAT(failure(), HasSubstr("announces"));
  expect_kept();
  PluginRequest other = request;
  other.pin.sha256 = std::string(64, 'b');
  server = std::make_unique<Server>(index_of(other, wheel));
  set_env("PIER_INDEX_URL", server->url("/simple"));
  EXPECT_THAT(failure(), HasSubstr("offers other bytes"));
  expect_kept();
  // A local file with other bytes.
  write_text(home.path() / "wheels" / request.pin.file, std::string(wheel.size(), 'x'));
  options.find_links = {(home.path() / "wheels").native()};
  EXPECT_THAT(failure(), HasSubstr("offers other bytes"));
  expect_kept();
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  install(request, options);
  EXPECT_EQ(server->requests().back().headers.at("range"), "bytes=" + std::to_string(wheel.size() - 1000) + "-");
}

TEST_F(InstallFault, TellsWhoIsWaitedForUntilItIsCancelled) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  const Layout layout(host_platform());
  for (const auto& path : {layout.lock("test"), home.cache() / "downloads" / (request.pin.sha256 + ".lock"), layout.manifests() / ".lock"}) {
    std::filesystem::create_directories(path.parent_path());
    const auto held = FileLock::try_acquire(path);
    ASSERT_TRUE(held);
    int turns = 0;
    options.progress = [&](const Progress& progress) {
      if (progress.phase != Phase::waiting) return;
      EXPECT_THAT(std::string(progress.name), HasSubstr(std::to_string(::getpid())));
      if (++turns == 5) throw std::runtime_error("cancelled");
    };
    EXPECT_THROW(install(request, options), std::runtime_error) << path;
    EXPECT_EQ(turns, 5) << path;
  }
}

TEST_F(InstallFault, PassesOverABadManifestAndReplacesIt) {
  serve([&](const Request& asked) { return with_ranges(asked, wheel); });
  write_text(Layout(host_platform()).manifest("test"), "not = [toml");
  write_text(Layout(host_platform()).manifest("other"), "schema = 1\nid = 'another'\nlibrary = '/x'\n");
  const Inventory before = installed_plugins();
  EXPECT_TRUE(before.plugins.empty());
  ASSERT_EQ(before.rejected.size(), 2u);
  EXPECT_THAT(before.rejected[0].reason, HasSubstr("not that of its id"));
  install(request, options);
  EXPECT_EQ(installed_plugins().plugins.size(), 1u);
}

TEST_F(InstallFault, ListsNothingWhoseLibraryIsAFolder) {
  write_text(home.data() / "manifests/cpu.toml", "schema = 1\nid = 'cpu'\nlibrary = '../manifests'\n");
  const Inventory inventory = installed_plugins();
  EXPECT_TRUE(inventory.plugins.empty());
  EXPECT_THAT(inventory.rejected.at(0).reason, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace pier::test
