#include <algorithm>

#include <gmock/gmock.h>

#include <pier/registry.h>

#include "registry/home.h"
#include "registry/policy.h"

namespace {

using pier::Candidate;
using pier::resolve;
using pier::Resolution;
using pier::SearchDepth;
using pier::registry::Policy;
using testing::Contains;
using testing::HasSubstr;

class Platforms : public registry_test::Home {
 protected:
  std::filesystem::path register_as(const std::string& id, std::vector<std::string> labels = {}) {
    pier::RegisterRequest request;
    request.id = id;
    request.labels = std::move(labels);
    request.probe = false;
    const auto path = library(id + ".so", "null_table.so");
    pier::register_library(path, request);
    return path;
  }
  static std::string taken(std::string_view selector) {
    const Resolution whole = resolve(selector);
    const Resolution quick = resolve(selector, SearchDepth::until_found);
    EXPECT_EQ(whole.taken() ? whole.taken()->library : "", quick.taken() ? quick.taken()->library : "");
    EXPECT_EQ(whole.selector, quick.selector);
    return whole.taken() ? whole.taken()->id : "";
  }
};

TEST_F(Platforms, TheFirstOfAListThatLeadsToAPluginCounts) {
  register_as("cpu");
  set("PIER_PLATFORM", "tpu, gpu ,cpu");
  EXPECT_EQ(taken("auto"), "cpu");
  EXPECT_EQ(resolve("auto").selector, "cpu");
  EXPECT_THAT(resolve("auto").places, Contains(HasSubstr("'tpu' is passed over")));
  register_as("some-gpu", {"gpu"});
  EXPECT_EQ(taken("auto"), "some-gpu");
  EXPECT_EQ(taken("cpu"), "cpu") << "a selector comes before it";
}

TEST_F(Platforms, OneBeforeTheLastNeedsItsDevice) {
  registry_test::write_file(folder() / "catalog/zap.toml",
                            "format = 1\nid = \"zap\"\nlabels = [\"gpu\"]\npriority = 700\nseen = [\"path:" + (folder() / "zap0").string() + "\"]\n");
  set("PIER_CATALOG", folder() / "catalog");
  register_as("zap");
  register_as("cpu");
  set("PIER_PLATFORM", "gpu,cpu");
  EXPECT_EQ(taken("auto"), "cpu");
  EXPECT_THAT(resolve("auto").places, Contains("PIER_PLATFORM: 'gpu' is passed over: no device of it is seen on this machine"));
  set("PIER_PLATFORM", "cpu2,zap");
  EXPECT_EQ(taken("auto"), "zap") << "who names it last gets it, as who names it alone";
  registry_test::write_file(folder() / "zap0", "");
  set("PIER_PLATFORM", "gpu,cpu");
  EXPECT_EQ(taken("auto"), "zap");
}

TEST_F(Platforms, AListOfWhichNothingCanBeUsedIsExplained) {
  set("PIER_PLATFORM", "warp9,warp10");
  const Resolution resolution = resolve("auto");
  EXPECT_EQ(resolution.taken(), nullptr);
  const std::string what = not_found_error(resolution).what();
  EXPECT_THAT(what, HasSubstr("PIER_PLATFORM: 'warp9' is passed over: nothing of that name is known"));
  EXPECT_THAT(what, HasSubstr("no plugin for 'warp10'"));
  set("PIER_PLATFORM", "cpu,not a name");
  EXPECT_EQ(taken("auto"), "cpu");
  set("PIER_PLATFORM", "not a name,cpu");
  EXPECT_THAT(registry_test::error_of([] { resolve("auto"); }).what(), HasSubstr("PIER_PLATFORM has it"));
}

TEST_F(Platforms, APathWithACommaIsOneWord) {
  const auto plugin = library("a,b.so", "null_table.so");
  set("PIER_PLATFORM", plugin);
  EXPECT_EQ(resolve("auto").taken()->library, plugin);
}

TEST_F(Platforms, WhatIsDisabledIsNotTakenByAnyWay) {
  const auto gpu = register_as("some-gpu", {"gpu"});
  register_as("cpu");
  EXPECT_EQ(taken("auto"), "some-gpu");
  set("PIER_DISABLE", "other, Some-*");
  EXPECT_EQ(taken("auto"), "cpu");
  EXPECT_EQ(taken("some-gpu"), "");
  const Resolution resolution = resolve("gpu");
  EXPECT_EQ(resolution.candidates.front().reason, "PIER_DISABLE has 'some-*'");
  set("PIER_PLUGIN_SOME_GPU", gpu);
  EXPECT_EQ(taken("some-gpu"), "") << "a variable that is left from yesterday";
  EXPECT_EQ(resolve(gpu.string()).taken()->library, gpu) << "who gives a path has chosen";
  set("PIER_DISABLE", "*");
  EXPECT_EQ(taken("auto"), "");
  EXPECT_EQ(taken("cpu"), "") << "nothing of the catalog either";
}

TEST_F(Platforms, ADisabledIdLeavesItsNameToALabel) {
  register_as("mine");
  register_as("other", {"mine"});
  set("PIER_DISABLE", "mine");
  EXPECT_EQ(taken("mine"), "other");
}

TEST_F(Platforms, OnlyWhatIsEnabledIsTakenWhenSomethingIs) {
  register_as("some-gpu", {"gpu"});
  register_as("other-gpu", {"gpu"});
  register_as("cpu");
  set("PIER_ENABLE", "c?u,*-gpu");
  set("PIER_DISABLE", "some-gpu");
  EXPECT_EQ(taken("gpu"), "other-gpu");
  set("PIER_ENABLE", "cpu");
  EXPECT_EQ(taken("auto"), "cpu");
  EXPECT_EQ(taken("gpu"), "");
  EXPECT_THAT(resolve("gpu").candidates.front().reason, HasSubstr("PIER_ENABLE has 'cpu' only"));
}

TEST_F(Platforms, WithoutAListEveryIdMayBeUsed) {
  EXPECT_EQ(Policy::from_environment().why_not("x"), std::nullopt);
  set("PIER_DISABLE", " , ");
  EXPECT_EQ(Policy::from_environment().why_not("x"), std::nullopt);
}

}  // namespace
