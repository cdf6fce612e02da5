#include <string>

#include <pier/store.h>

#include "arguments.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "plugin_json.h"
#include "verb.h"

namespace pier::cli {
namespace {

std::string as_json(const Inventory& inventory) {
  Json plugins = Json::array();
  for (const InstalledPlugin& plugin : inventory.plugins) plugins.push(plugin_json(plugin));
  Json rejected = Json::array();
  for (const RejectedManifest& manifest : inventory.rejected)
    rejected.push(std::move(Json::object().set("manifest", manifest.manifest.native()).set("reason", manifest.reason)));
  return Json::object().set("plugins", std::move(plugins)).set("rejected", std::move(rejected)).text();
}

std::string as_text(const Inventory& inventory) {
  std::string out;
  Table table({"ID", "LABELS", "VERSION", "PJRT", "PLATFORM", "ORIGIN", "LIBRARY"});
  const auto dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  for (const InstalledPlugin& plugin : inventory.plugins)
    table.row({plugin.id, dash(join(plugin.labels)), dash(plugin.version), dash(plugin.api_version), dash(plugin.platform),
               std::string(name(plugin.origin)), plugin.library.native()});
  if (table.empty()) out += "no plugin is installed or registered; pier install cpu fetches one\n";
  else out += table.text();
  for (const InstalledPlugin& plugin : inventory.plugins)
    if (plugin.changed)
      out += text("{}: the library was built again since it was registered\n", printable(plugin.id));
  for (const RejectedManifest& manifest : inventory.rejected)
    out += text("does not count: {}: {}\n", printable(manifest.manifest.native()), hanging(printable(manifest.reason), 2));
  return out;
}

}  // namespace

ExitCode list_verb(Words words, Context&) {
  bool json = false;
  Arguments arguments("list", "Show the plugins on this machine: registered, installed, and installed for other platforms");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  const Inventory inventory = installed_plugins();
  print(json ? as_json(inventory) : as_text(inventory));
  return ExitCode::ok;
}

}  // namespace pier::cli
