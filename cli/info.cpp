#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <pier/client.h>
#include <pier/error.h>
#include <pier/inspect.h>
#include <pier/registry.h>

#include "arguments.h"
#include "base/text.h"
#include "binary_report.h"
#include "connection.h"
#include "failure.h"
#include "json.h"
#include "output.h"
#include "paths.h"
#include "plugin_json.h"
#include "selector.h"
#include "usage.h"
#include "values.h"
#include "verb.h"

namespace pier::cli {
namespace {

// A client, or why there is none: a GPU plugin tells much about itself on a machine without a GPU, too.
struct Described {
  Loaded loaded;
  std::optional<Client> client;
  std::optional<Error> failure;
};

bool names_a_file(const std::string& selector) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(selector, ignored);
}

// The library of a plugin for another platform that the selector means, or nothing.
std::optional<std::filesystem::path> foreign_library(const std::string& selector, const std::string& platform) {
  if (platform.empty() && names_a_file(selector)) {
    if (is_for_this_machine(inspect(selector))) return std::nullopt;
    return selector;
  }
  const Resolution resolution = resolve(selector);
  if (const Candidate* const taken = resolution.taken(); platform.empty() && taken && !taken->library.empty()) return std::nullopt;
  for (const InstalledPlugin& plugin : installed_plugins().plugins) {
    if (plugin.origin != Origin::foreign || (!platform.empty() && plugin.platform != platform)) continue;
    if (plugin.id == selector || std::find(plugin.labels.begin(), plugin.labels.end(), selector) != plugin.labels.end())
      return plugin.library;
  }
  if (!platform.empty())
    throw Error(ErrorCode::not_available, text("no plugin '{}' is installed for {}", selector, platform))
        .note(text("pier install {} --platform {}", selector, platform));
  return std::nullopt;
}

// Only what is on this disk already: asking about a plugin must not fetch it.
Loaded load_installed(const std::string& selector, PluginLog& log) {
  const Resolution resolution = resolve(selector, SearchDepth::until_found);
  const Candidate* const taken = resolution.taken();
  if (!taken || taken->library.empty()) throw not_found_error(resolution);
  log.doing("loading the plugin");
  return {*taken, load_plugin(selector, {.create_options = {}, .progress = {}, .fetch = false})};
}

std::string memory_text(const Device& device) {
  std::vector<std::string> kinds;
  const auto default_memory = device.default_memory();
  for (const Memory& memory : device.memories())
    kinds.push_back(text("{} ({}{})", memory.kind(), memory.id(), default_memory && *default_memory == memory ? ", default" : ""));
  return kinds.empty() ? "-" : join(kinds);
}

std::string devices_text(const Client& client) {
  Table devices({"ID", "LOCAL", "KIND", "MEMORIES", "IN USE", "LIMIT"});
  for (const Device& device : client.devices()) {
    const auto stats = device.is_addressable() ? device.memory_stats() : std::nullopt;
    const auto bytes = [](std::int64_t count) { return bytes_text(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0))); };
    devices.row({std::to_string(device.id()), device.is_addressable() ? std::to_string(device.local_hardware_id()) : "remote",
                 device.kind(), device.is_addressable() ? memory_text(device) : "-", stats ? bytes(stats->bytes_in_use) : "-",
                 stats && stats->bytes_limit ? bytes(*stats->bytes_limit) : "-"});
  }
  return "\n" + bold("devices") + "\n" + devices.text(2);
}

std::string as_text(const Described& described) {
  const Plugin& plugin = described.loaded.plugin;
  Table about;
  about.row({"plugin", described.loaded.candidate.id.empty() ? "-" : described.loaded.candidate.id});
  about.row({"library", plugin.path()});
  about.row({"found through", described.loaded.candidate.source});
  if (!described.loaded.candidate.version.empty())
    about.row({"package", described.loaded.candidate.package + " " + described.loaded.candidate.version});
  about.row({"PJRT", text("{} (pier knows up to {})", to_string(plugin.api_version()), to_string(newest_known_api()))});
  if (described.client) {
    about.row({"platform", described.client->platform_name()});
    about.row({"platform version", hanging(described.client->platform_version(), 18)});
    about.row({"process", std::to_string(described.client->process_index())});
  }
  std::string out = about.text();
  if (described.client) out += devices_text(*described.client);

  if (const Attributes attributes = plugin.attributes(); !attributes.empty()) {
    Table table;
    for (const auto& [key, value] : attributes) table.row({key, hanging(to_string(value), 4)});
    out += "\n" + bold("attributes") + "\n" + table.text(2);
  }
  if (const auto extensions = plugin.extensions(); !extensions.empty()) {
    Table table;
    for (const ExtensionInfo& extension : extensions)
      table.row({std::to_string(extension.type), extension.name, text("{} bytes", extension.size)});
    out += "\n" + bold("extensions") + "\n" + table.text(2);
  }
  if (const auto missing = plugin.missing_functions(); !missing.empty()) {
    Table table;
    for (const MissingFunction& function : missing) table.row({function.name, "since " + to_string(function.since)});
    out += "\n" + bold("missing functions") + "\n" + table.text(2);
  }
  return out;
}

Json device_json(const Device& device) {
  Json json = Json::object();
  json.set("id", device.id())
      .set("local_hardware_id", device.is_addressable() ? Json(device.local_hardware_id()) : Json())
      .set("process_index", device.process_index())
      .set("addressable", device.is_addressable())
      .set("kind", device.kind())
      .set("description", device.description())
      .set("attributes", attributes_json(device.attributes()));
  Json memories = Json::array();
  if (device.is_addressable()) {
    const auto default_memory = device.default_memory();
    for (const Memory& memory : device.memories())
      memories.push(std::move(Json::object()
                                  .set("id", memory.id())
                                  .set("kind", memory.kind())
                                  .set("description", memory.description())
                                  .set("default", default_memory && *default_memory == memory)));
  }
  json.set("memories", std::move(memories));
  const auto stats = device.is_addressable() ? device.memory_stats() : std::nullopt;
  if (stats) {
    const auto number = [](const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); };
    json.set("memory_stats", std::move(Json::object()
                                           .set("bytes_in_use", stats->bytes_in_use)
                                           .set("peak_bytes_in_use", number(stats->peak_bytes_in_use))
                                           .set("bytes_limit", number(stats->bytes_limit))
                                           .set("largest_free_block_bytes", number(stats->largest_free_block_bytes))));
  } else {
    json.set("memory_stats", Json());
  }
  return json;
}

std::string as_json(const Described& described) {
  const Plugin& plugin = described.loaded.plugin;
  Json extensions = Json::array();
  for (const ExtensionInfo& extension : plugin.extensions())
    extensions.push(std::move(Json::object()
                                  .set("type", extension.type)
                                  .set("name", extension.name)
                                  .set("size", extension.size)));
  Json missing = Json::array();
  for (const MissingFunction& function : plugin.missing_functions())
    missing.push(std::move(Json::object().set("name", function.name).set("since", to_string(function.since))));
  Json report = Json::object();
  report.set("plugin", candidate_json(described.loaded.candidate))
      .set("path", plugin.path())
      .set("api_version", to_string(plugin.api_version()))
      .set("newest_known_api", to_string(newest_known_api()))
      .set("loadable_here", true)
      .set("attributes", attributes_json(plugin.attributes()))
      .set("extensions", std::move(extensions))
      .set("missing_functions", std::move(missing));
  if (described.client) {
    Json devices = Json::array();
    for (const Device& device : described.client->devices()) devices.push(device_json(device));
    report.set("platform_name", described.client->platform_name())
        .set("platform_version", described.client->platform_version())
        .set("process_index", described.client->process_index())
        .set("devices", std::move(devices));
  }
  if (described.failure) report.set("error", error_json(*described.failure));
  return report.text();
}

ExitCode show_binary(const std::filesystem::path& library, bool json) {
  const Preflight preflight = read_binary(library);
  if (json) print(Json::object().set("loadable_here", false).set("binary", binary_json(preflight)).text());
  else print(binary_text(preflight) + cannot_load_text(*preflight.binary) + "\n");
  return ExitCode::ok;
}

}  // namespace

ExitCode info_verb(Words words, Context& context) {
  std::string name = "auto";
  std::string platform;
  std::string plugin_log = "auto";
  Pairs create_options;
  bool json = false;
  Arguments arguments("info", "Show what a plugin and its devices can do; one for another platform is read without loading it");
  arguments.positional("SELECTOR", name, Arguments::Need::optional, "Id, label or path of a plugin, or auto (the default)");
  arguments.value("--platform", "PLATFORM", platform, "The one that was installed for another platform: macos-arm64");
  arguments.pairs("--option", create_options, "An option for the plugin's client; may be repeated");
  arguments.value("--plugin-log", "WHERE", plugin_log,
                  "What the plugin writes to standard error: auto (shown when something fails), off, stderr, or a file");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  platform = parse_foreign_platform(platform, "info");
  const Selector selector = parse_selector(name, "info");
  if (!platform.empty() && is_path(selector.plugin, "info"))
    throw UsageError("info", "--platform goes with an id: a library that is named by its path is read for whatever it is");
  require_apart(plugin_log, {selector.plugin}, "info");
  if (const auto library = foreign_library(selector.plugin, platform)) return show_binary(*library, json);

  context.log.start(plugin_log, context.json);
  Described described{load_installed(selector.plugin, context.log), std::nullopt, std::nullopt};
  Phases phases;
  try {
    described.client = create_client(described.loaded, attributes_from(create_options), context.log, phases);
    context.log.doing("describing its devices");
  } catch (const Error& error) {
    described.failure = error;
  }
  print(json ? as_json(described) : as_text(described));
  if (!described.failure) return ExitCode::ok;
  context.log.show();
  print_error(error_text(*described.failure));
  return exit_code_of(described.failure->code());
}

}  // namespace pier::cli
