#include <pier/store.h>

#include "registry/libraries.h"
#include "registry/names.h"
#include "registry/search.h"
#include "registry/trust.h"

namespace pier::registry {

void search_path(const Query& query, Resolution& out) {
  if (query.kind != Query::Kind::path) return;
  const Inventory inventory = installed_plugins();
  for (const std::filesystem::path& library : libraries_at(query.text, {})) {
    Candidate candidate = candidate_for(library, "path", id_from_library(library));
    check_file(candidate);
    // A path to what a manifest describes gets the manifest's options: they belong to the library, not to the way to it.
    for (const InstalledPlugin& plugin : inventory.plugins) {
      std::error_code error;
      if (plugin.library != candidate.library && !std::filesystem::equivalent(plugin.library, candidate.library, error)) continue;
      if (why_untrusted(plugin.manifest)) continue;
      candidate.id = plugin.id;
      candidate.labels = plugin.labels;
      candidate.priority = plugin.priority;
      candidate.manifest = plugin.manifest;
      candidate.package = plugin.package;
      candidate.version = plugin.version;
      candidate.api_version = plugin.api_version;
      candidate.create_options = plugin.create_options;
      candidate.environment = plugin.environment;
      take_libraries(candidate, plugin);
      break;
    }
    out.candidates.push_back(std::move(candidate));
  }
}

}  // namespace pier::registry
