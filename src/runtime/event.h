#pragma once

#include <memory>

#include <pier/event.h>

#include "runtime/state.h"

namespace pier::runtime {

// Takes the plugin's event over.
Event make_event(std::shared_ptr<const ClientState> client, abi::PJRT_Event* event);

}  // namespace pier::runtime
