#include <chrono>
#include <string>
#include <vector>

#include <pier/registry.h>
#include <pier/versions.h>

#include "arguments.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "plugin_json.h"
#include "selector.h"
#include "verb.h"

namespace pier::cli {

ExitCode rollback_verb(Words words, Context& context) {
  std::string id;
  std::string version;
  std::string platform;
  std::string plugin_log = "auto";
  bool json = false;
  Arguments arguments("rollback", "Use an earlier version of a plugin again; it is still on this machine");
  arguments.positional("ID", id, Arguments::Need::required, "cpu, metal ... as pier list shows it");
  arguments.value("--to", "VERSION", version, "This one; else the one that was installed before");
  arguments.value("--platform", "PLATFORM", platform, "The one that was installed for another platform: macos-arm64");
  arguments.value("--plugin-log", "WHERE", plugin_log, "What the plugin writes during its load test: auto, off, stderr, or a file");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  require_name(id, "ID", "rollback");
  context.log.start(plugin_log, context.json);
  context.log.doing("loading the plugin");
  std::vector<std::string> notes;
  const InstalledPlugin plugin = roll_back(id, {version, parse_foreign_platform(platform, "rollback"), {}}, notes);
  if (json) print(Json::object().set("plugin", plugin_json(plugin)).set("notes", Json::array_of(notes)).text());
  else print(text("{} is {} {} again\nlibrary {}\n", plugin.id, plugin.package, plugin.version, plugin.library.native()));
  return ExitCode::ok;
}

}  // namespace pier::cli
