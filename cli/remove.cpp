#include <string>
#include <vector>

#include <pier/error.h>
#include <pier/store.h>

#include "arguments.h"
#include "base/platform.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "selector.h"
#include "verb.h"

namespace pier::cli {
namespace {

Error nothing_to_remove(const std::string& id, const std::string& platform) {
  Error error(ErrorCode::not_available, platform.empty() ? text("no plugin '{}' is installed or registered", id)
                                                     : text("no plugin '{}' is installed for {}", id, platform));
  for (const InstalledPlugin& plugin : installed_plugins().plugins)
    if (plugin.id == id) {
      if (plugin.origin == Origin::foreign) error.note(text("it is installed for another platform: pier remove {} --platform {}", id, plugin.platform));
      if (plugin.origin == Origin::system) error.note(text("{} is registered for everyone; its manifest is not yours to remove", plugin.manifest.native()));
    }
  return error.note("pier list shows what there is");
}

}  // namespace

ExitCode remove_verb(Words words, Context&) {
  std::string id;
  std::string platform;
  bool json = false;
  Arguments arguments("remove", "Remove what was installed under an id, and forget the library that was registered under it");
  arguments.positional("ID", id, Arguments::Need::required, "cpu, metal ... as pier list shows it");
  arguments.value("--platform", "PLATFORM", platform, "The one that was installed for another platform: macos-arm64");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  require_name(id, "ID", "remove");
  platform = parse_foreign_platform(platform, "remove");

  const bool forgotten = platform.empty() && unregister_plugin(id);
  const bool removed = remove_plugin(id, platform);
  if (!forgotten && !removed) throw nothing_to_remove(id, platform);
  if (json) {
    print(Json::object()
              .set("id", id)
              .set("platform", platform.empty() ? to_string(host_platform()) : platform)
              .set("unregistered", forgotten)
              .set("removed", removed)
              .text());
    return ExitCode::ok;
  }
  if (forgotten) print(text("{}: no longer registered; the library stays where it is\n", id));
  if (removed) print(text("{}: removed\n", id));
  return ExitCode::ok;
}

}  // namespace pier::cli
