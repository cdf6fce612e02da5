#pragma once

#include <chrono>
#include <memory>

#include <pier/export.h>

namespace pier {

/// Something a plugin will have finished: a transfer, an execution. Move-only; destroying it does not wait.
class PIER_API Event {
 public:
  /// An event that has already happened.
  Event() noexcept;
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ~Event();

  /// Whether it has happened, with success or failure. Does not block.
  bool ready() const;

  /// Blocks until it has happened. Throws the failure it carries, as often as it is asked.
  void wait() const;

  /// Blocks at most that long; false when the time ran out. Throws the failure it carries.
  bool wait_for(std::chrono::nanoseconds limit) const;

  struct Impl;
  explicit Event(std::unique_ptr<Impl> impl) noexcept;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace pier
