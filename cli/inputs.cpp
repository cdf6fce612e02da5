#include "inputs.h"

#include <algorithm>
#include <optional>

#include <pier/error.h>
#include <pier/log.h>

#include "base/text.h"
#include "io/npy_header.h"

namespace pier::cli {
namespace {

// What the file holds: "float32[2,3]", or for elements without a type "2-byte elements without a type [2,3]".
std::string held(const Input& input) {
  if (!input.untyped) return to_string(input.array.type());
  const std::string shape = to_string(TensorType{DType::boolean, input.array.shape()}).substr(name(DType::boolean).size());
  return text("{}-byte elements without a type, {}", host_bytes(input.array.dtype()), shape);
}

bool same_shape(const Shape& wanted, const Shape& given) {
  // A negative extent is one that the module leaves open.
  return std::equal(wanted.begin(), wanted.end(), given.begin(), given.end(),
                    [](std::int64_t want, std::int64_t have) { return want < 0 || want == have; });
}

// Void elements stand for a type that NumPy lacks: a file of any other type would name it.
bool may_mean(const Input& input, DType wanted) {
  if (!input.untyped) return input.array.dtype() == wanted;
  return host_bytes(input.array.dtype()) == host_bytes(wanted) && is_void_in_npy(wanted);
}

// What is wrong with this input for this argument, or nothing.
std::optional<std::string> mismatch(const Input& input, const TensorType& wanted) {
  const Array& array = input.array;
  std::string wrong;
  if (!may_mean(input, wanted.dtype)) wrong = "element type";
  else if (array.shape().size() != wanted.shape.size()) wrong = "rank";
  else if (!same_shape(wanted.shape, array.shape())) wrong = "shape";
  else return std::nullopt;
  return text("has the wrong {}: the module wants {}, {} holds {}", wrong, to_string(wanted), where(input), held(input));
}

Error wrong_count(const std::vector<Input>& inputs, const std::vector<TensorType>& arguments) {
  const auto things = [](std::size_t count, std::string_view what) {
    return text("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  Error error(ErrorCode::invalid_argument, text("the module takes {}, the files hold {}", things(arguments.size(), "argument"),
                                                things(inputs.size(), "array")));
  for (std::size_t i = 0; i < std::max(inputs.size(), arguments.size()); ++i) {
    const std::string wanted = i < arguments.size() ? "wants " + to_string(arguments[i]) : "is not taken by the module";
    const std::string given = i < inputs.size() ? where(inputs[i]) + " holds " + held(inputs[i]) : "no file gives it";
    error.note(text("argument {} {}; {}", i, wanted, given));
  }
  if (inputs.size() < arguments.size()) error.note("give the others with -i FILE, in the order of the arguments");
  return error;
}

}  // namespace

std::vector<Input> read_inputs(const std::vector<std::string>& files) {
  std::vector<Input> inputs;
  for (const std::string& file : files) {
    NamedArrays entries = load_arrays(file);
    // A .npy gives one entry that is named by its own stem; that name tells nobody more than the file's does.
    const bool unnamed = entries.size() == 1 && entries.front().name == std::filesystem::path(file).stem();
    for (Entry& entry : entries)
      inputs.push_back({file, unnamed ? std::string() : std::move(entry.name), std::move(entry.array), entry.untyped});
  }
  return inputs;
}

std::string where(const Input& input) {
  return input.name.empty() ? input.file : "'" + input.name + "' in " + input.file;
}

void match_inputs(std::vector<Input>& inputs, const std::vector<TensorType>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].dtype == DType::token)
      throw Error(ErrorCode::invalid_argument, text("argument {} is a token: it orders effects, and no file can hold one", i))
          .note("give pier a module whose entry function makes the token itself (stablehlo.create_token)");
  if (inputs.size() != arguments.size()) throw wrong_count(inputs, arguments);
  std::vector<std::string> wrong;
  bool types_differ = false;
  bool void_differs = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (const auto problem = mismatch(inputs[i], arguments[i])) {
      wrong.push_back(text("argument {} {}", i, *problem));
      const bool differs = !may_mean(inputs[i], arguments[i].dtype);
      (inputs[i].untyped ? void_differs : types_differ) |= differs;
    } else if (inputs[i].untyped) {
      inputs[i].array = inputs[i].array.as(arguments[i].dtype);
      inputs[i].untyped = false;
    }
  }
  if (wrong.empty()) return;
  Error error(ErrorCode::invalid_argument, wrong.front());
  for (std::size_t i = 1; i < wrong.size(); ++i) error.note(wrong[i]);
  if (types_differ) error.note("pier converts no values: save the file with the type that the module wants");
  if (void_differs)
    error.note("NumPy stores the types that it lacks (bfloat16, float8 kinds, int4 ...) without a type, and no other: save the file "
               "with the type that the module wants");
  throw error;
}

void check_typed(const std::vector<Input>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].untyped) continue;
    throw Error(ErrorCode::invalid_argument,
                text("argument {} has no element type: {} holds {}, and neither the module nor the plugin tells what it wants", i,
                     where(inputs[i]), held(inputs[i])))
        .note("save it as .safetensors, which names every element type, or give the module as MLIR text");
  }
  std::string unchecked = "neither the module nor the plugin tells what the program takes: the number of arguments is not checked";
  for (std::size_t i = 0; i < inputs.size(); ++i)
    unchecked += text("{}{} ({})", i == 0 ? ", nor are element type, rank and shape of " : ", ", where(inputs[i]), held(inputs[i]));
  log(LogLevel::warning, unchecked);
}

}  // namespace pier::cli
