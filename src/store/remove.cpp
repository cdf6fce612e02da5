#include <cerrno>
#include <vector>

#include <unistd.h>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/store.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "store/in_use.h"
#include "store/layout.h"
#include "store/lock_wait.h"

namespace pier {

bool remove_plugin(std::string_view id, std::string_view platform) {
  require_id(id);
  const Layout layout(platform.empty() ? host_platform() : parse_platform(platform));
  const std::filesystem::path home = layout.plugin_folder(id);
  std::error_code ignored;
  if (!std::filesystem::exists(home, ignored) && !std::filesystem::exists(layout.manifest(id), ignored)) return false;
  make_folders(layout.lock(id).parent_path());
  const FileLock lock = wait_for_lock(layout.lock(id), InstallOptions{}.lock_timeout, log_holder("waiting for an install of the same plugin by"));
  // The manifest goes first: from then on the files are rubbish, whatever happens to us.
  const bool listed = ::unlink(layout.manifest(id).c_str()) == 0;
  if (!listed && errno != ENOENT) throw_errno(errno, "remove", layout.manifest(id));
  if (listed) sync_folder(layout.manifests());
  bool any = listed;
  std::vector<std::filesystem::path> folders;
  sweep(home);
  std::error_code error;
  for (std::filesystem::directory_iterator it(home, error), end; !error && it != end; it.increment(error)) folders.push_back(it->path());
  bool all = true;
  for (const auto& folder : folders) {
    any = true;
    if (remove_unused_tree(folder)) continue;
    all = false;
    log(LogLevel::warning, text("{} stays until the running process that uses it ends; `pier gc` removes it then", folder.native()));
  }
  if (all && ::rmdir(home.c_str()) != 0 && errno != ENOENT) throw_errno(errno, "remove", home);
  return any;
}

}  // namespace pier
