#include "store/sigpipe.h"

#include <pthread.h>
#include <time.h>

namespace pier {
namespace {

bool is_pending() {
  sigset_t pending{};
  return ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

SigpipeGuard::SigpipeGuard() : was_pending_(is_pending()) {
  sigset_t pipe{};
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

SigpipeGuard::~SigpipeGuard() {
  // One that waited before is the program's own.
  if (!was_pending_ && is_pending()) {
    sigset_t pipe{};
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
#if defined(__APPLE__)
    int taken = 0;
    ::sigwait(&pipe, &taken);
#else
    const timespec now{};
    ::sigtimedwait(&pipe, nullptr, &now);
#endif
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace pier
