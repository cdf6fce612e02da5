#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include <pier/error.h>

#include "runtime/mlir_text.h"

namespace pier::runtime {
namespace {

std::string types(const std::vector<TensorType>& list) {
  std::string out;
  for (const TensorType& type : list) out += (out.empty() ? "" : " ") + to_string(type);
  return out;
}

std::string read(std::string_view text) {
  const auto signature = mlir_text_signature(text);
  return signature ? types(signature->arguments) + " -> " + types(signature->results) : "nothing";
}

TEST(MlirText, ReadsTheHeadOfMain) {
  EXPECT_EQ(read("module @jit_f { func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) -> tensor<2xbf16> { return } }"),
            "float32[2,3] int32[] -> bfloat16[2]");
  EXPECT_EQ(read("func.func @main() { return }"), " -> ");
  EXPECT_EQ(read("func.func @main(%a: tensor<4xui8>) -> (tensor<4xui8>, tensor<i1>) { return }"), "uint8[4] -> uint8[4] bool[]");
  EXPECT_EQ(read("func.func @main(%a: tensor<f32>)->tensor<f32>{return}"), "float32[] -> float32[]");
  EXPECT_EQ(read("func.func @main() -> () { return }"), " -> ");
}

TEST(MlirText, StepsOverAttributesLocationsAndLineBreaks) {
  EXPECT_EQ(read(R"(#loc = loc(unknown)
module @jit_step attributes {mhlo.num_partitions = 1 : i32, note = "}{"} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(
      %arg0: tensor<8xf32> {jax.buffer_donor = true, mhlo.layout_mode = "default", note = "a) -> tensor<1xi8>"} loc("x"("f.py":1:2)),
      %arg1: tensor<f32> loc(callsite("g"("f.py":3:0) at #loc))
    ) -> (tensor<8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = ""}) attributes {llvm.emit = unit} {
    %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32> loc(#loc)
    return %0, %0 : tensor<8xf32>, tensor<8xf32>
  } loc(#loc)
} loc(#loc)
)"),
            "float32[8] float32[] -> float32[8] float32[8]");
}

TEST(MlirText, ReadsTheGenericForm) {
  const std::string_view text = R"("builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<complex<f32>>) -> tensor<3xi64>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<complex<f32>>):
    "func.return"(%arg0) : (tensor<3xf64>) -> ()
  }) : () -> ()
}) : () -> ())";
  EXPECT_EQ(read(text), "float64[3] complex64[] -> int64[3]");
}

TEST(MlirText, ReadsTheOlderGenericFormWithAttributesBehindTheBody) {
  EXPECT_EQ(read(R"("builtin.module"() ({ "func.func"() ({
  ^bb0(%arg0: tensor<3xf32>): "func.return"() : () -> ()
  }) {function_type = (tensor<3xf32>) -> (tensor<1xi8>, tensor<2xi8>), sym_name = "main"} : () -> () }) : () -> ())"),
            "float32[3] -> int8[1] int8[2]");
}

TEST(MlirText, PrefersMainAndElseTakesTheOnlyPublicFunction) {
  EXPECT_EQ(read("func.func @f(%a: tensor<1xf32>) { return } func.func @main(%a: tensor<2xf32>) { return }"), "float32[2] -> ");
  EXPECT_EQ(read("func.func @f(%a: tensor<1xf32>) { return } func.func private @g(%a: tensor<2xf32>) { return }"), "float32[1] -> ");
  EXPECT_EQ(read("func.func @f() { return } func.func @g() { return }"), "nothing");
  EXPECT_EQ(read("func.func private @main(%a: tensor<1xf32>) { return }"), "float32[1] -> ");
  EXPECT_EQ(read("func.func private @helper(tensor<1xf32>) -> tensor<1xf32> func.func @f(%a: tensor<3xf32>) { return }"), "float32[3] -> ");
  EXPECT_EQ(read(R"("func.func"() <{function_type = () -> tensor<1xf32>, sym_name = "a", sym_visibility = "private"}> ({}) : () -> ()
"func.func"() <{function_type = () -> tensor<2xf32>, sym_name = "b"}> ({}) : () -> ())"), " -> float32[2]");
}

TEST(MlirText, ReadsQuotedNames) {
  EXPECT_EQ(read(R"(module @"with space {" { func.func @"odd \" name"(%a: tensor<1xf32>) { return } func.func @"main"() -> tensor<2xi4> })"),
            " -> int4[2]");
}

TEST(MlirText, IsNotMisledByStringsCommentsAndBodies) {
  EXPECT_EQ(read(R"m(// func.func @main(%a: tensor<9xf32>)
module { // }
  "test.op"() {text = "func.func @main(%a: tensor<8xf32>)"} : () -> ()
  func.func @first(%a: tensor<1xf32>) -> tensor<1xf32> {
    "test.inner"() ({ func.func @main(%x: tensor<7xf32>) { return } }) : () -> ()
    return
  }
  func.func @main(%a: tensor<2xf32>) { return }
})m"),
            "float32[2] -> ");
}

TEST(MlirText, DoesNotTakeTheMainOfAModuleInside) {
  EXPECT_EQ(read(R"(module { module @inner { func.func @main(%a: tensor<1xf32>) { return } }
  func.func @main(%a: tensor<2xf32>) { return } })"),
            "float32[2] -> ");
  EXPECT_EQ(read(R"("builtin.module"() ({ "builtin.module"() ({
  "func.func"() <{function_type = () -> tensor<1xf32>, sym_name = "main"}> ({}) : () -> () }) : () -> ()
  "func.func"() <{function_type = () -> tensor<2xf32>, sym_name = "main"}> ({}) : () -> () }) : () -> ())"),
            " -> float32[2]");
  EXPECT_EQ(read("module { module { func.func @main(%a: tensor<1xf32>) { return } } }"), "nothing");
}

TEST(MlirText, LeavesToTheCompilerWhatHasNoFixedTypeHere) {
  for (const char* type : {"tensor<?xf32>", "tensor<2x?xf32>", "tensor<*xf32>", "tensor<2x!quant.uniform<i8:f32, 0.1>>", "memref<2xf32>",
                           "tuple<tensor<f32>>", "index", "tensor<2xindex>", "tensor<-2xf32>", "tensor<2 3xf32>", "tensor<>",
                           "tensor<99999999999999999999xf32>", "tensor<2xf32", "vector<2xf32>"}) {
    EXPECT_EQ(read(std::string("func.func @main(%a: ") + type + ") { return }"), "nothing") << type;
    EXPECT_EQ(read(std::string("func.func @main() -> ") + type + " { return }"), "nothing") << type;
    // The function is there, so another one is not its substitute.
    EXPECT_EQ(read(std::string("func.func @main(%a: ") + type + ") { return } func.func @other() { return }"), "nothing") << type;
    EXPECT_EQ(read(std::string("\"func.func\"() <{function_type = (") + type + R"() -> (), sym_name = "main"}> ({}) : () -> ()
"func.func"() <{function_type = () -> (), sym_name = "other"}> ({}) : () -> ())"), "nothing") << type;
  }
}

TEST(MlirText, ReadsEveryElementTypeTokensAndEncodings) {
  const std::pair<const char*, const char*> elements[] = {
      {"i1", "bool"}, {"i2", "int2"}, {"i4", "int4"}, {"i8", "int8"}, {"i16", "int16"}, {"i32", "int32"}, {"i64", "int64"},
      {"ui2", "uint2"}, {"ui4", "uint4"}, {"ui8", "uint8"}, {"ui16", "uint16"}, {"ui32", "uint32"}, {"ui64", "uint64"},
      {"f16", "float16"}, {"bf16", "bfloat16"}, {"f32", "float32"}, {"f64", "float64"}, {"complex<f32>", "complex64"},
      {"complex<f64>", "complex128"}, {"f8E5M2", "float8_e5m2"}, {"f8E4M3", "float8_e4m3"}, {"f8E3M4", "float8_e3m4"},
      {"f8E4M3FN", "float8_e4m3fn"}, {"f8E4M3FNUZ", "float8_e4m3fnuz"}, {"f8E5M2FNUZ", "float8_e5m2fnuz"},
      {"f8E8M0FNU", "float8_e8m0fnu"}, {"f6E2M3FN", "float6_e2m3fn"}, {"f6E3M2FN", "float6_e3m2fn"}};
  for (const auto& [spelling, element] : elements)
    EXPECT_EQ(read(std::string("func.func @main(%a: tensor<2x") + spelling + ">) { return }"), std::string(element) + "[2] -> ");
  EXPECT_EQ(read("func.func @main(%a: !stablehlo.token, %b: tensor<f8E4M3B11FNUZ>) -> !stablehlo.token { return }"),
            "token[] float8_e4m3b11fnuz[] -> token[]");
  EXPECT_EQ(read("func.func @main(%a: tensor<0x3xf4E2M1FN>) { return }"), "float4_e2m1fn[0,3] -> ");
  EXPECT_EQ(read("func.func @main(%a: tensor<4x5xi8, #sparse>, %b: tensor<2xcomplex<f64>, #stablehlo.bounds<?, 3>>) { return }"),
            "int8[4,5] complex128[2] -> ");
}

TEST(MlirText, FindsNothingInOtherText) {
  for (const char* text : {"", " ", "{", "}", "}}}}", "func.func", "func.func @", "func.func @main", "func.func @main(", "\"func.func\"",
                           "\"func.func\"(", "\"", "module", "module {", "// only a comment", "module { func.func @main(%a tensor<f32>)",
                           "func.func @main(%a: tensor<f32>) ->", "func.func @main(%a: tensor<f32>,", "((((((((((", "<<<<", "->>>"})
    EXPECT_EQ(read(text), "nothing") << text;
}

constexpr std::string_view sample = R"(#loc1 = loc("x")
module @"jit f" attributes {a = 1 : i32, b = dense<"0xFF"> : tensor<1xi8>} {
  func.func private @helper(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> { return %arg0 : tensor<2x3xf32> } // }
  "func.func"() <{function_type = (tensor<complex<f32>>) -> (), sym_name = "g", sym_visibility = "private"}> ({ ^bb0: }) : () -> ()
  func.func public @main(%arg0: tensor<2x3xf32, #e<1>> {jax.x = "q\"q"} loc("a"), %arg1: !stablehlo.token) -> (tensor<2xi4> {r = ""}) {
    return
  } loc(#loc1)
})";

TEST(MlirText, SurvivesEveryTruncation) {
  EXPECT_EQ(read(sample), "float32[2,3] token[] -> int4[2]");
  std::size_t whole = 0;
  for (std::size_t size = 0; size <= sample.size(); ++size) {
    // A copy of just that size, so that a sanitizer sees a read behind it.
    const std::string text(sample.substr(0, size));
    const std::vector<char> exact(text.begin(), text.end());
    const std::string_view view(exact.data(), exact.size());
    looks_like_mlir_text(view);
    if (read(view) == "float32[2,3] token[] -> int4[2]") ++whole;
  }
  EXPECT_GT(whole, 0u);
}

TEST(MlirText, SurvivesRandomChanges) {
  std::mt19937 random(7);
  constexpr std::string_view pieces = "(){}<>[]\"\\@%:,->x0 \n/#!";
  for (int round = 0; round < 20000; ++round) {
    std::string text(sample);
    for (int change = 0; change < 4; ++change) text[random() % text.size()] = pieces[random() % pieces.size()];
    read(text);
    looks_like_mlir_text(text);
  }
}

TEST(MlirText, CostsOneScanHoweverDeepOrLongTheTextIs) {
  std::string deep(1 << 20, '(');
  EXPECT_EQ(read(deep), "nothing");
  std::string many = "module {";
  for (int i = 0; i < 20000; ++i) many += "\"func.func\"() ({ ";
  EXPECT_EQ(read(many), "nothing");
  std::string weights = "module { func.func private @w() { %0 = stablehlo.constant dense<\"0x" + std::string(8 << 20, 'A') + "\"> : tensor<4xf32> return }";
  EXPECT_EQ(read(weights + "func.func @main(%a: tensor<1xf32>) { return } }"), "float32[1] -> ");
}

TEST(MlirTextLook, IsKnownByItsFirstWord) {
  for (const char* text : {"module {}", "  // comment\n module @x {}", "func.func @main() {}", "\"builtin.module\"() ({}) : () -> ()", "builtin.module {}",
                           "\"func.func\"()", "#loc = loc(unknown)\nmodule {}", "!t = tensor<f32>\nmodule {}", "vhlo.func_v1 @main()"})
    EXPECT_TRUE(looks_like_mlir_text(text)) << text;
  for (const char* text : {"", "//", "modules {}", "module_x", "HloModule cos", "#!/bin/sh\nexit", "# Title\n", "!", "#", "#x", "ELF", "{\"module\": 1}", "func @main"})
    EXPECT_FALSE(looks_like_mlir_text(text)) << text;
}

}  // namespace
}  // namespace pier::runtime
