#include <set>
#include <tuple>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"
#include "store/server.h"
#include "store/tar.h"
#include "store/wheel.h"

namespace pier::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Plugins : public testing::Test {
 protected:
  // A build of the user's own, in a folder with a space in its name.
  Plugins() {
    fs::create_directory(sandbox.path("my build"));
    fs::copy_file(fake(), sandbox.path("my build/plugin.so"));
  }
  Finished register_as(const std::string& id, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"register", "my build/plugin.so", "--id", id};
    words.insert(words.end(), more.begin(), more.end());
    return sandbox.pier(words);
  }
  Sandbox sandbox;
  const std::string library = sandbox.path("my build/plugin.so").native();
};

TEST_F(Plugins, AreListedAfterTheyWereRegistered) {
  const Finished none = sandbox.pier({"list"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.out, HasSubstr("pier install cpu"));
  const Finished registered = register_as("mine", {"--label", "gpu", "--priority", "7", "--option", "cpu_device_count=2"});
  ASSERT_EQ(registered.exit_code, 0) << registered.err;
  EXPECT_THAT(registered.out, testing::StartsWith("mine registered: " + library + "\n"));
  EXPECT_THAT(registered.out, HasSubstr("PJRT 0.117"));

  const Finished text = sandbox.pier({"list"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, testing::StartsWith("ID "));
  EXPECT_THAT(text.out, testing::ContainsRegex("\nmine +gpu +- +0\\.117 +[a-z]+-[a-z0-9_]+ +registered +/.*/my build/plugin\\.so\n"));
  EXPECT_THAT(text.out, Not(HasSubstr("\x1b")));

  const Finished json = sandbox.pier({"list", "--json"});
  EXPECT_EQ(json_size(json.out, "/plugins"), 1U);
  EXPECT_EQ(json_size(json.out, "/rejected"), 0U);
  EXPECT_EQ(json_at(json.out, "/plugins/0/id"), "mine");
  EXPECT_EQ(json_at(json.out, "/plugins/0/labels"), "[\"gpu\"]");
  EXPECT_EQ(json_at(json.out, "/plugins/0/priority"), "7");
  EXPECT_EQ(json_at(json.out, "/plugins/0/origin"), "registered");
  EXPECT_EQ(json_at(json.out, "/plugins/0/library"), library);
  EXPECT_EQ(json_at(json.out, "/plugins/0/api_version"), "0.117");
  EXPECT_EQ(json_at(json.out, "/plugins/0/package"), "null");
  EXPECT_EQ(json_at(json.out, "/plugins/0/create_options/cpu_device_count"), "2");
  EXPECT_EQ(json_at(json.out, "/plugins/0/changed"), "false");
}

TEST_F(Plugins, ThatAreRegisteredRun) {
  ASSERT_EQ(register_as("mine", {"--option", "cpu_device_count=2"}).exit_code, 0);
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", Array::scalar(2.0F));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", "mine:1", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/plugin/id"), "mine");
  EXPECT_EQ(json_at(finished.out, "/device/id"), "1");
  // What the user says wins over what was registered.
  EXPECT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", "mine:1", "--option", "cpu_device_count=1"}).exit_code, 3);
}

TEST_F(Plugins, ThatWereBuiltAgainAreNoticed) {
  ASSERT_EQ(register_as("mine").exit_code, 0);
  EXPECT_THAT(register_as("mine").out, HasSubstr("already registered"));
  sandbox.write("my build/plugin.so", sandbox.read("my build/plugin.so") + "more");
  EXPECT_THAT(sandbox.pier({"list"}).out, HasSubstr("mine: the library was built again since it was registered"));
  EXPECT_EQ(json_at(sandbox.pier({"list", "--json"}).out, "/plugins/0/changed"), "true");
  const Finished again = register_as("mine");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, testing::StartsWith("mine registered again: "));
  EXPECT_THAT(again.out, HasSubstr("the library has changed"));
}

TEST_F(Plugins, AreForgottenByRemoveAndTheirFilesStay) {
  ASSERT_EQ(register_as("mine").exit_code, 0);
  const Finished removed = sandbox.pier({"remove", "mine"});
  EXPECT_EQ(removed.exit_code, 0);
  EXPECT_EQ(removed.out, "mine: no longer registered; the library stays where it is\n");
  EXPECT_TRUE(fs::exists(library));
  EXPECT_EQ(json_size(sandbox.pier({"list", "--json"}).out, "/plugins"), 0U);
  const Finished again = sandbox.pier({"remove", "mine", "--json"});
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_EQ(json_at(again.out, "/error/code"), "not_available");
  EXPECT_THAT(again.err, HasSubstr("no plugin 'mine' is installed or registered"));
  ASSERT_EQ(register_as("mine").exit_code, 0);
  const Finished json = sandbox.pier({"remove", "mine", "--json"});
  EXPECT_EQ(json_at(json.out, "/unregistered"), "true");
  EXPECT_EQ(json_at(json.out, "/removed"), "false");
}

TEST_F(Plugins, AreFoundInTheFolderThatIsRegistered) {
  const Finished only = sandbox.pier({"register", "my build", "--id", "mine"});
  EXPECT_EQ(only.exit_code, 0) << only.err;
  EXPECT_THAT(only.out, testing::StartsWith("mine registered: " + library + "\n"));
  fs::copy_file(fake(), sandbox.path("my build/libpjrt_other.so"));
  const Finished several = sandbox.pier({"register", "my build", "--id", "mine"});
  EXPECT_EQ(several.exit_code, 1);
  EXPECT_THAT(several.err, HasSubstr("2 libraries that are PJRT plugins"));
  EXPECT_THAT(several.err, HasSubstr("my build/libpjrt_other.so"));
}

TEST_F(Plugins, ThatFailTheirLoadTestAreNotRegistered) {
  const auto refused = [&](const std::string& file, int code) {
    const Finished finished = sandbox.pier({"register", fake(file), "--id", "broken"});
    EXPECT_EQ(finished.exit_code, code) << file << "\n" << finished.err;
    EXPECT_EQ(json_size(sandbox.pier({"list", "--json"}).out, "/plugins"), 0U) << file;
    return finished.err;
  };
  EXPECT_THAT(refused("abort_in_constructor.so", 3), HasSubstr("signal 6"));
  EXPECT_THAT(refused("text_file.so", 4), HasSubstr("text_file.so"));
  EXPECT_THAT(refused("missing_needed.so", 3), HasSubstr("libnope.so.1"));
  fs::create_directory(sandbox.path("empty build"));
  const Finished folder = sandbox.pier({"register", "empty build", "--id", "broken"});
  EXPECT_EQ(folder.exit_code, 1) << folder.err;
  EXPECT_THAT(folder.err, HasSubstr("empty build"));
  const Finished missing = sandbox.pier({"register", "no.so", "--id", "broken"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("no.so"));
}

TEST_F(Plugins, MayBeRegisteredWithoutALoadTestByForce) {
  sandbox.set("FAKE_PJRT", "abort=GetPjrtApi");
  EXPECT_NE(register_as("mine").exit_code, 0);
  const Finished forced = register_as("mine", {"--force"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("no load test was made"));
}

TEST_F(Plugins, ThatOthersCanWriteAreRefused) {
  ASSERT_EQ(::chmod(library.c_str(), 0777), 0);
  const Finished finished = register_as("mine");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, testing::AllOf(HasSubstr("everyone may write"), HasSubstr("--allow")));
  EXPECT_EQ(register_as("mine", {"--allow"}).exit_code, 0);
}

TEST_F(Plugins, NeedAProperIdAndNumber) {
  EXPECT_EQ(register_as("Not An Id").exit_code, 2);
  const Finished finished = register_as("mine", {"--priority", "high"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("priority"));
}

TEST_F(Plugins, OfOneLabelAreChosenByPriorityAndExplained) {
  fs::copy_file(fake(), sandbox.path("my build/other.so"));
  ASSERT_EQ(register_as("first", {"--label", "gpu", "--priority", "10"}).exit_code, 0);
  ASSERT_EQ(sandbox.pier({"register", "my build/other.so", "--id", "second", "--label", "gpu", "--priority", "20"}).exit_code, 0);
  const Finished which = sandbox.pier({"which", "gpu"});
  EXPECT_EQ(which.exit_code, 0);
  EXPECT_EQ(which.out, sandbox.path("my build/other.so").native() + "\n");
  EXPECT_EQ(sandbox.pier({"which", "first"}).out, library + "\n");
  const Finished explained = sandbox.pier({"which", "gpu", "--explain"});
  EXPECT_EQ(explained.exit_code, 0);
  EXPECT_THAT(explained.out, HasSubstr("selector gpu\n"));
  EXPECT_THAT(explained.out, testing::ContainsRegex("\n\\* +second +gpu +20"));
  EXPECT_THAT(explained.out, testing::ContainsRegex("first .*priority 10 is less than 20"));
  EXPECT_THAT(explained.out, HasSubstr("looked at\n"));
  const Finished json = sandbox.pier({"which", "gpu", "--json"});
  EXPECT_EQ(json_at(json.out, "/taken/id"), "second");
  EXPECT_EQ(json_at(json.out, "/selector"), "gpu");
  EXPECT_GE(json_size(json.out, "/candidates"), 2U);
  EXPECT_GE(json_size(json.out, "/places"), 1U);
  for (const char* const key : {"source", "id", "labels", "priority", "library", "manifest", "version", "taken", "reason"})
    EXPECT_THAT(json_keys(json.out, "/candidates/0"), testing::Contains(key));
}

TEST_F(Plugins, ThatAreNowhereAreNotAvailable) {
  const Finished finished = sandbox.pier({"which", "nonesuch"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.out, IsEmpty());
  EXPECT_THAT(finished.err, HasSubstr("nonesuch"));
  const Finished json = sandbox.pier({"which", "nonesuch", "--json"});
  EXPECT_EQ(json.exit_code, 3);
  EXPECT_EQ(json_at(json.out, "/taken"), "null");
  EXPECT_EQ(json_at(json.out, "/error/code"), "not_available");
  const Finished explained = sandbox.pier({"which", "nonesuch", "--explain"});
  EXPECT_EQ(explained.exit_code, 3);
  EXPECT_THAT(explained.out, HasSubstr("looked at\n"));
}

TEST_F(Plugins, ThatCouldBeFetchedAreNotTakenForInstalled) {
  const Finished finished = sandbox.pier({"which", "cpu"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("pier install cpu"));
  EXPECT_EQ(sandbox.pier({"info", "cpu"}).exit_code, 3);
  EXPECT_THAT(sandbox.pier({"info"}).err, HasSubstr("pier install cpu"));
}

TEST_F(Plugins, ThatAreHereAreUsedWithoutAskingAnyIndex) {
  const test::Server index([](const test::Request&) -> test::Reply { return {.status = 500, .body = "nobody may ask"}; });
  sandbox.set("PIER_OFFLINE", "");
  sandbox.set("PIER_INDEX_URL", index.url("/simple"));
  ASSERT_EQ(register_as("cpu", {"--label", "mine"}).exit_code, 0);
  sandbox.write("m.mlir", module_text("fake.constants", "", "tensor<f32>"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"which", "cpu", "--explain"}, {"info", "cpu"}, {"run", "m.mlir"}, {"run", "m.mlir", "--device", "cpu"},
        {"doctor"}, {"verify"}, {"gc"}, {"remove", "cpu"}, {"list"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 0) << words.front() << ": " << finished.err;
    EXPECT_TRUE(index.requests().empty()) << words.front() << " asked for " << index.requests().front().path;
  }
}

TEST_F(Plugins, LeaveTheFolderOfALibraryAsItWas) {
  const auto state = [&] {
    std::set<std::tuple<fs::path, fs::file_time_type, fs::perms>> all;
    for (const fs::path& path : {sandbox.path("my build"), fs::path(library)}) all.emplace(path, fs::last_write_time(path), fs::status(path).permissions());
    for (const auto& entry : fs::directory_iterator(sandbox.path("my build"))) all.emplace(entry.path(), entry.last_write_time(), entry.status().permissions());
    return all;
  };
  const auto before = state();
  sandbox.write("m.mlir", module_text("fake.constants", "", "tensor<f32>"));
  const std::vector<std::string> names = sandbox.names();
  sandbox.set("PIER_PLUGIN_NAMED", library);
  ASSERT_EQ(register_as("mine").exit_code, 0);
  for (const char* const device : {"mine", "named", "my build/plugin.so"})
    EXPECT_EQ(sandbox.pier({"run", "m.mlir", "--device", device}).exit_code, 0) << device;
  EXPECT_EQ(sandbox.pier({"doctor"}).exit_code, 0);
  EXPECT_EQ(sandbox.pier({"verify"}).exit_code, 0);
  EXPECT_EQ(sandbox.pier({"remove", "mine"}).exit_code, 0);
  EXPECT_EQ(state(), before);
  EXPECT_EQ(sandbox.names(), names) << "pier writes into its own folders only";
}

TEST_F(Plugins, OfEverySourceGiveTheSameAnswerAndTellWhereTheyCameFrom) {
  const std::string bytes = sandbox.read("my build/plugin.so");
  test::TarWriter tar;
  tar.add("lib/plugin.so", bytes);
  sandbox.write("release.tar.gz", test::gzipped(tar.finish()));
  sandbox.write("mine-1.0-py3-none-any.whl", test::WheelBuilder("mine", "1.0").file("mine/plugin.so", bytes).build());
  sandbox.write("m.mlir", module_text("fake.add_one", "tensor<3xf32>", "tensor<3xf32>"));
  sandbox.write("x.npy", Array::from(std::vector<float>{1, 2, 3.5F}, {3}));
  std::set<std::string> answers;
  const auto answer = [&](const std::string& came_from, const std::string& device) {
    const Finished which = sandbox.pier({"which", device, "--json"});
    EXPECT_EQ(json_at(which.out, "/taken/source"), came_from) << which.err;
    const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "-o", "y.npy", "--force", "--device", device});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    answers.insert(sandbox.read("y.npy"));
  };
  for (const char* const place : {"release.tar.gz", "mine-1.0-py3-none-any.whl", "my build", "my build/plugin.so"}) {
    const Finished finished = sandbox.pier({"install", "cpu", "--from", place, "--json"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(json_at(finished.out, "/plugin/source"), sandbox.path(place).native());
    answer("installed", "cpu");
  }
  ASSERT_EQ(register_as("cpu").exit_code, 0);
  answer("registered", "cpu");
  sandbox.set("PIER_PLUGIN_CPU", library);
  answer("PIER_PLUGIN_CPU", "cpu");
  answer("path", "my build/plugin.so");
  EXPECT_EQ(answers.size(), 1U);
}

TEST_F(Plugins, WithoutTheirDeviceArePassedOverWithoutAWordAndExplained) {
  fs::create_directory(sandbox.path("catalog"));
  sandbox.write("catalog/zap.toml", "format = 1\nid = \"zap\"\nlabels = [\"gpu\"]\npriority = 700\nseen = [\"path:/nowhere/zap0\"]\n");
  sandbox.set("PIER_CATALOG", sandbox.path("catalog").native());
  ASSERT_EQ(register_as("zap").exit_code, 0);
  ASSERT_EQ(register_as("cpu").exit_code, 0);
  sandbox.write("m.mlir", module_text("fake.constants", "", "tensor<f32>"));
  const Finished finished = sandbox.pier({"run", "m.mlir"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.err, IsEmpty());
  EXPECT_THAT(sandbox.pier({"which", "--explain"}).out, HasSubstr("no device of it is seen"));
}

TEST_F(Plugins, WithDamagedManifestsAreListedAsRejected) {
  ASSERT_EQ(register_as("mine").exit_code, 0);
  const std::string manifest = json_at(sandbox.pier({"list", "--json"}).out, "/plugins/0/manifest");
  fs::remove(library);
  const Finished gone = sandbox.pier({"list", "--json"});
  EXPECT_EQ(gone.exit_code, 0);
  EXPECT_EQ(json_size(gone.out, "/plugins"), 0U);
  EXPECT_EQ(json_at(gone.out, "/rejected/0/manifest"), manifest);
  EXPECT_THAT(json_at(gone.out, "/rejected/0/reason"), Not(IsEmpty()));
  EXPECT_THAT(sandbox.pier({"list"}).out, HasSubstr("does not count: " + manifest));
}

}  // namespace
}  // namespace pier::cli_test
