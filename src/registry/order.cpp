#include "registry/order.h"

#include <algorithm>

#include <pier/error.h>
#include <pier/log.h>

#include "base/ascii.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/companions.h"
#include "registry/machine.h"
#include "registry/names.h"
#include "store/given.h"
#include "store/index.h"
#include "store/release.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace pier::registry {
namespace {

// Whether a device of it is seen on this machine and a package fits.
bool serves_here(const CatalogEntry& entry, const Target& target) {
  if (!target.host || !any_sign_is_there(entry.seen)) return false;
  try {
    choose(entry, target);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The entry of the id, or the only one with that label that has a package for the platform; of several, the one of highest
// priority that serves this machine.
CatalogEntry entry_for(std::string_view id, const Target& target) {
  if (auto entry = catalog_entry(lower_ascii(id))) return std::move(*entry);
  if (const auto unusable = unusable_package(id)) throw unusable_error(*unusable);
  std::vector<CatalogEntry> labelled;
  for (CatalogEntry& entry : catalog_entries(id)) {
    const auto has_file = [&](const CatalogPackage& package) { return file_for(package, target.platform) != nullptr; };
    if (std::ranges::any_of(entry.packages, has_file)) labelled.push_back(std::move(entry));
  }
  if (labelled.size() == 1) return std::move(labelled.front());
  std::vector<const CatalogEntry*> best;
  for (const CatalogEntry& entry : labelled) {
    if (!serves_here(entry, target) || (!best.empty() && entry.priority < best.front()->priority)) continue;
    if (!best.empty() && entry.priority > best.front()->priority) best.clear();
    best.push_back(&entry);
  }
  if (best.size() == 1) return *best.front();
  std::vector<std::string> ids;
  for (const CatalogEntry& entry : labelled) ids.push_back(entry.id);
  Error error(ErrorCode::not_available, ids.empty() ? text("the catalog has no '{}' for {}", id, to_string(target.platform))
                                                : text("several accelerators answer to '{}' on {}: {}", id, to_string(target.platform), join(ids)));
  if (ids.empty()) error.note(text("it has: {}", join(catalog_ids())));
  else error.note(text("name one of them, as in `pier install {}`", ids.front()));
  throw error.note(text("a local build is registered with `pier register PATH --id {}`", id));
}

Choice choose_package(const CatalogEntry& entry, const Target& target, std::string_view package, std::string_view version) {
  try {
    return choose(entry, target, package, version);
  } catch (Error& error) {
    error.note(text("`pier which {} --explain` shows what there is; a local build is registered with `pier register PATH --id {}`",
                    entry.id, entry.id));
    throw;
  }
}

// The pinned package whose other versions are looked for. The pinned one need not fit this machine: an older one may.
Choice package_for_versions(const CatalogEntry& entry, const Target& target, const std::string& name) {
  try {
    return choose(entry, target, name);
  } catch (const Error&) {
    for (const CatalogPackage& package : entry.packages) {
      if (name.empty() ? package.old : package.name != name) continue;
      if (const CatalogFile* const file = file_for(package, target.platform)) return {package, *file, {}};
    }
  }
  return choose_package(entry, target, name, {});
}

// What is wanted of the index; nothing when the catalog's own pin is.
std::optional<ReleaseQuery> query_of(const InstallRequest& request) {
  const bool latest = request.latest || (request.pre && request.version.empty());
  if (request.latest && !request.version.empty())
    throw Error(ErrorCode::invalid_argument, text("both the latest version and {} are asked for", request.version)).note("leave one of them out");
  if (!latest && request.version.empty()) return std::nullopt;
  ReleaseQuery query;
  query.prereleases = request.pre;
  query.sha256 = request.sha256;
  query.exact = Version::parse(request.version).has_value();
  const auto wanted = VersionSpecifiers::parse(query.exact ? "==" + request.version : request.version);
  if (!wanted)
    throw Error(ErrorCode::invalid_argument, text("'{}' is neither a version nor conditions for one", request.version))
        .note("as in ID@0.11.2, or ID@'>=0.11,<0.12' (PEP 440)");
  query.wanted = *wanted;
  return query;
}

// The package of that version in the catalog, which needs no index.
const CatalogPackage* pinned(const CatalogEntry& entry, const Target& target, const InstallRequest& request) {
  const auto version = Version::parse(request.version);
  if (!version) return nullptr;
  const auto found = std::ranges::find_if(entry.packages, [&](const CatalogPackage& package) {
    const bool named = request.package.empty() ? !package.old : package.name == request.package;
    return named && file_for(package, target.platform) && Version::parse(package.version) == version;
  });
  return found == entry.packages.end() ? nullptr : &*found;
}

// Settings of the accelerator, then of the package.
void describe(Order& order, const InstallRequest& request) {
  PluginRequest& plugin = order.plugin;
  if (order.entry) {
    plugin.labels = order.entry->labels;
    plugin.priority = order.entry->priority;
  }
  if (!request.labels.empty()) plugin.labels = request.labels;
  for (std::string& label : plugin.labels) label = lower_ascii(label);
  if (request.priority) plugin.priority = *request.priority;
  else if (!order.entry) plugin.priority = default_priority(plugin.id, plugin.labels);
}

void take_package(Order& order, const CatalogPackage& package, const Target& target, const InstallRequest& request) {
  order.plugin.create_options = package.create_options;
  order.plugin.environment = package.environment;
  CompanionChoice companions = choose_companions(package, target, {request.bundled, request.without}, library_places());
  order.plugin.companions = std::move(companions.fetched);
  order.plugin.preload = std::move(companions.preload);
  order.notes.insert(order.notes.end(), companions.notes.begin(), companions.notes.end());
}

// Another version than the pinned one.
void take_release(Order& order, const Choice& choice, ReleaseQuery query, const Target& target, const InstallRequest& request) {
  query.package = choice.package.name;
  query.platform = target.platform;
  query.system = target.system;
  const auto kept = [&](const std::string& why) {
    auto before = kept_release(order.entry->id, query);
    if (!before) return false;
    order.plugin.pin = before->pin;
    order.plugin.companions = before->companions;
    order.plugin.preload = before->preload;
    order.notes.push_back(text("{}: {} {} is the newest that was installed before", why, before->pin.package, before->pin.version));
    return true;
  };
  take_package(order, choice.package, target, request);
  try {
    order.plugin.pin = find_release(query, request.options);
  } catch (const NetworkError& error) {
    if (!kept(text("the index cannot be asked ({})", error.message()))) throw;
    return;
  } catch (const Error& error) {
    if (!is_offline(request.options) || error.code() != ErrorCode::not_available || !kept("the network is forbidden")) throw;
    return;
  }
  order.plugin.pin.member = choice.file.pin.member;
  order.plugin.find_library = true;
  if (order.plugin.companions.empty() || order.plugin.pin.version == choice.package.version) return;
  order.notes.push_back(text("its companions are those that the catalog pins for {} {}", choice.package.name, choice.package.version));
}

// A file, folder or URL in place of a package of the index.
void take_given(Order& order, const Target& target, const InstallRequest& request) {
  if (!request.version.empty() || request.latest || request.pre || !request.package.empty())
    throw Error(ErrorCode::invalid_argument, text("{} is what it is: no package or version can be chosen with it", request.from));
  PluginRequest& plugin = order.plugin;
  plugin.from = request.from;
  plugin.find_library = true;
  plugin.pin.sha256 = request.sha256;
  plugin.pin.platform = to_string(target.platform);
  // A package that the catalog knows needs what the catalog says, whatever its version.
  const auto wheel = parse_wheel_name(given_name(request.from));
  if (!wheel || !order.entry) return;
  for (const CatalogPackage& package : order.entry->packages)
    if (normalize_name(package.name) == wheel->project) return take_package(order, package, target, request);
}

}  // namespace

Order make_order(std::string_view id, const InstallRequest& request, const Target& target) {
  Order order;
  if (!request.from.empty()) {
    order.entry = catalog_entry(lower_ascii(id));
    order.plugin.id = lower_ascii(id);
    describe(order, request);
    take_given(order, target, request);
    return order;
  }
  order.entry = entry_for(id, target);
  order.plugin.id = order.entry->id;
  describe(order, request);
  const auto query = query_of(request);
  const CatalogPackage* const own = pinned(*order.entry, target, request);
  if (query && !own) {
    take_release(order, package_for_versions(*order.entry, target, request.package), *query, target, request);
    return order;
  }
  Choice choice = choose_package(*order.entry, target, own ? own->name : request.package, own ? own->version : std::string());
  order.plugin.pin = choice.file.pin;
  order.others = std::move(choice.others);
  take_package(order, choice.package, target, request);
  return order;
}

}  // namespace pier::registry
