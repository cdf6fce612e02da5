#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "fake_plugin/failure.h"

namespace fake {

/// Something that happens once, with success or a failure. Nothing of it is locked while continuations run.
class Signal {
 public:
  bool done() const;
  /// Of a signal that is done.
  std::optional<Failure> failure() const;
  void wait() const;
  /// Runs the work when the signal is done: now, or on the thread that finishes it.
  void then(std::function<void()> work);
  /// False when it was done before.
  bool finish(std::optional<Failure> failure = std::nullopt);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool done_ = false;
  std::optional<Failure> failure_;
  std::vector<std::function<void()>> continuations_;
};

using SignalPtr = std::shared_ptr<Signal>;

SignalPtr finished_signal(std::optional<Failure> failure = std::nullopt);

/// Runs the work when all are done, with the first failure among them.
void when_all(const std::vector<SignalPtr>& signals, std::function<void(std::optional<Failure>)> work);

/// Runs the work now (0), in so many milliseconds on the plugin's own thread, or when release_held() is called
/// (fake_until_released).
void later(std::int64_t milliseconds, std::function<void()> work);

/// Blocks the calling thread until release_held().
void hang();

std::size_t release_held();
std::size_t held_count();

}  // namespace fake
