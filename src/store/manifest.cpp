#include "store/manifest.h"

#include <limits>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/layout.h"
#include "store/manifest_text.h"
#include "store/member_path.h"
#include "store/names.h"
#include "store/toml_keys.h"

namespace pier {
namespace {

constexpr auto schema = ManifestText::schema;

// A load test writes "0.115".
bool is_api_version(std::string_view text) {
  std::string_view rest;
  return leading_version(text, &rest) && rest.empty();
}

InstalledPackage read_companion(const TomlKeys& keys, const std::filesystem::path& path) {
  InstalledPackage companion{keys.string("package", true), keys.string("version"), keys.string("file"), keys.hash("sha256"), {}};
  for (const std::string& library : keys.strings("libraries")) companion.libraries.push_back(ManifestText::absolute_from(path, library));
  return companion;
}

}  // namespace

Manifest parse_manifest(std::string_view content, const std::filesystem::path& path) {
  const toml::table table = parse_toml(content, path);
  const TomlKeys keys(table, path);
  const std::int64_t version = keys.integer("schema", 1, std::numeric_limits<std::int64_t>::max(), true);
  if (version > schema)
    throw Error(ErrorCode::not_available,
                text("{} was written by a newer pier: its schema is {}, this pier reads up to {}", path.native(), version, schema))
        .note("update pier, or install the plugin again");

  Manifest manifest;
  InstalledPlugin& plugin = manifest.plugin;
  plugin.manifest = path;
  plugin.id = keys.string("id", true);
  try {
    require_id(plugin.id);
  } catch (const Error& error) {
    keys.refuse("id", text("is refused: {}", error.message()));
  }
  const std::string library = keys.string("library", true);
  if (library.empty()) keys.refuse("library", "is empty");
  plugin.library = ManifestText::absolute_from(path, library);
  if (const std::string root = keys.string("root"); !root.empty()) plugin.root = ManifestText::absolute_from(path, root);
  for (const std::string& label : keys.strings("labels")) {
    plugin.labels.push_back(lower_ascii(label));
    if (!is_name(plugin.labels.back())) keys.refuse("labels", text("has '{}', which is no label: {}", escaped(shortened(label)), name_rule));
  }
  plugin.priority = static_cast<int>(keys.integer("priority", -priority_limit, priority_limit));
  plugin.platform = keys.string("platform");
  try {
    plugin.platform = to_string(plugin.platform.empty() ? host_platform() : parse_platform(plugin.platform));
  } catch (const Error& error) {
    keys.refuse("platform", text("is refused: {}", error.message()));
  }
  plugin.package = keys.string("package");
  plugin.version = keys.string("version");
  plugin.file = keys.string("file");
  plugin.sha256 = keys.hash("sha256");
  plugin.library_size = static_cast<std::uint64_t>(keys.integer("library_size", 0, std::numeric_limits<std::int64_t>::max()));
  plugin.library_sha256 = keys.hash("library_sha256");
  manifest.library_mtime = keys.integer("library_mtime", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  plugin.source = keys.string("source");
  plugin.installed_at = keys.string("installed_at");
  plugin.api_version = keys.string("api_version");
  if (!plugin.api_version.empty() && !is_api_version(plugin.api_version))
    keys.refuse("api_version", text("is '{}', not a version like 0.115", escaped(shortened(plugin.api_version))));
  plugin.allow_others = keys.boolean("allow_others");
  for (const std::string& other : keys.strings("preload")) {
    plugin.preload.emplace_back(other);
    if (!plugin.preload.back().is_absolute()) keys.refuse("preload", text("has {}, which is no absolute path", printable(other)));
  }
  for (const TomlKeys& companion : keys.tables("companion")) plugin.companions.push_back(read_companion(companion, path));
  plugin.create_options = keys.attributes("create_options");
  plugin.environment = keys.variables("environment");
  return manifest;
}

Manifest read_manifest(const std::filesystem::path& path) { return parse_manifest(read_file(path, ManifestText::size_limit), path); }

}  // namespace pier
