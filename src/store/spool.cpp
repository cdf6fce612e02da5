#include "store/spool.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <unistd.h>

namespace pier {
namespace {

constexpr std::size_t block = std::size_t{256} << 10;

std::size_t read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset, const std::filesystem::path& path) {
  for (;;) {
    const ssize_t got = ::pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw_errno(errno, "read", path);
  }
}

}  // namespace

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
  if (::ftruncate(fd_.get(), 0) != 0) throw_errno(errno, "shorten", path_);
  if (::lseek(fd_.get(), 0, SEEK_SET) < 0) throw_errno(errno, "seek in", path_);
  digest_.restart();
  size_ = 0;
  {
    const std::lock_guard lock(mutex_);
    available_ = 0;
    ++generation_;
    finished_ = false;
  }
  changed_.notify_all();
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
  // Cut short under our hands: the writer starts anew, or someone meddles with the file.
  if (got == 0) throw Abandoned{};
  position_ += got;
  spool_.consumed_ = position_;
  return got;
}

}  // namespace pier
