#include <algorithm>

#include <pier/catalog.h>
#include <pier/error.h>
#include <pier/log.h>
#include <pier/probe.h>
#include <pier/registry.h>

#include "base/ascii.h"
#include "base/env.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/companions.h"
#include "registry/library_walk.h"
#include "registry/load_test.h"
#include "registry/machine.h"
#include "registry/names.h"
#include "registry/select.h"
#include "registry/trust.h"

namespace pier {
namespace {

using registry::join;

// Whether a device of it is seen on this machine and a package fits.
bool serves_here(const CatalogEntry& entry, const registry::Target& target) {
  if (!target.host || !registry::any_sign_is_there(entry.seen)) return false;
  try {
    registry::choose(entry, target);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The entry of the id, or the only one with that label that has a package for the platform; of several, the one of highest
// priority that serves this machine.
CatalogEntry entry_for(std::string_view id, const registry::Target& target) {
  if (auto entry = catalog_entry(lower_ascii(id))) return std::move(*entry);
  if (const auto unusable = unusable_package(id)) throw registry::unusable_error(*unusable);
  std::vector<CatalogEntry> labelled;
  for (CatalogEntry& entry : registry::catalog_entries(id)) {
    const std::string platform = to_string(target.platform);
    const bool has_file = std::any_of(entry.packages.begin(), entry.packages.end(), [&](const CatalogPackage& package) {
      return std::any_of(package.files.begin(), package.files.end(),
                         [&](const CatalogFile& file) { return file.pin.platform == platform; });
    });
    if (has_file) labelled.push_back(std::move(entry));
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

// What others could have written is never loaded, so it is no good to install there. A folder that is yet to be made is judged by
// the one that it will be in.
void require_trusted(std::filesystem::path place, std::string_view id) {
  std::error_code error;
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  if (const auto why = registry::why_untrusted(place))
    throw Error(ErrorCode::permission_denied, text("the {} plugin cannot be used where pier installs it: {}", id, *why))
        .note("PIER_HOME names another place for everything that pier keeps");
}

}  // namespace

InstallResult install_plugin(std::string_view id, const InstallRequest& request) {
  const registry::Target target = registry::make_target(request.platform, request.system);
  const CatalogEntry entry = entry_for(id, target);
  const registry::Choice choice = [&] {
    try {
      return registry::choose(entry, target, request.package, request.version);
    } catch (Error& error) {
      error.note(text("`pier which {} --explain` shows what there is; a local build is registered with `pier register PATH --id {}`",
                      entry.id, entry.id));
      throw;
    }
  }();
  if (target.host) require_trusted(data_home(), entry.id);

  PluginRequest plugin = registry::plugin_request(entry, choice);
  registry::CompanionChoice companions = registry::choose_companions(choice.package, target, {request.bundled, request.without},
                                                                     registry::library_places());
  plugin.companions = std::move(companions.fetched);
  plugin.preload = std::move(companions.preload);

  std::vector<std::string> notes = std::move(companions.notes);
  InstallOptions options = request.options;
  if (!options.load_test) options.load_test = registry::probe_load_test(entry.id, request.probe_limit, notes);

  InstallResult result = install(plugin, options);
  if (target.host) require_trusted(result.plugin.library, entry.id);
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  // For this machine the choice is made by what it has; `pier which --explain` tells the rest. Of another one pier may know too little.
  if (!target.host)
    for (const std::string& other : choice.others) result.notes.push_back("also in the catalog: " + other);
  return result;
}

InstallResult register_library(const std::filesystem::path& given, const RegisterRequest& request) {
  std::error_code error;
  const std::filesystem::path library = std::filesystem::is_directory(given, error) ? registry::only_plugin_in(given) : given;
  if (const auto status = std::filesystem::status(library, error); std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(ErrorCode::io, text("{} is not a regular file", library.native()));
  if (!request.allow_others)
    if (const auto why = registry::why_untrusted(library))
      throw Error(ErrorCode::permission_denied, text("{} is not registered: {}", library.native(), *why))
          .note("--allow accepts what other users can write");

  Registration registration;
  registration.id = request.id;
  registration.library = library;
  registration.labels = request.labels;
  registration.create_options = request.create_options;
  registration.environment = request.environment;
  const auto entry = catalog_entry(request.id);
  if (registration.labels.empty() && entry) registration.labels = entry->labels;
  registration.priority = request.priority ? *request.priority
                          : entry          ? entry->priority
                                           : registry::default_priority(request.id, registration.labels);

  RegisterOptions options;
  options.allow_others = request.allow_others;
  if (request.probe) {
    options.load_test = [&](const InstalledPlugin& plugin) {
      ProbeOptions probe;
      probe.create_client = request.create_client;
      probe.create_options = plugin.create_options;
      probe.environment = plugin.environment;
      probe.time_limit = request.probe_limit;
      return to_string(probe_plugin(plugin.library, probe).api_version);
    };
  }
  return register_plugin(registration, options);
}

}  // namespace pier
