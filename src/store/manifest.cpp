#include "store/manifest.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <sstream>

#include <sys/stat.h>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/digest.h"
#include "store/layout.h"
#include "store/member_path.h"
#include "store/names.h"
#include "store/toml.h"
#include "store/toml_text.h"

namespace pier {
namespace {

constexpr std::uint64_t size_limit = std::uint64_t{256} << 10;
constexpr std::int64_t schema = 1;

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
    throw IntegrityError(text("{}{}: '{}' {}", path_.native(), line, printable(key), fault));
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

std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code error;
  auto whole = std::filesystem::absolute(path, error);
  if (error) throw_errno(error.value(), "find the folder of", path);
  return whole;
}

std::filesystem::path absolute_from(const std::filesystem::path& manifest, const std::filesystem::path& path) {
  if (path.is_absolute()) return path.lexically_normal();
  return (whole_path(manifest).parent_path() / path).lexically_normal();
}

std::string relative_to(const std::filesystem::path& manifest, const std::filesystem::path& path) {
  const std::filesystem::path base = whole_path(manifest).parent_path();
  const std::filesystem::path relative = path.lexically_relative(base);
  const std::filesystem::path below = path.lexically_relative(base.parent_path());
  const bool inside = !below.empty() && *below.begin() != "..";
  return inside && !relative.empty() ? relative.native() : path.native();
}

toml::array array_of(const std::vector<std::string>& texts) {
  toml::array array;
  for (const std::string& item : texts) array.push_back(item);
  return array;
}

void insert_attribute(toml::table& table, const std::string& key, const AttributeValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    table.insert(key, *flag);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    table.insert(key, *integer);
  } else if (const auto* fraction = std::get_if<float>(&value)) {
    table.insert(key, static_cast<double>(*fraction));
  } else if (const auto* string = std::get_if<std::string>(&value)) {
    table.insert(key, *string);
  } else {
    toml::array array;
    for (const std::int64_t item : std::get<std::vector<std::int64_t>>(value)) array.push_back(item);
    table.insert(key, std::move(array));
  }
}

std::int64_t mtime_of(const struct stat& status) {
#if defined(__APPLE__)
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// A load test writes "0.115".
bool is_api_version(std::string_view text) {
  std::string_view rest;
  return leading_version(text, &rest) && rest.empty();
}

// Throws when the library is no plain file.
struct stat library_status(const std::filesystem::path& library) {
  struct stat status {};
  if (::stat(library.c_str(), &status) != 0) throw_errno(errno, "read", library);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorCode::io, text("{} is a folder, not a library", library.native()));
  if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::io, text("{} is not a regular file", library.native()));
  return status;
}

toml::table parse_toml(std::string_view content, const std::filesystem::path& path) {
  try {
    require_toml_text(content, path);
  } catch (const Error& error) {
    throw IntegrityError(error.message());
  }
  try {
    return toml::parse(content);
  } catch (const toml::parse_error& failure) {
    throw IntegrityError(text("{}, line {}: {}", path.native(), static_cast<std::uint64_t>(failure.source().begin.line),
                              printable(failure.description())));
  }
}

}  // namespace

Manifest parse_manifest(std::string_view content, const std::filesystem::path& path) {
  const toml::table table = parse_toml(content, path);
  const Keys keys(table, path);
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
  plugin.library = absolute_from(path, library);
  if (const std::string root = keys.string("root"); !root.empty()) plugin.root = absolute_from(path, root);
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
  plugin.sha256 = checked_hash(keys, "sha256");
  plugin.library_size = static_cast<std::uint64_t>(keys.integer("library_size", 0, std::numeric_limits<std::int64_t>::max()));
  plugin.library_sha256 = checked_hash(keys, "library_sha256");
  manifest.library_mtime = keys.integer("library_mtime", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  plugin.source = keys.string("source");
  plugin.installed_at = keys.string("installed_at");
  plugin.api_version = keys.string("api_version");
  if (!plugin.api_version.empty() && !is_api_version(plugin.api_version))
    keys.refuse("api_version", text("is '{}', not a version like 0.115", escaped(shortened(plugin.api_version))));
  plugin.allow_others = keys.boolean("allow_others");
  if (const toml::table* options = keys.table("create_options"))
    for (const auto& [key, value] : *options) plugin.create_options[std::string(key.str())] = attribute(keys, key.str(), value);
  if (const toml::table* environment = keys.table("environment"))
    for (const auto& [key, value] : *environment) {
      if (!is_variable_name(key.str())) keys.refuse(key.str(), "is no name of an environment variable", &value);
      plugin.environment.emplace_back(std::string(key.str()), keys.string_of(key.str(), value));
    }
  return manifest;
}

Manifest read_manifest(const std::filesystem::path& path) { return parse_manifest(read_file(path, size_limit), path); }

std::string format_manifest(const Manifest& manifest, const std::filesystem::path& path) {
  const InstalledPlugin& plugin = manifest.plugin;
  toml::table table;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) table.insert(key, value);
  };
  table.insert("schema", schema);
  add("id", plugin.id);
  add("library", relative_to(path, plugin.library));
  if (!plugin.root.empty()) add("root", relative_to(path, plugin.root));
  if (!plugin.labels.empty()) table.insert("labels", array_of(plugin.labels));
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
  if (!plugin.create_options.empty()) {
    toml::table options;
    for (const auto& [key, value] : plugin.create_options) insert_attribute(options, key, value);
    table.insert("create_options", std::move(options));
  }
  if (!plugin.environment.empty()) {
    toml::table environment;
    for (const auto& [key, value] : plugin.environment) environment.insert_or_assign(key, value);
    table.insert("environment", std::move(environment));
  }
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
  if (const std::string library = relative_to(path, plugin.library); !valid_utf8(library))
    refuse(text("the path {} is not UTF-8", printable(library)),
           "rename what is in the way, or name a symbolic link to it whose path is plain text");
  if (const std::size_t size = format_manifest(manifest, path).size(); size > size_limit)
    refuse(text("options, environment and labels take {} bytes, a manifest has room for {}", size, size_limit),
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

void record_library(Manifest& manifest) {
  const struct stat status = library_status(manifest.plugin.library);
  manifest.plugin.library_size = static_cast<std::uint64_t>(status.st_size);
  manifest.library_mtime = mtime_of(status);
}

std::string library_difference(const Manifest& manifest) {
  const struct stat status = library_status(manifest.plugin.library);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (manifest.plugin.library_size != 0 && size != manifest.plugin.library_size)
    return text("{} has {} bytes, recorded are {}", manifest.plugin.library.native(), size, manifest.plugin.library_size);
  const std::int64_t time = mtime_of(status);
  // Archives and images of file systems often keep whole seconds only.
  constexpr std::int64_t second = 1'000'000'000;
  const bool cut = time % second == 0 && time / second == manifest.library_mtime / second;
  if (manifest.library_mtime != 0 && time != manifest.library_mtime && !cut)
    return text("{} was written again since it was recorded", manifest.plugin.library.native());
  return {};
}

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char out[32] = {};
  std::strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return out;
}

}  // namespace pier
