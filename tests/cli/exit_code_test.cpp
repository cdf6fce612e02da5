#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Case {
  int code;
  std::vector<std::string> words;
};

// One rule for every verb; docs/cli.md has it in words.
class ExitCodes : public testing::Test {
 protected:
  ExitCodes() {
    sandbox.use_fake();
    sandbox.write("m.mlir", module_text("fake.identity", "tensor<2xf32>", "tensor<2xf32>"));
    sandbox.write("x.npy", Array::zeros(DType::float32, {2}));
    sandbox.write("wrong.npy", Array::zeros(DType::float32, {3}));
    for (const char* const name : {"empty.mlir", "empty.npy", "empty.npz", "empty.safetensors", "empty.so"}) sandbox.write(name, "");
    for (const char* const name : {"garbage.mlir", "garbage.npy", "garbage.npz", "garbage.safetensors", "garbage.so", "garbage.dat"})
      sandbox.write(name, "no such thing");
    sandbox.write("zero.mlir", std::string("module {\n") + '\0' + "}");
    sandbox.write("text.hlo", "HloModule test");
    sandbox.write("cut.so", sandbox.read("x.npy").substr(0, 20));
  }
  void check(const std::vector<Case>& cases) {
    for (const auto& [code, words] : cases) {
      std::string line;
      for (const std::string& word : words) line += " '" + word.substr(0, 80) + "'";
      const Finished finished = sandbox.pier(words);
      EXPECT_EQ(finished.exit_code, code) << line << "\n" << finished.err;
      std::vector<std::string> json = words;
      json.insert(json.begin() + 1, "--json");
      const Finished again = sandbox.pier(json);
      EXPECT_EQ(again.exit_code, code) << line;
      for (const char* const key : {"code", "message", "notes", "function", "plugin", "plugin_log"})
        EXPECT_THAT(json_keys(again.out, "/error"), testing::Contains(key)) << line;
      EXPECT_EQ(json_at(again.out, "/error/code") == "usage", code == 2) << line;
    }
  }
  Sandbox sandbox;
};

TEST_F(ExitCodes, OfWhatTheCommandLineAloneShowsIsTwo) {
  check({
      {2, {"run", "m.mlir", "--nope"}},
      {2, {"run", "m.mlir", "other.mlir"}},
      {2, {"run", ""}},
      {2, {"run", "m.mlir", "-i", ""}},
      {2, {"run", "m.mlir", "-o", ""}},
      {2, {"run", "none.mlir", "-o", "y.txt"}},
      {2, {"run", "m.mlir", "--device", "cpu:"}},
      {2, {"run", "m.mlir", "--device", "cpu:0:0"}},
      {2, {"run", "m.mlir", "--device", "cpu:-1"}},
      {2, {"run", "m.mlir", "--device", "cpu "}},
      {2, {"run", "m.mlir", "--device", "\xFF"}},
      {2, {"run", "m.mlir", "--device", ""}},
      {2, {"run", "m.mlir", "--device", std::string(65, 'a')}},
      {2, {"run", "m.mlir", "--device", std::string(100'000, '/')}},
      {2, {"run", "m.mlir", "--option", "novalue"}},
      {2, {"run", "m.mlir", "--plugin-log", "m.mlir"}},
      {2, {"run", "m.mlir", "-i", "x.npy", "--plugin-log", "./x.npy"}},
      {2, {"run", "m.mlir", "-o", "y.npy", "--plugin-log", "y.npy"}},
      {2, {"install", "../x"}},
      {2, {"install", "auto"}},
      {2, {"install", "cpu", "--system", "abc"}},
      {2, {"install", "cpu", "--platform", "foo"}},
      {2, {"install", "cpu", "--index-url", ""}},
      {2, {"install", "cpu", "--index-url", "ftp://127.0.0.1/"}},
      {2, {"remove", "../x"}},
      {2, {"verify", "../x"}},
      {2, {"lock", "../x"}},
      {2, {"lock", "cpu", "--platform", "foo"}},
      {2, {"bundle", "../x", "-o", "x.tar"}},
      {2, {"rollback", "../x"}},
      {2, {"install", "cpu@abc"}},
      {2, {"install", "cpu@@1"}},
      {2, {"install", "cpu", "--from", "https://127.0.0.1/x.whl"}},
      {2, {"remove", "cpu", "--platform", "foo"}},
      {2, {"register", "garbage.so", "--id", "a b"}},
      {2, {"register", "garbage.so", "--id", ""}},
      {2, {"register", "garbage.so", "--id", "auto"}},
      {2, {"register", "garbage.so", "--id", "a.so"}},
      {2, {"register", "garbage.so", "--id", "a", "--priority", "1000001"}},
      {2, {"register", "garbage.so", "--id", "a", "--env", "1X=2"}},
      {2, {"register", "garbage.so", "--id", "a", "--env", "X=\xFF"}},
      {2, {"register", "garbage.so", "--id", "a", "--plugin-log", "garbage.so"}},
      {2, {"which", "a b"}},
      {2, {"info", "a b"}},
      {2, {"info", "./garbage.so", "--platform", "macos-arm64"}},
      {2, {"list", "more"}},
      {2, {"nosuch"}},
  });
  for (const std::string& label : {std::string(), std::string("a b"), std::string("a:b"), std::string("a/b"), std::string("auto"),
                                   std::string("x.so"), std::string("x.so.1"), std::string("x.dylib"), std::string("x.dll"),
                                   std::string("a\nb"), std::string("\xFF"), std::string(5000, 'a')})
    check({{2, {"register", "garbage.so", "--id", "a", "--label", label}}});
}

TEST_F(ExitCodes, OfWhatIsNotHereIsThree) {
  check({
      {3, {"install", "nosuch"}},
      {3, {"install", "cpu"}},
      {3, {"install", "cpu", "--package", "nosuch"}},
      {3, {"remove", "nosuch"}},
      {3, {"which", "nosuch"}},
      {3, {"which", "./none.so"}},
      {3, {"info", "nosuch"}},
      {3, {"info", "cpu", "--platform", "macos-arm64"}},
      {3, {"run", "m.mlir", "-i", "x.npy", "--device", "nosuch"}},
      {3, {"run", "m.mlir", "-i", "x.npy", "--device", "cpu"}},
      {3, {"run", "m.mlir", "-i", "x.npy", "--device", "fake:99"}},
      {3, {"run", "m.mlir", "-i", "x.npy", "--device", fake("missing_needed.so")}},
  });
  sandbox.use_fake("remove=PJRT_Client_Compile");
  check({{3, {"run", "m.mlir", "-i", "x.npy"}}});
}

TEST_F(ExitCodes, OfDamagedFilesIsFour) {
  check({
      {4, {"run", "empty.mlir"}},
      {4, {"run", "garbage.mlir"}},
      {4, {"run", "zero.mlir"}},
      {4, {"run", "text.hlo"}},
      {4, {"run", "m.mlir", "-i", "empty.npy"}},
      {4, {"run", "m.mlir", "-i", "empty.npz"}},
      {4, {"run", "m.mlir", "-i", "empty.safetensors"}},
      {4, {"run", "m.mlir", "-i", "garbage.npy"}},
      {4, {"run", "m.mlir", "-i", "garbage.npz"}},
      {4, {"run", "m.mlir", "-i", "garbage.safetensors"}},
      {4, {"run", "m.mlir", "-i", "garbage.dat"}},
      {4, {"run", "m.mlir", "-i", "x.npy", "--device", "./empty.so"}},
      {4, {"run", "m.mlir", "-i", "x.npy", "--device", "./garbage.so"}},
      {4, {"register", "m.mlir", "--id", "a"}},
      {4, {"register", "empty.so", "--id", "a"}},
      {4, {"register", "cut.so", "--id", "a"}},
      {4, {"which", "./garbage.so"}},
      {4, {"info", "./garbage.so"}},
      {4, {"info", "./m.mlir"}},
  });
}

TEST_F(ExitCodes, OfEverythingElseIsOne) {
  check({
      {1, {"run", "none.mlir"}},
      {1, {"run", "m.mlir", "-i", "none.npy"}},
      {1, {"run", "m.mlir", "-i", "wrong.npy"}},
      {1, {"run", "m.mlir"}},
      {1, {"run", "m.mlir", "-i", "x.npy", "-o", "nowhere/y.npy"}},
      {1, {"run", "m.mlir", "-i", "x.npy", "--device", fake("no_symbol.so")}},
      {1, {"register", fake("no_symbol.so"), "--id", "a"}},
      {1, {"register", "none.so", "--id", "a"}},
      {1, {"register", ".", "--id", "a"}},
      {1, {"register", "/dev/zero", "--id", "a"}},
      {1, {"info", fake("no_symbol.so")}},
  });
  const Finished zero = sandbox.pier({"register", "/dev/zero", "--id", "a"});
  EXPECT_THAT(zero.err, testing::AllOf(HasSubstr("/dev/zero is not a regular file"), Not(HasSubstr("chmod"))));
}

TEST(Words, BehindTwoDashesAreTheModule) {
  Sandbox sandbox;
  sandbox.use_fake();
  sandbox.write("-a.mlir", module_text("fake.identity", "tensor<2xf32>", "tensor<2xf32>"));
  sandbox.write("x.npy", Array::zeros(DType::float32, {2}));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "-i", "x.npy", "--", "-a.mlir"}, {"run", "--", "-a.mlir"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, words.size() == 5 ? 0 : 1) << finished.err;
    EXPECT_THAT(finished.err, Not(HasSubstr("required")));
  }
  EXPECT_THAT(sandbox.pier({"run", "a", "b", "-i", "x.npy", "--", "c", "--json"}).err, HasSubstr("not expected: b c --json\n"));
}

TEST(Words, ThatAreLongAreShortenedInMessages) {
  Sandbox sandbox;
  const std::string word(100'000, 'a');
  sandbox.write("m.mlir", module_text("fake.identity", "", "tensor<f32>"));
  sandbox.write("long.npy", std::string("\x93NUMPY\x01\x00\x60\xEA", 10) + std::string(60'000, 'a'));
  for (const std::vector<std::string>& words : {std::vector<std::string>{word}, {"run", word}, {"run", "m.mlir", word}, {"which", word},
                                                {"run", "m.mlir", "--device", word + ":x"}, {"install", word}, {"register", "x", "--id", word},
                                                {"run", "m.mlir", "--option", word}, {"run", "m.mlir", "-o", word}, {"install", "cpu", "--platform", word},
                                                {"register", "x", "--id", "a", "--priority", word}, {"run", "m.mlir", "-i", "long.npy"}})
    EXPECT_LT(sandbox.pier(words).err.size(), 6000U) << words.back().substr(0, 20) << " of " << words.front().substr(0, 20);
  EXPECT_THAT(sandbox.pier({"which", word}).err, HasSubstr("(100000 bytes)"));
}

TEST(Words, OfHelpAreOneDocumentInJson) {
  const Sandbox sandbox;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"help", "run", "--json"}, {"run", "--help", "--json"}, {"run", "--json", "-h"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(json_at(finished.out, "/verb"), "run");
    EXPECT_THAT(json_at(finished.out, "/usage"), HasSubstr("--device"));
  }
  EXPECT_EQ(json_at(sandbox.pier({"help", "--json"}).out, "/verb"), "null");
  EXPECT_EQ(sandbox.pier({"help", "help"}).out, sandbox.pier({"help"}).out);
}

}  // namespace
}  // namespace pier::cli_test
