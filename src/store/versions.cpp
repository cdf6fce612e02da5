#include <pier/versions.h>

#include <algorithm>

#include <pier/error.h>
#include <pier/log.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "store/folder_size.h"
#include "store/layout.h"
#include "store/lock_wait.h"
#include "store/manifest.h"
#include "store/publish.h"
#include "store/verify.h"

namespace pier {
namespace {

Layout layout_for(std::string_view platform) { return Layout(platform.empty() ? host_platform() : parse_platform(platform)); }

LockTurn waiting_for(std::string_view id) {
  return [id = std::string(id), told = false](std::string_view holder) mutable {
    if (!std::exchange(told, true)) log(LogLevel::info, text("waiting for {}, which works on '{}'", holder, id));
  };
}

std::filesystem::path current_root(const Layout& layout, std::string_view id) {
  try {
    return read_manifest(layout.manifest(id)).plugin.root;
  } catch (const Error&) {
    return {};
  }
}

std::string version_text(const KeptVersion& kept) {
  return text("{} {}, installed {}{}", kept.plugin.package, kept.plugin.version, kept.plugin.installed_at, kept.current ? ", the current one" : "");
}

[[noreturn]] void refuse(std::string_view id, const std::vector<KeptVersion>& versions, const std::string& why) {
  Error error(ErrorCode::not_available, why);
  for (const KeptVersion& kept : versions) error.note(version_text(kept));
  throw error.note(text("`pier install {}@VERSION` fetches another one", id));
}

const KeptVersion& choose(std::string_view id, const std::vector<KeptVersion>& versions, const std::string& version) {
  if (versions.empty()) refuse(id, versions, text("no version of '{}' is installed", id));
  if (!version.empty()) {
    const auto found = std::ranges::find_if(versions, [&](const KeptVersion& kept) { return !kept.current && kept.plugin.version == version; });
    if (found == versions.end()) refuse(id, versions, text("there is no earlier version {} of '{}' to go back to", version, id));
    return *found;
  }
  const auto current = std::ranges::find_if(versions, &KeptVersion::current);
  // Newest first, so what follows was installed before.
  const auto before = current == versions.end() ? versions.begin() : std::next(current);
  if (before == versions.end()) refuse(id, versions, text("there is no earlier version of '{}' to go back to", id));
  return *before;
}

}  // namespace

std::vector<KeptVersion> kept_versions(std::string_view id, std::string_view platform) {
  require_id(id);
  const Layout layout = layout_for(platform);
  const std::filesystem::path current = current_root(layout, id);
  std::vector<KeptVersion> out;
  std::error_code error;
  for (std::filesystem::directory_iterator it(layout.plugin_folder(id), error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().native().starts_with(".pier-")) continue;
    try {
      KeptVersion kept{read_manifest(it->path() / Layout::own_manifest).plugin, false, folder_size(it->path())};
      kept.plugin.origin = layout.data == Layout(host_platform()).data ? Origin::installed : Origin::foreign;
      kept.current = kept.plugin.root == current;
      out.push_back(std::move(kept));
    } catch (const Error& failure) {
      log(LogLevel::info, text("{} is passed over: {}", it->path().native(), failure.message()));
    }
  }
  std::ranges::sort(out, [](const KeptVersion& a, const KeptVersion& b) {
    return a.plugin.installed_at != b.plugin.installed_at ? a.plugin.installed_at > b.plugin.installed_at : a.plugin.root > b.plugin.root;
  });
  return out;
}

InstalledPlugin rollback_plugin(std::string_view id, const RollbackOptions& options) {
  require_id(id);
  const Layout layout = layout_for(options.platform);
  const auto timeout = InstallOptions{}.lock_timeout;
  if (kept_versions(id, options.platform).empty()) refuse(id, {}, text("no version of '{}' is installed", id));
  make_folders(layout.lock(id).parent_path());
  const FileLock lock = wait_for_lock(layout.lock(id), timeout, waiting_for(id));
  const std::vector<KeptVersion> versions = kept_versions(id, options.platform);
  const std::filesystem::path root = choose(id, versions, options.version).plugin.root;

  Manifest manifest = read_manifest(root / Layout::own_manifest);
  if (const auto wrong = verify_tree(root); !wrong.empty()) {
    IntegrityError error(text("{} {} in {} is damaged, so nothing was changed", manifest.plugin.package, manifest.plugin.version, root.native()));
    for (const std::string& line : wrong) error.note(line);
    throw error.note(text("pier install {}@{} fetches it again", id, manifest.plugin.version));
  }
  if (options.load_test && manifest.plugin.platform == to_string(host_platform())) manifest.plugin.api_version = options.load_test(manifest.plugin);
  record_library(manifest);
  Publisher(layout, timeout, waiting_for(id)).publish(manifest);
  manifest.plugin.origin = options.platform.empty() || parse_platform(options.platform) == host_platform() ? Origin::installed : Origin::foreign;
  return manifest.plugin;
}

}  // namespace pier
