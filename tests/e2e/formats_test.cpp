#include "e2e/support.h"

namespace {

using e2e::client;

pier::Array run_digits(const std::filesystem::path& module) {
  const pier::Executable network = client().compile(pier::Module::from_file(module));
  return network.run(e2e::digits_arguments()).to_array();
}

TEST(RealPlugin, IsTheOneUnderTest) { EXPECT_EQ(client().plugin().api_version().minor, e2e::expected_minor()); }

TEST(RealPlugin, ClassifiesTheDigitsAsJaxDidFromMlirText) {
  const pier::Array expected = pier::load_npy(e2e::digits / "expected.npy");
  EXPECT_LE(e2e::largest_difference(run_digits(e2e::digits / "digits.mlir"), expected), 1e-5);
}

TEST(RealPlugin, ClassifiesTheDigitsAsJaxDidFromBytecode) {
  const pier::Array expected = pier::load_npy(e2e::digits / "expected.npy");
  EXPECT_LE(e2e::largest_difference(run_digits(e2e::programs / "digits.stablehlo.mlirbc"), expected), 1e-5);
}

TEST(RealPlugin, ClassifiesTheDigitsAsJaxDidFromAPortableArtifact) {
  const pier::Array expected = pier::load_npy(e2e::digits / "expected.npy");
  EXPECT_LE(e2e::largest_difference(run_digits(e2e::programs / "digits.vhlo.mlirbc"), expected), 1e-5);
}

TEST(RealPlugin, ClassifiesTheDigitsAsJaxDidFromSerializedHlo) {
  const pier::Array expected = pier::load_npy(e2e::digits / "expected.npy");
  EXPECT_LE(e2e::largest_difference(run_digits(e2e::programs / "digits.hlo.pb"), expected), 1e-5);
}

TEST(RealPlugin, TellsTheSignatureOfEveryForm) {
  const std::vector<pier::TensorType> arguments = {{pier::DType::float32, {2, 3}}, {pier::DType::float32, {3, 4}}};
  const std::vector<pier::TensorType> results = {
      {pier::DType::float32, {2, 4}}, {pier::DType::float32, {}}, {pier::DType::float32, {3, 4}}};
  for (const char* file : {"two_to_three.mlir", "two_to_three.hlo.pb"}) {
    const auto stated = pier::Module::from_file(e2e::programs / file).signature();
    ASSERT_TRUE(stated) << file;
    EXPECT_EQ(stated->arguments, arguments) << file;
    EXPECT_EQ(stated->results, results) << file;
  }
  for (const char* file : {"two_to_three.mlir", "two_to_three.stablehlo.mlirbc", "two_to_three.vhlo.mlirbc", "two_to_three.hlo.pb"}) {
    const pier::Executable program = client().compile(pier::Module::from_file(e2e::programs / file));
    const auto compiled = program.signature();
    ASSERT_TRUE(compiled) << file;
    EXPECT_EQ(compiled->arguments, arguments) << file;
    EXPECT_EQ(compiled->results, results) << file;
    ASSERT_TRUE(program.output_types()) << file;
    EXPECT_EQ(*program.output_types(), results) << file;
  }
}

TEST(RealPlugin, NamesTheVersionsWhenItCannotReadAModule) {
  try {
    client().compile(pier::Module::from_bytes("module { func.func public @main() -> tensor<f32> { return %nope : tensor<f32> } }"));
    FAIL() << "compiled nonsense";
  } catch (const pier::Error& error) {
    EXPECT_EQ(error.function(), "PJRT_Client_Compile");
    EXPECT_NE(std::string(error.what()).find("reads StableHLO up to 1."), std::string::npos) << error.what();
    EXPECT_NE(error.plugin().find("PJRT 0." + std::to_string(e2e::expected_minor())), std::string::npos) << error.plugin();
  }
}

}  // namespace
