#pragma once

#include <memory>

#include <pier/array.h>
#include <pier/buffer.h>
#include <pier/client.h>

#include "runtime/state.h"

namespace pier::runtime {

Buffer put(const std::shared_ptr<const ClientState>& client, const Array& array, abi::PJRT_Device* device,
           HostSemantics semantics);

}  // namespace pier::runtime
