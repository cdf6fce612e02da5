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
#include <pier/log.h>
#include <pier/store.h>

#include "store/home.h"
#include "store/in_use.h"

namespace pier::test {
namespace {

using std::chrono::milliseconds;

class Processes : public testing::Test {
 protected:
  Processes() { serve(); }

  void serve() {
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
    const auto kept = home.path() / ("wheel " + what.pin.version);
    if (!std::filesystem::exists(kept)) write_text(kept, wheel);
    std::vector<std::string> words = {PIER_TEST_INSTALL_CHILD, kept, what.id, "version=" + what.pin.version};
    if (options.force) words.emplace_back("force");
    for (const Pin& companion : what.companions) words.push_back("with=" + companion.package);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = -1;
    if (::posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) throw std::runtime_error("no child");
    return child;
  }

  // Kills installs at random instants of the time that a whole one takes; whatever happens, the old state or the new one is there.
  void kill_at_random(int rounds, int at_least, const PluginRequest& other) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(exit_status(start(request)), 0);
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    std::mt19937 random(11);
    int killed = 0;
    for (int round = 0; round < rounds; ++round) {
      if (round % 4 == 0) remove_plugin("test");
      options.force = round % 4 == 1;
      const bool was_there = !installed_plugins().plugins.empty();
      const pid_t child = start(round % 4 == 2 ? other : request);
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
    EXPECT_GE(killed, at_least);
    ASSERT_EQ(exit_status(start(request)), 0);
    options.force = true;
    ASSERT_EQ(exit_status(start(request)), 0);
    expect_nothing_half_done();
    EXPECT_EQ(installed_plugins().plugins.size(), 1u);
    EXPECT_EQ(temporaries_below(home.path()), 0);
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
  wheel = plugin_wheel("1.0", 300'000);
  request = plugin_request(wheel);
  serve();
  kill_at_random(200, 60, request);
}

TEST_F(Processes, WithCompanionsLeaveTheOldStateOrTheNewOneWhenKilled) {
  wheel = plugin_wheel("1.0", 100'000);
  request = plugin_request(wheel);
  std::vector<Goods> goods = {{request.pin, wheel}};
  for (const char* name : {"one", "two", "three", "four", "five"}) {
    const std::string bytes = companion_wheel(name, 150'000);
    write_text(home.path() / (std::string(name) + ".whl"), bytes);
    request.companions.push_back(companion_pin(name, bytes));
    goods.push_back({request.companions.back(), bytes});
  }
  server = std::make_unique<Server>(index_of_all(goods, [](const Goods& one, const Request& asked) -> std::optional<Reply> {
    Reply reply = with_ranges(asked, one.bytes);
    reply.chunk = 16 << 10;
    reply.pace = milliseconds(1);
    return reply;
  }));
  set_env("PIER_INDEX_URL", server->url("/simple"));
  PluginRequest other = request;
  other.companions.pop_back();
  kill_at_random(100, 30, other);
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
  for (int i = 0; i < 16; ++i) children.push_back(start(request));
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
    for (int i = 0; i < 4; ++i) children.push_back(start(other));
  }
  for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  expect_nothing_half_done();
  EXPECT_EQ(installed_plugins().plugins.size(), 4u);
  // The bytes of one serve the others that come meanwhile, but one that comes later fetches them again.
  EXPECT_LE(server->count("/files/" + request.pin.file), 4);
}

TEST_F(Processes, ThatWantDifferentPluginsDownloadEachOnce) {
  std::vector<Goods> goods;
  std::vector<PluginRequest> requests;
  for (const char* version : {"1.0", "2.0", "3.0", "4.0"}) {
    const std::string bytes = plugin_wheel(version, 200'000);
    write_text(home.path() / (std::string("wheel ") + version), bytes);
    requests.push_back(plugin_request(bytes, version));
    requests.back().id = std::string("v") + version;
    goods.push_back({requests.back().pin, bytes});
  }
  server = std::make_unique<Server>(index_of_all(goods));
  set_env("PIER_INDEX_URL", server->url("/simple"));
  std::vector<pid_t> children;
  for (int i = 0; i < 16; ++i) children.push_back(start(requests[static_cast<std::size_t>(i) % requests.size()]));
  for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  for (const Goods& one : goods) EXPECT_EQ(server->count("/files/" + one.pin.file), 1);
  expect_nothing_half_done();
  EXPECT_EQ(installed_plugins().plugins.size(), 4u);
}

// What a process has loaded stays whole, whatever others do meanwhile.
TEST_F(Processes, MayReplaceAndRemoveWhatOthersHaveLoaded) {
  wheel = plugin_wheel("1.0", 50'000);
  request = plugin_request(wheel);
  serve();
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; i < 12; ++i) {
      options.force = i % 3 == 1;
      exit_status(start(request));
      if (i % 3 == 2) remove_plugin("test");
    }
    stop = true;
  });
  set_log_callback([](LogLevel, std::string_view) {});
  int held = 0;
  while (!stop) {
    for (const InstalledPlugin& plugin : installed_plugins().plugins) {
      Fd use;
      try {
        use = hold_in_use(plugin.root);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_available);
      }
      if (!use.valid()) continue;
      ++held;
      for (int turn = 0; turn < 20; ++turn) {
        const auto wrong = verify_plugin(plugin);
        ASSERT_TRUE(wrong.empty()) << wrong.at(0);
        std::this_thread::sleep_for(milliseconds(2));
      }
    }
  }
  writer.join();
  set_log_callback({});
  EXPECT_GT(held, 0);
  // What was left for its users goes with the next removal.
  remove_plugin("test");
  EXPECT_FALSE(std::filesystem::exists(home.data() / "plugins/test"));
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
