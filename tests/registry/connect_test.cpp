#include <gmock/gmock.h>

#include <pier/registry.h>

#include "registry/shop.h"

namespace {

using pier::ConnectOptions;
using pier::ErrorCode;
using registry_test::error_of;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Connect : public registry_test::Shop {
 protected:
  void register_as(const std::string& id, const std::filesystem::path& path, pier::Attributes options = {},
                   std::vector<std::pair<std::string, std::string>> environment = {}) {
    pier::RegisterRequest request;
    request.id = id;
    request.probe = false;
    request.create_options = std::move(options);
    request.environment = std::move(environment);
    pier::register_library(path, request);
  }
  static std::string option(const pier::Client& client, const std::string& name) {
    const pier::Attributes attributes = client.devices().at(0).attributes();
    const auto at = attributes.find("option." + name);
    return at == attributes.end() ? "" : pier::to_string(at->second);
  }
};

TEST_F(Connect, TheCpuPluginComesByItselfTheFirstTimeOnly) {
  sell_cpu();
  std::vector<pier::Phase> phases;
  ConnectOptions options;
  options.progress = [&](const pier::Progress& progress) { phases.push_back(progress.phase); };
  EXPECT_EQ(pier::connect("cpu", options).platform_name(), "cpu");
  EXPECT_THAT(phases, Contains(pier::Phase::downloading));
  EXPECT_THAT(phases, Contains(pier::Phase::loading));
  const std::size_t before = requests();
  EXPECT_GT(before, 0u);
  phases.clear();
  pier::connect("cpu", options);
  pier::connect("auto", options);
  EXPECT_EQ(requests(), before);
  EXPECT_TRUE(phases.empty());
}

TEST_F(Connect, AutoOnAnEmptyMachineFetchesTheCpuPlugin) {
  sell_cpu();
  EXPECT_EQ(pier::connect().platform_name(), "cpu");
}

TEST_F(Connect, NothingElseIsEverFetchedUnasked) {
  sell();
  list("zap", "labels = [\"gpu\"]\nseen = [\"always\"]\npriority = 900");
  register_as("cpu", library("cpu.so"));
  for (const char* selector : {"zap", "metal", "warp9"}) {
    const pier::Error error = error_of([&] { pier::connect(selector); });
    EXPECT_EQ(error.code(), ErrorCode::not_available) << selector;
  }
  pier::connect("auto");
  pier::connect("cpu");
  pier::resolve("auto");
  pier::resolve("zap");
  EXPECT_EQ(requests(), 0u);
  EXPECT_THAT(error_of([] { pier::connect("zap"); }).what(), HasSubstr("pier install zap"));
}

TEST_F(Connect, OfflineIsAnErrorThatNamesTheCommand) {
  sell_cpu();
  set("PIER_OFFLINE", "1");
  const pier::Error error = error_of([] { pier::connect("cpu"); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.message(), HasSubstr("PIER_OFFLINE=1"));
  EXPECT_THAT(error.what(), HasSubstr("pier install cpu"));
  EXPECT_THAT(error.what(), HasSubstr("pier register PATH --id cpu"));
  EXPECT_THAT(error.what(), Not(HasSubstr("doctor")));
  EXPECT_EQ(requests(), 0u);
  EXPECT_FALSE(std::filesystem::exists(folder() / "home")) << "nothing is written for an attempt that cannot be";
}

// The catalog's way to an installed plugin is subject to the rule that the other ways are.
TEST_F(Connect, AnInstalledPluginThatOthersCanWriteIsNeverLoaded) {
  sell_cpu();
  pier::connect("cpu");
  ::chmod((folder() / "home").c_str(), 0777);
  for (const char* selector : {"cpu", "auto"}) {
    const pier::Error error = error_of([&] { pier::connect(selector); });
    EXPECT_EQ(error.code(), ErrorCode::permission_denied) << selector;
    EXPECT_THAT(error.message(), HasSubstr("everyone may write the folder " + (folder() / "home").string()));
  }
  set("PIER_OFFLINE", "1");
  const pier::Error error = error_of([] { pier::connect("cpu"); });
  EXPECT_THAT(error.message(), HasSubstr("the cpu plugin on this machine cannot be used, and PIER_OFFLINE=1"));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("everyone may write")));
  ::chmod((folder() / "home").c_str(), 0755);
  EXPECT_EQ(pier::connect("cpu").platform_name(), "cpu");
}

TEST_F(Connect, WorksForAUserWhoMasksNoPermission) {
  sell_cpu();
  const struct Mask {
    ~Mask() { ::umask(before); }
    mode_t before = ::umask(0);
  } mask;
  EXPECT_EQ(pier::connect("cpu").platform_name(), "cpu");
  EXPECT_EQ(pier::connect("cpu").platform_name(), "cpu");
  ASSERT_NE(pier::resolve("cpu").taken(), nullptr);
  register_as("mine", pier::resolve("cpu").taken()->library);
  EXPECT_EQ(pier::connect("mine").platform_name(), "cpu");
}

TEST_F(Connect, ACallerCanForbidToFetch) {
  sell_cpu();
  ConnectOptions options;
  options.fetch = false;
  EXPECT_THAT(error_of([&] { pier::connect("cpu", options); }).what(), HasSubstr("pier install cpu"));
  EXPECT_EQ(requests(), 0u);
}

TEST_F(Connect, OptionsOfTheCallerWinOverThoseOfTheManifest) {
  register_as("mine", library("mine.so"), {{"memory", std::string("some")}, {"count", std::int64_t{1}}});
  ConnectOptions options;
  options.create_options = {{"count", std::int64_t{7}}, {"extra", true}};
  const pier::Client client = pier::connect("mine", options);
  EXPECT_EQ(option(client, "memory"), "some");
  EXPECT_EQ(option(client, "count"), "7");
  EXPECT_EQ(option(client, "extra"), "true");
}

TEST_F(Connect, OptionsOfTheCatalogCountFromTheFirstTimeOn) {
  sell_cpu("create_options = { volume = 11 }");
  EXPECT_EQ(option(pier::connect("cpu"), "volume"), "11");
  EXPECT_EQ(option(pier::connect("cpu"), "volume"), "11");
}

TEST_F(Connect, TheEnvironmentIsSetBeforeTheLibraryLoads) {
  register_as("mine", library("mine.so"), {}, {{"FAKE_PJRT", "platform=by_manifest"}});
  EXPECT_EQ(pier::connect("mine").platform_name(), "by_manifest");
  unset("FAKE_PJRT");
}

TEST_F(Connect, WhatTheUserHasSetStays) {
  register_as("mine", library("mine.so"), {}, {{"FAKE_PJRT", "platform=by_manifest"}, {"PIER_TEST_EMPTY", "x"}});
  set("FAKE_PJRT", "platform=by_user");
  set("PIER_TEST_EMPTY", "");
  EXPECT_EQ(pier::connect("mine").platform_name(), "by_user");
  EXPECT_STREQ(std::getenv("PIER_TEST_EMPTY"), "");
}

TEST_F(Connect, ARefusedOptionIsToldWithAllOptions) {
  set("FAKE_PJRT", "unknown_options=refuse");
  register_as("mine", library("mine.so"), {{"quux", std::int64_t{3}}});
  const pier::Error error = error_of([] { pier::connect("mine"); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.notes(), Contains("create options: quux=3"));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("taken from: registered mine")));
}

TEST_F(Connect, ADeviceThatIsNotSeenIsToldWhenNoClientStarts) {
  sell();
  list("zap", "seen = [\"path:/nowhere/zap0\", \"pci:fffe\"]");
  set("FAKE_PJRT", "fail=PJRT_Client_Create:INTERNAL:no visible devices");
  register_as("zap", library("zap.so"));
  EXPECT_THAT(error_of([] { pier::connect("zap"); }).notes(),
              Contains("no device of zap is seen on this machine; looked for path:/nowhere/zap0, pci:fffe"));
  list("zap", "seen = [\"always\"]");
  EXPECT_THAT(error_of([] { pier::connect("zap"); }).notes(), Not(Contains(HasSubstr("no device of zap"))));
}

TEST_F(Connect, AnOverrideThatHasNoEffectIsWarnedOf) {
  register_as("cpu", library("cpu.so"));
  set("PIER_PLUGIN_CPU", folder() / "typo.so");
  pier::connect("cpu");
  EXPECT_THAT(warnings(), Contains(HasSubstr("PIER_PLUGIN_CPU cpu " + (folder() / "typo.so").string() + " is not used: no such file")));
}

TEST_F(Connect, ALibraryThatTheLoaderRefusesIsExplained) {
  const pier::Error error = error_of([&] { pier::connect(library("broken.so", "missing_needed.so").string()); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.what(), HasSubstr("libnope.so.1"));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("taken from: path")));
}

TEST_F(Connect, AFirstFailureCanBeTriedAgain) {
  set("FAKE_PJRT", "fail=PJRT_Client_Create@1:UNAVAILABLE:not yet");
  const auto plugin = library("mine.so");
  EXPECT_THAT(error_of([&] { pier::connect(plugin.string()); }).what(), HasSubstr("not yet"));
  EXPECT_EQ(pier::connect(plugin.string()).platform_name(), "cpu");
}

TEST_F(Connect, ACandidateIsLoadedAsItWasResolved) {
  register_as("mine", library("mine.so"), {}, {{"PIER_TEST_LEVEL", "5"}});
  const pier::Resolution resolution = pier::resolve("mine");
  ASSERT_NE(resolution.taken(), nullptr);
  EXPECT_EQ(pier::load_plugin(*resolution.taken()).path(), resolution.taken()->library);
  EXPECT_STREQ(std::getenv("PIER_TEST_LEVEL"), "5");
  unset("PIER_TEST_LEVEL");
  const pier::Resolution nothing = pier::resolve("cpu");
  ASSERT_NE(nothing.taken(), nullptr);
  EXPECT_EQ(error_of([&] { pier::load_plugin(*nothing.taken()); }).code(), ErrorCode::invalid_argument);
}

TEST_F(Connect, APathNeedsNoRegistration) {
  const auto plugin = library("mine.so");
  sell_nothing();
  EXPECT_EQ(pier::load_plugin(plugin.string()).path(), plugin);
  EXPECT_EQ(requests(), 0u);
}

}  // namespace
