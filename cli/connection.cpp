#include "connection.h"

#include "interrupt.h"
#include "progress.h"

namespace pier::cli {

Loaded load_selected(const std::string& selector, Context& context, Phases& phases) {
  PluginLog& log = context.log;
  log.doing("looking for the plugin");
  Resolution resolution = resolve(selector, SearchDepth::until_found);
  const Candidate* taken = resolution.taken();
  if (!taken) throw not_found_error(resolution);
  phases.end("resolve");

  if (!taken->library.empty()) {
    log.doing("loading the plugin");
    Plugin plugin = load_plugin(selector);
    phases.end("load");
    return {*taken, std::move(plugin)};
  }

  log.doing("installing the plugin");
  const InterruptGuard guard(context.json, InterruptGuard::Stop::at_check);
  ProgressBar bar;
  Plugin plugin = load_plugin(selector, {.create_options = {}, .progress = std::ref(bar), .fetch = true});
  InterruptGuard::check();
  if (bar.any()) phases.end_at("install", bar.last());
  phases.end("load");
  // What was a catalog entry is an installed plugin now, with a place and options of its own.
  resolution = resolve(selector, SearchDepth::until_found);
  if (const Candidate* const installed = resolution.taken()) return {*installed, std::move(plugin)};
  throw not_found_error(resolution);
}

Client create_client(const Loaded& loaded, const Attributes& options, PluginLog& log, Phases& phases) {
  log.doing("starting a client");
  Client client = pier::create_client(loaded.candidate, loaded.plugin, options);
  phases.end("client");
  return client;
}

}  // namespace pier::cli
