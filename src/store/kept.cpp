#include "store/kept.h"

#include <pier/error.h>
#include <pier/log.h>

#include "base/text.h"
#include "store/manifest.h"

namespace pier {

std::vector<InstalledPlugin> kept_plugins(const Layout& layout, std::string_view id) {
  const bool foreign = layout.data != Layout(host_platform()).data;
  std::vector<InstalledPlugin> out;
  std::error_code error;
  for (std::filesystem::directory_iterator it(layout.plugin_folder(id), error), end; !error && it != end; it.increment(error)) {
    if (is_temporary(it->path())) continue;
    try {
      out.push_back(read_manifest(it->path() / Layout::own_manifest).plugin);
      out.back().origin = foreign ? Origin::foreign : Origin::installed;
    } catch (const Error& failure) {
      log(LogLevel::info, text("{} is passed over: {}", it->path().native(), failure.message()));
    }
  }
  return out;
}

PluginRequest request_of(const InstalledPlugin& plugin) {
  const auto pin_of = [&](const auto& package) {
    Pin pin;
    pin.package = package.package;
    pin.version = package.version;
    pin.file = package.file;
    pin.sha256 = package.sha256;
    pin.platform = plugin.platform;
    return pin;
  };
  PluginRequest request;
  request.id = plugin.id;
  request.labels = plugin.labels;
  request.priority = plugin.priority;
  request.create_options = plugin.create_options;
  request.environment = plugin.environment;
  request.pin = pin_of(plugin);
  request.pin.member = plugin.library.lexically_relative(plugin.root).generic_string();
  for (const InstalledPackage& companion : plugin.companions) {
    request.companions.push_back(pin_of(companion));
    for (const auto& library : companion.libraries) request.companions.back().libraries.push_back(library.filename().native());
  }
  return request;
}

}  // namespace pier
