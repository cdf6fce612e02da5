#include "interrupt.h"

#include <array>
#include <cstddef>
#include <string_view>

#include <unistd.h>

#include "plugin_log.h"
#include "write.h"

namespace pier::cli {
namespace {

constexpr unsigned grace_seconds = 2;
constexpr std::array guarded = {SIGINT, SIGTERM, SIGHUP, SIGALRM};

// A signal handler reaches nothing but objects with static storage.
volatile sig_atomic_t received = 0;
volatile sig_atomic_t owner = 0;
volatile sig_atomic_t with_json = 0;
volatile sig_atomic_t stop_at_once = 0;

[[noreturn]] void end_now(int signal) {
  if (::getpid() == owner) {
    write_fully(diagnostics_fd(), "pier: interrupted\n");
    if (with_json) write_fully(results_fd(), "{\"error\": {\"code\": \"cancelled\", \"message\": \"interrupted\", \"notes\": [], \"function\": null, \"plugin\": null, \"plugin_log\": null}}\n");
  }
  ::_exit(128 + signal);
}

void on_signal(int signal) {
  // The alarm ends what did not stop by itself; a child process has nothing to tidy up.
  if (stop_at_once != 0 || received != 0 || ::getpid() != owner) end_now(signal == SIGALRM ? static_cast<int>(received) : signal);
  if (signal == SIGALRM) return;
  received = signal;
  ::alarm(grace_seconds);
}

}  // namespace

InterruptGuard::InterruptGuard(bool json, Stop stop) : previous_stop_(stop_at_once) {
  stop_at_once = stop == Stop::at_once ? 1 : 0;
  with_json = json ? 1 : 0;
  received = 0;
  owner = ::getpid();
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < guarded.size(); ++i) {
    ::sigaction(guarded[i], nullptr, &previous_[i]);
    // nohup and background jobs of a shell ignore some signals on purpose.
    if (previous_[i].sa_handler != SIG_IGN || guarded[i] == SIGALRM) ::sigaction(guarded[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  ::alarm(0);
  stop_at_once = previous_stop_;
  for (std::size_t i = 0; i < guarded.size(); ++i) ::sigaction(guarded[i], &previous_[i], nullptr);
}

void InterruptGuard::check() {
  if (received != 0) throw Interrupted(received);
}

int InterruptGuard::pending() noexcept { return received; }

}  // namespace pier::cli
