#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pier::cli {

/// How long each phase of a run took. A phase ends where the next one begins.
class Phases {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;

  /// Ends the current phase under that name; returns its end.
  Clock::time_point end(std::string_view name) { return end_at(name, Clock::now()); }
  /// The same for an end that was noted earlier.
  Clock::time_point end_at(std::string_view name, Clock::time_point at) {
    for (auto& [known, time] : times_)
      if (known == name) {
        time += at - begin_;
        return begin_ = at;
      }
    times_.emplace_back(name, at - begin_);
    return begin_ = at;
  }

  const std::vector<std::pair<std::string, Milliseconds>>& times() const { return times_; }
  Milliseconds total() const { return begin_ - start_; }

 private:
  Clock::time_point start_ = Clock::now();
  Clock::time_point begin_ = start_;
  std::vector<std::pair<std::string, Milliseconds>> times_;
};

}  // namespace pier::cli
