#pragma once

#include <string>
#include <utility>

#include "abi/pjrt.h"

namespace fake {

namespace abi = pier::abi;

/// How the inside of the plugin says no; at the table it becomes a PJRT_Error.
struct Failure {
  int code = 0;
  std::string message;
};

[[noreturn]] inline void refuse(abi::PJRT_Error_Code code, std::string message) {
  throw Failure{code, std::move(message)};
}
[[noreturn]] inline void refuse(std::string message) {
  refuse(abi::PJRT_Error_Code_INVALID_ARGUMENT, std::move(message));
}

}  // namespace fake
