#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/platform.h"
#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Info, TellsWhatAPluginAndItsDevicesCanDo) {
  Sandbox sandbox;
  sandbox.use_fake("devices=2;minor=81;attribute=xla_version:2;remove=PJRT_Buffer_CopyToMemory");
  const Finished text = sandbox.pier({"info", "fake"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr(fake()));
  EXPECT_THAT(text.out, testing::ContainsRegex("PJRT +0\\.81 "));
  EXPECT_THAT(text.out, testing::ContainsRegex("xla_version +2\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\n  0 +0 +Fake +device"));
  EXPECT_THAT(text.out, testing::ContainsRegex("PJRT_Buffer_CopyToMemory +since 0\\.[0-9]+\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("PJRT_Buffer_Bitcast +since 0\\.98\n"));
  EXPECT_THAT(text.out, HasSubstr("Layouts"));
  EXPECT_THAT(text.out, Not(HasSubstr("\x1b")));

  const Finished json = sandbox.pier({"info", "fake", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  EXPECT_THAT(json_keys(json.out, ""),
              testing::UnorderedElementsAre("plugin", "path", "api_version", "newest_known_api", "loadable_here", "attributes", "extensions",
                                            "missing_functions", "platform_name", "platform_version", "process_index", "devices"));
  EXPECT_EQ(json_at(json.out, "/api_version"), "0.81");
  EXPECT_EQ(json_at(json.out, "/attributes/xla_version"), "2");
  EXPECT_EQ(json_size(json.out, "/devices"), 2U);
  EXPECT_EQ(json_at(json.out, "/devices/1/id"), "1");
  EXPECT_EQ(json_at(json.out, "/devices/0/kind"), "Fake");
  EXPECT_EQ(json_at(json.out, "/devices/0/addressable"), "true");
  EXPECT_EQ(json_at(json.out, "/devices/0/memories/0/kind"), "device");
  EXPECT_EQ(json_at(json.out, "/devices/0/memories/1/kind"), "pinned_host");
  EXPECT_EQ(json_at(json.out, "/extensions/0/name"), "Layouts");
  EXPECT_EQ(json_at(json.out, "/loadable_here"), "true");
}

TEST(Info, WorksForAFileThatNobodyRegistered) {
  const Sandbox sandbox;
  const Finished finished = sandbox.pier({"info", fake("versioned_symbol.so"), "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/path"), fake("versioned_symbol.so"));
  EXPECT_EQ(json_at(finished.out, "/plugin/source"), "path");
}

TEST(Info, PassesOptionsToTheClient) {
  Sandbox sandbox;
  sandbox.use_fake();
  const Finished finished = sandbox.pier({"info", "--option", "cpu_device_count=3", "--json"});
  EXPECT_EQ(json_size(finished.out, "/devices"), 3U);
  EXPECT_EQ(json_at(finished.out, "/devices/0/attributes/option.cpu_device_count"), "3");
}

TEST(Info, TellsWhatItKnowsWhenNoClientStarts) {
  Sandbox sandbox;
  sandbox.use_fake("fail=PJRT_Client_Create@1:FAILED_PRECONDITION:no device;noise=create");
  const Finished text = sandbox.pier({"info"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, testing::ContainsRegex("PJRT +0\\.117"));
  EXPECT_THAT(text.err, HasSubstr("pier: no device"));
  const Finished json = sandbox.pier({"info", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(json_at(json.out, "/api_version"), "0.117");
  EXPECT_EQ(json_at(json.out, "/error/code"), "failed_precondition");
  EXPECT_THAT(json_keys(json.out, ""), Not(testing::Contains("devices")));
}

TEST(Info, SurvivesAPluginWithoutMemoriesAndStatistics) {
  Sandbox sandbox;
  sandbox.use_fake("memories=0;memory_stats=0;remote_devices=1;extensions=");
  const Finished finished = sandbox.pier({"info"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("remote"));
  const Finished json = sandbox.pier({"info", "--json"});
  EXPECT_EQ(json_at(json.out, "/devices/0/memory_stats"), "null");
  EXPECT_EQ(json_size(json.out, "/devices/0/memories"), 0U);
  EXPECT_EQ(json_at(json.out, "/devices/1/addressable"), "false");
  EXPECT_EQ(json_at(json.out, "/devices/0/local_hardware_id"), "0");
  EXPECT_EQ(json_at(json.out, "/devices/1/local_hardware_id"), "null");
}

// The fake plugin as a compiler for another processor would have built it: only the header's word for it differs.
std::string foreign_copy(const Sandbox& sandbox) {
  std::ifstream file(fake(), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  constexpr std::size_t machine = 18;
  const bool is_x86 = bytes.at(machine) == 62;
  bytes.at(machine) = static_cast<char>(is_x86 ? 183 : 62);
  return sandbox.write("foreign.so", bytes);
}

TEST(Info, ReadsALibraryForAnotherMachineWithoutLoadingIt) {
  const Sandbox sandbox;
  const std::string file = foreign_copy(sandbox);
  const bool host_is_x86 = host_platform().arch == Arch::x86_64;
  const std::string foreign = host_is_x86 ? "linux-aarch64" : "linux-x86_64";
  const Finished text = sandbox.pier({"info", file});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, testing::ContainsRegex("platform +" + foreign + "\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("minimum system +glibc 2\\."));
  EXPECT_THAT(text.out, testing::ContainsRegex("entry symbol +GetPjrtApi"));
  EXPECT_THAT(text.out, HasSubstr("libc.so.6"));
  EXPECT_THAT(text.out, HasSubstr("this machine (" + to_string(host_platform()) + ") cannot load it: it is for " + foreign + "\n"));
  const Finished json = sandbox.pier({"info", file, "--json"});
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_EQ(json_at(json.out, "/loadable_here"), "false");
  EXPECT_EQ(json_at(json.out, "/binary/format"), "elf");
  EXPECT_EQ(json_at(json.out, "/binary/images/0/platform"), foreign);
  EXPECT_EQ(json_at(json.out, "/binary/images/0/arch"), host_is_x86 ? "aarch64" : "x86_64");
  EXPECT_EQ(json_at(json.out, "/binary/images/0/entry_symbol"), "GetPjrtApi");
  EXPECT_GE(json_size(json.out, "/binary/images/0/needed"), 1U);
  // Running it is another matter.
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<f32>"));
  const Finished run = sandbox.pier({"run", "m.mlir", "--device", "./" + file});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr(foreign));
}

TEST(Info, ReadsAPluginThatIsInstalledForAnotherMachine) {
  const Sandbox sandbox;
  const std::string foreign = host_platform().arch == Arch::x86_64 ? "linux-aarch64" : "linux-x86_64";
  const std::string manifests = "home/data/foreign/" + foreign + "/manifests";
  std::filesystem::create_directories(sandbox.path(manifests));
  const std::string library = sandbox.path(foreign_copy(sandbox)).native();
  sandbox.write(manifests + "/accel.toml", "schema = 1\nid = \"accel\"\nlabels = [\"npu\"]\nlibrary = \"" + library + "\"\nplatform = \"" +
                                               foreign + "\"\npackage = \"accel-pjrt\"\nversion = \"1.0\"\n");
  const Finished list = sandbox.pier({"list", "--json"});
  ASSERT_EQ(json_size(list.out, "/plugins"), 1U) << list.out;
  EXPECT_EQ(json_at(list.out, "/plugins/0/origin"), "foreign");
  const std::string sentence = "this machine (" + to_string(host_platform()) + ") cannot load it: it is for " + foreign + "\n";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", "accel"}, {"info", "npu"}, {"info", "accel", "--platform", foreign}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(finished.out, HasSubstr(library));
    EXPECT_THAT(finished.out, HasSubstr(sentence));
  }
  EXPECT_EQ(sandbox.pier({"which", "accel"}).exit_code, 3);
  const Finished other = sandbox.pier({"info", "accel", "--platform", "macos-arm64"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("pier install accel --platform macos-arm64"));

  const Finished here = sandbox.pier({"remove", "accel"});
  EXPECT_EQ(here.exit_code, 3);
  EXPECT_THAT(here.err, HasSubstr("pier remove accel --platform " + foreign));
  const Finished removed = sandbox.pier({"remove", "accel", "--platform", foreign});
  EXPECT_EQ(removed.exit_code, 0) << removed.err;
  EXPECT_EQ(json_size(sandbox.pier({"list", "--json"}).out, "/plugins"), 0U);
}

TEST(Info, SaysWhatAFileIsThatIsNoLibrary) {
  const Sandbox sandbox;
  sandbox.write("page.so", "<!DOCTYPE html><html></html>");
  const Finished finished = sandbox.pier({"info", "./page.so"});
  EXPECT_EQ(finished.exit_code, 4);
  EXPECT_THAT(finished.err, HasSubstr("page.so"));
  EXPECT_THAT(finished.out, IsEmpty());
  EXPECT_EQ(sandbox.pier({"info", "./none.so"}).exit_code, 3);
}

}  // namespace
}  // namespace pier::cli_test
