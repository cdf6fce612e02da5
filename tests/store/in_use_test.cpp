#include "store/in_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/store.h>

#include "store/home.h"
#include "store/layout.h"

namespace pier::test {
namespace {

class InUse : public testing::Test {
 protected:
  InUse() {
    server = std::make_unique<Server>(index_of(request, wheel));
    set_env("PIER_INDEX_URL", server->url("/simple"));
    plugin = install(request, options).plugin;
  }

  Home home;
  std::string wheel = plugin_wheel();
  PluginRequest request = plugin_request(wheel);
  InstallOptions options{.load_test = [](const InstalledPlugin&) { return std::string("0.115"); }};
  std::unique_ptr<Server> server;
  InstalledPlugin plugin;
};

TEST_F(InUse, TheFolderOfALibraryIsFound) {
  EXPECT_EQ(store_root_of(plugin.library), std::filesystem::canonical(plugin.root));
  EXPECT_TRUE(store_root_of(home.path() / "elsewhere.so").empty());
  EXPECT_TRUE(store_root_of(PIER_TEST_INSTALL_CHILD).empty());
}

TEST_F(InUse, AFolderStaysUntilItsUserEnds) {
  std::vector<std::string> said;
  set_log_callback([&](LogLevel level, std::string_view line) {
    if (level >= LogLevel::warning) said.emplace_back(line);
  });
  Fd use = hold_in_use(plugin.root);
  ASSERT_TRUE(use.valid());
  EXPECT_FALSE(try_claim(plugin.root));
  EXPECT_TRUE(remove_plugin("test"));
  EXPECT_TRUE(std::filesystem::exists(plugin.library));
  EXPECT_TRUE(installed_plugins().plugins.empty()) << "nobody finds it any more";
  EXPECT_THAT(said, testing::Contains(testing::HasSubstr("running process")));
  use = Fd();
  EXPECT_TRUE(remove_plugin("test"));
  EXPECT_FALSE(std::filesystem::exists(plugin.root));
  set_log_callback({});
}

TEST_F(InUse, ManyMayUseItAtOnce) {
  const Fd one = hold_in_use(plugin.root);
  const Fd two = hold_in_use(plugin.root);
  EXPECT_TRUE(one.valid() && two.valid());
}

TEST_F(InUse, ACopyThatTakesItsPlaceLeavesItAlone) {
  const Fd use = hold_in_use(plugin.root);
  options.force = true;
  const InstalledPlugin other = install(request, options).plugin;
  EXPECT_NE(other.root, plugin.root);
  EXPECT_TRUE(std::filesystem::exists(plugin.library));
  EXPECT_TRUE(verify_plugin(other).empty());
}

TEST_F(InUse, WhatIsGoneIsNoUse) {
  remove_plugin("test");
  EXPECT_FALSE(hold_in_use(plugin.root).valid());
}

TEST_F(InUse, WhatIsBeingRemovedIsSaid) {
  const auto claim = try_claim(plugin.root);
  ASSERT_TRUE(claim);
  EXPECT_THROW(hold_in_use(plugin.root), Error);
}

}  // namespace
}  // namespace pier::test
