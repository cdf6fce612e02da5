#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/files.h>
#include <pier/npy.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Array floats(const std::vector<float>& values, Shape shape) { return Array::from(values, std::move(shape)); }

class Run : public testing::Test {
 protected:
  Run() { sandbox.use_fake(); }
  Sandbox sandbox;
};

TEST_F(Run, ComputesAResultFromAFileIntoAFile) {
  sandbox.write("m.mlir", module_text("fake.add_one", "tensor<3xf32>", "tensor<3xf32>"));
  sandbox.write("x.npy", floats({1, 2, 3.5F}, {3}));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "-o", "y.npy"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "y.npy: float32[3]\n");
  EXPECT_THAT(finished.err, IsEmpty());
  const Array y = load_npy(sandbox.path("y.npy"));
  EXPECT_EQ(std::vector<float>(y.values<float>().begin(), y.values<float>().end()), (std::vector<float>{2, 3, 4.5F}));
}

TEST_F(Run, ShowsTheResultsWithoutAnOutputFile) {
  sandbox.write("m.mlir", module_text("fake.swap", "tensor<2xf32>, tensor<i32>", "tensor<i32>, tensor<2xf32>"));
  sandbox.write("x.npy", floats({0.5F, -2}, {2}));
  sandbox.write("n.npy", Array::scalar(std::int32_t{7}));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "n.npy"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "result 0: int32[] [7]\nresult 1: float32[2] [0.5, -2]\n");
}

TEST_F(Run, TakesArgumentsFromSeveralFilesInOrder) {
  sandbox.write("m.mlir", module_text("fake.swap", "tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<f32>",
                                      "tensor<f32>, tensor<3xf32>, tensor<2xf32>, tensor<1xf32>"));
  // By name inside each file: a before b, whatever the order in which they were written.
  sandbox.write("first.npz", NamedArrays{{"b", floats({1, 2}, {2}), false}, {"a", floats({9}, {1}), false}});
  sandbox.write("second.safetensors", NamedArrays{{"only", floats({4, 5, 6}, {3}), false}});
  sandbox.write("third.npy", floats({8}, {}));
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"-i", "first.npz", "second.safetensors", "third.npy"},
        {"-i", "first.npz", "-i", "second.safetensors", "-i", "third.npy"}}) {
    std::vector<std::string> words = {"run", "m.mlir"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.out,
              "result 0: float32[] [8]\nresult 1: float32[3] [4, 5, 6]\nresult 2: float32[2] [1, 2]\nresult 3: float32[1] [9]\n");
  }
}

TEST_F(Run, WritesSeveralResultsToSeveralFilesOrToOneArchive) {
  sandbox.write("m.mlir", module_text("fake.swap", "tensor<2xf32>, tensor<1xf32>", "tensor<1xf32>, tensor<2xf32>"));
  sandbox.write("x.npz", NamedArrays{{"a", floats({1, 2}, {2}), false}, {"b", floats({3}, {1}), false}});
  ASSERT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "p.npy", "-o", "q.safetensors"}).exit_code, 0);
  EXPECT_EQ(load_npy(sandbox.path("p.npy")).type(), (TensorType{DType::float32, {1}}));
  EXPECT_EQ(load_arrays(sandbox.path("q.safetensors")).at(0).array.type(), (TensorType{DType::float32, {2}}));
  for (const std::string all : {"all.npz", "all.safetensors"}) {
    ASSERT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", all}).exit_code, 0);
    const NamedArrays arrays = load_arrays(sandbox.path(all));
    ASSERT_EQ(arrays.size(), 2U);
    EXPECT_EQ(arrays[0].name, "output_0");
    EXPECT_EQ(arrays[0].array.values<float>()[0], 3);
    EXPECT_EQ(arrays[1].name, "output_1");
    EXPECT_EQ(arrays[1].array.values<float>()[1], 2);
  }
}

TEST_F(Run, NamesManyResultsSoThatTheyStayInOrder) {
  std::string results = "tensor<f32>";
  for (int i = 1; i < 12; ++i) results += ", tensor<f32>";
  sandbox.write("m.mlir", module_text("fake.constants", "", results));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-o", "all.npz"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const NamedArrays arrays = load_arrays(sandbox.path("all.npz"));
  ASSERT_EQ(arrays.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(arrays[i].array.values<float>()[0], static_cast<float>(i)) << arrays[i].name;
  EXPECT_EQ(arrays[11].name, "output_11");
}

TEST_F(Run, KeepsScalarsAndEmptyArrays) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>, tensor<0x3xf32>", "tensor<f32>, tensor<0x3xf32>"));
  sandbox.write("x.safetensors", NamedArrays{{"a", floats({5}, {}), false}, {"b", floats({}, {0, 3}), false}});
  ASSERT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.safetensors", "-o", "s.npy", "e.npy"}).exit_code, 0);
  EXPECT_EQ(load_npy(sandbox.path("s.npy")).shape(), Shape{});
  EXPECT_EQ(load_npy(sandbox.path("e.npy")).shape(), (Shape{0, 3}));
}

TEST_F(Run, BringsColumnMajorResultsBackInOrder) {
  sandbox.write("m.mlir", module_text("fake.identity fake.column_major", "tensor<2x3xf32>", "tensor<2x3xf32>"));
  sandbox.write("x.npy", floats({1, 2, 3, 4, 5, 6}, {2, 3}));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "-o", "y.npy"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Array y = load_npy(sandbox.path("y.npy")).row_major();
  EXPECT_EQ(std::vector<float>(y.values<float>().begin(), y.values<float>().end()), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Run, LeavesTheFileOfADonatedArgumentAlone) {
  sandbox.write("m.mlir", module_text("fake.add_one fake.donate", "tensor<64xf32>", "tensor<64xf32>"));
  sandbox.write("x.safetensors", NamedArrays{{"x", Array::zeros(DType::float32, {64}), false}});
  const std::string before = sandbox.read("x.safetensors");
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.safetensors", "-o", "y.npy"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(load_npy(sandbox.path("y.npy")).values<float>()[63], 1);
  EXPECT_EQ(sandbox.read("x.safetensors"), before);
}

TEST_F(Run, RunsOnTheDeviceThatTheSelectorNames) {
  sandbox.use_fake("devices=4;first_device_id=10");
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", floats({1}, {}));
  const auto device = [&](const std::string& selector) {
    const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", selector, "--json"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return json_at(finished.out, "/device/id");
  };
  EXPECT_EQ(device("fake"), "10");
  EXPECT_EQ(device("fake:12"), "12");
  EXPECT_EQ(device("auto:13"), "13");
  EXPECT_EQ(device(fake() + ":11"), "11");
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", "fake:0"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("10, 11, 12, 13"));
}

TEST_F(Run, TakesTextThatBeginsWithAByteOrderMark) {
  sandbox.write("bom.mlir", "\xEF\xBB\xBF" + module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", floats({1}, {}));
  const Finished finished = sandbox.pier({"run", "bom.mlir", "-i", "x.npy", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/format"), "mlir_text");
  EXPECT_EQ(json_at(finished.out, "/inputs/0/name"), "null");
}

TEST_F(Run, PassesOptionsToClientAndCompiler) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", floats({1}, {}));
  const Finished finished = sandbox.pier(
      {"run", "m.mlir", "-i", "x.npy", "--option", "cpu_device_count=3", "--device", "fake:2", "--json", "--xla", "xla_dump=no"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/device/id"), "2");
  const Finished wrong = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--option", "cpu_device_count"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'cpu_device_count' is not KEY=VALUE"));
  const Finished twice = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--option", "a=1", "--option", "a=2"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("'a' is given twice"));
}

TEST_F(Run, ReportsAsJson) {
  sandbox.write("m.mlir", module_text("fake.add_one", "tensor<2xf32>", "tensor<2xf32>"));
  sandbox.write("x.npz", NamedArrays{{"kernel", floats({1, 2}, {2}), false}});
  const Finished shown = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "--json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(json_keys(shown.out, ""),
            (std::vector<std::string>{"device", "format", "inputs", "module", "outputs", "plugin"}));
  EXPECT_EQ(json_at(shown.out, "/format"), "mlir_text");
  EXPECT_EQ(json_at(shown.out, "/plugin/path"), fake());
  EXPECT_EQ(json_at(shown.out, "/plugin/platform_name"), "cpu");
  EXPECT_EQ(json_at(shown.out, "/inputs/0/name"), "kernel");
  EXPECT_EQ(json_at(shown.out, "/inputs/0/file"), "x.npz");
  EXPECT_EQ(json_at(shown.out, "/inputs/0/shape"), "[2]");
  EXPECT_EQ(json_at(shown.out, "/outputs/0/dtype"), "float32");
  EXPECT_EQ(json_at(shown.out, "/outputs/0/preview"), "float32[2] [2, 3]");
  const Finished written = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "y.npz", "--json", "--time"});
  EXPECT_EQ(json_at(written.out, "/outputs/0/file"), "y.npz");
  EXPECT_EQ(json_at(written.out, "/outputs/0/name"), "output_0");
  for (const std::string phase : {"module", "inputs", "resolve", "load", "client", "compile", "transfer", "run", "fetch", "write", "total"})
    EXPECT_GE(std::stod(json_at(written.out, "/times_ms/" + phase)), 0) << phase;
}

TEST_F(Run, PrintsTheTimeOfEachPhase) {
  sandbox.use_fake("delay=PJRT_LoadedExecutable_Execute:300");
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", floats({1}, {}));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--time", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  // The wait for the device belongs to the run, not to the fetch of what it made.
  EXPECT_GE(std::stod(json_at(finished.out, "/times_ms/run")), 290);
  EXPECT_LT(std::stod(json_at(finished.out, "/times_ms/fetch")), 290);
  const Finished text = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--time"});
  EXPECT_THAT(text.out, testing::ContainsRegex("\nclient  +[0-9]+\\.[0-9]+ ms\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("\ntotal  +[0-9]+\\.[0-9]+ ms\n"));
}

TEST_F(Run, WarnsOfWhatNobodyTellsAndSoNobodyCompares) {
  // Without a signature the fake plugin has no optimized program and no types of results.
  sandbox.write("m.mlirbc", "ML\xEFR fake.identity");
  sandbox.write("x.npz", NamedArrays{{"kernel", floats({1, 2}, {2}), false}});
  const Finished finished = sandbox.pier({"run", "m.mlirbc", "-i", "x.npz", "-o", "y.safetensors"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err,
            "pier: warning: neither the module nor the plugin tells what the program takes: the number of arguments is not checked, "
            "nor are element type, rank and shape of 'kernel' in x.npz (float32[2])\n"
            "pier: warning: the plugin does not tell the types of the results: whether their files can hold them is not checked "
            "before the run\n");
}

TEST_F(Run, TellsTheModulesFormatFromItsBytes) {
  sandbox.write("x.npy", floats({1}, {}));
  sandbox.write("m.bin", std::string("ML\xEFR\x01 fake.identity fake.signature=f32[]->f32[]"));
  const Finished finished = sandbox.pier({"run", "m.bin", "-i", "x.npy", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/format"), "mlir_bytecode");
  sandbox.write("x.txt", "hello");
  const Finished wrong = sandbox.pier({"run", "x.txt"});
  EXPECT_EQ(wrong.exit_code, 4);
  EXPECT_THAT(wrong.err, HasSubstr("x.txt"));
}

}  // namespace
}  // namespace pier::cli_test
