#pragma once

#include <pier/error.h>

namespace pier::cli {

/// What the command tells the shell. The first that fits, in the order usage, integrity, not_available, failure.
enum class ExitCode : int {
  ok = 0,
  failure = 1,        ///< Everything else, a whole file that does not fit among it: wrong shape, a library that is no plugin.
  usage = 2,          ///< What the command line alone shows to be wrong, before a file, the store or a device is looked at.
  not_available = 3,  ///< What was asked for is not on this machine, or pier does not know it: id, label, device, function; offline.
  integrity = 4,      ///< A file is damaged or not of its kind: hash, size, record, header, magic, truncation.
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
