#pragma once

#include <csignal>

namespace pier {

// Keeps a write to a connection that the other side has closed from ending the program: libcurl leaves SIGPIPE to whoever
// uses it from several threads. The signal is blocked in this thread, and one that came meanwhile is taken away.
class SigpipeGuard {
 public:
  SigpipeGuard();
  ~SigpipeGuard();
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace pier
