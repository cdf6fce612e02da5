#pragma once

#include <string>

namespace bench {

inline std::string cos_program(int n) {
  const std::string type = "tensor<" + std::to_string(n) + "xf32>";
  return "module @cos {\n  func.func public @main(%x: " + type + ") -> " + type + " {\n    %0 = stablehlo.cosine %x : " + type +
         "\n    return %0 : " + type + "\n  }\n}\n";
}

// `n` arguments of 16 floats, each plus itself.
inline std::string io_program(int n) {
  const std::string type = "tensor<16xf32>";
  std::string arguments, types, body, names;
  for (int i = 0; i < n; ++i) {
    const std::string number = std::to_string(i);
    const std::string comma = i ? ", " : "";
    arguments += comma + "%a" + number + ": " + type;
    types += comma + type;
    body += "    %r" + number + " = stablehlo.add %a" + number + ", %a" + number + " : " + type + "\n";
    names += comma + "%r" + number;
  }
  return "module @io {\n  func.func public @main(" + arguments + ") -> (" + types + ") {\n" + body + "    return " + names + " : " +
         types + "\n  }\n}\n";
}

// The sum of 2^24 floats (64 MiB): a weight that comes as an argument.
inline std::string weight_program() {
  const std::string type = "tensor<16777216xf32>";
  return "module @weight {\n  func.func public @main(%w: " + type + ") -> tensor<f32> {\n"
         "    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "    %0 = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (" + type + ", tensor<f32>) -> tensor<f32>\n"
         "    return %0 : tensor<f32>\n  }\n}\n";
}

}  // namespace bench
