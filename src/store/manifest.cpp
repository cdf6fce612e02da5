#include "store/manifest.h"

#include <cmath>
#include <limits>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/digest.h"
#include "store/layout.h"
#include "store/manifest_text.h"
#include "store/member_path.h"
#include "store/names.h"
#include "store/toml.h"
#include "store/toml_text.h"

namespace pier {
namespace {

constexpr auto schema = ManifestText::schema;
constexpr auto priority_limit = ManifestText::priority_limit;

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number with a fraction";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date: return "a date";
    case toml::node_type::time: return "a time";
    case toml::node_type::date_time: return "a date and time";
    default: return "nothing";
  }
}

// Reads keys of one table, with errors that name file, line and key.
class Keys {
 public:
  Keys(const toml::table& table, const std::filesystem::path& path) : table_(table), path_(path) {}

  [[noreturn]] void refuse(std::string_view key, std::string_view fault, const toml::node* node = nullptr) const {
    const std::string line = node ? text(", line {}", static_cast<std::uint64_t>(node->source().begin.line)) : std::string();
    throw Error(ErrorCode::invalid_argument, text("{}{}: '{}' {}", path_.native(), line, printable(key), fault));
  }

  std::string string(std::string_view key, bool required = false) const {
    const toml::node* node = find(key, required);
    if (!node) return {};
    return string_of(key, *node);
  }

  std::string string_of(std::string_view key, const toml::node& node) const {
    const auto* value = node.as_string();
    if (!value) refuse(key, text("must be a string, not {}", type_name(node)), &node);
    if (value->get().find('\0') != std::string::npos) refuse(key, "has a zero byte", &node);
    return value->get();
  }

  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most, bool required = false) const {
    const toml::node* node = find(key, required);
    if (!node) return 0;
    const auto* value = node->as_integer();
    if (!value) refuse(key, text("must be an integer, not {}", type_name(*node)), node);
    if (value->get() < least || value->get() > most) refuse(key, text("must be {} to {}, not {}", least, most, value->get()), node);
    return value->get();
  }

  bool boolean(std::string_view key) const {
    const toml::node* node = find(key, false);
    if (!node) return false;
    if (!node->as_boolean()) refuse(key, text("must be true or false, not {}", type_name(*node)), node);
    return node->as_boolean()->get();
  }

  std::vector<std::string> strings(std::string_view key) const {
    std::vector<std::string> out;
    const toml::node* node = find(key, false);
    if (!node) return out;
    const toml::array* array = node->as_array();
    if (!array) refuse(key, text("must be an array of strings, not {}", type_name(*node)), node);
    for (const toml::node& item : *array) out.push_back(string_of(key, item));
    return out;
  }

  const toml::table* table(std::string_view key) const {
    const toml::node* node = find(key, false);
    if (!node) return nullptr;
    if (!node->as_table()) refuse(key, text("must be a table, not {}", type_name(*node)), node);
    return node->as_table();
  }

  std::vector<const toml::table*> tables(std::string_view key) const {
    std::vector<const toml::table*> out;
    const toml::node* node = find(key, false);
    if (!node) return out;
    if (!node->as_array()) refuse(key, text("must be an array of tables, not {}", type_name(*node)), node);
    for (const toml::node& item : *node->as_array()) {
      if (!item.as_table()) refuse(key, text("must be an array of tables, not of {}", type_name(item)), &item);
      out.push_back(item.as_table());
    }
    return out;
  }

 private:
  const toml::node* find(std::string_view key, bool required) const {
    const toml::node* node = table_.get(key);
    if (!node && required) refuse(key, "is missing");
    return node;
  }

  const toml::table& table_;
  const std::filesystem::path& path_;
};

AttributeValue attribute(const Keys& keys, std::string_view key, const toml::node& node) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) {
    const double number = value->get();
    if (std::isfinite(number) && std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()))
      keys.refuse(key, "is too large for a 32-bit fraction", &node);
    return static_cast<float>(number);
  }
  if (node.as_string()) return keys.string_of(key, node);
  if (const toml::array* array = node.as_array()) {
    std::vector<std::int64_t> out;
    for (const toml::node& item : *array) {
      if (!item.as_integer()) keys.refuse(key, "must hold integers only", &item);
      out.push_back(item.as_integer()->get());
    }
    return out;
  }
  keys.refuse(key, text("must be a truth value, number, string or array of integers, not {}", type_name(node)), &node);
}

std::string checked_hash(const Keys& keys, std::string_view key) {
  std::string hash = keys.string(key);
  if (!hash.empty() && !is_sha256(hash)) keys.refuse(key, "must be 64 hexadecimal digits");
  return hash;
}

InstalledPackage read_companion(const Keys& keys, const std::filesystem::path& path) {
  InstalledPackage companion{keys.string("package", true), keys.string("version"), keys.string("file"), checked_hash(keys, "sha256"), {}};
  for (const std::string& library : keys.strings("libraries")) companion.libraries.push_back(ManifestText::absolute_from(path, library));
  return companion;
}

toml::table parse_toml(std::string_view content, const std::filesystem::path& path) {
  try {
    return toml::parse(content);
  } catch (const toml::parse_error& failure) {
    throw Error(ErrorCode::invalid_argument, text("{}, line {}: {}", path.native(),
                                                  static_cast<std::uint64_t>(failure.source().begin.line),
                                                  printable(failure.description())));
  }
}

}  // namespace

Manifest parse_manifest(std::string_view content, const std::filesystem::path& path) {
  require_toml_text(content, path);
  const toml::table table = parse_toml(content, path);
  const Keys keys(table, path);
  const std::int64_t version = keys.integer("schema", 1, std::numeric_limits<std::int64_t>::max(), true);
  if (version > schema)
    throw Error(ErrorCode::invalid_argument,
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
    if (!is_name(plugin.labels.back())) keys.refuse("labels", text("has '{}', which has other characters than a-z 0-9 . _ -", printable(label)));
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
  plugin.sha256 = checked_hash(keys, "sha256");
  plugin.library_size = static_cast<std::uint64_t>(keys.integer("library_size", 0, std::numeric_limits<std::int64_t>::max()));
  plugin.library_sha256 = checked_hash(keys, "library_sha256");
  manifest.library_mtime = keys.integer("library_mtime", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  plugin.source = keys.string("source");
  plugin.installed_at = keys.string("installed_at");
  plugin.api_version = keys.string("api_version");
  plugin.allow_others = keys.boolean("allow_others");
  for (const std::string& other : keys.strings("preload")) {
    plugin.preload.emplace_back(other);
    if (!plugin.preload.back().is_absolute()) keys.refuse("preload", text("has {}, which is no absolute path", printable(other)));
  }
  for (const toml::table* companion : keys.tables("companion")) plugin.companions.push_back(read_companion(Keys(*companion, path), path));
  if (const toml::table* options = keys.table("create_options"))
    for (const auto& [key, value] : *options) plugin.create_options[std::string(key.str())] = attribute(keys, key.str(), value);
  if (const toml::table* environment = keys.table("environment"))
    for (const auto& [key, value] : *environment) {
      if (!is_variable_name(key.str())) keys.refuse(key.str(), "is no name of an environment variable", &value);
      plugin.environment.emplace_back(std::string(key.str()), keys.string_of(key.str(), value));
    }
  return manifest;
}

Manifest read_manifest(const std::filesystem::path& path) { return parse_manifest(read_file(path, ManifestText::size_limit), path); }

}  // namespace pier
