#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <pier/store.h>

namespace pier {

// Thrown in a task to end it because it is no longer wanted; never reaches a caller of the store.
struct Stopped {};

// Runs tasks 0 to count - 1, at most `most` at a time, each on a thread of its own; a single one on the caller's. `turn` is
// called on the caller's thread about twenty times a second meanwhile. What a task or `turn` throws first stops the other
// tasks, which see that by `stop`, and is thrown when all have ended.
void run_side_by_side(std::size_t count, std::size_t most, const std::function<void(std::size_t task, const std::atomic<bool>& stop)>& run,
                      const std::function<void()>& turn);

// What tasks that run side by side report, added up.
class TotalProgress {
 public:
  // The bytes of each task; 0 when not known.
  explicit TotalProgress(std::vector<std::uint64_t> sizes);

  // For the tasks' threads.
  void update(std::size_t task, const Progress& progress);
  void finish(std::size_t task);

  // For the caller's thread: hands the sum to `report`, once a task has begun.
  void tell(const std::function<void(const Progress&)>& report);

 private:
  struct Part {
    std::uint64_t size = 0;
    std::uint64_t come = 0;      // bytes that are here
    std::uint64_t unpacked = 0;
    Phase phase = Phase::waiting;
    bool started = false;
    bool finished = false;
    std::string name;
  };
  std::mutex mutex_;
  std::vector<Part> parts_;
};

}  // namespace pier
