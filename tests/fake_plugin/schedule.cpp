#include "fake_plugin/schedule.h"

#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "fake_plugin/control.h"

namespace fake {

bool Signal::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::optional<Failure> Signal::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Signal::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
}

void Signal::then(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (!done_) {
      continuations_.push_back(std::move(work));
      return;
    }
  }
  work();
}

bool Signal::finish(std::optional<Failure> failure) {
  std::vector<std::function<void()>> continuations;
  {
    const std::lock_guard lock(mutex_);
    if (done_) return false;
    done_ = true;
    failure_ = std::move(failure);
    continuations.swap(continuations_);
    changed_.notify_all();
  }
  for (const std::function<void()>& work : continuations) work();
  return true;
}

SignalPtr finished_signal(std::optional<Failure> failure) {
  auto signal = std::make_shared<Signal>();
  signal->finish(std::move(failure));
  return signal;
}

void when_all(const std::vector<SignalPtr>& signals, std::function<void(std::optional<Failure>)> work) {
  struct Wait {
    std::atomic<std::size_t> left;
    std::vector<SignalPtr> signals;
    std::function<void(std::optional<Failure>)> work;
  };
  auto wait = std::make_shared<Wait>();
  wait->left = signals.size() + 1;
  wait->signals = signals;
  wait->work = std::move(work);
  const auto one_less = [wait] {
    if (wait->left.fetch_sub(1) != 1) return;
    std::optional<Failure> first;
    for (const SignalPtr& signal : wait->signals) {
      if (!first) first = signal->failure();
    }
    const std::function<void(std::optional<Failure>)> last = std::move(wait->work);
    last(std::move(first));
  };
  for (const SignalPtr& signal : signals) signal->then(one_less);
  one_less();
}

namespace {

using Clock = std::chrono::steady_clock;
using Work = std::function<void()>;

/// What waits for its time or for release_held().
class Agenda {
 public:
  void at(Clock::time_point time, Work work) {
    const std::lock_guard lock(mutex_);
    timed_.emplace(time, std::move(work));
    if (!running_) {
      running_ = true;
      std::thread([this] { run(); }).detach();
    }
    changed_.notify_all();
  }

  void hold(Work work) {
    const std::lock_guard lock(mutex_);
    held_.push_back(std::move(work));
  }

  void hang() {
    std::unique_lock lock(mutex_);
    ++hanging_;
    const std::uint64_t entered = releases_;
    changed_.wait(lock, [&] { return releases_ != entered; });
    --hanging_;
  }

  std::size_t release() {
    std::size_t released = 0;
    {
      const std::lock_guard lock(mutex_);
      released = hanging_;
      ++releases_;
      changed_.notify_all();
    }
    // What is released may start more that is held; all of it was asked for before this call.
    for (;;) {
      std::vector<Work> works;
      {
        const std::lock_guard lock(mutex_);
        works.swap(held_);
      }
      if (works.empty()) return released;
      released += works.size();
      std::thread([&works] {
        for (const Work& work : works) work();
      }).join();
    }
  }

  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size() + hanging_;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (timed_.empty()) {
        changed_.wait(lock);
      } else if (const auto first = timed_.begin(); first->first > Clock::now()) {
        const Clock::time_point until = first->first;
        changed_.wait_until(lock, until);
      } else {
        Work work = std::move(first->second);
        timed_.erase(first);
        lock.unlock();
        work();
        // What the work held may call back when it goes: not under the lock.
        work = nullptr;
        lock.lock();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Work> timed_;
  std::vector<Work> held_;
  std::size_t hanging_ = 0;
  std::uint64_t releases_ = 0;
  bool running_ = false;
};

Agenda& agenda() {
  // Never destroyed: its thread runs until the process is gone.
  static Agenda& the = *new Agenda;
  return the;
}

}  // namespace

void later(std::int64_t milliseconds, std::function<void()> work) {
  if (milliseconds == 0) {
    work();
  } else if (milliseconds < 0) {
    agenda().hold(std::move(work));
  } else {
    agenda().at(Clock::now() + std::chrono::milliseconds(milliseconds), std::move(work));
  }
}

void hang() { agenda().hang(); }
std::size_t release_held() { return agenda().release(); }
std::size_t held_count() { return agenda().held(); }

}  // namespace fake
