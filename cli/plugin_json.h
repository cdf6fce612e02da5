#pragma once

#include <pier/error.h>
#include <pier/registry.h>
#include <pier/store.h>

#include "json.h"

namespace pier::cli {

/// A plugin on this disk: id, origin, labels, priority, library, version, package, platform, api_version, sha256 ...
Json plugin_json(const InstalledPlugin& plugin);

/// A candidate of the resolver: source, id, labels, priority, library, version, taken, reason ...
Json candidate_json(const Candidate& candidate);

}  // namespace pier::cli
