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

std::string what_changed(const InstalledPlugin& plugin) {
  if (plugin.origin == Origin::registered || plugin.origin == Origin::system) return "the library was built again since it was registered";
  const std::string where = plugin.origin == Origin::foreign ? " --platform " + plugin.platform : "";
  return text("the library's file was written since it was installed; pier install {}{} compares its bytes", plugin.id, where);
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
    if (plugin.changed) out += text("{}: {}\n", printable(plugin.id), what_changed(plugin));
  for (const RejectedManifest& manifest : inventory.rejected) {
    // Most reasons name the file already.
    const std::string& path = manifest.manifest.native();
    const std::string reason = manifest.reason.find(path) == std::string::npos ? text("{}: {}", path, manifest.reason) : manifest.reason;
    out += text("does not count: {}\n", hanging(printable(reason), 2));
  }
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
