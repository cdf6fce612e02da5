#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <system_error>

#include "base/file.h"
#include "store/digest.h"

namespace pier {

// Bytes that one thread waits for while another brings them.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to bytes.size() of what follows; 0 at the end. Blocks. Throws Abandoned when the bytes turned out useless.
  virtual std::size_t read(std::span<std::byte> bytes) = 0;
};

// Thrown in the reading thread when the writer starts anew or gives up; never reaches a caller of the store.
struct Abandoned {};

// Reads at `offset` without moving the file's position; fewer bytes than asked for only at the end of the file.
std::size_t read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset, const std::filesystem::path& path);

// std::thread and std::async report a system without threads in a type of their own.
[[noreturn]] void throw_no_thread(const std::system_error& failure);

// A file that grows while a package arrives: written and hashed by one thread, read by another as far as it has got.
class Spool {
 public:
  // Takes over what the file already holds.
  Spool(std::filesystem::path path, Fd fd);

  // For the writer. Hashes the bytes that are in the file already, at most `limit` of them; the rest is cut off.
  void take_over(std::uint64_t limit);
  void append(std::span<const std::byte> bytes);
  // Drops everything; readers get Abandoned.
  void restart();
  // No more bytes will come; a reader sees the end there.
  void finish();
  // Readers get Abandoned.
  void abandon();
  std::uint64_t size() const { return size_; }
  // How far a reader has got.
  std::uint64_t consumed() const { return consumed_; }
  // Of all bytes so far, as hexadecimal digits.
  std::string sha256() const { return to_hex(digest_.current()); }

  int fd() const { return fd_.get(); }
  const std::filesystem::path& path() const { return path_; }

  // A reader from the start. Belongs to the generation of bytes that is there when it is made. Throws Error (io) when somebody
  // else cut the file short.
  class Reader : public ByteSource {
   public:
    explicit Reader(Spool& spool);
    std::size_t read(std::span<std::byte> bytes) override;

   private:
    Spool& spool_;
    std::uint64_t generation_;
    std::uint64_t position_ = 0;
  };

 private:
  void publish(std::uint64_t size);

  std::filesystem::path path_;
  Fd fd_;
  Digest digest_;
  std::uint64_t size_ = 0;  // the writer's own count

  std::atomic<std::uint64_t> consumed_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t available_ = 0;
  std::uint64_t generation_ = 0;
  bool finished_ = false;
  bool abandoned_ = false;
};

}  // namespace pier
