#include "store/unpack_writer.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pier {
namespace {

constexpr std::size_t block_size = std::size_t{256} << 10;
constexpr std::size_t jobs_that_wait = 12;
constexpr std::uint64_t sync_step = std::uint64_t{8} << 20;

}  // namespace

MemberWriter::MemberWriter(std::filesystem::path root) : root_(std::move(root)) {
  block_.reserve(block_size);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& failure) {
    throw_no_thread(failure);
  }
}

MemberWriter::~MemberWriter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
    jobs_.push_back({Job::Kind::stop, {}, {}});
  }
  changed_.notify_all();
  thread_.join();
}

void MemberWriter::push(Job job) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || jobs_.size() < jobs_that_wait; });
    if (failed_) std::rethrow_exception(failed_);
    jobs_.push_back(std::move(job));
    if (!spare_.empty() && block_.capacity() == 0) {
      block_ = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  changed_.notify_all();
}

void MemberWriter::folder(const std::string& path) { push({Job::Kind::folder, path, {}}); }

void MemberWriter::open(const std::string& path) { push({Job::Kind::open, path, {}}); }

void MemberWriter::flush_block() {
  if (block_.empty()) return;
  Job job{Job::Kind::data, {}, std::move(block_)};
  block_ = {};
  push(std::move(job));
  block_.clear();
  block_.reserve(block_size);
}

void MemberWriter::data(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), block_size - block_.size());
    block_.insert(block_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part));
    bytes = bytes.subspan(part);
    if (block_.size() == block_size) flush_block();
  }
}

void MemberWriter::close() {
  flush_block();
  push({Job::Kind::close, {}, {}});
}

Unpacked MemberWriter::finish() {
  push({Job::Kind::stop, {}, {}});
  thread_.join();
  if (failed_) std::rethrow_exception(failed_);
  return std::move(unpacked_);
}

void MemberWriter::run() noexcept {
  try {
    for (;;) {
      Job job;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !jobs_.empty(); });
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      changed_.notify_all();
      if (job.kind == Job::Kind::stop) return;
      handle(job);
      if (job.kind == Job::Kind::data) {
        const std::lock_guard lock(mutex_);
        if (spare_.size() < jobs_that_wait) spare_.push_back(std::move(job.bytes));
      }
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failed_ = std::current_exception();
  }
  changed_.notify_all();
}

void MemberWriter::make_folder(const std::string& path) {
  if (path.empty() || path == last_folder_) return;
  // The names were judged before: no part is "..", and none is a link, because none is ever made here.
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::filesystem::path folder = root_ / path.substr(0, slash);
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) throw_errno(errno, "make the folder", folder);
  }
  last_folder_ = path;
}

void MemberWriter::handle(Job& job) {
  switch (job.kind) {
    case Job::Kind::folder: make_folder(job.path); break;
    case Job::Kind::open: {
      const std::size_t slash = job.path.rfind('/');
      if (slash != std::string::npos) make_folder(job.path.substr(0, slash));
      // O_EXCL: on a file system that ignores case or spelling, two names may still meet.
      file_ = open_file(root_ / job.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0644);
      path_ = std::move(job.path);
      size_ = started_ = 0;
      digest_.restart();
      break;
    }
    case Job::Kind::data:
      write_all(file_.get(), job.bytes, root_ / path_);
      digest_.update(job.bytes);
      size_ += job.bytes.size();
#if defined(__linux__)
      // The disk starts now, so that the sync at the end has little left to wait for.
      if (size_ - started_ >= sync_step) {
        ::sync_file_range(file_.get(), static_cast<off64_t>(started_), static_cast<off64_t>(size_ - started_), SYNC_FILE_RANGE_WRITE);
        started_ = size_;
      }
#endif
      break;
    case Job::Kind::close:
      // Network disks and quotas refuse here what they took before, and tell it once.
      if (::close(file_.release()) != 0 && errno != EINTR) throw_errno(errno, "write", root_ / path_);
      unpacked_.bytes += size_;
      unpacked_.files[path_] = {size_, digest_.finish()};
      break;
    case Job::Kind::stop: break;
  }
}

}  // namespace pier
