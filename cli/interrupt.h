#pragma once

#include <exception>

#include <signal.h>

namespace pier::cli {

/// The user pressed Ctrl-C, or the system asked the process to end.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  int signal() const noexcept { return signal_; }
  const char* what() const noexcept override { return "interrupted"; }

 private:
  int signal_;
};

/// While one lives, SIGINT, SIGTERM and SIGHUP do not end the process without a word: with JSON it says `cancelled`. At once, or
/// at the next check(), so that temporaries are removed; then a second signal, or two seconds, end it all the same: what the
/// store does survives that, too. The innermost one counts.
class InterruptGuard {
 public:
  enum class Stop { at_once, at_check };
  InterruptGuard(bool json, Stop stop);
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  /// Throws Interrupted when a signal has come.
  static void check();
  /// The signal that has come, or 0.
  static int pending() noexcept;

 private:
  struct sigaction previous_[4];
  int previous_stop_;
};

}  // namespace pier::cli
