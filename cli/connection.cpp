#include "connection.h"

#include "interrupt.h"
#include "output.h"
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

namespace {

void note_origin(Error& error, const Attributes& options, const Candidate& candidate) {
  std::vector<std::string> shown;
  for (const auto& [key, value] : options) shown.push_back(key + "=" + to_string(value));
  if (!shown.empty()) error.note("create options: " + join(shown));
  error.note("taken from: " + candidate.source);
}

}  // namespace

Client create_client(const Loaded& loaded, const Attributes& options, PluginLog& log, Phases& phases) {
  log.doing("starting a client");
  Attributes all = options;
  all.insert(loaded.candidate.create_options.begin(), loaded.candidate.create_options.end());
  try {
    Client client = Client::create(loaded.plugin, all);
    phases.end("client");
    return client;
  } catch (Error& error) {
    note_origin(error, all, loaded.candidate);
    throw;
  }
}

}  // namespace pier::cli
