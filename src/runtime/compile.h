#pragma once

#include <memory>

#include <pier/compile_options.h>
#include <pier/module.h>

#include "runtime/state.h"

namespace pier::runtime {

std::shared_ptr<const ExecutableState> compile(const std::shared_ptr<const ClientState>& client, const Module& module,
                                               const CompileOptions& options);

}  // namespace pier::runtime
