#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"

namespace pier {
namespace {

std::string holder_of(const std::filesystem::path& path) {
  try {
    std::string holder = read_file(path, 4096);
    while (!holder.empty() && holder.back() == '\n') holder.pop_back();
    return holder.empty() ? "another process" : holder;
  } catch (const Error&) {
    return "another process";
  }
}

void write_holder(const Fd& fd) {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  char since[32] = {};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::strftime(since, sizeof since, "%Y-%m-%d %H:%M:%S", &local);
  const std::string line = text("process {} on {} since {}\n", ::getpid(), host, since);
  // Only a hint for whoever waits: the lock itself is the kernel's.
  if (::ftruncate(fd.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(fd.get(), line.data(), line.size(), 0);
  }
}

// Whether the path still names the open file: whoever cleared the folder meanwhile may have made a new one.
bool is_named(const Fd& fd, const std::filesystem::path& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(fd.get(), &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// "2 s", "0.25 s".
std::string seconds_text(std::int64_t milliseconds) { return text("{} s", static_cast<double>(milliseconds) / 1000); }

// No clock holds the end of a longer wait.
constexpr std::int64_t longest_wait_ms = std::int64_t{1000} * 60 * 60 * 24 * 365;

}  // namespace

std::optional<FileLock> FileLock::try_acquire(const std::filesystem::path& path) {
  for (;;) {
    Fd fd = open_file(path, O_RDWR | O_CREAT, 0644);
    int error = 0;
    do error = ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    while (error == EINTR);
    if (error == EWOULDBLOCK) return std::nullopt;
    if (error != 0) throw_errno(error, "lock", path);
    if (!is_named(fd, path)) continue;
    write_holder(fd);
    return FileLock(std::move(fd));
  }
}

FileLock FileLock::acquire(const std::filesystem::path& path, std::int64_t timeout_ms, void (*waiting)(std::string_view)) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(std::clamp<std::int64_t>(timeout_ms, 0, longest_wait_ms));
  auto pause = std::chrono::milliseconds(5);
  bool told = false;
  for (;;) {
    if (auto lock = try_acquire(path)) return std::move(*lock);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      throw Error(ErrorCode::deadline_exceeded, text("waited {} for the lock {}, held by {}",
                                                     seconds_text(std::max<std::int64_t>(timeout_ms, 0)), path.native(),
                                                     holder_of(path)))
          .note("wait for that process, or end it; the lock goes with it");
    if (!told && waiting) waiting(holder_of(path));
    told = true;
    std::this_thread::sleep_for(std::min(pause, left));
    pause = std::min(pause * 2, std::chrono::milliseconds(200));
  }
}

}  // namespace pier
