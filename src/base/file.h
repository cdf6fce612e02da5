#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pier {

// Errors of this file are Error (io, not_found, permission_denied, already_exists or resource_exhausted) and name the
// path, the operation and the system's reason.

// An owned file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int release();

 private:
  int fd_ = -1;
};

// Opens with O_CLOEXEC.
Fd open_file(const std::filesystem::path& path, int flags, int mode = 0666);

// Throws the Error for errno after `operation` ("open", "write") on the path.
[[noreturn]] void throw_errno(int error, std::string_view operation, const std::filesystem::path& path);

// A whole regular file; refuses one larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit);

// A regular file mapped read-only. An empty file maps to an empty span.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  std::span<const std::byte> bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }
  // Keeps the mapping alive after this object is gone.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::filesystem::path path_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

// A file that appears under its name whole or not at all: written in the target's folder without a name, then synced and named
// by commit(). Where a file system has no files without a name, to a unique temporary ".pier-..." that is renamed. Without
// commit() nothing is left; without a name, not even when the process is killed. A symbolic link is followed when its file is to be replaced, and the file's permissions are kept; what is neither missing nor a regular file (a
// device, a pipe, a folder) is refused, for a rename would put a file in its place.
class AtomicFile {
 public:
  enum class Existing { refuse, replace };
  AtomicFile(std::filesystem::path target, Existing existing);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  // What commit() will give the content to: `target`, or what it links to.
  const std::filesystem::path& target() const { return target_; }
  void write(std::span<const std::byte> bytes);
  void write(std::string_view bytes) { write(std::as_bytes(std::span(bytes))); }
  int fd() const { return fd_.get(); }
  // Makes what was written so far durable; commit() does it, too.
  void sync();
  // With Existing::refuse, throws already_exists when the target has appeared meanwhile.
  void commit();

 private:
  bool open_without_name(const std::filesystem::path& folder);
  void open_temporary(const std::filesystem::path& folder);
  void copy_to_temporary();

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty while the file has no name
  Fd fd_;
  Existing existing_;
  bool committed_ = false;
};

// The folder that the path's last part lies in: "." for a name alone.
std::filesystem::path parent_of(const std::filesystem::path& path);

void write_all(int fd, std::span<const std::byte> bytes, const std::filesystem::path& path);
void sync_fd(int fd, const std::filesystem::path& path);
// Makes a rename or a new name in the folder durable.
void sync_folder(const std::filesystem::path& folder);

// A unique new folder inside `parent` (made if missing): ".pier-<random>".
std::filesystem::path make_temporary_folder(const std::filesystem::path& parent);

// An exclusive advisory lock that the kernel drops when the process ends, however it ends. The file stays.
class FileLock {
 public:
  // Waits up to `timeout_ms`; calls `waiting` once with the holder ("process 4711 on host since ...") when it has to wait.
  // Throws Error: deadline_exceeded, naming the holder, when the time is up; permission_denied and the like at once when the
  // file cannot be opened, for that is no matter of waiting.
  static FileLock acquire(const std::filesystem::path& path, std::int64_t timeout_ms,
                          void (*waiting)(std::string_view holder) = nullptr);
  static std::optional<FileLock> try_acquire(const std::filesystem::path& path);

 private:
  explicit FileLock(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace pier
