#pragma once

#include <memory>

#include <pier/event.h>

#include "runtime/state.h"

namespace pier::runtime {

Event make_event(std::shared_ptr<const ClientState> client, abi::EventHandle event);

// Keeps the memory alive until the event has happened, then destroys both. When the plugin does not take the task, the memory
// lives as long as the client, because it may still be in use, and the plugin's error is thrown.
void hold_until(const ClientState& client, abi::EventHandle event, std::shared_ptr<const void> memory);

// Waits for a transfer into or out of the memory. When the wait itself fails while the plugin still works, the memory is kept
// until it has ended.
void await_transfer(const ClientState& client, abi::EventHandle event, const std::shared_ptr<const void>& memory);

}  // namespace pier::runtime
