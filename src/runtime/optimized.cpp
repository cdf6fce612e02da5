#include "runtime/optimized.h"

#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/hlo.h"

namespace pier::runtime {
namespace {

// What protocol buffers can hold at most.
constexpr std::size_t largest_program = std::size_t{1} << 31;

}  // namespace

std::optional<std::string> optimized_hlo(const ExecutableState& executable) try {
  const abi::Table& table = executable.usable();
  constexpr std::string_view function = "PJRT_Executable_OptimizedProgram";
  // Asked twice: first for the sizes, then with room for the bytes.
  abi::PJRT_Program program;
  const auto ask = [&] {
    table.call<&abi::Api::PJRT_Executable_OptimizedProgram>({.executable = executable.plain.get(), .program = &program});
  };
  ask();
  if (program.code_size > largest_program)
    table.refuse_answer(function, text("{} says that the program has {} bytes", function, program.code_size));
  std::string code(program.code_size, '\0');
  program.code = code.data();
  ask();
  if (program.code_size > code.size())
    table.refuse_answer(function, text("{} first told {} bytes of program and then {}", function, code.size(), program.code_size));
  code.resize(program.code_size);
  const std::string format = checked_text(table, program.format, program.format_size, function, "format");
  if (!format.starts_with("hlo")) return std::nullopt;
  const auto module = find_hlo_module(code);
  if (!module) return std::nullopt;
  return std::string(*module);
} catch (const Error& error) {
  if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return std::nullopt;
  throw;
}

}  // namespace pier::runtime
