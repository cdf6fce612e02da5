#include <pier/versions.h>

#include <algorithm>

#include <pier/error.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "store/folder_size.h"
#include "store/kept.h"
#include "store/layout.h"
#include "store/lock_wait.h"
#include "store/manifest.h"
#include "store/publish.h"
#include "store/verify.h"

namespace pier {
namespace {

Layout layout_for(std::string_view platform) { return Layout(platform.empty() ? host_platform() : parse_platform(platform)); }

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

// Without their sizes.
std::vector<KeptVersion> versions_in(const Layout& layout, std::string_view id) {
  const std::filesystem::path current = current_root(layout, id);
  std::vector<KeptVersion> out;
  for (InstalledPlugin& plugin : kept_plugins(layout, id)) {
    const bool counts = plugin.root == current;
    out.push_back({std::move(plugin), counts, 0});
  }
  std::ranges::sort(out, [](const KeptVersion& a, const KeptVersion& b) {
    return a.plugin.installed_at != b.plugin.installed_at ? a.plugin.installed_at > b.plugin.installed_at : a.plugin.root > b.plugin.root;
  });
  return out;
}

}  // namespace

std::vector<KeptVersion> kept_versions(std::string_view id, std::string_view platform) {
  require_id(id);
  std::vector<KeptVersion> out = versions_in(layout_for(platform), id);
  for (KeptVersion& kept : out) kept.bytes = folder_size(kept.plugin.root);
  return out;
}

InstalledPlugin rollback_plugin(std::string_view id, const RollbackOptions& options) {
  require_id(id);
  const Layout layout = layout_for(options.platform);
  const auto timeout = InstallOptions{}.lock_timeout;
  if (versions_in(layout, id).empty()) refuse(id, {}, text("no version of '{}' is installed", id));
  make_folders(layout.lock(id).parent_path());
  const LockTurn waiting = log_holder("waiting for an install of the same plugin by");
  const FileLock lock = wait_for_lock(layout.lock(id), timeout, waiting);
  const std::vector<KeptVersion> versions = versions_in(layout, id);
  const InstalledPlugin& chosen = choose(id, versions, options.version).plugin;
  const std::filesystem::path& root = chosen.root;

  Manifest manifest = read_manifest(root / Layout::own_manifest);
  if (const auto wrong = verify_tree(root); !wrong.empty()) {
    IntegrityError error(text("{} {} in {} is damaged, so nothing was changed", manifest.plugin.package, manifest.plugin.version, root.native()));
    for (const std::string& line : wrong) error.note(line);
    throw error.note(text("pier install {}@{} fetches it again", id, manifest.plugin.version));
  }
  if (options.load_test && manifest.plugin.platform == to_string(host_platform())) manifest.plugin.api_version = options.load_test(manifest.plugin);
  record_library(manifest);
  Publisher(layout, timeout, waiting).publish(manifest);
  manifest.plugin.origin = chosen.origin;
  return manifest.plugin;
}

}  // namespace pier
