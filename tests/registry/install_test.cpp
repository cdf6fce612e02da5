#include <gmock/gmock.h>

#include <pier/registry.h>

#include "registry/shop.h"

namespace {

using pier::ErrorCode;
using pier::InstallRequest;
using pier::InstallResult;
using pier::Outcome;
using registry_test::error_of;
using testing::Contains;
using testing::HasSubstr;

class Install : public registry_test::Shop {
 protected:
  static std::size_t plugins() { return pier::installed_plugins().plugins.size(); }
};

// The promise of the catalog folder: a new accelerator needs no code.
TEST_F(Install, AnInventedAcceleratorNeedsAFileOnly) {
  sell();
  list("zap", "labels = [\"gpu\"]\npriority = 450\nseen = [\"path:/nowhere/zap0\"]",
       "create_options = { zaps = 3 }\nenvironment = { ZAP_TEST_LEVEL = \"2\" }");
  const InstallResult result = pier::install_plugin("zap");
  EXPECT_EQ(result.outcome, Outcome::installed);
  EXPECT_EQ(result.plugin.id, "zap");
  EXPECT_EQ(result.plugin.priority, 450);
  EXPECT_EQ(result.plugin.api_version, "0.117") << "the load test ran";
  EXPECT_TRUE(std::filesystem::exists(result.plugin.library));

  for (const char* selector : {"zap", "gpu"}) {
    const pier::Resolution resolution = pier::resolve(selector);
    ASSERT_NE(resolution.taken(), nullptr);
    EXPECT_EQ(resolution.taken()->library, result.plugin.library);
    EXPECT_EQ(resolution.taken()->create_options, (pier::Attributes{{"zaps", std::int64_t{3}}}));
  }
  const pier::Client client = pier::connect("zap");
  EXPECT_EQ(std::get<std::int64_t>(client.devices().at(0).attributes().at("option.zaps")), 3);
  EXPECT_STREQ(std::getenv("ZAP_TEST_LEVEL"), "2");
  unset("ZAP_TEST_LEVEL");
}

TEST_F(Install, TheSecondTimeNothingIsFetched) {
  sell();
  list("zap", "seen = [\"always\"]");
  pier::install_plugin("zap");
  const std::size_t before = requests();
  EXPECT_EQ(pier::install_plugin("zap").outcome, Outcome::already_installed);
  EXPECT_EQ(requests(), before);
}

TEST_F(Install, APluginThatDoesNotLoadIsNotInstalled) {
  struct Case {
    const char* library;
    const char* says;
  };
  for (const Case& c : {Case{"null_table.so", "returned null"}, Case{"abort_in_constructor.so", "signal 6"}, Case{"other_major.so", "1."}}) {
    sell(c.library);
    list("zap", "seen = [\"always\"]");
    EXPECT_THAT(error_of([] { pier::install_plugin("zap"); }).what(), HasSubstr(c.says));
    EXPECT_EQ(plugins(), 0u) << c.library;
  }
}

TEST_F(Install, APluginThatHangsIsNotInstalled) {
  sell("hangs_in_get_api.so");
  list("zap", "seen = [\"always\"]");
  InstallRequest request;
  request.probe_limit = std::chrono::milliseconds(500);
  EXPECT_EQ(error_of([&] { pier::install_plugin("zap", request); }).code(), ErrorCode::deadline_exceeded);
  EXPECT_EQ(plugins(), 0u);
}

TEST_F(Install, AClientThatNeedsOnlyTheMachineMustStart) {
  sell();
  list("zap", "seen = [\"always\"]");
  set("FAKE_PJRT", "fail=PJRT_Client_Create:INTERNAL:broken");
  EXPECT_THAT(error_of([] { pier::install_plugin("zap"); }).what(), HasSubstr("broken"));
  EXPECT_EQ(plugins(), 0u);
}

TEST_F(Install, ADeviceThatDoesNotStartIsNoFaultOfThePackage) {
  sell();
  list("zap", "seen = [\"platform:" + to_string(pier::host_platform()) + "\"]");
  set("FAKE_PJRT", "fail=PJRT_Client_Create:UNAVAILABLE:device is busy");
  const InstallResult result = pier::install_plugin("zap");
  EXPECT_THAT(result.notes, Contains(HasSubstr("device is busy")));
  EXPECT_EQ(plugins(), 1u);
}

TEST_F(Install, NoClientIsCreatedWithoutADevice) {
  sell();
  list("zap", "seen = [\"path:/nowhere/zap0\"]");
  set("FAKE_PJRT", "abort=PJRT_Client_Create");
  EXPECT_EQ(pier::install_plugin("zap").outcome, Outcome::installed);
}

TEST_F(Install, AForeignPlatformIsFetchedAndNotLoaded) {
  const std::string foreign = pier::test::foreign_platform();
  sell("abort_in_constructor.so", foreign);
  list("zap", "seen = [\"always\"]");
  InstallRequest request;
  request.platform = foreign;
  // The library is of this machine, so the check of its header refuses it: a package cannot lie about its platform.
  EXPECT_THAT(error_of([&] { pier::install_plugin("zap", request); }).what(), HasSubstr(foreign));
  EXPECT_EQ(plugins(), 0u);
}

TEST_F(Install, ALabelOfOneAcceleratorIsEnough) {
  sell();
  list("zap", "labels = [\"warp\"]\nseen = [\"always\"]");
  EXPECT_EQ(pier::install_plugin("warp").plugin.id, "zap");
  list("zip", "labels = [\"warp\"]\nseen = [\"always\"]");
  const pier::Error error = error_of([] { pier::install_plugin("warp"); });
  EXPECT_THAT(error.message(), HasSubstr("several accelerators answer to 'warp'"));
  EXPECT_THAT(error.message(), HasSubstr("zap, zip"));
}

TEST_F(Install, AnUnknownIdIsToldWithWhatThereIs) {
  const pier::Error error = error_of([] { pier::install_plugin("warp9"); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_THAT(error.what(), HasSubstr("it has: cpu, "));
}

TEST_F(Install, APackageThatCannotBeUsedIsToldWithTheReason) {
  const pier::Error error = error_of([] { pier::install_plugin("jax-qnn"); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.message(), HasSubstr("jax-qnn cannot be used: "));
  const pier::Error dead = error_of([] { InstallRequest request; request.package = "jax-cuda11-pjrt"; pier::install_plugin("cpu", request); });
  EXPECT_EQ(dead.code(), ErrorCode::not_available);
  EXPECT_THAT(dead.notes(), Contains(HasSubstr("`pier install cuda12`")));
}

TEST_F(Install, ALoadTestOfTheCallersTakesThePlaceOfTheProbe) {
  sell("abort_in_constructor.so");
  list("zap", "seen = [\"always\"]");
  InstallRequest request;
  request.options.load_test = [](const pier::InstalledPlugin&) { return std::string("0.99"); };
  EXPECT_EQ(pier::install_plugin("zap", request).plugin.api_version, "0.99");
}

TEST_F(Install, WhereOthersCanWriteNothingIsEvenFetched) {
  sell();
  list("zap", "seen = [\"always\"]");
  std::filesystem::create_directories(folder() / "open");
  ::chmod((folder() / "open").c_str(), 0777);
  set("PIER_HOME", folder() / "open/pier");
  const pier::Error error = error_of([] { pier::install_plugin("zap"); });
  EXPECT_EQ(error.code(), ErrorCode::permission_denied);
  EXPECT_THAT(error.message(), HasSubstr("everyone may write " + (folder() / "open").string()));
  EXPECT_EQ(requests(), 0u);
}

TEST_F(Install, AChoiceThatCannotBeMadeNamesTheNextStep) {
  const pier::Error error = error_of([] { InstallRequest request; request.package = "nobody's"; pier::install_plugin("cpu", request); });
  EXPECT_THAT(error.notes(), Contains(HasSubstr("`pier which cpu --explain`")));
}

TEST_F(Install, WhatElseTheCatalogHasIsToldByThoseWhoAsk) {
  EXPECT_THAT(pier::resolve("cpu").places, Contains(HasSubstr("the catalog has for cpu, too: xla-cpu-pjrt")));
}

class Register : public registry_test::Home {};

TEST_F(Register, TakesLabelsAndPriorityOfTheCatalog) {
  pier::RegisterRequest request;
  request.id = "metal";
  const InstallResult result = pier::register_library(library("metal.so"), request);
  EXPECT_THAT(result.plugin.labels, testing::ElementsAre("gpu"));
  EXPECT_EQ(result.plugin.priority, 500);
  EXPECT_EQ(result.plugin.api_version, "0.117");
}

TEST_F(Register, LoadsInAChildFirst) {
  pier::RegisterRequest request;
  request.id = "mine";
  EXPECT_THAT(error_of([&] { pier::register_library(library("a.so", "abort_in_constructor.so"), request); }).what(), HasSubstr("signal 6"));
  EXPECT_TRUE(pier::installed_plugins().plugins.empty());
  request.probe = false;
  pier::register_library(library("a.so", "abort_in_constructor.so"), request);
  EXPECT_EQ(pier::installed_plugins().plugins.size(), 1u);
}

TEST_F(Register, StartsAClientWhenTold) {
  set("FAKE_PJRT", "fail=PJRT_Client_Create:INTERNAL:no client");
  pier::RegisterRequest request;
  request.id = "mine";
  pier::register_library(library("a.so"), request);
  request.create_client = true;
  EXPECT_THAT(error_of([&] { pier::register_library(library("a.so"), request); }).what(), HasSubstr("no client"));
}

TEST_F(Register, RefusesWhatIsNoPlugin) {
  pier::RegisterRequest request;
  request.id = "mine";
  EXPECT_THAT(error_of([&] { pier::register_library(library("a.so", "misspelt_symbol.so"), request); }).what(), HasSubstr("GetPjrtAPI"));
  EXPECT_EQ(error_of([&] { pier::register_library(library("b.so", "text_file.so"), request); }).code(), ErrorCode::integrity);
  EXPECT_THAT(error_of([&] { pier::register_library(library("c.so", "missing_needed.so"), request); }).what(), HasSubstr("libnope.so.1"));
  EXPECT_EQ(error_of([&] { pier::register_library(folder() / "gone.so", request); }).code(), ErrorCode::not_found);
}

TEST_F(Register, RefusesALibraryThatOthersCanReplace) {
  const auto plugin = library("a.so");
  ::chmod(folder().c_str(), 0777);
  pier::RegisterRequest request;
  request.id = "mine";
  const pier::Error error = error_of([&] { pier::register_library(plugin, request); });
  EXPECT_EQ(error.code(), ErrorCode::permission_denied);
  EXPECT_THAT(error.message(), HasSubstr("everyone may write the folder"));
}

}  // namespace
