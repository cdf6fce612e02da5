#pragma once

#include <pier/error.h>

namespace pier::cli {

/// What the command tells the shell.
enum class ExitCode : int {
  ok = 0,
  failure = 1,
  usage = 2,          ///< The command line itself is wrong.
  not_available = 3,  ///< This machine has no such plugin, device or function.
  integrity = 4,      ///< Bytes are not what their hash, record or header says.
};

/// The exit code for an error that reached the top.
constexpr ExitCode exit_code_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::not_available:
    case ErrorCode::unsupported: return ExitCode::not_available;
    case ErrorCode::integrity: return ExitCode::integrity;
    default: return ExitCode::failure;
  }
}

}  // namespace pier::cli
