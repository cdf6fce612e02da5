#include <atomic>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>
#include <pier/store.h>

#include "store/home.h"
#include "store/layout.h"

namespace pier::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using std::chrono::milliseconds;

class Companions : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& bytes) {
    request.companions.push_back(companion_pin(name, bytes));
    goods.push_back({request.companions.back(), bytes});
  }
  void add(const std::string& name, std::size_t padding = 0) { add(name, companion_wheel(name, padding)); }

  void serve(std::function<std::optional<Reply>(const Goods&, const Request&)> file = {}) {
    server = std::make_unique<Server>(index_of_all(goods, std::move(file)));
    set_env("PIER_INDEX_URL", server->url("/simple"));
  }

  std::string failure() {
    try {
      install(request, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path part(const Pin& pin) const { return home.cache() / "downloads" / (pin.sha256 + ".part"); }

  static InstalledPlugin only() { return installed_plugins().plugins.at(0); }

  Home home;
  std::string wheel = plugin_wheel();
  PluginRequest request = plugin_request(wheel);
  std::vector<Goods> goods{{request.pin, wheel}};
  InstallOptions options{.load_test = [](const InstalledPlugin&) { return std::string("0.115"); }};
  std::unique_ptr<Server> server;
};

TEST_F(Companions, LieInOneFolderWithThePlugin) {
  add("one");
  add("two");
  serve();
  options.load_test = [&](const InstalledPlugin& plugin) {
    EXPECT_TRUE(std::filesystem::exists(plugin.root / "shared/two/lib/libtwo.so.1"));
    EXPECT_TRUE(std::filesystem::exists(plugin.companions.at(0).libraries.at(0)));
    return std::string("0.115");
  };
  EXPECT_EQ(install(request, options).outcome, Outcome::installed);
  const InstalledPlugin plugin = only();
  ASSERT_EQ(plugin.companions.size(), 2u);
  EXPECT_EQ(plugin.companions[0].package, "one");
  EXPECT_EQ(plugin.companions[0].version, "2.5");
  EXPECT_EQ(plugin.companions[0].file, request.companions[0].file);
  EXPECT_EQ(plugin.companions[1].sha256, request.companions[1].sha256);
  EXPECT_EQ(plugin.companions[1].libraries, std::vector<std::filesystem::path>{plugin.root / "shared/two/lib/libtwo.so.1"});
  EXPECT_TRUE(std::filesystem::exists(plugin.root / "shared/one/lib/libone.so.1"));
  EXPECT_TRUE(std::filesystem::exists(plugin.root / request.pin.member));
  EXPECT_TRUE(verify_plugin(plugin).empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
  for (const Goods& one : goods) EXPECT_FALSE(std::filesystem::exists(part(one.pin)));

  const auto before = server->requests().size();
  EXPECT_EQ(install(request, options).outcome, Outcome::already_installed);
  EXPECT_EQ(server->requests().size(), before);
}

TEST_F(Companions, ComeFourAtATime) {
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) add(name);
  std::atomic<int> now{0};
  std::atomic<int> most{0};
  serve([&](const Goods& one, const Request& asked) -> std::optional<Reply> {
    const int count = ++now;
    for (int seen = most; count > seen && !most.compare_exchange_weak(seen, count);) {
    }
    // Until the others are there as well, or have had the time.
    for (int turn = 0; turn < 100 && most < 4; ++turn) std::this_thread::sleep_for(milliseconds(10));
    --now;
    return with_ranges(asked, one.bytes);
  });
  install(request, options);
  EXPECT_EQ(most, 4);
  EXPECT_EQ(only().companions.size(), 7u);
}

TEST_F(Companions, MayBringTheSameFileOnlyWithTheSameBytes) {
  add("one");
  add("two", WheelBuilder("two", "2.5").file("shared/__init__.py", "other").build());
  serve();
  EXPECT_THAT(failure(), AllOf(HasSubstr("two-2.5-py3-none-any.whl"), HasSubstr("shared/__init__.py")));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
}

TEST_F(Companions, MayNotMeetOnADiskThatIgnoresCase) {
  add("one");
  add("two", WheelBuilder("two", "2.5").file("Shared/x", "x").build());
  serve();
  EXPECT_THAT(failure(), HasSubstr("upper and lower case"));
  EXPECT_TRUE(installed_plugins().plugins.empty());
}

TEST_F(Companions, MayNotBringWhatOnlyPierWrites) {
  for (const char* name : {"pier-manifest.toml", "pier-record.csv"}) {
    request.companions.clear();
    goods.resize(1);
    add("two", WheelBuilder("two", "2.5").file(name, "x").build());
    serve();
    EXPECT_THAT(failure(), HasSubstr(name));
    EXPECT_TRUE(installed_plugins().plugins.empty());
  }
}

TEST_F(Companions, AreEachComparedWithPinAndRecord) {
  add("one");
  std::string changed = goods[1].bytes;
  changed[changed.size() / 2] ^= 1;
  serve([&](const Goods& one, const Request&) -> std::optional<Reply> {
    if (one.pin.package == "one") return Reply{.body = changed};
    return std::nullopt;
  });
  EXPECT_THAT(failure(), AllOf(HasSubstr("one-2.5-py3-none-any.whl is not the pinned file"), HasSubstr(goods[1].pin.sha256)));
  request.companions.clear();
  goods.resize(1);
  add("two", WheelBuilder("two", "2.5").file("x", "x").record_line("x", WheelBuilder::record_row("x", "y")).build());
  serve();
  EXPECT_THAT(failure(), HasSubstr("does not agree with its own record"));
  EXPECT_TRUE(installed_plugins().plugins.empty());
}

TEST_F(Companions, AddUpInOneProgress) {
  for (const char* name : {"a", "b", "c", "d", "e"}) add(name, 200'000);
  serve([&](const Goods& one, const Request& asked) -> std::optional<Reply> {
    Reply reply = with_ranges(asked, one.bytes);
    reply.chunk = 20'000;
    reply.pace = milliseconds(10);
    return reply;
  });
  std::uint64_t total = 0;
  for (const Goods& one : goods) total += one.pin.size;
  const auto caller = std::this_thread::get_id();
  std::uint64_t last = 0;
  int steps = 0;
  std::set<std::string> names;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    if (progress.phase != Phase::downloading) return;
    EXPECT_EQ(progress.total, total);
    EXPECT_GE(progress.done, last);
    EXPECT_LE(progress.done, total);
    last = progress.done;
    ++steps;
    names.emplace(progress.name);
  };
  install(request, options);
  EXPECT_GT(steps, 3);
  EXPECT_GT(last, total / 2);
  EXPECT_THAT(names, Contains(HasSubstr("-2.5-py3-none-any.whl")));
}

TEST_F(Companions, OneThatFailsEndsTheOthersAndKeepsWhatCame) {
  for (const char* name : {"a", "b", "c"}) add(name, 400'000);
  std::atomic<bool> broken{true};
  serve([&](const Goods& one, const Request& asked) -> std::optional<Reply> {
    Reply reply = with_ranges(asked, one.bytes);
    if (!broken) return reply;
    if (one.pin.package != "c") {
      // Would last for twenty seconds.
      reply.chunk = 2'000;
      reply.pace = milliseconds(100);
      return reply;
    }
    std::this_thread::sleep_for(milliseconds(400));
    return Reply{.status = 403};
  });
  EXPECT_THAT(failure(), HasSubstr("forbidden"));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_GT(std::filesystem::file_size(part(goods[i].pin)), 0u);
    EXPECT_LT(std::filesystem::file_size(part(goods[i].pin)), goods[i].pin.size);
  }
  // The plugin's own package had come.
  EXPECT_EQ(std::filesystem::file_size(part(goods[0].pin)), goods[0].pin.size);
  broken = false;
  const int before = server->count("/files/" + goods[0].pin.file);
  install(request, options);
  EXPECT_EQ(server->count("/files/" + goods[0].pin.file), before);
  int resumed = 0;
  for (const Request& asked : server->requests()) resumed += asked.headers.contains("range");
  EXPECT_EQ(resumed, 2);
  EXPECT_TRUE(verify_plugin(only()).empty());
}

TEST_F(Companions, CanBeCancelledByTheCallersProgress) {
  for (const char* name : {"a", "b"}) add(name, 200'000);
  serve([&](const Goods& one, const Request& asked) -> std::optional<Reply> {
    Reply reply = with_ranges(asked, one.bytes);
    reply.chunk = 2'000;
    reply.pace = milliseconds(100);
    return reply;
  });
  options.progress = [&](const Progress& progress) {
    if (progress.phase == Phase::downloading && progress.done > 0) throw std::runtime_error("cancelled");
  };
  EXPECT_THROW(install(request, options), std::runtime_error);
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_EQ(temporaries_below(home.path()), 0);
}

TEST_F(Companions, NeedRoomForAllOfThem) {
  add("one");
  add("two");
  serve();
  // Each would fit, the sum does not.
  const auto space = std::filesystem::space(home.path());
  for (Pin& pin : request.companions) pin.unpacked_size = space.available * 2 / 3;
  EXPECT_THAT(failure(), HasSubstr("not enough space"));
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(Companions, OfAnotherSetAreAnotherFolder) {
  serve();
  const auto alone = install(request, options).plugin.root;
  add("one");
  serve();
  const InstallResult with = install(request, options);
  EXPECT_EQ(with.outcome, Outcome::replaced);
  EXPECT_NE(with.plugin.root, alone);
  EXPECT_THAT(with.notes, Contains(HasSubstr("before: test-plugin 1.0")));
  EXPECT_TRUE(std::filesystem::exists(alone)) << "for going back";
  // Back, with nothing to fetch.
  request.companions.clear();
  const auto before = server->requests().size();
  EXPECT_EQ(install(request, options).plugin.root, alone);
  EXPECT_EQ(server->requests().size(), before);
}

TEST_F(Companions, InAnotherOrderAreTheSameSet) {
  add("one");
  add("two");
  serve();
  install(request, options);
  std::swap(request.companions[0], request.companions[1]);
  EXPECT_EQ(install(request, options).outcome, Outcome::already_installed);
}

TEST_F(Companions, AreVerifiedAndMended) {
  add("one");
  serve();
  const InstalledPlugin plugin = install(request, options).plugin;
  const auto library = plugin.root / "shared/one/lib/libone.so.1";
  std::filesystem::remove(library);
  EXPECT_THAT(verify_plugin(plugin), Contains(HasSubstr("libone.so.1")));
  EXPECT_EQ(install(request, options).outcome, Outcome::repaired);
  EXPECT_TRUE(verify_plugin(only()).empty());
  std::string bytes = read_text(only().root / "shared/one/lib/libone.so.1");
  bytes.back() ^= 1;
  write_text(only().root / "shared/one/lib/libone.so.1", bytes);
  EXPECT_THAT(verify_plugin(only()), Contains(HasSubstr("libone.so.1")));
}

TEST_F(Companions, OfTheMachineAreWrittenDown) {
  serve();
  for (const char* name : {"libother.so.1", "libanother.so.1"}) write_text(home.path() / name, host_library());
  request.preload = {home.path() / "libother.so.1"};
  EXPECT_EQ(install(request, options).plugin.preload, request.preload);
  EXPECT_EQ(only().preload, request.preload);
  int tests = 0;
  options.load_test = [&](const InstalledPlugin& plugin) {
    ++tests;
    EXPECT_EQ(plugin.preload, request.preload);
    return std::string("0.115");
  };
  request.preload = {home.path() / "libanother.so.1"};
  const InstallResult other = install(request, options);
  EXPECT_EQ(other.outcome, Outcome::already_installed);
  EXPECT_EQ(tests, 1) << "other libraries are another test";
  EXPECT_EQ(only().preload, request.preload);
}

TEST_F(Companions, ThatMakeNoSenseAreRefused) {
  serve();
  add("one");
  add("one");
  EXPECT_THAT(failure(), HasSubstr("there twice"));
  request.companions.pop_back();
  request.companions[0].platform = foreign_platform();
  EXPECT_THAT(failure(), HasSubstr(foreign_platform()));
  request.companions[0] = companion_pin("one", goods[1].bytes);
  request.companions[0].sha256 = "x";
  EXPECT_THAT(failure(), HasSubstr("has no SHA-256"));
  EXPECT_TRUE(server->requests().empty());
}

TEST_F(Companions, AreNeededOffline) {
  add("one");
  std::filesystem::create_directories(home.path() / "wheels");
  write_text(home.path() / "wheels" / request.pin.file, wheel);
  options.find_links = {(home.path() / "wheels").native()};
  options.offline = true;
  EXPECT_THAT(failure(), AllOf(HasSubstr("one-2.5-py3-none-any.whl is not on this machine"), HasSubstr("pier install test")));
  write_text(home.path() / "wheels" / request.companions[0].file, goods[1].bytes);
  install(request, options);
  EXPECT_EQ(only().companions.size(), 1u);
}

}  // namespace
}  // namespace pier::test
