#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include <pier/store.h>

namespace pier::cli {

/// One line for a terminal of that many columns: what is done, and while bytes flow a bar, bytes, bytes per second and the
/// time left. A rate of 0 is not known.
std::string progress_line(const Progress& progress, double bytes_per_second, std::size_t columns);

/// Shows the progress of an install on a terminal, in one line that is erased at the end; shows nothing on a pipe. Throws
/// Interrupted from within the call after Ctrl-C.
class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  void operator()(const Progress& progress);

  /// Whether anything was reported: a fetch has taken place. And when the last report came.
  bool any() const { return any_; }
  std::chrono::steady_clock::time_point last() const { return last_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Sample {
    Clock::time_point time;
    std::uint64_t bytes;
  };
  double rate(Clock::time_point now, std::uint64_t bytes);

  bool terminal_;
  bool any_ = false;
  bool shown_ = false;
  Phase phase_ = Phase::waiting;
  Clock::time_point last_{};
  Clock::time_point drawn_{};
  std::deque<Sample> samples_;
};

}  // namespace pier::cli
