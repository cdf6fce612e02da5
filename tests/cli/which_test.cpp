#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Which : public testing::Test {
 protected:
  Which() {
    fs::copy_file(fake(), sandbox.path("plugin.so"));
    const Finished done = sandbox.pier({"register", "plugin.so", "--id", "mine", "--force", "--option", "cores=4", "--env", "MINE_QUIET=1", "--env", "MINE_MODE=fast"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
  }
  Sandbox sandbox;
};

TEST_F(Which, ExplainsEachPlaceInTheOrderOfTheSearch) {
  fs::create_directories(sandbox.path("env/lib/python3.12/site-packages/jax_plugins/mine"));
  fs::copy_file(fake(), sandbox.path("env/lib/python3.12/site-packages/jax_plugins/mine/pjrt_mine.so"));
  sandbox.set("VIRTUAL_ENV", sandbox.path("env"));
  const Finished finished = sandbox.pier({"which", "mine", "--explain"});
  EXPECT_EQ(finished.exit_code, 0);
  std::size_t last = 0;
  for (const char* step : {"1. path\n", "2. variables\n     PIER_PLUGIN_MINE is not set\n", "3. manifests, and what pier installed\n     * mine /",
                           "4. Python environments\n     - mine /", "5. Bazel workspace\n     no Bazel workspace", "6. catalog\n     the catalog has nothing for 'mine'"}) {
    const std::size_t at = finished.out.find(step);
    EXPECT_NE(at, std::string::npos) << step << "\n" << finished.out;
    EXPECT_GE(at, last) << step;
    last = at;
  }
  EXPECT_THAT(finished.out, ContainsRegex("pjrt_mine.so: not needed: registered mine .* comes first\n"));
  EXPECT_THAT(finished.out, HasSubstr("(VIRTUAL_ENV): 1 plugin\n"));

  const Finished json = sandbox.pier({"which", "mine", "--json"});
  EXPECT_EQ(json_size(json.out, "/steps"), 6U);
  EXPECT_EQ(json_at(json.out, "/steps/2/name"), "manifests");
  EXPECT_EQ(json_at(json.out, "/steps/2/candidates"), "[0]");
  EXPECT_EQ(json_at(json.out, "/steps/3/candidates"), "[1]");
  EXPECT_EQ(json_at(json.out, "/candidates/1/source"), "python");
  EXPECT_THAT(json_at(json.out, "/candidates/1/found_in"), HasSubstr("site-packages (VIRTUAL_ENV)"));
}

TEST_F(Which, ShowsTheEnvironmentAndWhatStaysTheUsersOwn) {
  sandbox.set("MINE_MODE", "slow");
  const Finished finished = sandbox.pier({"which", "mine", "--explain"});
  EXPECT_THAT(finished.out, HasSubstr("environment, set before it is loaded\n"));
  EXPECT_THAT(finished.out, HasSubstr("  MINE_QUIET=1\n"));
  EXPECT_THAT(finished.out, HasSubstr("  MINE_MODE=slow   (yours stays; pier would set fast)\n"));
  EXPECT_THAT(finished.out, HasSubstr("create options of its client\n  cores=4\n"));
  const Finished json = sandbox.pier({"which", "mine", "--json"});
  EXPECT_EQ(json_size(json.out, "/environment"), 2U);
  for (const int i : {0, 1}) {
    const std::string at = "/environment/" + std::to_string(i);
    const bool mode = json_at(json.out, at + "/name") == "MINE_MODE";
    EXPECT_EQ(json_at(json.out, at + "/value"), mode ? "slow" : "1");
    EXPECT_EQ(json_at(json.out, at + "/set_by"), mode ? "user" : "pier");
  }
}

TEST_F(Which, ShowsWhatThePolicyLeavesOut) {
  sandbox.set("PIER_DISABLE", "mi*");
  const Finished finished = sandbox.pier({"which", "mine", "--explain"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.out, HasSubstr("plugin.so: PIER_DISABLE has 'mi*'\n"));
  sandbox.set("PIER_DISABLE", "");
  sandbox.set("PIER_PLATFORM", "gpu,mine");
  const Finished list = sandbox.pier({"which", "--explain"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, ContainsRegex("1\\. PIER_PLATFORM\n     PIER_PLATFORM: 'gpu' is passed over: .*\n     PIER_PLATFORM chooses 'mine'\n"));
}

TEST_F(Which, WithoutExplainItLooksNoFurtherThanARunDoes) {
  fs::create_directories(sandbox.path("env/lib/python3.12/site-packages"));
  fs::permissions(sandbox.path("env/lib/python3.12/site-packages"), fs::perms::none);
  sandbox.set("VIRTUAL_ENV", sandbox.path("env"));
  const Finished finished = sandbox.pier({"which", "mine"});
  EXPECT_EQ(finished.out, sandbox.path("plugin.so").native() + "\n");
  EXPECT_EQ(finished.err, "");
  const Finished missing = sandbox.pier({"which", "nothing"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("no Bazel workspace around the current folder"));
}

}  // namespace
}  // namespace pier::cli_test
