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

Json companions_json(const std::vector<InstalledPackage>& companions) {
  Json array = Json::array();
  for (const InstalledPackage& companion : companions) {
    Json json = Json::object();
    json.set("package", companion.package).set("version", companion.version).set("file", companion.file).set("sha256", companion.sha256);
    array.push(std::move(json));
  }
  return array;
}

Json paths_json(const std::vector<std::filesystem::path>& paths) {
  Json array = Json::array();
  for (const auto& path : paths) array.push(path.native());
  return array;
}

}  // namespace

Json plugin_json(const InstalledPlugin& plugin) {
  Json json = Json::object();
  json.set("id", plugin.id)
      .set("origin", name(plugin.origin))
      .set("labels", Json::array_of(plugin.labels))
      .set("priority", plugin.priority)
      .set("platform", Json::known(plugin.platform))
      .set("library", plugin.library.native())
      .set("root", Json::known(plugin.root.native()))
      .set("manifest", Json::known(plugin.manifest.native()))
      .set("package", Json::known(plugin.package))
      .set("version", Json::known(plugin.version))
      .set("file", Json::known(plugin.file))
      .set("sha256", Json::known(plugin.sha256))
      .set("library_size", plugin.library_size)
      .set("library_sha256", Json::known(plugin.library_sha256))
      .set("source", Json::known(plugin.source))
      .set("installed_at", Json::known(plugin.installed_at))
      .set("api_version", Json::known(plugin.api_version))
      .set("create_options", attributes_json(plugin.create_options))
      .set("environment", environment_json(plugin.environment))
      .set("companions", companions_json(plugin.companions))
      .set("preload", paths_json(plugin.preload))
      .set("changed", plugin.changed);
  return json;
}

Json candidate_json(const Candidate& candidate) {
  Json json = Json::object();
  json.set("source", candidate.source)
      .set("id", candidate.id)
      .set("labels", Json::array_of(candidate.labels))
      .set("priority", candidate.priority)
      .set("library", Json::known(candidate.library.native()))
      .set("manifest", Json::known(candidate.manifest.native()))
      .set("found_in", Json::known(candidate.found_in))
      .set("platform", Json::known(candidate.platform))
      .set("package", Json::known(candidate.package))
      .set("version", Json::known(candidate.version))
      .set("api_version", Json::known(candidate.api_version))
      .set("taken", candidate.taken)
      .set("reason", candidate.reason)
      .set("create_options", attributes_json(candidate.create_options))
      .set("environment", environment_json(candidate.environment))
      .set("preload", paths_json(candidate.preload));
  return json;
}

}  // namespace pier::cli
