#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <unistd.h>

#include <pier/error.h>
#include <pier/module.h>

namespace pier {
namespace {

using testing::HasSubstr;

Error refusal(std::string_view bytes) {
  try {
    Module::from_bytes(bytes, "input");
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("no pier::Error was thrown");
}

TEST(Modules, TellTheirFormatFromTheirBytes) {
  EXPECT_EQ(Module::from_bytes("module {}").format(), ModuleFormat::mlir_text);
  EXPECT_EQ(Module::from_bytes("// head\n#a = loc(unknown)\nmodule {}").format(), ModuleFormat::mlir_text);
  EXPECT_EQ(Module::from_bytes("ML\xefR\x06StableHLO_v1.0.0").format(), ModuleFormat::mlir_bytecode);
  const Module hlo = Module::from_file(PIER_TEST_DATA "/golden/types_0.115.pb");
  EXPECT_EQ(hlo.format(), ModuleFormat::hlo);
  EXPECT_LT(hlo.bytes().size(), std::filesystem::file_size(PIER_TEST_DATA "/golden/types_0.115.pb"));
  EXPECT_EQ(hlo.signature()->arguments.size(), 6u);
}

TEST(Modules, KeepTheirBytesAndName) {
  const Module text = Module::from_bytes("module {}", "mine");
  const Module copy = text;
  EXPECT_EQ(copy.bytes(), "module {}");
  EXPECT_EQ(copy.name(), "mine");
  EXPECT_EQ(copy.bytes().data(), text.bytes().data());
  const Module file = Module::from_file(PIER_TEST_DATA "/golden/types.mlir");
  EXPECT_THAT(file.name(), testing::EndsWith("golden/types.mlir"));
  EXPECT_EQ(file.signature()->results[0], (TensorType{DType::float32, {3, 2}}));
}

TEST(Modules, HaveNoSignatureWhereOnlyACompilerCanTell) {
  EXPECT_FALSE(Module::from_bytes("ML\xefR\x06StableHLO_v1.0.0").signature());
  EXPECT_FALSE(Module::from_bytes("module { func.func @main(%a: tensor<?xf32>) { return } }").signature());
}

TEST(Modules, ThatAreNoneAreRefusedWithWhatTheyMayBe) {
  for (const std::string& bytes : {std::string("hello"), std::string("\x7f" "ELF\2\1\1\0\0", 9), std::string(4096, '\xff'), std::string("ML\xef"),
                                   std::string("<html>not found</html>"), std::string("{\"a\": 1}"), std::string(100, '\0')}) {
    const Error error = refusal(bytes);
    EXPECT_EQ(error.code(), ErrorCode::integrity);
    EXPECT_EQ(error.message(), "input is not a module that PJRT takes");
    EXPECT_THAT(error.what(), HasSubstr("MLIR bytecode"));
  }
}

TEST(Modules, ThatAreHloAsTextGetAHintOfTheirOwn) {
  const Error error = refusal("HloModule jit_cos, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\nENTRY main {}");
  EXPECT_EQ(error.code(), ErrorCode::integrity);
  EXPECT_THAT(error.notes().front(), HasSubstr("HLO as text"));
}

TEST(Modules, ThatAreEmptyOrHaveZeroBytesInTheirTextAreRefused) {
  EXPECT_EQ(refusal("").message(), "input is empty, not a module");
  EXPECT_EQ(refusal(std::string_view("module {\0}", 10)).message(), "input starts as MLIR text and has zero bytes in it");
}

TEST(Modules, OfFilesThatAreMissingEmptyOrNoFilesAreRefused) {
  const auto refused = [](const std::filesystem::path& path) {
    try {
      Module::from_file(path);
    } catch (const Error& error) {
      return error.code();
    }
    throw std::logic_error("no pier::Error was thrown");
  };
  EXPECT_EQ(refused("/no/such/module.mlir"), ErrorCode::not_found);
  EXPECT_EQ(refused(PIER_TEST_DATA), ErrorCode::io);
  const auto empty = std::filesystem::temp_directory_path() / ("pier-empty-" + std::to_string(::getpid()) + ".mlir");
  std::ofstream(empty).close();
  EXPECT_EQ(refused(empty), ErrorCode::integrity);
  std::filesystem::remove(empty);
}

TEST(Modules, AreNeverMadeOfRandomBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    try {
      const Module module = Module::from_bytes(bytes, "input");
      module.signature();
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::integrity);
    }
  }
}

}  // namespace
}  // namespace pier
