#include <optional>
#include <string>
#include <vector>

#include <pier/error.h>
#include <pier/registry.h>

#include "arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "json.h"
#include "output.h"
#include "paths.h"
#include "plugin_json.h"
#include "selector.h"
#include "store/manifest.h"
#include "store/names.h"
#include "usage.h"
#include "values.h"
#include "verb.h"

namespace pier::cli {
namespace {

std::string as_text(const InstallResult& result, bool again) {
  const InstalledPlugin& plugin = result.plugin;
  std::string out = text("{} {}: {}\n", plugin.id, again ? "registered again" : "registered", plugin.library.native());
  if (!plugin.labels.empty()) out += text("labels {}\n", join(plugin.labels));
  if (!plugin.api_version.empty()) out += text("PJRT {}\n", plugin.api_version);
  for (const std::string& note : result.notes) out += text("note: {}\n", hanging(printable(note), 2));
  return out;
}

// What the words alone show to be wrong.
void require_forms(const RegisterRequest& request, const Pairs& create_options) {
  require_name(request.id, "--id", "register");
  for (const std::string& label : request.labels) require_name(lower_ascii(label), "--label", "register");
  if (request.priority && (*request.priority < -priority_limit || *request.priority > priority_limit))
    throw UsageError("register", text("--priority: {} is not within {} to {}", *request.priority, -priority_limit, priority_limit));
  for (const auto& [name, value] : request.environment)
    if (!is_variable_name(name)) throw UsageError("register", text("--env: '{}' is no name of a variable", shortened(name)));
  for (const Pairs* pairs : {&create_options, &request.environment})
    for (const auto& [name, value] : *pairs)
      if (!valid_utf8(name) || !valid_utf8(value)) throw UsageError("register", text("'{}={}' is not UTF-8, as manifests are", shortened(name), shortened(value)));
}

}  // namespace

ExitCode register_verb(Words words, Context& context) {
  std::string path;
  std::string plugin_log = "auto";
  RegisterRequest request;
  Pairs create_options;
  bool json = false;
  bool force = false;
  Arguments arguments("register", "Use a plugin that was built here; it stays where it is");
  arguments.positional("PATH", path, Arguments::Need::required, "The library, or a folder with one plugin in it: ./bazel-bin");
  arguments.required_value("--id", "ID", request.id, "What to call it: letters a-z, digits, '.', '_' and '-'");
  arguments.values("--label", "LABEL...", request.labels, "What else it answers to: gpu");
  arguments.value("--priority", "N", request.priority, "Among plugins of one label the highest wins");
  arguments.pairs("--option", create_options, "An option that its client needs; may be repeated");
  arguments.pairs("--env", request.environment, "A variable to set before it is loaded, unless the user has; may be repeated");
  arguments.flag("--allow", request.allow_others, "Accept a library that other users of this machine can write");
  arguments.flag("--force", force, "Register it without loading it first");
  arguments.value("--plugin-log", "WHERE", plugin_log, "What the plugin writes during its load test: auto, off, stderr, or a file");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  require_forms(request, create_options);
  require_apart(plugin_log, {path}, "register");
  request.create_options = attributes_from(create_options);
  request.probe = !force;

  context.log.start(plugin_log, context.json);
  context.log.doing("testing the plugin");
  const InstallResult result = register_library(path, request);
  if (json)
    print(Json::object()
              .set("outcome", name(result.outcome))
              .set("plugin", plugin_json(result.plugin))
              .set("notes", Json::array_of(result.notes))
              .text());
  else print(as_text(result, result.outcome != Outcome::installed));
  return ExitCode::ok;
}

}  // namespace pier::cli
