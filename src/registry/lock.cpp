#include <pier/lock.h>

#include <algorithm>
#include <optional>
#include <set>

#include <pier/catalog.h>
#include <pier/error.h>
#include <pier/log.h>
#include <pier/registry.h>
#include <pier/versions.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_check.h"
#include "registry/catalog_lookup.h"
#include "registry/load_test.h"
#include "registry/names.h"
#include "registry/order.h"
#include "store/kept.h"

namespace pier {
namespace {

using registry::join;

const PluginRequest* find(const LockFile& lock, std::string_view id, std::string_view platform) {
  for (const PluginRequest& plugin : lock.plugins)
    if (plugin.id == id && plugin.pin.platform == platform) return &plugin;
  return nullptr;
}

// Sizes are in no manifest; the catalog has those of what it pins.
void complete(Pin& pin, const std::vector<Pin>& known) {
  const auto at = std::ranges::find_if(known, [&](const Pin& other) { return lower_ascii(other.sha256) == lower_ascii(pin.sha256); });
  if (at == known.end()) return;
  pin.size = at->size;
  pin.unpacked_size = at->unpacked_size;
  if (pin.min_system.empty()) pin.min_system = at->min_system;
}

PluginRequest completed(PluginRequest request) {
  if (const auto entry = registry::entry_or_warning(request.id)) {
    const std::vector<Pin> known = registry::pins_of(*entry);
    complete(request.pin, known);
    for (Pin& companion : request.companions) complete(companion, known);
  }
  return request;
}

std::vector<PluginRequest> everything_installed() {
  std::vector<PluginRequest> out;
  for (const InstalledPlugin& plugin : installed_plugins().plugins) {
    if (plugin.origin != Origin::installed && plugin.origin != Origin::foreign) continue;
    // What was given as a file or a folder has no package that could be fetched again.
    if (plugin.package.empty() || plugin.sha256.empty())
      log(LogLevel::warning, text("{} is not locked: it was installed from {}, not from a package of an index", plugin.id, plugin.source));
    else out.push_back(completed(request_of(plugin)));
  }
  return out;
}

PluginRequest from_catalog(const std::string& id, const std::string& platform) {
  if (!catalog_entry(id))
    throw Error(ErrorCode::not_available, text("'{}' is neither installed nor locked, and the catalog does not have it", id))
        .note(text("the catalog has: {}", join(catalog_ids())));
  InstallRequest request;
  request.bundled = true;  // What this machine has, another may lack.
  return registry::make_order(id, request, registry::make_target(platform, {})).plugin;
}

}  // namespace

LockFile lock_plugins(const LockRequest& request, const LockFile& before) {
  const LockFile installed{everything_installed()};
  std::vector<std::string> platforms;
  for (const std::string& platform : request.platforms) platforms.push_back(to_string(parse_platform(platform)));

  std::set<std::pair<std::string, std::string>> wanted;
  if (request.ids.empty()) {
    const auto counts = [&](const PluginRequest& plugin) {
      return platforms.empty() || std::ranges::find(platforms, plugin.pin.platform) != platforms.end();
    };
    for (const LockFile* const lock : {&installed, &before})
      for (const PluginRequest& plugin : lock->plugins)
        if (counts(plugin)) wanted.emplace(plugin.id, plugin.pin.platform);
  } else {
    if (platforms.empty()) platforms.push_back(to_string(host_platform()));
    for (const std::string& id : request.ids)
      for (const std::string& platform : platforms) wanted.emplace(lower_ascii(id), platform);
  }

  LockFile lock;
  for (const auto& [id, platform] : wanted) {
    const PluginRequest* known = request.upgrade ? nullptr : find(installed, id, platform);
    if (!known && !request.upgrade) known = find(before, id, platform);
    lock.plugins.push_back(known ? *known : from_catalog(id, platform));
  }
  // What nobody spoke of stays locked.
  for (const PluginRequest& plugin : before.plugins)
    if (!find(lock, plugin.id, plugin.pin.platform)) lock.plugins.push_back(plugin);
  return lock;
}

SyncResult sync_plugins(const LockFile& lock, const SyncOptions& options) {
  const std::string host = to_string(host_platform());
  SyncResult result;
  for (const PluginRequest& plugin : lock.plugins) {
    if (plugin.pin.platform != host) continue;
    std::vector<std::string> notes;
    InstallOptions install_options = options.install;
    if (!install_options.load_test) install_options.load_test = registry::probe_load_test(plugin.id, options.probe_limit, notes);
    InstallResult installed = install(plugin, install_options);
    installed.notes.insert(installed.notes.end(), notes.begin(), notes.end());
    result.plugins.push_back(std::move(installed));
  }
  if (!options.prune) return result;
  for (const InstalledPlugin& plugin : installed_plugins().plugins)
    if (plugin.origin == Origin::installed && !find(lock, plugin.id, host) && remove_plugin(plugin.id)) result.removed.push_back(plugin.id);
  return result;
}

InstalledPlugin roll_back(std::string_view id, RollbackOptions options, std::vector<std::string>& notes) {
  if (!options.load_test) options.load_test = registry::probe_load_test(id, InstallRequest{}.probe_limit, notes);
  return rollback_plugin(id, options);
}

}  // namespace pier
