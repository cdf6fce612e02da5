#include <cerrno>
#include <sstream>

#include <sys/stat.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/manifest.h"
#include "store/manifest_text.h"
#include "store/member_path.h"
#include "store/names.h"
#include "store/toml_keys.h"

namespace pier {
namespace {

constexpr auto schema = ManifestText::schema;

toml::array companion_tables(const std::vector<InstalledPackage>& companions, const std::filesystem::path& path) {
  toml::array array;
  for (const InstalledPackage& companion : companions) {
    toml::array libraries;
    for (const auto& library : companion.libraries) libraries.push_back(ManifestText::relative_to(path, library));
    array.push_back(toml::table{{"package", companion.package}, {"version", companion.version}, {"file", companion.file},
                                {"sha256", companion.sha256}, {"libraries", std::move(libraries)}});
  }
  return array;
}

}  // namespace

std::string format_manifest(const Manifest& manifest, const std::filesystem::path& path) {
  const InstalledPlugin& plugin = manifest.plugin;
  toml::table table;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) table.insert(key, value);
  };
  table.insert("schema", schema);
  add("id", plugin.id);
  add("library", ManifestText::relative_to(path, plugin.library));
  if (!plugin.root.empty()) add("root", ManifestText::relative_to(path, plugin.root));
  if (!plugin.labels.empty()) table.insert("labels", toml_array(plugin.labels));
  table.insert("priority", static_cast<std::int64_t>(plugin.priority));
  add("platform", plugin.platform);
  add("package", plugin.package);
  add("version", plugin.version);
  add("file", plugin.file);
  add("sha256", plugin.sha256);
  table.insert("library_size", static_cast<std::int64_t>(plugin.library_size));
  add("library_sha256", plugin.library_sha256);
  table.insert("library_mtime", manifest.library_mtime);
  add("source", plugin.source);
  add("installed_at", plugin.installed_at);
  add("api_version", plugin.api_version);
  if (plugin.allow_others) table.insert("allow_others", true);
  if (!plugin.preload.empty()) table.insert("preload", toml_array({plugin.preload.begin(), plugin.preload.end()}));
  if (!plugin.companions.empty()) table.insert("companion", companion_tables(plugin.companions, path));
  if (!plugin.create_options.empty()) table.insert("create_options", toml_table(plugin.create_options));
  if (!plugin.environment.empty()) table.insert("environment", toml_table(plugin.environment));
  std::ostringstream out;
  out << toml::toml_formatter(table, toml::format_flags::none) << '\n';
  return out.str();
}

void require_manifest(const Manifest& manifest, const std::filesystem::path& path) {
  const InstalledPlugin& plugin = manifest.plugin;
  const auto refuse = [&](std::string_view fault, std::string_view remedy) {
    throw Error(ErrorCode::invalid_argument, text("'{}' cannot be written down: {}", plugin.id, fault)).note(std::string(remedy));
  };
  const auto require_text = [&](std::string_view what, std::string_view value) {
    if (!valid_utf8(value) || value.find('\0') != std::string_view::npos)
      refuse(text("{} '{}' is not UTF-8 or has a zero byte", what, printable(value)), "manifests are UTF-8 text");
  };
  for (const std::string& label : plugin.labels)
    if (!is_name(label))
      refuse(text("the label '{}' is no name", escaped(shortened(label))), name_rule);
  if (plugin.priority < -priority_limit || plugin.priority > priority_limit)
    refuse(text("the priority {} is out of range", plugin.priority), text("a priority is {} to {}", -priority_limit, priority_limit));
  for (const auto& [name, value] : plugin.environment) {
    if (!is_variable_name(name))
      refuse(text("'{}' is no name of an environment variable", printable(name)), "such a name has letters, digits and '_'");
    require_text("the value of " + name, value);
  }
  for (const auto& [name, value] : plugin.create_options) {
    require_text("the option", name);
    if (const auto* string = std::get_if<std::string>(&value)) require_text("the value of " + name, *string);
  }
  if (const std::string library = ManifestText::relative_to(path, plugin.library); !valid_utf8(library))
    refuse(text("the path {} is not UTF-8", printable(library)),
           "rename what is in the way, or name a symbolic link to it whose path is plain text");
  for (const std::filesystem::path& library : plugin.preload) require_text("the library", library.native());
  if (const std::size_t size = format_manifest(manifest, path).size(); size > ManifestText::size_limit)
    refuse(text("options, environment and labels take {} bytes, a manifest has room for {}", size, ManifestText::size_limit),
           "give the plugin fewer or shorter ones");
}

void write_manifest(const Manifest& manifest, const std::filesystem::path& path) {
  require_manifest(manifest, path);
  const std::string content = format_manifest(manifest, path);
  try {
    parse_manifest(content, path);
  } catch (const Error& error) {
    throw Error(ErrorCode::invalid_argument, text("'{}' cannot be written down: {}", manifest.plugin.id, error.message()))
        .note("nothing was written; change what that line holds");
  }
  AtomicFile file(path, AtomicFile::Existing::replace);
  file.write(content);
  struct stat status {};
  if (::fstat(file.fd(), &status) != 0) throw_errno(errno, "stat", path);
  // File systems without permissions refuse, and need none.
  if ((status.st_mode & 0022) != 0) [[maybe_unused]] const int kept = ::fchmod(file.fd(), status.st_mode & 0755);
  file.commit();
}

}  // namespace pier
