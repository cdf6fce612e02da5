#include <pier/log.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

namespace pier {
namespace {

struct Sink {
  std::mutex mutex;
  std::shared_ptr<const LogCallback> callback;
};

// Leaked on purpose: destructors of other statics may still log.
Sink& sink() {
  static Sink* const instance = new Sink;
  return *instance;
}

void write_to_stderr(LogLevel level, std::string_view message) {
  if (level < LogLevel::warning) return;
  std::string line = level == LogLevel::warning ? "pier: warning: " : "pier: error: ";
  line.append(message).push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void set_log_callback(LogCallback callback) {
  auto next = callback ? std::make_shared<const LogCallback>(std::move(callback)) : nullptr;
  const std::lock_guard lock(sink().mutex);
  sink().callback.swap(next);
}

void log(LogLevel level, std::string_view message) noexcept {
  try {
    std::shared_ptr<const LogCallback> callback;
    {
      const std::lock_guard lock(sink().mutex);
      callback = sink().callback;
    }
    // Called without the lock, so that a callback may log or replace itself.
    if (callback) (*callback)(level, message);
    else write_to_stderr(level, message);
  } catch (...) {
    std::fputs("pier: a log callback threw\n", stderr);
  }
}

}  // namespace pier
