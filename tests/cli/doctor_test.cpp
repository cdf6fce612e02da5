#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Doctor, IsWellWhereNothingIsWrong) {
  Sandbox sandbox;
  const Finished none = sandbox.pier({"doctor"});
  EXPECT_EQ(none.exit_code, 0) << none.out << none.err;
  EXPECT_THAT(none.out, testing::StartsWith("system\n"));
  EXPECT_THAT(none.out, HasSubstr("plugins\n  none; pier install cpu fetches one\n"));
  sandbox.use_fake("devices=3");
  const Finished finished = sandbox.pier({"doctor"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  for (const char* section : {"hardware\n", "drivers\n", "launcher\n", "package index\n", "folders\n", "variables\n", "problems\n"})
    EXPECT_THAT(finished.out, HasSubstr(std::string("\n") + section));
  EXPECT_THAT(finished.out, HasSubstr("  fake PIER_PLUGIN_FAKE\n    library: " + fake() + "\n"));
  EXPECT_THAT(finished.out, ContainsRegex("needed libraries: [0-9]+ of [0-9]+ found"));
  EXPECT_THAT(finished.out, ContainsRegex("libc.so.6: /.*libc.so.6"));
  EXPECT_THAT(finished.out, HasSubstr("in a child process: loads, PJRT 0.117; 3 devices of platform cpu (fake 1.0)"));
  EXPECT_THAT(finished.out, ContainsRegex("PIER_PLATFORM +fake\n"));
  EXPECT_EQ(finished.err, "");
}

TEST(Doctor, SaysWhatIsWrongAndWhatMendsIt) {
  Sandbox sandbox;
  sandbox.use_fake("noise=constructor;abort=PJRT_Client_Create");
  const Finished finished = sandbox.pier({"doctor"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, ContainsRegex("problems\n  error: fake: it fails in a child process: .*signal 6.*\n    mend: unset PIER_PLUGIN_FAKE"));
  EXPECT_THAT(finished.out, HasSubstr("it printed: \n"));
  EXPECT_EQ(sandbox.pier({"doctor", "--no-probe"}).exit_code, 0);

  const Finished json = sandbox.pier({"doctor", "fake", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_THAT(json_keys(json.out, ""), ElementsAre("drivers", "folders", "hardware", "index", "launchers", "ok", "plugins", "problems", "system", "variables"));
  EXPECT_EQ(json_at(json.out, "/ok"), "false");
  EXPECT_EQ(json_at(json.out, "/plugins/0/plugin/id"), "fake");
  EXPECT_THAT(json_at(json.out, "/plugins/0/probe/failure"), HasSubstr("signal 6"));
  EXPECT_NE(json_at(json.out, "/plugins/0/probe/log"), "");
  EXPECT_EQ(json_at(json.out, "/problems/0/severity"), "error");
  EXPECT_THAT(json_at(json.out, "/problems/0/mend"), HasSubstr("unset PIER_PLUGIN_FAKE"));
}

TEST(Doctor, TakesSeveralSelectorsAndALimit) {
  Sandbox sandbox;
  sandbox.set("PIER_PLUGIN_ONE", fake());
  sandbox.set("PIER_PLUGIN_TWO", fake("null_table.so"));
  EXPECT_EQ(json_size(sandbox.pier({"doctor", "--json", "one", "two"}).out, "/plugins"), 2U);
  EXPECT_EQ(sandbox.pier({"doctor", "one"}).exit_code, 0);
  EXPECT_EQ(sandbox.pier({"doctor", "two"}).exit_code, 1);
  EXPECT_EQ(sandbox.pier({"doctor", "a b"}).exit_code, 1);
  EXPECT_EQ(sandbox.pier({"doctor", "--time-limit", "0"}).exit_code, 2);
  sandbox.set("FAKE_PJRT", "hang=PJRT_Client_Create");
  const Finished slow = sandbox.pier({"doctor", "one", "--time-limit", "1"});
  EXPECT_EQ(slow.exit_code, 1);
  EXPECT_FALSE(slow.timed_out);
  EXPECT_THAT(slow.out, HasSubstr("was still creating a client after 1 s"));
}

}  // namespace
}  // namespace pier::cli_test
