#include "store/side_by_side.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <system_error>
#include <thread>

#include "store/spool.h"

namespace pier {
namespace {

constexpr auto turn_interval = std::chrono::milliseconds(50);

// The tasks, shared by the threads that take one after the other.
class Crew {
 public:
  Crew(std::size_t count, const std::function<void(std::size_t, const std::atomic<bool>&)>& run) : count_(count), run_(run) {}

  ~Crew() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  void start(std::size_t threads) {
    try {
      for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& failure) {
      throw_no_thread(failure);
    }
  }

  // True when all have ended.
  bool wait() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, turn_interval, [&] { return idle_ == threads_.size(); });
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    stop_ = true;
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() {
    try {
      for (std::size_t task; (task = next()) < count_;) run_(task, stop_);
    } catch (const Stopped&) {
      // Whoever asked for that knows why.
    } catch (...) {
      fail(std::current_exception());
    }
    {
      const std::lock_guard lock(mutex_);
      ++idle_;
    }
    ended_.notify_all();
  }

  std::size_t next() {
    const std::lock_guard lock(mutex_);
    return stop_ ? count_ : next_++;
  }

  std::size_t count_;
  const std::function<void(std::size_t, const std::atomic<bool>&)>& run_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t next_ = 0;
  std::size_t idle_ = 0;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace

void run_side_by_side(std::size_t count, std::size_t most, const std::function<void(std::size_t, const std::atomic<bool>&)>& run,
                      const std::function<void()>& turn) {
  if (count == 1) {
    const std::atomic<bool> never{false};
    return run(0, never);
  }
  Crew crew(count, run);
  crew.start(std::min(count, most));
  while (!crew.wait()) {
    try {
      turn();
    } catch (...) {
      crew.fail(std::current_exception());
      while (!crew.wait()) {
      }
    }
  }
  crew.rethrow();
  turn();
}

TotalProgress::TotalProgress(std::vector<std::uint64_t> sizes) : parts_(sizes.size()) {
  for (std::size_t i = 0; i < sizes.size(); ++i) parts_[i].size = sizes[i];
}

void TotalProgress::update(std::size_t task, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  Part& part = parts_[task];
  part.started = true;
  part.phase = progress.phase;
  part.name = progress.name;
  if (part.size == 0) part.size = progress.total;
  // A download that starts anew is not told as a step back.
  if (progress.phase == Phase::downloading) part.come = std::max(part.come, progress.done);
  if (progress.phase == Phase::unpacking) part.unpacked = std::max(part.unpacked, progress.done);
}

void TotalProgress::finish(std::size_t task) {
  const std::lock_guard lock(mutex_);
  Part& part = parts_[task];
  part.finished = true;
  part.come = part.unpacked = part.size;
}

void TotalProgress::tell(const std::function<void(const Progress&)>& report) {
  Progress total;
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::none_of(parts_, &Part::started)) return;
    // The phase that most is left to do in: something that is still to come, else something to unpack, else a search or a wait.
    const Part* shown = nullptr;
    const auto rank = [](const Part& part) {
      if (part.finished || !part.started) return 0;
      return part.phase == Phase::downloading ? 4 : part.phase == Phase::unpacking ? 3 : part.phase == Phase::searching ? 2 : 1;
    };
    for (const Part& part : parts_)
      if (rank(part) > 0 && (!shown || rank(part) > rank(*shown))) shown = &part;
    const bool all_known = std::ranges::all_of(parts_, [](const Part& part) { return part.size != 0; });
    const bool all_started = std::ranges::all_of(parts_, &Part::started);
    // What has not begun is still to come.
    total.phase = shown ? shown->phase : all_started ? Phase::unpacking : Phase::downloading;
    if (total.phase == Phase::unpacking && !all_started) total.phase = Phase::downloading;
    if (shown) name = shown->name;
    if (total.phase == Phase::downloading || total.phase == Phase::unpacking) {
      for (const Part& part : parts_) {
        total.total += part.size;
        total.done += total.phase == Phase::downloading ? std::max(part.come, part.unpacked) : part.unpacked;
      }
      if (!all_known) total.total = 0;
    }
  }
  total.name = name;
  report(total);
}

}  // namespace pier
