#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/files.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Array zeros(DType type, Shape shape) { return Array::zeros(type, std::move(shape)); }

// Every call of the plugin ends the process here: what is refused must be refused before one.
class Refusal : public testing::Test {
 protected:
  Refusal() { sandbox.use_fake("abort=GetPjrtApi"); }

  std::string refused(std::vector<std::string> words) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 1) << finished.err;
    EXPECT_THAT(finished.out, IsEmpty());
    words.push_back("--json");
    const Finished json = sandbox.pier(words);
    EXPECT_EQ(json.exit_code, 1);
    EXPECT_EQ(json_at(json.out, "/error/code"), "invalid_argument");
    return finished.err;
  }

  Sandbox sandbox;
};

TEST_F(Refusal, OfAWrongElementTypeNamesArgumentWishAndFile) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<2xf32>, tensor<3xf32>", "tensor<2xf32>"));
  sandbox.write("x.npy", zeros(DType::float32, {2}));
  sandbox.write("w.npz", NamedArrays{{"kernel", zeros(DType::float64, {3}), false}});
  EXPECT_EQ(refused({"run", "m.mlir", "-i", "x.npy", "w.npz"}),
            "pier: argument 1 has the wrong element type: the module wants float32[3], 'kernel' in w.npz holds float64[3]\n"
            "  pier converts no values: save the file with the type that the module wants\n");
}

TEST_F(Refusal, OfATypeOfTheSameWidthIsNoConversion) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<2xf32>", "tensor<2xf32>"));
  sandbox.write("x.npy", zeros(DType::int32, {2}));
  EXPECT_THAT(refused({"run", "m.mlir", "-i", "x.npy"}), HasSubstr("the module wants float32[2], x.npy holds int32[2]"));
  sandbox.write("b.mlir", module_text("fake.identity", "tensor<2xi1>", "tensor<2xi1>"));
  sandbox.write("u.npy", zeros(DType::uint8, {2}));
  EXPECT_THAT(refused({"run", "b.mlir", "-i", "u.npy"}), HasSubstr("the module wants bool[2], u.npy holds uint8[2]"));
}

TEST_F(Refusal, OfAWrongRankOrShape) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<2x3xf32>", "tensor<2x3xf32>"));
  sandbox.write("rank.npy", zeros(DType::float32, {6}));
  sandbox.write("shape.npy", zeros(DType::float32, {3, 2}));
  EXPECT_THAT(refused({"run", "m.mlir", "-i", "rank.npy"}),
              HasSubstr("argument 0 has the wrong rank: the module wants float32[2,3], rank.npy holds float32[6]"));
  EXPECT_THAT(refused({"run", "m.mlir", "-i", "shape.npy"}),
              HasSubstr("argument 0 has the wrong shape: the module wants float32[2,3], shape.npy holds float32[3,2]"));
}

TEST_F(Refusal, OfAScalarWhereAOneElementArrayIsWanted) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", zeros(DType::float32, {1}));
  EXPECT_THAT(refused({"run", "m.mlir", "-i", "x.npy"}), HasSubstr("the module wants float32[], x.npy holds float32[1]"));
}

TEST_F(Refusal, ListsEveryArgumentThatDoesNotFit) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<1xf32>, tensor<2xf32>, tensor<3xf32>", "tensor<1xf32>"));
  sandbox.write("w.safetensors", NamedArrays{{"a", zeros(DType::float32, {9}), false},
                                             {"b", zeros(DType::float32, {2}), false},
                                             {"c", zeros(DType::int8, {3}), false}});
  const std::string text = refused({"run", "m.mlir", "-i", "w.safetensors"});
  EXPECT_THAT(text, HasSubstr("argument 0 has the wrong shape"));
  EXPECT_THAT(text, HasSubstr("argument 2 has the wrong element type"));
  EXPECT_THAT(text, Not(HasSubstr("argument 1")));
}

TEST_F(Refusal, OfTooFewAndTooManyArguments) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<1xf32>, tensor<2xf32>", "tensor<1xf32>"));
  sandbox.write("a.npy", zeros(DType::float32, {1}));
  sandbox.write("three.npz", NamedArrays{{"a", zeros(DType::float32, {1}), false},
                                         {"b", zeros(DType::float32, {2}), false},
                                         {"extra", zeros(DType::float32, {5}), false}});
  const std::string few = refused({"run", "m.mlir", "-i", "a.npy"});
  EXPECT_THAT(few, HasSubstr("the module takes 2 arguments, the files hold 1 array\n"));
  EXPECT_THAT(few, HasSubstr("argument 1 wants float32[2]; no file gives it"));
  const std::string many = refused({"run", "m.mlir", "-i", "three.npz"});
  EXPECT_THAT(many, HasSubstr("the module takes 2 arguments, the files hold 3 arrays"));
  EXPECT_THAT(many, HasSubstr("argument 2 is not taken by the module; 'extra' in three.npz holds float32[5]"));
  EXPECT_THAT(refused({"run", "m.mlir"}), HasSubstr("the files hold 0 arrays"));
}

TEST_F(Refusal, OfAHundredArgumentsCountsMostOfThem) {
  std::string arguments = "tensor<f32>";
  for (int i = 1; i < 100; ++i) arguments += ", tensor<f32>";
  sandbox.write("m.mlir", module_text("fake.identity", arguments, "tensor<f32>"));
  const std::string text = refused({"run", "m.mlir"});
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 30);
  EXPECT_THAT(text, HasSubstr("  argument 0 wants float32[]; no file gives it\n"));
  EXPECT_THAT(text, HasSubstr("  ... 81 more lines; --json has them all\n"));
  EXPECT_THAT(text, HasSubstr("give the others with -i FILE"));
  EXPECT_EQ(json_size(sandbox.pier({"run", "m.mlir", "--json"}).out, "/error/notes"), 101U);
}

TEST_F(Refusal, OfTokensNamesThemAndSaysWhatToDo) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>, !stablehlo.token", "tensor<f32>"));
  sandbox.write("x.npy", zeros(DType::float32, {}));
  EXPECT_THAT(refused({"run", "m.mlir", "-i", "x.npy", "x.npy"}), testing::AllOf(HasSubstr("argument 1 is a token"), HasSubstr("create_token")));
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>, !stablehlo.token"));
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"-o", "y.npz"}}) {
    std::vector<std::string> words = {"run", "m.mlir", "-i", "x.npy"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_THAT(refused(words), testing::AllOf(HasSubstr("result 1 is a token"), HasSubstr("does not return it")));
  }
}

TEST_F(Refusal, OfUntypedElementsOfAnotherWidth) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<2xf32>", "tensor<2xf32>"));
  sandbox.write("x.npy", zeros(DType::bfloat16, {2}));
  EXPECT_THAT(refused({"run", "m.mlir", "-i", "x.npy"}),
              HasSubstr("the module wants float32[2], x.npy holds 2-byte elements without a type, [2]"));
}

TEST_F(Refusal, OfUntypedElementsForATypeThatNumPyWouldHaveNamed) {
  sandbox.write("two.npy", zeros(DType::bfloat16, {2}));
  sandbox.write("one.npy", zeros(DType::float8_e4m3fn, {2}));
  for (const DType type : {DType::float16, DType::int16, DType::uint16, DType::boolean, DType::int8, DType::uint8}) {
    const std::string tensor = "tensor<2x" + std::string(stablehlo_name(type)) + ">";
    const std::string file = host_bytes(type) == 2 ? "two.npy" : "one.npy";
    sandbox.write("m.mlir", module_text("fake.identity", tensor, tensor));
    const std::string text = refused({"run", "m.mlir", "-i", file});
    EXPECT_THAT(text, HasSubstr("the module wants " + std::string(name(type)) + "[2], " + file + " holds " +
                                std::to_string(host_bytes(type)) + "-byte elements without a type, [2]"));
    EXPECT_THAT(text, HasSubstr("NumPy stores the types that it lacks"));
  }
}

TEST_F(Refusal, OfAnOutputThatIsThereAlready) {
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<f32>"));
  sandbox.write("y.npy", "precious");
  const Finished finished = sandbox.pier({"run", "m.mlir", "-o", "y.npy"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("y.npy: File exists"));
  EXPECT_THAT(finished.err, HasSubstr("--force"));
  EXPECT_EQ(sandbox.read("y.npy"), "precious");
}

TEST_F(Refusal, OfOutputsThatCannotBeWritten) {
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<f32>"));
  const auto complaint = [&](const std::string& output) {
    const Finished finished = sandbox.pier({"run", "m.mlir", "-o", output});
    EXPECT_EQ(finished.exit_code, 1);
    return finished.err;
  };
  EXPECT_THAT(complaint("nowhere/y.npy"), HasSubstr("the folder nowhere is not there"));
  sandbox.write("x.npy", zeros(DType::float32, {}));
  EXPECT_THAT(complaint("x.npy/y.npy"), testing::AllOf(HasSubstr("x.npy is a file, not a folder"), Not(HasSubstr("is not there"))));
  EXPECT_THAT(complaint("/proc/y.npy"), HasSubstr("cannot write /proc/y.npy"));
  std::filesystem::create_directory(sandbox.path("folder.npy"));
  EXPECT_THAT(complaint("folder.npy"), HasSubstr("folder.npy is a folder, not a file"));
}

TEST_F(Refusal, OfOutputsThatMakeNoSenseIsAUsageError) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
  sandbox.write("x.npy", zeros(DType::float32, {}));
  std::filesystem::create_symlink("x.npy", sandbox.path("link.npy"));
  const auto complaint = [&](std::vector<std::string> outputs) {
    std::vector<std::string> words = {"run", "m.mlir", "-i", "x.npy", "--force", "-o"};
    words.insert(words.end(), outputs.begin(), outputs.end());
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 2);
    return finished.err;
  };
  EXPECT_THAT(complaint({"x.npy"}), HasSubstr("it is also an input"));
  EXPECT_THAT(complaint({"./x.npy"}), HasSubstr("it is also an input"));
  EXPECT_THAT(complaint({"link.npy"}), HasSubstr("it is also an input"));
  EXPECT_THAT(complaint({"y.npy", "./y.npy"}), HasSubstr("given twice"));
  std::filesystem::create_symlink("new.npy", sandbox.path("other.npy"));
  EXPECT_THAT(complaint({"new.npy", "other.npy"}), HasSubstr("other.npy: given twice"));
  EXPECT_THAT(complaint({"y.txt"}), HasSubstr("the suffix must be .npy, .npz or .safetensors"));
  EXPECT_THAT(complaint({"y"}), HasSubstr("the suffix must be"));
}

TEST_F(Refusal, OfAWrongNumberOfOutputs) {
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<f32>, tensor<f32>"));
  EXPECT_THAT(refused({"run", "m.mlir", "-o", "y.npy"}), HasSubstr("the module gives 2 results, and -o names 1 file"));
  EXPECT_THAT(refused({"run", "m.mlir", "-o", "a.npz", "b.npz", "c.npz"}), HasSubstr("the module gives 2 results, and -o names 3 files"));
  EXPECT_EQ(sandbox.names(), std::vector<std::string>{"m.mlir"});
}

TEST_F(Refusal, OfAnElementTypeThatTheOutputFormatLacks) {
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<2xcomplex<f64>>"));
  EXPECT_THAT(refused({"run", "m.mlir", "-o", "y.safetensors"}),
              testing::AllOf(HasSubstr("result 0 is complex128[2], which y.safetensors cannot hold"), HasSubstr("write it to a .npy or .npz file")));
}

TEST_F(Refusal, OfFilesThatAreMissingOrDamaged) {
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<2xf32>", "tensor<2xf32>"));
  const Finished missing = sandbox.pier({"run", "m.mlir", "-i", "x.npy"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("cannot read x.npy: No such file or directory"));
  EXPECT_THAT(sandbox.pier({"run", "none.mlir"}).err, HasSubstr("none.mlir: No such file or directory"));
  sandbox.write("x.npy", zeros(DType::float32, {2}));
  std::filesystem::resize_file(sandbox.path("x.npy"), std::filesystem::file_size(sandbox.path("x.npy")) - 1);
  const Finished cut = sandbox.pier({"run", "m.mlir", "-i", "x.npy"});
  EXPECT_EQ(cut.exit_code, 4);
  EXPECT_THAT(cut.err, HasSubstr("x.npy"));
}

TEST_F(Refusal, OfASelectorThatIsNone) {
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<f32>"));
  for (const std::string selector : {"fake:", "fake:x", "fake:-1", ":1"})
    EXPECT_EQ(sandbox.pier({"run", "m.mlir", "--device", selector}).exit_code, 2) << selector;
}

// What only a compiler can tell is checked before anything runs.
class LateRefusal : public testing::Test {
 protected:
  LateRefusal() { sandbox.use_fake("abort=PJRT_LoadedExecutable_Execute"); }
  Sandbox sandbox;
};

TEST_F(LateRefusal, OfArgumentsOfAModuleThatOnlyACompilerCanRead) {
  sandbox.write("m.mlirbc", std::string("ML\xEFR fake.identity fake.signature=f32[2],bf16[3]->f32[2],bf16[3]"));
  sandbox.write("x.npy", zeros(DType::float32, {2}));
  sandbox.write("h.npy", zeros(DType::bfloat16, {4}));
  const Finished finished = sandbox.pier({"run", "m.mlirbc", "-i", "x.npy", "h.npy"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("argument 1 has the wrong shape: the module wants bfloat16[3], h.npy holds "
                                      "2-byte elements without a type, [4]"));
  EXPECT_THAT(sandbox.pier({"run", "m.mlirbc", "-i", "x.npy"}).err, HasSubstr("the module takes 2 arguments, the files hold 1 array"));
  EXPECT_THAT(sandbox.pier({"run", "m.mlirbc", "-i", "x.npy", "h.npy", "-o", "y.npy"}).err,
              HasSubstr("the module gives 2 results, and -o names 1 file"));
}

TEST_F(LateRefusal, OfUntypedElementsWhereNobodyTellsTheType) {
  sandbox.write("m.mlirbc", std::string("ML\xEFR fake.identity"));
  sandbox.write("h.npy", zeros(DType::bfloat16, {4}));
  const Finished finished = sandbox.pier({"run", "m.mlirbc", "-i", "h.npy"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("argument 0 has no element type"));
}

// Errors of a plugin arrive whole.
class PluginError : public testing::Test {
 protected:
  PluginError() {
    sandbox.write("m.mlir", module_text("fake.identity", "tensor<f32>", "tensor<f32>"));
    sandbox.write("x.npy", zeros(DType::float32, {}));
  }
  Finished run(const std::string& script, std::vector<std::string> more = {}) {
    sandbox.use_fake(script);
    std::vector<std::string> words = {"run", "m.mlir", "-i", "x.npy", "-o", "y.npy"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(sandbox.read("y.npy"), "");
    EXPECT_EQ(sandbox.names(), (std::vector<std::string>{"m.mlir", "x.npy"}));
    return finished;
  }
  Sandbox sandbox;
};

TEST_F(PluginError, OfTheCompilerIsPassedOnWhole) {
  std::string message = "operation 'stablehlo.\xC3\xA9tude' ";
  for (int i = 0; i < 500; ++i) message += "is not known here, ";
  const Finished text = run("fail=PJRT_Client_Compile@1:13:" + message);
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.err, HasSubstr(message));
  EXPECT_THAT(text.err, HasSubstr("PJRT_Client_Compile"));
  EXPECT_THAT(text.err, HasSubstr(fake()));
  const Finished json = run("fail=PJRT_Client_Compile@1:13:" + message, {"--json"});
  EXPECT_EQ(json_at(json.out, "/error/code"), "internal");
  EXPECT_EQ(json_at(json.out, "/error/function"), "PJRT_Client_Compile");
  EXPECT_THAT(json_at(json.out, "/error/message"), HasSubstr(message));
}

TEST_F(PluginError, OfTheDeviceIsFoundWhereverItComes) {
  for (const std::string script :
       {"fail=PJRT_Client_Create@1:RESOURCE_EXHAUSTED:no room", "fail=PJRT_LoadedExecutable_Execute@1:RESOURCE_EXHAUSTED:no room",
        "fail_later=PJRT_LoadedExecutable_Execute@1:RESOURCE_EXHAUSTED:no room",
        "fail=PJRT_Client_BufferFromHostBuffer@1:RESOURCE_EXHAUSTED:no room",
        "fail_later=PJRT_Client_BufferFromHostBuffer@1:RESOURCE_EXHAUSTED:no room"}) {
    const Finished finished = run(script);
    EXPECT_EQ(finished.exit_code, 1) << script;
    EXPECT_THAT(finished.err, HasSubstr("no room")) << script;
  }
}

TEST_F(PluginError, OfAProgramFormatNamesTheFormat) {
  const Finished finished = run("formats=hlo");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("mlir"));
}

TEST_F(PluginError, OfAMissingFunctionIsNotAvailable) {
  const Finished finished = run("remove=PJRT_Client_Compile");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("PJRT_Client_Compile"));
}

TEST_F(PluginError, OfBrokenLibrariesNamesTheFile) {
  for (const std::string file : {"no_symbol.so", "misspelt_symbol.so", "null_table.so", "short_table.so", "other_major.so", "missing_needed.so",
                                 "unresolved_symbol.so", "text_file.so"}) {
    const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npy", "--device", fake(file)});
    EXPECT_THAT(finished.exit_code, testing::AnyOf(1, 3, 4)) << file << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(file));
    EXPECT_THAT(finished.err, testing::StartsWith("pier: "));
  }
}

}  // namespace
}  // namespace pier::cli_test
