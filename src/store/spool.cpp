#include "store/spool.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <unistd.h>

#include <pier/error.h>

#include "base/text.h"

namespace pier {
namespace {

constexpr std::size_t block = std::size_t{256} << 10;

}  // namespace

std::size_t read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset, const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno(errno, "read", path);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void throw_no_thread(const std::system_error& failure) {
  throw Error(ErrorCode::resource_exhausted, text("cannot start a thread: {}", failure.code().message()))
      .note("the limit on processes and threads (ulimit -u, or that of the container) is reached");
}

Spool::Spool(std::filesystem::path path, Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

void Spool::take_over(std::uint64_t limit) {
  std::vector<std::byte> buffer(block);
  while (size_ < limit) {
    const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), limit - size_));
    const std::size_t got = read_at(fd_.get(), std::span(buffer).first(want), size_, path_);
    if (got == 0) break;
    digest_.update(std::span(buffer).first(got));
    publish(size_ + got);
  }
  if (::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) throw_errno(errno, "shorten", path_);
  if (::lseek(fd_.get(), static_cast<off_t>(size_), SEEK_SET) < 0) throw_errno(errno, "seek in", path_);
}

void Spool::append(std::span<const std::byte> bytes) {
  write_all(fd_.get(), bytes, path_);
  digest_.update(bytes);
  publish(size_ + bytes.size());
}

void Spool::publish(std::uint64_t size) {
  size_ = size;
  {
    const std::lock_guard lock(mutex_);
    available_ = size;
  }
  changed_.notify_all();
}

void Spool::restart() {
  // Readers learn of it before the file is short, so that one who finds it short knows who did that.
  {
    const std::lock_guard lock(mutex_);
    available_ = 0;
    ++generation_;
    finished_ = false;
  }
  changed_.notify_all();
  if (::ftruncate(fd_.get(), 0) != 0) throw_errno(errno, "shorten", path_);
  if (::lseek(fd_.get(), 0, SEEK_SET) < 0) throw_errno(errno, "seek in", path_);
  digest_.restart();
  size_ = 0;
}

void Spool::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
}

void Spool::abandon() {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  changed_.notify_all();
}

Spool::Reader::Reader(Spool& spool) : spool_(spool) {
  const std::lock_guard lock(spool.mutex_);
  generation_ = spool.generation_;
}

std::size_t Spool::Reader::read(std::span<std::byte> bytes) {
  std::uint64_t available = 0;
  {
    std::unique_lock lock(spool_.mutex_);
    spool_.changed_.wait(lock, [&] {
      return spool_.abandoned_ || spool_.generation_ != generation_ || spool_.finished_ || spool_.available_ > position_;
    });
    if (spool_.abandoned_ || spool_.generation_ != generation_) throw Abandoned{};
    available = spool_.available_;
  }
  const std::uint64_t want = std::min<std::uint64_t>(bytes.size(), available - position_);
  if (want == 0) return 0;
  const std::size_t got = read_at(spool_.fd_.get(), bytes.first(static_cast<std::size_t>(want)), position_, spool_.path_);
  if (got == 0) {
    const std::lock_guard lock(spool_.mutex_);
    if (spool_.abandoned_ || spool_.generation_ != generation_) throw Abandoned{};
    throw Error(ErrorCode::io, text("{} was changed by another program while it was read", spool_.path_.native()))
        .note("nothing was installed; run the install again, and keep other programs out of pier's cache meanwhile");
  }
  position_ += got;
  spool_.consumed_ = position_;
  return got;
}

}  // namespace pier
