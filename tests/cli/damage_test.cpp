#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/platform.h"
#include "cli/command.h"
#include "store/wheel.h"

namespace pier::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A plugin that pier installed from a folder, on a machine without a network.
class Damage : public testing::Test {
 protected:
  Damage() {
    sandbox.write("m.mlir", module_text("fake.identity", "tensor<2xf32>", "tensor<2xf32>"));
    sandbox.write("x.npy", Array::zeros(DType::float32, {2}));
    const std::string wheel = test::WheelBuilder("test_plugin", "1.0").file("zap/libzap.so", read_fake()).build();
    fs::create_directory(sandbox.path("catalog"));
    fs::create_directory(sandbox.path("wheels"));
    sandbox.write("wheels/" + file, wheel);
    sandbox.write("catalog/zap.toml", "format = 1\nid = \"zap\"\nseen = [\"always\"]\nfetch_unasked = true\n[[package]]\nname = \"test-plugin\"\n"
                                      "version = \"1.0\"\n[[package.file]]\nplatform = \"" + to_string(host_platform()) + "\"\nfile = \"" + file +
                                          "\"\nsize = " + std::to_string(wheel.size()) + "\nsha256 = \"" + test::sha256_hex(wheel) +
                                          "\"\nmember = \"zap/libzap.so\"\n");
    sandbox.set("PIER_CATALOG", sandbox.path("catalog").native());
    const Finished installed = sandbox.pier({"install", "zap", "--find-links", "wheels", "--json"});
    EXPECT_EQ(installed.exit_code, 0) << installed.err;
    library = fs::relative(json_at(installed.out, "/plugin/library"), sandbox.folder());
    manifest = fs::relative(json_at(installed.out, "/plugin/manifest"), sandbox.folder());
  }
  static std::string read_fake() {
    const Sandbox other;
    fs::copy_file(fake(), other.path("fake.so"));
    return other.read("fake.so");
  }
  Finished run() { return sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", "zap"}); }
  void expect(int code, const std::string& reason) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "m.mlir", "-i", "x.npy", "--device", "zap"}, {"info", "zap"}, {"which", "zap"}}) {
      const Finished finished = sandbox.pier(words);
      EXPECT_EQ(finished.exit_code, code) << words.front() << "\n" << finished.err;
      EXPECT_THAT(finished.err, AllOf(HasSubstr(reason), HasSubstr("pier install zap"))) << words.front();
    }
  }
  // Replaces bytes in the middle; the size stays.
  void spoil() {
    std::string bytes = sandbox.read(library);
    bytes.replace(bytes.size() / 2, 4, "\xDE\xAD\xBE\xEF");
    sandbox.write(library, bytes);
  }
  bool changed() { return json_at(sandbox.pier({"list", "--json"}).out, "/plugins/0/changed") == "true"; }

  Sandbox sandbox;
  const std::string file = "test_plugin-1.0-py3-none-any.whl";
  std::string library;
  std::string manifest;
};

TEST_F(Damage, OfNothingIsNoError) {
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_FALSE(changed());
  EXPECT_EQ(sandbox.pier({"install", "zap"}).exit_code, 0);
}

TEST_F(Damage, OfATruncatedLibraryIsToldWithItsReason) {
  fs::resize_file(sandbox.path(library), 1000);
  expect(4, "has 1000 bytes, recorded are");
  const Finished install = sandbox.pier({"install", "zap"});
  EXPECT_EQ(install.exit_code, 4) << install.err;
  EXPECT_THAT(install.err, AllOf(HasSubstr("'zap' is damaged"), HasSubstr("--find-links")));
  EXPECT_EQ(sandbox.pier({"install", "zap", "--find-links", "wheels"}).exit_code, 0);
  EXPECT_EQ(run().exit_code, 0);
}

TEST_F(Damage, OfALibraryThatIsGoneIsToldWithItsReason) {
  fs::remove(sandbox.path(library));
  expect(4, "No such file");
  EXPECT_EQ(sandbox.pier({"install", "zap"}).exit_code, 4);
}

TEST_F(Damage, OfTheSameSizeIsRefusedByItsHash) {
  spoil();
  EXPECT_TRUE(changed());
  EXPECT_THAT(sandbox.pier({"list"}).out, HasSubstr("zap: the library's file was written since it was installed"));
  expect(4, "run pier install zap --force");
  EXPECT_EQ(sandbox.pier({"install", "zap"}).exit_code, 4);
}

TEST_F(Damage, IsNotSeenInACopyWithAnotherTime) {
  fs::last_write_time(sandbox.path(library), fs::file_time_type::clock::now() - std::chrono::hours(5));
  EXPECT_TRUE(changed());
  EXPECT_EQ(run().exit_code, 0);
}

TEST_F(Damage, IsNotSeenInACopyThatKeepsWholeSeconds) {
  const auto time = fs::last_write_time(sandbox.path(library));
  fs::last_write_time(sandbox.path(library), std::chrono::floor<std::chrono::seconds>(time));
  EXPECT_FALSE(changed());
}

TEST_F(Damage, OfAManifestIsToldOnceAndMendedByAnInstall) {
  const std::string whole = sandbox.read(manifest);
  std::string no_version = whole;
  no_version.replace(no_version.find("api_version = "), 15, "api_version = 'x' #");
  for (const std::string& content : {std::string(), std::string("garbage"), no_version}) {
    sandbox.write(manifest, content);
    expect(4, manifest);
    const std::string list = sandbox.pier({"list"}).out;
    EXPECT_EQ(list.find(manifest), list.rfind(manifest)) << list;
  }
  EXPECT_EQ(sandbox.pier({"install", "zap"}).exit_code, 0);
  EXPECT_EQ(run().exit_code, 0);
}

TEST_F(Damage, IsNotWhatANewerPierWrote) {
  std::string newer = sandbox.read(manifest);
  newer.replace(newer.find("schema = 1"), 10, "schema = 9");
  sandbox.write(manifest, newer);
  expect(3, "newer pier");
}

TEST_F(Damage, OfAWheelWithoutANetwork) {
  ASSERT_EQ(sandbox.pier({"remove", "zap"}).exit_code, 0);
  std::string wheel = sandbox.read("wheels/" + file);
  wheel[wheel.size() / 2] ^= 1;
  sandbox.write("wheels/" + file, wheel);
  EXPECT_EQ(sandbox.pier({"install", "zap", "--find-links", "wheels"}).exit_code, 4);
  sandbox.write("wheels/" + file, wheel + "more");
  const Finished longer = sandbox.pier({"install", "zap", "--find-links", "wheels"});
  EXPECT_EQ(longer.exit_code, 4) << longer.err;
  EXPECT_THAT(longer.err, HasSubstr("pinned are"));
  EXPECT_EQ(sandbox.pier({"install", "zap", "--find-links", "nowhere"}).exit_code, 3);
}

TEST_F(Damage, OfALocalBuildIsOnlyToldAsChanged) {
  fs::copy_file(fake(), sandbox.path("mine.so"));
  ASSERT_EQ(sandbox.pier({"register", "mine.so", "--id", "mine", "--label", "gpu", "--label", "GPU", "gpu"}).exit_code, 0);
  fs::last_write_time(sandbox.path("mine.so"), fs::file_time_type::clock::now() - std::chrono::hours(5));
  const Finished list = sandbox.pier({"list", "--json"});
  EXPECT_EQ(json_at(list.out, "/plugins/0/changed"), "true");
  EXPECT_EQ(json_at(list.out, "/plugins/0/labels"), "[\"gpu\"]");
  EXPECT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", "mine"}).exit_code, 0);
}

TEST_F(Damage, OfAVariableIsToldThoughAnotherPluginIsTaken) {
  sandbox.set("PIER_PLUGIN_ZAP", "/nothere.so");
  const Finished which = sandbox.pier({"which", "zap"});
  EXPECT_EQ(which.exit_code, 0);
  EXPECT_THAT(which.err, HasSubstr("PIER_PLUGIN_ZAP=/nothere.so is not used: no such file"));
  EXPECT_THAT(sandbox.pier({"which", "zap", "--explain"}).out, HasSubstr("no such file"));
  ASSERT_EQ(sandbox.pier({"remove", "zap"}).exit_code, 0);
  EXPECT_THAT(sandbox.pier({"which", "zap"}).err, HasSubstr("PIER_PLUGIN_ZAP zap /nothere.so: no such file"));
}

}  // namespace
}  // namespace pier::cli_test
