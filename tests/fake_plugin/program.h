#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fake_plugin/element.h"

namespace fake {

enum class Verb { identity, add_one, swap, constants };

struct Signature {
  std::vector<TensorType> arguments;
  std::vector<TensorType> results;
};

/// A program as README.md defines them.
struct Program {
  std::string format;
  std::string bytes;
  std::string name;
  Verb verb = Verb::identity;
  std::size_t num_arguments = 0;
  std::size_t num_outputs = 0;
  std::optional<Signature> signature;
  std::set<std::size_t> donated;
  /// What the arguments and results state by mhlo.layout_mode; empty for those that do not.
  std::vector<std::vector<std::int64_t>> argument_orders;
  std::vector<std::vector<std::int64_t>> result_orders;
  bool column_major = false;
  bool column_major_arguments = false;

  /// The argument that a result is made from. Not for constants.
  std::size_t source_of(std::size_t output) const;
  /// In which order an argument is read, whatever order its buffer is in; and a result is written.
  std::vector<std::int64_t> argument_layout(std::size_t argument, std::size_t rank) const;
  std::vector<std::int64_t> output_layout(std::size_t output, std::size_t rank) const;
};

/// Throws INVALID_ARGUMENT on a program that it does not understand.
Program parse_program(std::string format, std::string bytes);

/// "f32[2,3]"
std::optional<TensorType> parse_xla_type(std::string_view text);
/// "tensor<2x3xf32>"
std::optional<TensorType> parse_mlir_type(std::string_view text);

/// The signature of @main in MLIR text, with the numbers of the arguments that it donates; nothing where it has none.
struct MlirSignature {
  Signature signature;
  std::set<std::size_t> donated;
  std::vector<std::vector<std::int64_t>> argument_orders;
  std::vector<std::vector<std::int64_t>> result_orders;
  /// Its body does nothing but return.
  bool only_returns = false;
};
std::optional<MlirSignature> parse_main(std::string_view text);

/// A serialized HloModuleProtoWithConfig with that signature; nothing if a type has no number there.
std::optional<std::string> hlo_with_config(const Program& program);

}  // namespace fake
