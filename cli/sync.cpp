#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <pier/error.h>
#include <pier/lock.h>

#include "arguments.h"
#include "base/platform.h"
#include "base/text.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "plugin_json.h"
#include "progress.h"
#include "verb.h"

namespace pier::cli {
namespace {

// Ids of the lock file that it has for other machines only.
std::vector<std::string> missing_here(const LockFile& lock) {
  const std::string host = to_string(host_platform());
  std::set<std::string> here;
  std::set<std::string> all;
  for (const PluginRequest& plugin : lock.plugins) {
    all.insert(plugin.id);
    if (plugin.pin.platform == host) here.insert(plugin.id);
  }
  std::vector<std::string> missing;
  std::ranges::set_difference(all, here, std::back_inserter(missing));
  return missing;
}

Error not_locked(const std::string& file, const std::vector<std::string>& ids, bool bundle) {
  Error error(ErrorCode::not_available, text("{} has nothing for {} of: {}", file, to_string(host_platform()), join(ids)));
  if (bundle) return error.note(text("`pier bundle {} --platform {} -o FILE.tar` makes one, where there is a network", join(ids, " "), to_string(host_platform())));
  return error.note(text("`pier lock {} --platform {} -o {}` adds it, where the catalog has one", join(ids, " "), to_string(host_platform()), file));
}

}  // namespace

ExitCode sync_verb(Words words, Context& context) {
  std::string file = "pier.lock";
  std::string plugin_log = "auto";
  SyncOptions options;
  bool locked = false;
  bool json = false;
  Arguments arguments("sync", "Install exactly what a lock file names, or what a bundle holds");
  arguments.positional("FILE", file, Arguments::Need::optional, "A lock file, or a bundle (.tar): pier.lock");
  arguments.flag("--locked", locked, "Refuse a lock file that has a plugin for other machines only");
  arguments.flag("--prune", options.prune, "Remove installed plugins that the lock file does not have");
  arguments.value("--index-url", "URL", options.install.index_url, "The package index; else the one this machine is set up for");
  arguments.values("--find-links", "PLACE...", options.install.find_links, "Folders, files or pages to search before the index");
  arguments.value("--plugin-log", "WHERE", plugin_log, "What plugins write during their load test: auto, off, stderr, or a file");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;

  context.log.start(plugin_log, context.json);
  context.log.doing("installing plugins");
  const InterruptGuard guard(context.json, InterruptGuard::Stop::at_check);
  std::unique_ptr<Bundle> bundle;
  LockFile lock;
  if (std::filesystem::path(file).extension() == ".tar") {
    bundle = std::make_unique<Bundle>(file);
    lock = bundle->lock();
    // All that is needed lies in it.
    options.install.find_links = {bundle->packages().native()};
    options.install.offline = true;
  } else {
    lock = read_lock(file);
  }
  // What is locked for other machines only need not be for this one.
  const std::vector<std::string> others = missing_here(lock);
  const bool any_here = std::ranges::any_of(lock.plugins, [](const PluginRequest& plugin) { return plugin.pin.platform == to_string(host_platform()); });
  if (!others.empty() && (locked || !any_here)) throw not_locked(file, others, bundle != nullptr);
  SyncResult result;
  try {
    ProgressBar bar;
    options.install.progress = std::ref(bar);
    result = sync_plugins(lock, options);
  } catch (Error& error) {
    if (bundle && error.code() == ErrorCode::integrity) error.note(text("{} is damaged, or was changed: copy it again, or make a new one with `pier bundle`", file));
    throw;
  }

  Json plugins = Json::array();
  std::string out;
  for (const InstallResult& installed : result.plugins) {
    plugins.push(std::move(Json::object()
                               .set("outcome", name(installed.outcome))
                               .set("plugin", plugin_json(installed.plugin))
                               .set("notes", Json::array_of(installed.notes))));
    out += text("{} {}: {} {}\n", installed.plugin.id, name(installed.outcome), installed.plugin.package, installed.plugin.version);
  }
  for (const std::string& id : result.removed) out += text("{} removed\n", id);
  for (const std::string& id : others) out += text("{}: for other machines only\n", id);
  if (out.empty()) out = text("{} has nothing for {}\n", file, to_string(host_platform()));
  print(json ? Json::object().set("plugins", std::move(plugins)).set("removed", Json::array_of(result.removed)).set("for_others", Json::array_of(others)).text() : out);
  return ExitCode::ok;
}

}  // namespace pier::cli
