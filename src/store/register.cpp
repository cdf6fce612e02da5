#include <algorithm>
#include <cerrno>
#include <chrono>

#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/store.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "store/digest.h"
#include "store/layout.h"
#include "store/lock_wait.h"
#include "store/manifest.h"
#include "store/preflight.h"

namespace pier {
namespace {

constexpr auto lock_timeout = std::chrono::milliseconds(60'000);

std::filesystem::path manifest_of(std::string_view id) { return registered_folder() / text("{}.toml", id); }

// The folder's lock; what an interrupted registration left is swept.
FileLock lock_folder() {
  make_folders(registered_folder());
  FileLock lock = wait_for_lock(registered_folder() / ".lock", lock_timeout, {});
  sweep(registered_folder());
  return lock;
}

// Whoever can write the file decides what runs in our process.
void require_own(const std::filesystem::path& library) {
  for (const auto& path : {library, library.parent_path()}) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) throw_errno(errno, "read", path);
    const bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if ((status.st_mode & S_IWOTH) != 0 && !sticky)
      throw Error(ErrorCode::permission_denied, text("{} can be written by every user of this machine", path.native()))
          .note(text("run: chmod o-w {}", path.native()))
          .note("or accept it with --allow");
  }
}

}  // namespace

InstallResult register_plugin(const Registration& registration, const RegisterOptions& options) {
  require_id(registration.id);
  if (registration.library.empty()) throw Error(ErrorCode::invalid_argument, "no library was named");
  Manifest manifest;
  InstalledPlugin& plugin = manifest.plugin;
  plugin.origin = Origin::registered;
  plugin.id = registration.id;
  for (const std::string& given : registration.labels)
    if (std::string label = lower_ascii(given); std::ranges::find(plugin.labels, label) == plugin.labels.end()) plugin.labels.push_back(std::move(label));
  plugin.priority = registration.priority;
  plugin.create_options = registration.create_options;
  plugin.environment = registration.environment;
  plugin.allow_others = options.allow_others;
  plugin.platform = to_string(host_platform());
  plugin.manifest = manifest_of(registration.id);
  // The link itself is kept: a build that is linked anew shall be found anew.
  std::error_code failed;
  plugin.library = std::filesystem::absolute(registration.library, failed).lexically_normal();
  if (failed) throw_errno(failed.value(), "find", registration.library);
  record_library(manifest);
  require_manifest(manifest, plugin.manifest);
  if (!options.allow_others) {
    const std::filesystem::path target = std::filesystem::canonical(plugin.library, failed);
    if (failed) throw_errno(failed.value(), "read", plugin.library);
    require_own(target);
  }

  InstallResult result;
  require_preflight(plugin, result.notes);
  if (options.load_test) plugin.api_version = options.load_test(plugin);
  else result.notes.emplace_back("no load test was made");
  plugin.library_sha256 = file_sha256(plugin.library);
  plugin.installed_at = timestamp();

  const FileLock lock = lock_folder();
  std::error_code ignored;
  result.outcome = Outcome::installed;
  if (std::filesystem::exists(plugin.manifest, ignored)) {
    result.outcome = Outcome::replaced;
    try {
      const InstalledPlugin before = read_manifest(plugin.manifest).plugin;
      if (before.library != plugin.library) {
        result.notes.push_back(text("before, '{}' was {}", plugin.id, before.library.native()));
      } else if (before.library_sha256 != plugin.library_sha256) {
        result.notes.push_back(text("the library has changed: SHA-256 was {}, is {}", before.library_sha256, plugin.library_sha256));
      } else if (before.labels == plugin.labels && before.priority == plugin.priority &&
                 before.create_options == plugin.create_options && before.environment == plugin.environment &&
                 before.allow_others == plugin.allow_others) {
        result.outcome = Outcome::already_installed;
        result.notes.push_back(text("already registered (SHA-256 {})", plugin.library_sha256));
      }
    } catch (const Error& error) {
      result.notes.push_back(text("the manifest before could not be read: {}", error.message()));
    }
  }
  write_manifest(manifest, plugin.manifest);
  result.plugin = std::move(plugin);
  return result;
}

bool unregister_plugin(std::string_view id) {
  require_id(id);
  const std::filesystem::path manifest = manifest_of(id);
  std::error_code ignored;
  if (!std::filesystem::exists(manifest, ignored)) return false;
  const FileLock lock = lock_folder();
  if (::unlink(manifest.c_str()) != 0) {
    if (errno == ENOENT) return false;
    throw_errno(errno, "remove", manifest);
  }
  sync_folder(registered_folder());
  return true;
}

}  // namespace pier
