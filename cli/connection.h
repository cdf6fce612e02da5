#pragma once

#include <pier/client.h>
#include <pier/error.h>
#include <pier/plugin.h>
#include <pier/registry.h>

#include "phases.h"
#include "plugin_log.h"
#include "verb.h"

namespace pier::cli {

/// A plugin that is loaded, and how it was found.
struct Loaded {
  Candidate candidate;
  Plugin plugin;
};

/// Finds, fetches if the design allows it, and loads the plugin for a selector without ":N". Shows a progress bar; Ctrl-C
/// during the fetch throws Interrupted. Phases: resolve, install (only when something was fetched), load.
Loaded load_selected(const std::string& selector, Context& context, Phases& phases);

/// A client with the options that manifest or catalog say and `options` on top. Phase: client.
Client create_client(const Loaded& loaded, const Attributes& options, PluginLog& log, Phases& phases);

}  // namespace pier::cli
