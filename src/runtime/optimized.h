#pragma once

#include <optional>
#include <string>

#include "runtime/state.h"

namespace pier::runtime {

/// The compiled program as a serialized HloModuleProto; nothing where the plugin does not give it in that form. Costs a
/// serialization.
std::optional<std::string> optimized_hlo(const ExecutableState& executable);

}  // namespace pier::runtime
