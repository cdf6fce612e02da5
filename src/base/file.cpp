#include "base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pier {
namespace {

ErrorCode code_of(int error) {
  switch (error) {
    case ENOENT: return ErrorCode::not_found;
    case EACCES:
    case EPERM:
    case EROFS: return ErrorCode::permission_denied;
    case EEXIST: return ErrorCode::already_exists;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ENOMEM:
    case EMFILE:
    case ENFILE: return ErrorCode::resource_exhausted;
    default: return ErrorCode::io;
  }
}

std::uint64_t regular_file_size(int fd, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(fd, &status) != 0) throw_errno(errno, "stat", path);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorCode::io, text("{} is a folder, not a file", path.native()));
  if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::io, text("{} is not a regular file", path.native()));
  return static_cast<std::uint64_t>(status.st_size);
}

std::string random_suffix() {
  std::array<unsigned char, 8> random{};
  if (getentropy(random.data(), random.size()) != 0)
    throw Error(ErrorCode::io, text("no random bytes: {}", std::generic_category().message(errno)));
  std::string out;
  for (const unsigned char byte : random) out += text("{:02x}", byte);
  return out;
}

// One call moves at most this much: macOS refuses 2 GiB and more.
constexpr std::size_t largest_transfer = std::size_t{1} << 30;

// What a symbolic link leads to in the end, whether that exists or not.
std::filesystem::path follow_links(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)); ++links) {
    // As many as Linux follows.
    if (links == 40) throw_errno(ELOOP, "write", path);
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) throw_errno(error.value(), "write", path);
    path = parent_of(path) / next;
  }
  return path;
}

// What file systems and sandboxes answer that lack a call.
bool is_lacking(int error) {
  return error == EINVAL || error == ENOSYS || error == EPERM || error == ENOTSUP || error == EOPNOTSUPP || error == EMLINK;
}

std::string path_of(const Fd& fd) { return text("/proc/self/fd/{}", fd.get()); }

// Gives the name to the file unless something has it already. Returns 0 or errno.
int rename_new(const char* from, const char* to) {
#if defined(__linux__)
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (!is_lacking(errno)) return errno;
#elif defined(__APPLE__)
  if (::renamex_np(from, to, RENAME_EXCL) == 0) return 0;
  if (!is_lacking(errno)) return errno;
#endif
  // link() fails when the name exists, too.
  if (::link(from, to) == 0) {
    ::unlink(from);
    return 0;
  }
  if (!is_lacking(errno)) return errno;
  // Where there are no links either (9p, FAT, some FUSE), nothing is surer than looking right before the rename.
  struct stat status {};
  if (::lstat(to, &status) == 0) return EEXIST;
  return ::rename(from, to) == 0 ? 0 : errno;
}

}  // namespace

std::filesystem::path parent_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.release();
  }
  return *this;
}

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

int Fd::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

// No longer one can be there (PATH_MAX of Linux).
constexpr std::size_t path_limit = 4096;

void throw_errno(int error, std::string_view operation, const std::filesystem::path& path) {
  Error failure(code_of(error), text("cannot {} {}: {}", operation, shortened(path.native(), path_limit), std::generic_category().message(error)));
  if (error == ENOSPC || error == EDQUOT) failure.note("free some space there");
  throw failure;
}

Fd open_file(const std::filesystem::path& path, int flags, int mode) {
  int fd = -1;
  do fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) throw_errno(errno, (flags & (O_WRONLY | O_RDWR)) ? "write" : "read", path);
  return Fd(fd);
}

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
  // O_NONBLOCK keeps a named pipe from blocking the open; it changes nothing for a regular file.
  const Fd fd = open_file(path, O_RDONLY | O_NONBLOCK);
  const std::uint64_t size = regular_file_size(fd.get(), path);
  if (size > limit)
    throw Error(ErrorCode::io, text("{} has {} bytes, more than the {} that pier reads of such a file", path.native(), size, limit));
  std::string content(static_cast<std::size_t>(size), '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t got = ::read(fd.get(), content.data() + done, std::min(content.size() - done, largest_transfer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno(errno, "read", path);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  content.resize(done);
  return content;
}

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  const Fd fd = open_file(path, O_RDONLY | O_NONBLOCK);
  const auto size = static_cast<std::size_t>(regular_file_size(fd.get(), path));
  if (size == 0) return;
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (memory == MAP_FAILED) throw_errno(errno, "map", path);
  owner_ = std::shared_ptr<const void>(memory, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

void write_all(int fd, std::span<const std::byte> bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), std::min(bytes.size(), largest_transfer));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw_errno(errno, "write", path);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

void sync_fd(int fd, const std::filesystem::path& path) {
  if (::fsync(fd) != 0) throw_errno(errno, "sync", path);
}

void sync_folder(const std::filesystem::path& folder) {
  const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be writable and not readable: what was renamed in it cannot be made more durable then.
  if (!fd.valid() && errno == EACCES) return;
  if (!fd.valid()) throw_errno(errno, "sync", folder);
  // Some network file systems cannot sync a folder and say so with EINVAL; the rename itself has happened.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) throw_errno(errno, "sync", folder);
}

AtomicFile::AtomicFile(std::filesystem::path target, Existing existing) : target_(std::move(target)), existing_(existing) {
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    throw Error(ErrorCode::already_exists, text("{} is a folder, not a file", target_.native()));
  std::error_code ignored;
  if (existing_ == Existing::refuse && std::filesystem::exists(std::filesystem::symlink_status(target_, ignored)))
    throw_errno(EEXIST, "write", target_);
  if (exists && !S_ISREG(status.st_mode))
    throw Error(ErrorCode::already_exists, text("{} is not a regular file", target_.native()));
  if (existing_ == Existing::replace) target_ = follow_links(std::move(target_));

  const std::filesystem::path folder = parent_of(target_);
  if (!open_without_name(folder)) open_temporary(folder);
  // A private file stays private when it is replaced. File systems without permissions refuse, and need none.
  if (exists) [[maybe_unused]] const int kept = ::fchmod(fd_.get(), status.st_mode & 0777);
}

bool AtomicFile::open_without_name(const std::filesystem::path& folder) {
#if defined(O_TMPFILE)
  int fd = -1;
  do fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) return false;
  fd_ = Fd(fd);
  // It gets its name through /proc, which some sandboxes hide.
  if (::access(path_of(fd_).c_str(), F_OK) == 0) return true;
  fd_ = Fd();
#endif
  return false;
}

void AtomicFile::open_temporary(const std::filesystem::path& folder) {
  const std::filesystem::path temporary = folder / text(".pier-{}", random_suffix());
  int fd = -1;
  do fd = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    const int error = errno;
    if (error != ENOENT) throw_errno(error, "write", target_);
    throw Error(ErrorCode::not_found, text("cannot write {}: there is no folder {}", target_.native(), folder.native()));
  }
  fd_ = Fd(fd);
  temporary_ = temporary;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::move(other.temporary_)), fd_(std::move(other.fd_)),
      existing_(other.existing_), committed_(other.committed_) {
  other.temporary_.clear();
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

// For what has files without a name, but forbids to name them.
void AtomicFile::copy_to_temporary() {
  const Fd nameless = std::move(fd_);
  open_temporary(parent_of(target_));
  std::vector<std::byte> block(1 << 20);
  off_t offset = 0;
  for (;;) {
    const ssize_t got = ::pread(nameless.get(), block.data(), block.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno(errno, "read back", target_);
    if (got == 0) break;
    write(std::span<const std::byte>(block).first(static_cast<std::size_t>(got)));
    offset += got;
  }
  struct stat status {};
  if (::fstat(nameless.get(), &status) == 0) [[maybe_unused]] const int kept = ::fchmod(fd_.get(), status.st_mode & 0777);
  sync();
}

void AtomicFile::write(std::span<const std::byte> bytes) { write_all(fd_.get(), bytes, target_); }

void AtomicFile::sync() { sync_fd(fd_.get(), target_); }

void AtomicFile::commit() {
  if (committed_) throw Error(ErrorCode::failed_precondition, text("{} was committed before", target_.native()));
  sync();
  // Only a rename replaces; a new name can be given at once.
  const bool renames = existing_ == Existing::replace || !temporary_.empty();
  if (temporary_.empty()) {
    const std::filesystem::path name = renames ? parent_of(target_) / text(".pier-{}", random_suffix()) : target_;
    if (::linkat(AT_FDCWD, path_of(fd_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      if (renames) temporary_ = name;
    } else if (is_lacking(errno)) {
      copy_to_temporary();
    } else {
      throw_errno(errno, "write", target_);
    }
  }
  if (!temporary_.empty()) {
    const char* const from = temporary_.c_str();
    // A file that appeared meanwhile is never replaced unless that is wanted.
    int error = 0;
    if (existing_ == Existing::refuse) error = rename_new(from, target_.c_str());
    else if (::rename(from, target_.c_str()) != 0) error = errno;
    if (error != 0) throw_errno(error, "write", target_);
  }
  temporary_.clear();
  committed_ = true;
  sync_folder(parent_of(target_));
}

std::filesystem::path make_temporary_folder(const std::filesystem::path& parent) {
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) throw_errno(error.value(), "make the folder", parent);
  const std::filesystem::path folder = parent / text(".pier-{}", random_suffix());
  if (::mkdir(folder.c_str(), 0700) != 0) throw_errno(errno, "make the folder", folder);
  return folder;
}

}  // namespace pier
