#include <algorithm>
#include <iterator>

#include <pier/error.h>
#include <pier/store.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/search.h"
#include "registry/trust.h"
#include "store/digest.h"

namespace pier::registry {
namespace {

// A file whose time is another one may be a copy, or spoilt: its hash tells. Others cost no more than their time.
void check_bytes(const InstalledPlugin& plugin, Candidate& candidate) {
  if (plugin.library_sha256.empty()) return;
  try {
    const std::string hash = file_sha256(candidate.library);
    if (hash == plugin.library_sha256) return;
    candidate.damaged = true;
    candidate.reason = text("{} has the SHA-256 {}, installed was {}; run pier install {} --force", candidate.library.native(), hash,
                            plugin.library_sha256, plugin.id);
  } catch (const Error& error) {
    candidate.reason = error.message();
  }
}

// With the manifest's path once.
std::string reason_of(const RejectedManifest& rejected) {
  const std::string& path = rejected.manifest.native();
  return rejected.reason.find(path) != std::string::npos ? rejected.reason : text("{}: {}", path, rejected.reason);
}

Candidate candidate_of(const InstalledPlugin& plugin, Judge& judge) {
  Candidate candidate;
  candidate.source = name(plugin.origin);
  candidate.id = plugin.id;
  candidate.labels = plugin.labels;
  candidate.priority = plugin.priority;
  candidate.library = judge.real_path(plugin.library);
  candidate.manifest = plugin.manifest;
  candidate.platform = plugin.platform;
  candidate.package = plugin.package;
  candidate.version = plugin.version;
  candidate.api_version = plugin.api_version;
  candidate.create_options = plugin.create_options;
  candidate.environment = plugin.environment;
  const std::string host = to_string(host_platform());
  if (!plugin.platform.empty() && plugin.platform != host) candidate.reason = text("for {}; this machine is {}", plugin.platform, host);
  // It names the library, the environment and what the client is told.
  else if (auto manifest = judge.why_untrusted(plugin.manifest)) candidate.reason = *manifest;
  else if (auto why = judge.why_untrusted(candidate.library); why && !plugin.allow_others) candidate.reason = *why;
  else if (plugin.changed && plugin.origin == Origin::installed) check_bytes(plugin, candidate);
  return candidate;
}

Candidate candidate_of(const RejectedManifest& rejected) {
  Candidate candidate;
  candidate.source = name(rejected.origin);
  candidate.id = rejected.id;
  candidate.manifest = rejected.manifest;
  candidate.damaged = rejected.damaged;
  candidate.reason = reason_of(rejected);
  return candidate;
}

}  // namespace

void search_manifests(const Query& query, Resolution& out) {
  if (query.kind == Query::Kind::path) return;
  Judge judge;
  if (query.kind == Query::Kind::name && query.depth == SearchDepth::until_found) {
    // Whoever has the id comes before those that have it as a label, and is known by the manifest's name: no other is read.
    std::vector<Candidate> own;
    for (const InstalledPlugin& plugin : installed_plugins(query.text).plugins) own.push_back(candidate_of(plugin, judge));
    if (std::any_of(own.begin(), own.end(), [](const Candidate& candidate) { return candidate.reason.empty(); })) {
      std::move(own.begin(), own.end(), std::back_inserter(out.candidates));
      out.places.emplace_back("manifests of other plugins: not read");
      return;
    }
  }
  const Inventory inventory = installed_plugins();
  std::size_t others = 0;
  for (const InstalledPlugin& plugin : inventory.plugins) {
    if (query.wants(plugin.id, plugin.labels)) out.candidates.push_back(candidate_of(plugin, judge));
    else ++others;
  }
  for (const RejectedManifest& rejected : inventory.rejected) {
    const bool meant = !rejected.id.empty() && rejected.origin != Origin::foreign && query.wants(rejected.id, {});
    if (meant) out.candidates.push_back(candidate_of(rejected));
    else out.places.push_back(reason_of(rejected));
  }
  out.places.push_back(text("manifests of other plugins: {}", others));
}

}  // namespace pier::registry
