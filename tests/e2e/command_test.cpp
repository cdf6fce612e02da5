#include "cli/command.h"
#include "e2e/support.h"

namespace {

using pier::cli_test::Finished;
using pier::cli_test::Sandbox;

// A folder of its own, with the fetched plugin and no network.
class RealCommand : public testing::Test {
 protected:
  RealCommand() {
    sandbox_.set("PIER_HOME", std::getenv("PIER_HOME"));
    sandbox_.set("PIER_OFFLINE", "1");
  }
  Finished run(const std::string& module, const std::string& output, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"run", module, "-i", (e2e::digits / "images.npy").string(), (e2e::digits / "weights.safetensors").string(),
                                      "-o", output};
    words.insert(words.end(), more.begin(), more.end());
    return sandbox_.pier(words);
  }
  Sandbox sandbox_;
};

TEST_F(RealCommand, AnswersWithWhatJaxAnsweredForEveryFormOfModule) {
  const pier::Array expected = pier::load_npy(e2e::digits / "expected.npy");
  int number = 0;
  for (const auto& module : {e2e::digits / "digits.mlir", e2e::programs / "digits.stablehlo.mlirbc", e2e::programs / "digits.vhlo.mlirbc",
                             e2e::programs / "digits.hlo.pb"}) {
    const std::string output = "scores" + std::to_string(number++) + ".npy";
    const Finished finished = run(module.string(), output);
    ASSERT_EQ(finished.exit_code, 0) << module << "\n" << finished.err;
    EXPECT_EQ(finished.err, "") << "plugins' own log lines are kept back";
    EXPECT_LE(e2e::largest_difference(pier::load_npy(sandbox_.path(output)), expected), 1e-5) << module;
  }
}

TEST_F(RealCommand, RefusesTheWrongInputForEveryFormOfModuleBeforeItRuns) {
  for (const auto& module : {e2e::digits / "digits.mlir", e2e::programs / "digits.vhlo.mlirbc", e2e::programs / "digits.hlo.pb"}) {
    const Finished finished = sandbox_.pier({"run", module.string(), "-i", (e2e::digits / "labels.npy").string(),
                                             (e2e::digits / "weights.safetensors").string(), "-o", "scores.npy"});
    EXPECT_EQ(finished.exit_code, 1) << module;
    EXPECT_NE(finished.err.find("float32[400,8,8,1]"), std::string::npos) << "what the module wants\n" << finished.err;
    EXPECT_NE(finished.err.find("int32[400]"), std::string::npos) << "what the file holds\n" << finished.err;
    EXPECT_NE(finished.err.find("labels"), std::string::npos) << finished.err;
    EXPECT_TRUE(sandbox_.names().empty()) << "something was written";
  }
}

TEST_F(RealCommand, GivesAProgramItsArgumentInTheOrderThatItWants) {
  const std::vector<float> values = {0, 1, 2, 3, 4, 5};
  pier::save_npy(sandbox_.path("x.npy"), pier::Array::from(values, {2, 3}));
  sandbox_.write("columns.mlir",
                 "module { func.func public @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}) -> tensor<2x3xf32> {"
                 " %0 = stablehlo.add %x, %x : tensor<2x3xf32> return %0 : tensor<2x3xf32> } }");
  const Finished finished = sandbox_.pier({"run", "columns.mlir", "-i", "x.npy", "-o", "y.npy"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(pier::preview(pier::load_npy(sandbox_.path("y.npy"))), "float32[2,3] [0, 2, 4, 6, 8, 10]");
}

TEST_F(RealCommand, ReportsTimesAndTypesAsJson) {
  const Finished finished = run((e2e::digits / "digits.mlir").string(), "scores.safetensors", {"--time", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_GT(std::stod(pier::cli_test::json_at(finished.out, "/times_ms/compile")), 0.0) << finished.out;
}

TEST_F(RealCommand, DescribesThePlugin) {
  const Finished finished = sandbox_.pier({"info", "cpu", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(pier::cli_test::json_at(finished.out, "/api_version"), "0." + std::to_string(e2e::expected_minor()));
  EXPECT_EQ(pier::cli_test::json_size(finished.out, "/devices"), 4u);
}

}  // namespace
