#include "store/lock_wait.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include <pier/error.h>
#include <pier/log.h>

#include "base/text.h"

namespace pier {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto interval = std::chrono::milliseconds(100);
// No clock holds the end of a longer wait.
constexpr auto longest_wait = std::chrono::hours(24 * 365);

std::string holder_of(const std::filesystem::path& path) {
  try {
    std::string holder = read_file(path, 4096);
    while (holder.ends_with('\n')) holder.pop_back();
    if (!holder.empty()) return holder;
  } catch (const Error&) {
    // Only a hint.
  }
  return "another process";
}

}  // namespace

LockTurn log_holder(std::string words) {
  return [words = std::move(words), told = false](std::string_view holder) mutable {
    if (!std::exchange(told, true)) log(LogLevel::info, text("{} {}", words, holder));
  };
}

FileLock wait_for_lock(const std::filesystem::path& path, std::chrono::milliseconds timeout, const LockTurn& turn) {
  const auto wait = std::clamp<std::chrono::milliseconds>(timeout, std::chrono::milliseconds(0), longest_wait);
  const auto end = Clock::now() + wait;
  auto pause = std::chrono::milliseconds(5);
  for (;;) {
    if (auto lock = FileLock::try_acquire(path)) return std::move(*lock);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0)
      throw Error(ErrorCode::deadline_exceeded, text("waited {} s for the lock {}, held by {}",
                                                     static_cast<double>(wait.count()) / 1000, path.native(), holder_of(path)))
          .note("wait for that process, or end it; the lock goes with it");
    if (turn) turn(holder_of(path));
    std::this_thread::sleep_for(std::min(pause, left));
    pause = std::min<std::chrono::milliseconds>(pause * 2, interval);
  }
}

}  // namespace pier
