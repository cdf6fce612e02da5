#pragma once

#include <atomic>

#include "fake_plugin/ledger.h"
#include "fake_plugin/schedule.h"

namespace fake {

class Event final : public Object {
 public:
  static constexpr Kind its_kind = Kind::event;
  Event(SignalPtr happens, const void* client) : Object(Kind::event, client), signal(std::move(happens)) {}

  void retire() override;

  const SignalPtr signal;
  /// Callbacks that were not called yet.
  std::atomic<int> waiting = 0;
  std::atomic<bool> destroyed = false;
  std::atomic<bool> set_by_caller = false;
};

/// A new event for the caller, which happens when the signal is done.
abi::PJRT_Event* give_event(SignalPtr signal, const void* client);

/// A signal that is done that much after the first ones, with their failure or the given one.
SignalPtr delayed(const std::vector<SignalPtr>& after, std::int64_t milliseconds, const std::optional<Failure>& failure);

}  // namespace fake
