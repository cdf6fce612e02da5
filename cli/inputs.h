#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <pier/array.h>
#include <pier/dtype.h>
#include <pier/files.h>

namespace pier::cli {

/// One argument of the program, as the user's files give it.
struct Input {
  std::string file;
  std::string name;  ///< Its name inside an .npz or .safetensors; empty for a .npy.
  Array array;
  bool untyped = false;  ///< Only the width of its elements is known.
};

/// The arrays of all files, in order: files as given, and in each by name.
std::vector<Input> read_inputs(const std::vector<std::string>& files);

/// "x.npy" or "'kernel' in weights.npz".
std::string where(const Input& input);

/// Compares number, element types, ranks and shapes with what the module takes, and gives untyped inputs the type that the
/// module names. Nothing is converted. Throws Error (invalid_argument) that names every argument which does not fit, what
/// the module wants, and what the file holds.
void match_inputs(std::vector<Input>& inputs, const std::vector<TensorType>& arguments);

/// For a module whose arguments nobody can tell. Throws Error (invalid_argument) when an input has no element type, and warns
/// of what is not compared.
void check_typed(const std::vector<Input>& inputs);

}  // namespace pier::cli
