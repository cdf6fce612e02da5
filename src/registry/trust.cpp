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

// Of the file itself, whose path has no links in it.
std::optional<Fault> fault_of(const struct stat& status, const std::filesystem::path& real) {
  if ((status.st_mode & S_IWOTH) && !(S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX)))
    return Fault{text("everyone may write {} (chmod o-w mends it)", real.native()), real};
  return foreign(status, real);
}

// Of the folders above it. `own`: the first of them is the folder of a file, and must not be someone else's.
std::optional<Fault> fault_above(std::filesystem::path folder, bool own) {
  struct stat status {};
  for (;; folder = folder.parent_path()) {
    if (::stat(folder.c_str(), &status) == 0) {
      if ((status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX))
        return Fault{text("everyone may write the folder {} (chmod o-w mends it)", folder.native()), folder};
      if (own)
        if (auto fault = foreign(status, folder)) return fault;
    }
    own = false;
    if (folder == folder.root_path()) return std::nullopt;
  }
}

std::optional<Fault> find_fault(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;

  struct stat status {};
  if (::stat(real.c_str(), &status) != 0) return std::nullopt;
  if (auto fault = fault_of(status, real)) return fault;
  return fault_above(real.parent_path(), !S_ISDIR(status.st_mode));
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

std::filesystem::path Judge::real_path(const std::filesystem::path& path) {
  struct stat status {};
  // A link, or a name that is none (".."), is followed in the usual way.
  const std::string name = path.filename().native();
  if (name.empty() || name == "." || name == ".." || ::lstat(path.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return registry::real_path(path);
  const std::filesystem::path folder = path.parent_path();
  const auto [known, fresh] = real_folders_.try_emplace(folder);
  if (fresh) known->second = registry::real_path(folder.empty() ? "." : folder);
  return known->second / name;
}

std::optional<std::string> Judge::why_untrusted(const std::filesystem::path& path) {
  const std::filesystem::path real = real_path(path);
  struct stat status {};
  if (::stat(real.c_str(), &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return registry::why_untrusted(real);
  if (auto fault = fault_of(status, real)) return std::move(fault->why);
  const auto [known, fresh] = verdicts_.try_emplace(real.parent_path());
  if (fresh)
    if (auto fault = fault_above(real.parent_path(), true)) known->second = std::move(fault->why);
  return known->second;
}

}  // namespace pier::registry
