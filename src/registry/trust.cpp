#include "registry/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

namespace pier::registry {
namespace {

std::optional<std::string> why_foreign(const struct stat& status, const std::filesystem::path& path) {
  if (status.st_uid == 0 || status.st_uid == ::geteuid()) return std::nullopt;
  return text("{} belongs to user {}, who is neither root nor you (user {})", path.native(), status.st_uid, ::geteuid());
}

}  // namespace

std::optional<std::string> why_untrusted(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;

  struct stat status {};
  if (::stat(real.c_str(), &status) != 0) return std::nullopt;
  if ((status.st_mode & S_IWOTH) && !(S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX)))
    return text("everyone may write {} (chmod o-w mends it)", real.native());
  if (auto why = why_foreign(status, real)) return why;

  bool own_folder = !S_ISDIR(status.st_mode);
  for (std::filesystem::path folder = real.parent_path();; folder = folder.parent_path()) {
    if (::stat(folder.c_str(), &status) == 0) {
      if ((status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX))
        return text("everyone may write the folder {} (chmod o-w mends it)", folder.native());
      if (own_folder)
        if (auto why = why_foreign(status, folder)) return why;
    }
    own_folder = false;
    if (folder == folder.root_path()) return std::nullopt;
  }
}

std::filesystem::path real_path(const std::filesystem::path& path) {
  std::error_code error;
  auto real = std::filesystem::canonical(path, error);
  return error ? path : real;
}

}  // namespace pier::registry
