#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/store.h>

#include "store/home.h"

namespace pier::test {
namespace {

using std::chrono::milliseconds;

class Processes : public testing::Test {
 protected:
  Processes() {
    server = std::make_unique<Server>(index_of(request, wheel, [this](const Request& asked) {
      Reply reply = with_ranges(asked, wheel);
      // Spread out, so that the instants of the kills are, too.
      reply.chunk = 64 << 10;
      reply.pace = milliseconds(1);
      return reply;
    }));
    set_env("PIER_INDEX_URL", server->url("/simple"));
  }

  // A process of its own: a fork of this one would inherit the server's locks in any state.
  pid_t start(const PluginRequest& what) {
    const auto kept = home.path() / "wheel";
    if (!std::filesystem::exists(kept)) write_text(kept, wheel);
    std::string id = what.id;
    std::string force = options.force ? "force" : "";
    std::string program = PIER_TEST_INSTALL_CHILD;
    std::string file = kept;
    std::array<char*, 5> words{program.data(), file.data(), id.data(), force.data(), nullptr};
    pid_t child = -1;
    if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, words.data(), environ) != 0) throw std::runtime_error("no child");
    return child;
  }

  // What any reader may find at any time: nothing, or a whole plugin.
  void expect_nothing_half_done() {
    const Inventory inventory = installed_plugins();
    EXPECT_TRUE(inventory.rejected.empty()) << inventory.rejected.at(0).reason;
    for (const InstalledPlugin& plugin : inventory.plugins) EXPECT_TRUE(verify_plugin(plugin).empty()) << verify_plugin(plugin).at(0);
  }

  static int exit_status(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  Home home;
  std::string wheel = plugin_wheel("1.0", 2'000'000);
  PluginRequest request = plugin_request(wheel);
  InstallOptions options{.load_test = [](const InstalledPlugin&) { return std::string("0.115"); }};
  std::unique_ptr<Server> server;
};

TEST_F(Processes, LeaveTheOldStateOrTheNewOneWhenKilled) {
  // How long a whole install takes here and now, to spread the kills over it.
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(exit_status(start(request)), 0);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  std::mt19937 random(11);
  int killed = 0;
  for (int round = 0; round < 60; ++round) {
    if (round % 3 == 0) remove_plugin("test");
    else options.force = round % 3 == 1;
    const bool was_there = !installed_plugins().plugins.empty();
    const pid_t child = start(request);
    std::this_thread::sleep_for(whole * std::uniform_int_distribution<int>(0, 1000)(random) / 900);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    expect_nothing_half_done();
    // What was there stays until the new one takes its place.
    if (was_there) {
      EXPECT_EQ(installed_plugins().plugins.size(), 1u) << round;
    }
    options.force = false;
  }
  EXPECT_GE(killed, 20);
  ASSERT_EQ(exit_status(start(request)), 0);
  options.force = true;
  ASSERT_EQ(exit_status(start(request)), 0);
  expect_nothing_half_done();
  EXPECT_EQ(installed_plugins().plugins.size(), 1u);
  EXPECT_EQ(temporaries_below(home.path()), 0);
}

TEST_F(Processes, GoOnWithTheDownloadOfOneThatWasKilled) {
  const pid_t child = start(request);
  const auto part = home.cache() / "downloads" / (request.pin.sha256 + ".part");
  std::error_code error;
  for (int i = 0; i < 5000; ++i) {
    if (const auto size = std::filesystem::file_size(part, error); !error && size > 200'000) break;
    std::this_thread::sleep_for(milliseconds(1));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(exit_status(start(request)), 0);
  EXPECT_TRUE(server->requests().back().headers.contains("range"));
  expect_nothing_half_done();
}

TEST_F(Processes, ThatWantTheSameDownloadItOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) children.push_back(start(request));
  for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  EXPECT_EQ(server->count("/files/" + request.pin.file), 1);
  EXPECT_EQ(server->count("/simple/test-plugin/"), 1);
  expect_nothing_half_done();
}

TEST_F(Processes, ThatWantTheSameFileUnderOtherIdsGetItAll) {
  std::vector<pid_t> children;
  for (const char* id : {"one", "two", "three", "four"}) {
    PluginRequest other = request;
    other.id = id;
    children.push_back(start(other));
    children.push_back(start(other));
  }
  for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  expect_nothing_half_done();
  EXPECT_EQ(installed_plugins().plugins.size(), 4u);
}

TEST_F(Processes, ReadWholeManifestsWhileOthersInstallAndRemove) {
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; i < 12; ++i) {
      const pid_t child = start(request);
      exit_status(child);
      if (i % 2 == 0) remove_plugin("test");
    }
    stop = true;
  });
  int seen = 0;
  while (!stop) {
    const Inventory inventory = installed_plugins();
    // A library may go between the reading of its manifest and the look at it; a manifest may never be broken.
    for (const RejectedManifest& rejected : inventory.rejected) EXPECT_EQ(rejected.reason.find("line"), std::string::npos) << rejected.reason;
    seen += static_cast<int>(inventory.plugins.size());
  }
  writer.join();
  EXPECT_GT(seen, 0);
}

TEST_F(Processes, AsThreadsOfOneProcessDownloadItOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> fresh{0};
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] { fresh += install(request, options).outcome == Outcome::installed; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(fresh, 1);
  EXPECT_EQ(server->count("/files/" + request.pin.file), 1);
}

}  // namespace
}  // namespace pier::test
