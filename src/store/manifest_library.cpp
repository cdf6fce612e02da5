#include <cerrno>
#include <ctime>

#include <sys/stat.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "store/manifest.h"

namespace pier {
namespace {

std::int64_t mtime_of(const struct stat& status) {
#if defined(__APPLE__)
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Throws when the library is no plain file.
struct stat library_status(const std::filesystem::path& library) {
  struct stat status {};
  if (::stat(library.c_str(), &status) != 0) throw_errno(errno, "read", library);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorCode::io, text("{} is a folder, not a library", library.native()));
  if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::io, text("{} is not a regular file", library.native()));
  return status;
}

}  // namespace

void record_library(Manifest& manifest) {
  const struct stat status = library_status(manifest.plugin.library);
  manifest.plugin.library_size = static_cast<std::uint64_t>(status.st_size);
  manifest.library_mtime = mtime_of(status);
}

std::string library_difference(const Manifest& manifest) {
  const struct stat status = library_status(manifest.plugin.library);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (manifest.plugin.library_size != 0 && size != manifest.plugin.library_size)
    return text("{} has {} bytes, recorded are {}", manifest.plugin.library.native(), size, manifest.plugin.library_size);
  const std::int64_t time = mtime_of(status);
  // Archives and images of file systems often keep whole seconds only.
  constexpr std::int64_t second = 1'000'000'000;
  const bool cut = time % second == 0 && time / second == manifest.library_mtime / second;
  if (manifest.library_mtime != 0 && time != manifest.library_mtime && !cut)
    return text("{} was written again since it was recorded", manifest.plugin.library.native());
  return {};
}

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char out[32] = {};
  std::strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return out;
}

}  // namespace pier
