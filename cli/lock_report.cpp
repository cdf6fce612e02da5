#include "lock_report.h"

#include "base/text.h"
#include "output.h"

namespace pier::cli {
namespace {

Json pin_json(const Pin& pin) {
  return std::move(Json::object()
                       .set("package", pin.package)
                       .set("version", pin.version)
                       .set("file", pin.file)
                       .set("size", pin.size != 0 ? Json(pin.size) : Json())
                       .set("sha256", pin.sha256));
}

}  // namespace

std::string lock_text(const LockFile& lock) {
  Table table({"ID", "PLATFORM", "PACKAGE", "VERSION", "COMPANIONS", "SHA256"});
  for (const PluginRequest& plugin : lock.plugins)
    table.row({plugin.id, plugin.pin.platform, plugin.pin.package, plugin.pin.version,
               plugin.companions.empty() ? "-" : std::to_string(plugin.companions.size()), plugin.pin.sha256.substr(0, 12)});
  return table.empty() ? std::string() : table.text();
}

Json lock_json(const LockFile& lock) {
  Json plugins = Json::array();
  for (const PluginRequest& plugin : lock.plugins) {
    Json json = Json::object();
    json.set("id", plugin.id).set("platform", plugin.pin.platform).set("pin", pin_json(plugin.pin));
    Json companions = Json::array();
    for (const Pin& pin : plugin.companions) companions.push(pin_json(pin));
    plugins.push(std::move(json.set("companions", std::move(companions))));
  }
  return plugins;
}

}  // namespace pier::cli
