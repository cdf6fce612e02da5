#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "store/digest.h"
#include "store/unpack.h"

namespace pier {

// Hashes and writes members on a thread of its own, so that inflating need not wait for either. At most a few blocks wait.
class MemberWriter {
 public:
  explicit MemberWriter(std::filesystem::path root);
  ~MemberWriter();

  // Each throws what went wrong on the writing thread earlier.
  void folder(const std::string& path);
  void open(const std::string& path);
  void data(std::span<const std::byte> bytes);
  void close();
  // Waits for all of it.
  Unpacked finish();

 private:
  struct Job {
    enum class Kind { folder, open, data, close, stop } kind;
    std::string path;
    std::vector<std::byte> bytes;
  };
  void push(Job job);
  void run() noexcept;
  void handle(Job& job);
  void make_folder(const std::string& path);
  void flush_block();

  std::filesystem::path root_;
  std::vector<std::byte> block_;  // filled by the caller's thread

  // The writing thread's own.
  Fd file_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::uint64_t started_ = 0;  // bytes whose way to the disk has begun
  Digest digest_;
  std::string last_folder_;
  Unpacked unpacked_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::vector<std::vector<std::byte>> spare_;
  std::exception_ptr failed_;
  std::thread thread_;
};

}  // namespace pier
