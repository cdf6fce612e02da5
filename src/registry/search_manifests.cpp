#include <pier/store.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/libraries.h"
#include "registry/search.h"
#include "registry/trust.h"

namespace pier::registry {
namespace {

Candidate candidate_of(const InstalledPlugin& plugin) {
  Candidate candidate;
  candidate.source = name(plugin.origin);
  candidate.id = plugin.id;
  candidate.labels = plugin.labels;
  candidate.priority = plugin.priority;
  candidate.library = real_path(plugin.library);
  candidate.manifest = plugin.manifest;
  candidate.platform = plugin.platform;
  candidate.package = plugin.package;
  candidate.version = plugin.version;
  candidate.api_version = plugin.api_version;
  candidate.create_options = plugin.create_options;
  candidate.environment = plugin.environment;
  take_libraries(candidate, plugin);
  const std::string host = to_string(host_platform());
  if (!plugin.platform.empty() && plugin.platform != host) candidate.reason = text("for {}; this machine is {}", plugin.platform, host);
  // It names the library, the environment and what the client is told.
  else if (auto manifest = why_untrusted(plugin.manifest)) candidate.reason = *manifest;
  else if (auto why = why_untrusted(candidate.library); why && !plugin.allow_others) candidate.reason = *why;
  return candidate;
}

}  // namespace

void search_manifests(const Query& query, Resolution& out) {
  if (query.kind == Query::Kind::path) return;
  const Inventory inventory = installed_plugins();
  std::size_t others = 0;
  for (const InstalledPlugin& plugin : inventory.plugins) {
    if (query.wants(plugin.id, plugin.labels)) out.candidates.push_back(candidate_of(plugin));
    else ++others;
  }
  for (const RejectedManifest& rejected : inventory.rejected) out.places.push_back(text("{}: {}", rejected.manifest.native(), rejected.reason));
  out.places.push_back(text("manifests of other plugins: {}", others));
}

}  // namespace pier::registry
