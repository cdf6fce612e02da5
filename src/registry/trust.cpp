#include "registry/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

// What is wrong with a file or folder, or with one above it.
struct Fault {
  std::string why;
  std::filesystem::path at;
  bool foreign = false;  // It belongs to someone else; otherwise everyone may write it.
};

std::optional<Fault> foreign(const struct stat& status, const std::filesystem::path& path) {
  if (status.st_uid == 0 || status.st_uid == ::geteuid()) return std::nullopt;
  return Fault{text("{} belongs to user {}, who is neither root nor you (user {})", path.native(), status.st_uid, ::geteuid()), path, true};
}

std::optional<Fault> find_fault(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;

  struct stat status {};
  if (::stat(real.c_str(), &status) != 0) return std::nullopt;
  if ((status.st_mode & S_IWOTH) && !(S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX)))
    return Fault{text("everyone may write {} (chmod o-w mends it)", real.native()), real};
  if (auto fault = foreign(status, real)) return fault;

  bool own_folder = !S_ISDIR(status.st_mode);
  for (std::filesystem::path folder = real.parent_path();; folder = folder.parent_path()) {
    if (::stat(folder.c_str(), &status) == 0) {
      if ((status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX))
        return Fault{text("everyone may write the folder {} (chmod o-w mends it)", folder.native()), folder};
      if (own_folder)
        if (auto fault = foreign(status, folder)) return fault;
    }
    own_folder = false;
    if (folder == folder.root_path()) return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> why_untrusted(const std::filesystem::path& path) {
  auto fault = find_fault(path);
  return fault ? std::optional(std::move(fault->why)) : std::nullopt;
}

std::optional<std::string> mend_of_untrusted(const std::filesystem::path& path) {
  const auto fault = find_fault(path);
  if (!fault) return std::nullopt;
  return text("{} {}", fault->foreign ? "sudo chown \"$USER\"" : "chmod o-w", shell_word(fault->at.native()));
}

std::filesystem::path real_path(const std::filesystem::path& path) {
  std::error_code error;
  auto real = std::filesystem::canonical(path, error);
  return error ? path : real;
}

}  // namespace pier::registry
