#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <pier/catalog.h>
#include <pier/error.h>
#include <pier/inspect.h>
#include <pier/log.h>
#include <pier/registry.h>

#include "base/env.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/environment.h"
#include "registry/libraries.h"
#include "registry/load_first.h"
#include "registry/machine.h"
#include "registry/names.h"
#include "registry/search.h"
#include "registry/trust.h"
#include "store/in_use.h"

namespace pier {
namespace {

using registry::describe;

std::string command_for(std::string_view selector) {
  return text("`pier install {}`, or `pier register PATH --id {}` for a local build", selector, selector);
}

void note_candidates(Error& error, const Resolution& resolution) {
  for (const Candidate& candidate : resolution.candidates) error.note(text("{}: {}", describe(candidate), candidate.reason));
}

bool is_damaged(const Candidate& candidate) { return candidate.damaged; }

// Fetches what the resolution took from the catalog, and returns it as it is on this disk then.
Candidate fetch(const Resolution& resolution, const ConnectOptions& options) {
  Candidate candidate = *resolution.taken();
  const bool offline = env_flag("PIER_OFFLINE");
  if (!options.fetch || offline) {
    const bool damaged = std::ranges::any_of(resolution.candidates, is_damaged);
    const bool is_here = std::ranges::any_of(resolution.candidates, [](const Candidate& other) { return !other.library.empty() || !other.manifest.empty(); });
    Error error(damaged ? ErrorCode::integrity : ErrorCode::not_available,
                text("the {} plugin {}, and {}", candidate.id,
                     damaged   ? "on this machine is damaged"
                     : is_here ? "on this machine cannot be used"
                               : "is not installed",
                     offline ? "PIER_OFFLINE=1 forbids to fetch it" : "the caller forbids to fetch it"));
    note_candidates(error, resolution);
    throw error.note(text("run {}{}", offline ? "where there is a network: " : "", command_for(candidate.id)));
  }
  InstallRequest request;
  request.options.progress = options.progress;
  const InstallResult result = install_plugin(candidate.id, request);
  candidate.library = registry::real_path(result.plugin.library);
  candidate.manifest = result.plugin.manifest;
  candidate.source = name(result.plugin.origin);
  candidate.version = result.plugin.version;
  candidate.create_options = result.plugin.create_options;
  candidate.environment = result.plugin.environment;
  registry::take_libraries(candidate, result.plugin);
  return candidate;
}

Candidate locate(std::string_view selector, const ConnectOptions& options) {
  const Resolution resolution = resolve(selector, SearchDepth::until_found);
  const Candidate* const taken = resolution.taken();
  if (!taken) throw not_found_error(resolution);
  // Whoever sets a variable must hear that it has no effect.
  for (const Candidate& candidate : resolution.candidates)
    if (!candidate.usable && candidate.manifest.empty() && candidate.found_in.empty() && candidate.source != "catalog")
      log(LogLevel::warning, text("{} is not used: {}", describe(candidate), candidate.reason));
  return taken->library.empty() ? fetch(resolution, options) : *taken;
}

// Reads what the loader could not digest, and says what is wrong with it.
void note_findings(Error& error, const std::filesystem::path& library) {
  try {
    for (const Finding& finding : preflight(library).findings) {
      if (finding.severity == Severity::info) continue;
      error.note(finding.remedy.empty() ? finding.message : text("{} ({})", finding.message, finding.remedy));
    }
  } catch (const Error& failure) {
    error.note(failure.message());
  }
}

// The libraries that must be there before the plugin is.
void load_needed(const Candidate& candidate) {
  std::vector<std::filesystem::path> needed = candidate.preload;
  needed.insert(needed.end(), candidate.beside.begin(), candidate.beside.end());
  for (const std::string& line : registry::loaded_instead(needed)) log(LogLevel::warning, line);
  try {
    registry::load_first(registry::libraries_to_load_first(candidate.preload, candidate.beside));
  } catch (Error& error) {
    error.note(text("run `pier install {} --force`, which looks for it anew and fetches what this machine lacks", candidate.id));
    error.note(text("taken from: {}", describe(candidate)));
    throw;
  }
}

// A loaded plugin stays loaded, so its folder stays in use until the process ends.
void keep_in_use(const std::filesystem::path& root, Fd use) {
  struct Held {
    std::mutex mutex;
    std::map<std::filesystem::path, Fd> roots;
  };
  static Held* const held = new Held;
  if (!use.valid()) return;
  const std::lock_guard lock(held->mutex);
  held->roots.try_emplace(root, std::move(use));
}

std::string to_text(const Attributes& attributes) {
  std::vector<std::string> items;
  for (const auto& [name, value] : attributes) items.push_back(name + "=" + to_string(value));
  return registry::join(items);
}

}  // namespace

Error not_found_error(const Resolution& resolution) {
  const std::string& selector = resolution.selector;
  const std::string host = to_string(host_platform());
  const bool damaged = std::ranges::any_of(resolution.candidates, is_damaged);
  if (const Candidate* const taken = resolution.taken(); taken && taken->library.empty()) {
    Error error(damaged ? ErrorCode::integrity : ErrorCode::not_available,
                damaged ? text("the {} plugin on this machine is damaged", taken->id) : text("no plugin for '{}' is installed yet", selector));
    note_candidates(error, resolution);
    return error.note(text("pier install {}: fetches {} {} now; pier run does so by itself", taken->id, taken->package, taken->version));
  }
  Error error(damaged ? ErrorCode::integrity : ErrorCode::not_available, selector == "auto" ? text("no plugin can be used on this machine ({})", host)
                                                           : text("no plugin for '{}' can be used on this machine ({})", selector, host));
  note_candidates(error, resolution);
  bool in_catalog = false;
  std::vector<std::string> fitting;
  for (const Candidate& candidate : resolution.candidates) {
    if (candidate.source != "catalog") continue;
    in_catalog = true;
    // A catalog entry without a package has none for this machine.
    if (!candidate.package.empty()) fitting.push_back(candidate.id);
  }
  if (resolution.candidates.empty()) error.note("nothing of that name is registered, installed or in the catalog");
  for (const std::string& place : resolution.places) error.note("looked at: " + place);
  if (registry::parse_selector(selector).kind == registry::Query::Kind::path) return error;
  if (selector == "auto" || !in_catalog) {
    error.note(text("the catalog has: {}", registry::join(catalog_ids())));
    error.note(selector == "auto" ? "run `pier install ID`, or `pier register PATH --id ID` for a local build"
                                  : text("run `pier register PATH --id {}` for a local build", selector));
  } else if (fitting.empty()) {
    error.note(text("the catalog has no package for this machine; run `pier register PATH --id {}` for a local build", selector));
  } else {
    for (const std::string& id : fitting) error.note(text("run {}", command_for(id)));
  }
  return error;
}

Plugin load_plugin(const Candidate& candidate) {
  if (candidate.library.empty())
    throw Error(ErrorCode::invalid_argument, text("{} has no library to load: it is not installed", describe(candidate)));
  const std::filesystem::path root = store_root_of(candidate.library);
  Fd use = hold_in_use(root);
  registry::set_if_unset(candidate.environment);
  load_needed(candidate);
  try {
    Plugin plugin = Plugin::load(candidate.library);
    keep_in_use(root, std::move(use));
    return plugin;
  } catch (Error& error) {
    note_findings(error, candidate.library);
    error.note(text("taken from: {}", describe(candidate)));
    throw;
  }
}

Plugin load_plugin(std::string_view selector, const ConnectOptions& options) { return load_plugin(locate(selector, options)); }

Client create_client(const Candidate& candidate, Plugin plugin, const Attributes& create_options) {
  Attributes all = create_options;
  all.insert(candidate.create_options.begin(), candidate.create_options.end());
  try {
    return Client::create(std::move(plugin), all);
  } catch (Error& error) {
    if (const auto signs = registry::signs_of(candidate.id); signs && !registry::any_sign_is_there(*signs))
      error.note(text("no device of {} is seen on this machine; looked for {}", candidate.id, registry::join(*signs)));
    if (!all.empty()) error.note(text("create options: {}", to_text(all)));
    error.note(text("taken from: {}", describe(candidate)));
    throw;
  }
}

Client connect(std::string_view selector, const ConnectOptions& options) {
  const Candidate candidate = locate(selector, options);
  return create_client(candidate, load_plugin(candidate), options.create_options);
}

}  // namespace pier
