#include <signal.h>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PluginLog : public testing::Test {
 protected:
  PluginLog() {
    sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
    sandbox.write("x.npy", Array::scalar(1.0F));
  }
  Finished run(const std::string& script, std::vector<std::string> more = {}) {
    sandbox.use_fake(script);
    std::vector<std::string> words = {"run", "m.mlir", "-i", "x.npy"};
    words.insert(words.end(), more.begin(), more.end());
    return sandbox.pier(words);
  }
  Sandbox sandbox;
  const std::string noise = "noise=constructor,thread,create";
};

TEST_F(PluginLog, IsQuietWhenAllGoesWell) {
  const Finished finished = run(noise);
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.err, IsEmpty());
  const Finished info = sandbox.pier({"info", "fake"});
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_THAT(info.err, IsEmpty());
}

TEST_F(PluginLog, IsShownWholeWhenSomethingFails) {
  const std::string all = run(noise, {"--plugin-log", "stderr"}).err;
  ASSERT_THAT(all, Not(IsEmpty()));
  const Finished finished = run(noise + ";fail=PJRT_Client_Compile@1:INTERNAL:broken");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, testing::StartsWith("pier: the plugin wrote:\n"));
  const std::string first_line = all.substr(0, all.find('\n'));
  EXPECT_THAT(finished.err, HasSubstr(first_line));
  // The error itself comes last, where it is seen.
  EXPECT_GT(finished.err.find("pier: broken"), finished.err.find(first_line));
  const Finished json = run(noise + ";fail=PJRT_Client_Compile@1:INTERNAL:broken", {"--json"});
  EXPECT_THAT(json_at(json.out, "/error/plugin_log"), HasSubstr(first_line));
}

TEST_F(PluginLog, GoesWhereTheUserSays) {
  const Finished off = run(noise + ";fail=PJRT_Client_Compile@1:INTERNAL:broken", {"--plugin-log", "off"});
  EXPECT_EQ(off.exit_code, 1);
  EXPECT_THAT(off.err, testing::StartsWith("pier: broken"));
  const Finished file = run(noise, {"--plugin-log", "plugin.log"});
  EXPECT_EQ(file.exit_code, 0);
  EXPECT_THAT(file.err, IsEmpty());
  EXPECT_THAT(sandbox.read("plugin.log"), Not(IsEmpty()));
  const Finished nowhere = run(noise, {"--plugin-log", "none/plugin.log"});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("none/plugin.log"));
}

TEST_F(PluginLog, SurvivesACrashOfThePlugin) {
  for (const auto& [what, signal, name] : {std::tuple{"abort", SIGABRT, "SIGABRT"}, std::tuple{"segv", SIGSEGV, "SIGSEGV"}}) {
    const Finished finished = run(noise + ";" + what + "=PJRT_Client_Compile@1");
    EXPECT_EQ(finished.signal, signal);
    EXPECT_THAT(finished.err, testing::StartsWith("pier: the plugin wrote:\n"));
    EXPECT_THAT(finished.err, HasSubstr(std::string("pier: the plugin crashed with ") + name + " while compiling the program\n"));
    const Finished json = run(std::string(what) + "=PJRT_Client_Create@1", {"--json"});
    EXPECT_EQ(json_at(json.out, "/error/code"), "aborted");
    EXPECT_EQ(json_at(json.out, "/error/message"), std::string("the plugin crashed with ") + name + " while starting a client");
  }
}

TEST_F(PluginLog, SurvivesAPluginThatEndsTheProcess) {
  const Finished finished = run("", {"--device", EXITS_IN_CONSTRUCTOR});
  EXPECT_EQ(finished.exit_code, 7);
  EXPECT_EQ(finished.err, "pier: the plugin wrote:\nno device, good bye\nand to standard output\n"
                          "pier: the plugin ended the process while loading the plugin\n");
  // Standard output is for results alone.
  EXPECT_THAT(finished.out, IsEmpty());
}

TEST_F(PluginLog, IsLeftAloneByVerbsThatLoadNothing) {
  sandbox.use_fake("abort=constructor");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"which", "fake"}, {"which", "fake", "--explain"}, {"which", "--json"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(finished.err, IsEmpty());
  }
}

TEST_F(PluginLog, GoesToNoPipe) {
  ASSERT_EQ(::mkfifo(sandbox.path("pipe").c_str(), 0600), 0);
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--plugin-log", "pipe"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("pipe"));
}

}  // namespace
}  // namespace pier::cli_test
