#include "plugin_json.h"

#include <string>
#include <utility>
#include <vector>

#include "values.h"

namespace pier::cli {
namespace {

Json environment_json(const std::vector<std::pair<std::string, std::string>>& environment) {
  Json object = Json::object();
  for (const auto& [key, value] : environment) object.set(key, value);
  return object;
}

// What is not known is null, so that a program finds every key.
Json known(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

Json plugin_json(const InstalledPlugin& plugin) {
  Json json = Json::object();
  json.set("id", plugin.id)
      .set("origin", name(plugin.origin))
      .set("labels", Json::array_of(plugin.labels))
      .set("priority", plugin.priority)
      .set("platform", known(plugin.platform))
      .set("library", plugin.library.native())
      .set("root", known(plugin.root.native()))
      .set("manifest", known(plugin.manifest.native()))
      .set("package", known(plugin.package))
      .set("version", known(plugin.version))
      .set("file", known(plugin.file))
      .set("sha256", known(plugin.sha256))
      .set("library_size", plugin.library_size)
      .set("library_sha256", known(plugin.library_sha256))
      .set("source", known(plugin.source))
      .set("installed_at", known(plugin.installed_at))
      .set("api_version", known(plugin.api_version))
      .set("create_options", attributes_json(plugin.create_options))
      .set("environment", environment_json(plugin.environment))
      .set("changed", plugin.changed);
  return json;
}

Json candidate_json(const Candidate& candidate) {
  Json json = Json::object();
  json.set("source", candidate.source)
      .set("id", candidate.id)
      .set("labels", Json::array_of(candidate.labels))
      .set("priority", candidate.priority)
      .set("library", known(candidate.library.native()))
      .set("manifest", known(candidate.manifest.native()))
      .set("platform", known(candidate.platform))
      .set("package", known(candidate.package))
      .set("version", known(candidate.version))
      .set("api_version", known(candidate.api_version))
      .set("taken", candidate.taken)
      .set("reason", candidate.reason)
      .set("create_options", attributes_json(candidate.create_options))
      .set("environment", environment_json(candidate.environment));
  return json;
}

}  // namespace pier::cli
