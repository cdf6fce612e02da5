#include <gmock/gmock.h>

#include <pier/registry.h>

#include "registry/home.h"

namespace {

namespace fs = std::filesystem;
using pier::ErrorCode;
using pier::resolve;
using pier::Resolution;
using registry_test::error_of;
using registry_test::write_file;
using testing::Contains;
using testing::HasSubstr;

// A Bazel workspace, its link to the output folder, and a folder in it that is the current one.
class Workspace : public registry_test::Home {
 protected:
  Workspace() {
    write_file(folder() / "repo/MODULE.bazel", "");
    fs::create_directories(folder() / "repo/some/package");
    fs::create_directories(output());
    fs::create_directory_symlink(output(), link());
    before_ = fs::current_path();
    fs::current_path(folder() / "repo/some/package");
  }
  ~Workspace() override { fs::current_path(before_); }

  fs::path output() const { return folder() / "cache/execroot/bin"; }
  fs::path link() const { return folder() / "repo/bazel-bin"; }
  fs::path build(const std::string& name, const std::string& original = "null_table.so") const {
    const fs::path library = output() / name;
    fs::create_directories(library.parent_path());
    fs::copy_file(fs::path(FAKE_PLUGIN_DIR) / original, library, fs::copy_options::overwrite_existing);
    return library;
  }
  static pier::RegisterRequest request(const std::string& id) {
    pier::RegisterRequest out;
    out.id = id;
    out.probe = false;
    return out;
  }

 private:
  fs::path before_;
};

TEST_F(Workspace, WhatWasBuiltIsShownAndNeverTaken) {
  build("xla/pjrt/c/pjrt_c_api_warp_plugin.so");
  build("xla/pjrt/c/libm.so");
  build("xla/tool.runfiles/x/pjrt_c_api_warp_plugin.so");
  const Resolution resolution = resolve("warp");
  EXPECT_EQ(resolution.taken(), nullptr);
  ASSERT_EQ(resolution.candidates.size(), 1u);
  const pier::Candidate& candidate = resolution.candidates.front();
  EXPECT_EQ(candidate.source, "workspace");
  EXPECT_FALSE(candidate.usable);
  EXPECT_EQ(candidate.reason, "never taken by itself; `pier register " + (link() / "xla/pjrt/c/pjrt_c_api_warp_plugin.so").string() +
                                  " --id warp` makes it known");
  EXPECT_THAT(resolution.places, Contains(link().string() + ": 1 plugin"));
  EXPECT_THAT(resolve("cpu").places, Contains(HasSubstr("1 of them of other names")));
  EXPECT_EQ(resolve("warp", pier::SearchDepth::until_found).candidates.size(), 0u) << "a start does not look there";
}

TEST_F(Workspace, AFolderOutsideOfOneHasNone) {
  EXPECT_THAT(resolve("warp").places, Contains(HasSubstr("0 plugins")));
  fs::remove(link());
  EXPECT_THAT(resolve("warp").places, Contains(HasSubstr("MODULE.bazel: nothing is built there")));
  fs::remove(folder() / "repo/MODULE.bazel");
  EXPECT_THAT(resolve("warp").places, Contains("no Bazel workspace around the current folder"));
}

TEST_F(Workspace, TheOnlyPluginOfAFolderIsRegistered) {
  build("xla/pjrt/c/pjrt_c_api_warp_plugin.so");
  const auto result = pier::register_library(link(), request("warp"));
  EXPECT_EQ(result.plugin.library, link() / "xla/pjrt/c/pjrt_c_api_warp_plugin.so");
  EXPECT_EQ(resolve("warp").taken()->library, output() / "xla/pjrt/c/pjrt_c_api_warp_plugin.so");
}

TEST_F(Workspace, AFolderWithSeveralPluginsListsThem) {
  const auto first = build("a/pjrt_c_api_warp_plugin.so");
  build("b/pjrt_c_api_zap_plugin.so");
  const pier::Error error = error_of([&] { pier::register_library(link(), request("warp")); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), HasSubstr("2 libraries"));
  EXPECT_THAT(error.notes(), Contains((link() / "a/pjrt_c_api_warp_plugin.so").string()));
  EXPECT_THAT(error.notes(), Contains((link() / "b/pjrt_c_api_zap_plugin.so").string()));
}

TEST_F(Workspace, AFolderWithoutAPluginIsNoneToRegister) {
  build("a/libm.so");
  EXPECT_EQ(error_of([&] { pier::register_library(link(), request("warp")); }).code(), ErrorCode::not_found);
}

// Names alone make no plugin: what Bazel calls plugins of other programs has no entry symbol.
TEST_F(Workspace, OnlyLibrariesWithTheEntrySymbolCount) {
  build("a/pjrt_c_api_warp_plugin.so");
  build("b/compiler_plugin.so", "no_symbol.so");
  write_file(output() / "c/plugin.so", "text");
  EXPECT_EQ(pier::register_library(link(), request("warp")).plugin.library, link() / "a/pjrt_c_api_warp_plugin.so");
}

}  // namespace
