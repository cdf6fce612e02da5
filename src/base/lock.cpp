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

}  // namespace

std::optional<FileLock> FileLock::try_acquire(const std::filesystem::path& path) {
  Fd fd = open_file(path, O_RDWR | O_CREAT, 0666);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK || errno == EINTR) return std::nullopt;
    throw_errno(errno, "lock", path);
  }
  write_holder(fd);
  return FileLock(std::move(fd));
}

FileLock FileLock::acquire(const std::filesystem::path& path, std::int64_t timeout_ms, void (*waiting)(std::string_view)) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  auto pause = std::chrono::milliseconds(5);
  bool told = false;
  for (;;) {
    if (auto lock = try_acquire(path)) return std::move(*lock);
    if (std::chrono::steady_clock::now() >= deadline)
      throw Error(ErrorCode::deadline_exceeded,
                  text("waited {} s for the lock {}, held by {}", timeout_ms / 1000, path.native(), holder_of(path)))
          .note("wait for that process, or end it; the lock goes with it");
    if (!told && waiting) waiting(holder_of(path));
    told = true;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(200));
  }
}

}  // namespace pier
