#include <pier/lock.h>

#include <algorithm>
#include <optional>
#include <set>

#include <pier/catalog.h>
#include <pier/error.h>
#include <pier/log.h>
#include <pier/versions.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/load_test.h"
#include "registry/names.h"
#include "registry/select.h"

namespace pier {
namespace {

using registry::join;

const PluginRequest* find(const LockFile& lock, std::string_view id, std::string_view platform) {
  for (const PluginRequest& plugin : lock.plugins)
    if (plugin.id == id && plugin.pin.platform == platform) return &plugin;
  return nullptr;
}

// Sizes are in no manifest; the catalog has those of what it pins.
void complete(Pin& pin, const CatalogEntry& entry) {
  const auto take = [&](const Pin& known) {
    if (lower_ascii(known.sha256) != lower_ascii(pin.sha256)) return;
    pin.size = known.size;
    pin.unpacked_size = known.unpacked_size;
    if (pin.min_system.empty()) pin.min_system = known.min_system;
  };
  for (const CatalogPackage& package : entry.packages) {
    for (const CatalogFile& file : package.files) take(file.pin);
    for (const CatalogCompanion& companion : package.companions)
      for (const Pin& known : companion.files) take(known);
  }
}

PluginRequest request_of(const InstalledPlugin& plugin) {
  PluginRequest request;
  request.id = plugin.id;
  request.labels = plugin.labels;
  request.priority = plugin.priority;
  request.create_options = plugin.create_options;
  request.environment = plugin.environment;
  Pin& pin = request.pin;
  pin.package = plugin.package;
  pin.version = plugin.version;
  pin.file = plugin.file;
  pin.sha256 = plugin.sha256;
  pin.platform = plugin.platform;
  pin.member = plugin.library.lexically_relative(plugin.root).native();
  for (const InstalledPackage& companion : plugin.companions) {
    Pin other;
    other.package = companion.package;
    other.version = companion.version;
    other.file = companion.file;
    other.sha256 = companion.sha256;
    other.platform = plugin.platform;
    for (const auto& library : companion.libraries) other.libraries.push_back(library.filename().native());
    request.companions.push_back(std::move(other));
  }
  if (const auto entry = registry::entry_or_warning(plugin.id)) {
    complete(pin, *entry);
    for (Pin& other : request.companions) complete(other, *entry);
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
    else out.push_back(request_of(plugin));
  }
  return out;
}

PluginRequest from_catalog(const std::string& id, const std::string& platform) {
  const auto entry = catalog_entry(id);
  if (!entry)
    throw Error(ErrorCode::not_available, text("'{}' is neither installed nor locked, and the catalog does not have it", id))
        .note(text("the catalog has: {}", join(catalog_ids())));
  const registry::Target target = registry::make_target(platform == to_string(host_platform()) ? std::string() : platform, {});
  return registry::plugin_request(*entry, registry::choose(*entry, target));
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
  if (!options.load_test) options.load_test = registry::probe_load_test(id, std::chrono::seconds(60), notes);
  return rollback_plugin(id, options);
}

}  // namespace pier
