#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pier/error.h>
#include <pier/registry.h>

#include "arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "binary_report.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "plugin_json.h"
#include "progress.h"
#include "registry/select.h"
#include "selector.h"
#include "store/digest.h"
#include "store/url.h"
#include "store/version.h"
#include "usage.h"
#include "verb.h"

namespace pier::cli {
namespace {

std::string as_text(const InstallResult& result, const std::optional<Preflight>& foreign) {
  const InstalledPlugin& plugin = result.plugin;
  const std::string what = plugin.package.empty() ? plugin.file : text("{} {}", plugin.package, plugin.version);
  std::string out = text("{} {}: {}{}\n", plugin.id, name(result.outcome), what, plugin.platform.empty() ? "" : " (" + plugin.platform + ")");
  for (const InstalledPackage& companion : plugin.companions) out += text("with {} {}\n", companion.package, companion.version);
  if (foreign) out += binary_text(*foreign);
  else out += text("library {}\n", plugin.library.native());
  for (const std::string& note : result.notes) {
    // Said once, at the end.
    if (foreign && note.find("cannot load it") != std::string::npos) continue;
    out += text("note: {}\n", hanging(printable(note), 2));
  }
  if (foreign && foreign->binary) out += cannot_load_text(*foreign->binary) + "\n";
  return out;
}

std::string as_json(const InstallResult& result, const std::optional<Preflight>& foreign) {
  Json report = Json::object();
  report.set("outcome", name(result.outcome)).set("plugin", plugin_json(result.plugin));
  report.set("notes", Json::array_of(result.notes));
  report.set("loadable_here", !foreign);
  if (foreign) report.set("binary", binary_json(*foreign));
  return report.text();
}

// "cpu@0.11.2" names a version as well.
void take_version(std::string& id, InstallRequest& request) {
  const std::size_t at = id.find('@');
  if (at == std::string::npos) return;
  request.version = id.substr(at + 1);
  id.resize(at);
  if (request.version.empty()) throw UsageError("install", "no version follows the '@', as in cpu@0.11.2");
}

// What the words alone show to be wrong.
void require_forms(const InstallRequest& request) {
  try {
    if (!request.system.empty()) registry::parse_system(request.system);
  } catch (const Error& error) {
    throw UsageError("install", "--system: " + shortened(error.message()));
  }
  if (!request.version.empty() && !VersionSpecifiers::parse(request.version) && !Version::parse(request.version))
    throw UsageError("install", "'" + shortened(request.version) + "' is neither a version, as 0.11.2, nor conditions, as >=0.11,<0.12");
  if (looks_like_url(request.from) && request.sha256.empty()) throw UsageError("install", "--from with a URL needs --sha256: nothing else tells which bytes are meant");
  if (!request.sha256.empty() && !is_sha256(request.sha256)) throw UsageError("install", "--sha256 has 64 hexadecimal digits");
  if (request.latest && !request.version.empty()) throw UsageError("install", "--latest and a version contradict each other");
  if (!request.from.empty() && (request.latest || request.pre || !request.version.empty() || !request.package.empty()))
    throw UsageError("install", "--from names a file: no version or package can be chosen with it");
  try {
    if (looks_like_url(request.from)) parse_url(request.from);
    if (looks_like_url(request.options.index_url)) parse_url(request.options.index_url);
    for (const std::string& place : request.options.find_links)
      if (looks_like_url(place)) parse_url(place);
  } catch (const Error& error) {
    throw UsageError("install", shortened(error.message(), 1000));
  }
}

}  // namespace

ExitCode install_verb(Words words, Context& context) {
  std::string id;
  std::string platform;
  std::string plugin_log = "auto";
  InstallRequest request;
  bool json = false;
  Arguments arguments("install", "Fetch a plugin from the package index, verify it and put it in place");
  arguments.positional("ID", id, Arguments::Need::required,
                       "cpu, metal ... an accelerator of the catalog; cpu@0.11.2 or cpu@'>=0.11,<0.12' for that version");
  arguments.flag("--latest", request.latest, "The newest version on the index instead of the pinned one");
  arguments.flag("--pre", request.pre, "Prereleases count, too");
  arguments.value("--from", "PLACE", request.from, "A wheel, .zip, .tar.gz, .tar.zst, library or folder, or a URL of one");
  arguments.value("--sha256", "HASH", request.sha256, "Of that file; a URL needs it");
  arguments.values("--label", "LABEL...", request.labels, "What else it answers to, instead of what the catalog says");
  arguments.value("--platform", "PLATFORM", platform, "For another machine: macos-arm64, linux-aarch64 ...");
  arguments.value("--system", "VERSION", request.system, "Version of macOS or glibc on that machine: 14.5");
  arguments.value("--package", "NAME", request.package, "This package of the catalog instead of the first that fits");
  arguments.flag("--bundled", request.bundled, "Fetch every library it needs, even where this machine has one that fits");
  arguments.values("--without", "NAME...", request.without, "Leave out packages that it runs without");
  arguments.value("--index-url", "URL", request.options.index_url, "The package index; else the one this machine is set up for");
  arguments.values("--find-links", "PLACE...", request.options.find_links, "Folders, files or pages to search before the index");
  arguments.flag("--force", request.options.force, "Install again even if it is there and whole");
  arguments.value("--plugin-log", "WHERE", plugin_log, "What the plugin writes during its load test: auto, off, stderr, or a file");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  take_version(id, request);
  require_name(lower_ascii(id), "ID", "install");
  request.platform = parse_foreign_platform(platform, "install");
  require_forms(request);

  context.log.start(plugin_log, context.json);
  context.log.doing("installing the plugin");
  const InterruptGuard guard(context.json, InterruptGuard::Stop::at_check);
  std::optional<InstallResult> result;
  {
    ProgressBar bar;
    request.options.progress = std::ref(bar);
    result = install_plugin(id, request);
  }
  std::optional<Preflight> foreign;
  if (result->plugin.origin == Origin::foreign) foreign = read_binary(result->plugin.library);
  print(json ? as_json(*result, foreign) : as_text(*result, foreign));
  return ExitCode::ok;
}

}  // namespace pier::cli
