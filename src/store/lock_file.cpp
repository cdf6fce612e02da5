#include <pier/lock.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "store/lock_text.h"
#include "store/manifest.h"
#include "store/package_set.h"
#include "store/toml_keys.h"

namespace pier {
namespace {

constexpr std::uint64_t size_limit = std::uint64_t{4} << 20;
constexpr std::int64_t newest_format = 1;
constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
constexpr std::string_view header =
    "# Written by `pier lock`; `pier sync` installs exactly these packages. Keep it under version control.\n\n";

Pin read_pin(const TomlKeys& keys) {
  Pin pin;
  pin.package = keys.string("package", true);
  pin.version = keys.string("version", true);
  pin.file = keys.string("file", true);
  pin.size = static_cast<std::uint64_t>(keys.integer("size", 0, most_bytes));
  pin.sha256 = keys.hash("sha256", true);
  pin.unpacked_size = static_cast<std::uint64_t>(keys.integer("unpacked", 0, most_bytes));
  return pin;
}

PluginRequest read_plugin(const TomlKeys& keys) {
  PluginRequest plugin;
  plugin.id = keys.string("id", true);
  plugin.labels = keys.strings("labels");
  plugin.priority = static_cast<int>(keys.integer("priority", -priority_limit, priority_limit));
  plugin.pin = read_pin(keys);
  plugin.pin.platform = keys.string("platform", true);
  plugin.pin.min_system = keys.string("system");
  plugin.pin.member = keys.string("member", true);
  plugin.create_options = keys.attributes("create_options");
  plugin.environment = keys.variables("environment");
  for (const TomlKeys& companion : keys.tables("companion")) {
    Pin pin = read_pin(companion);
    pin.platform = plugin.pin.platform;
    pin.libraries = companion.strings("libraries");
    plugin.companions.push_back(std::move(pin));
  }
  return plugin;
}

LockFile parse_lock(std::string_view content, const std::filesystem::path& path) {
  const toml::table table = parse_toml(content, path);
  const TomlKeys keys(table, path);
  if (const std::int64_t format = keys.integer("format", 1, std::numeric_limits<std::int64_t>::max(), true); format > newest_format)
    throw Error(ErrorCode::not_available, text("{} was written by a newer pier: its format is {}, this one reads up to {}", path.native(), format, newest_format))
        .note("update pier");
  LockFile lock;
  std::set<std::pair<std::string, std::string>> seen;
  for (const TomlKeys& plugin : keys.tables("plugin")) {
    lock.plugins.push_back(read_plugin(plugin));
    const PluginRequest& request = lock.plugins.back();
    // Looks at every name and hash.
    const PackageSet checked(request);
    if (!seen.insert({request.id, request.pin.platform}).second)
      plugin.refuse("id", text("'{}' is there twice for {}", request.id, request.pin.platform));
  }
  return lock;
}

void insert_pin(toml::table& table, const Pin& pin) {
  table.insert("package", pin.package);
  table.insert("version", pin.version);
  table.insert("file", pin.file);
  if (pin.size != 0) table.insert("size", static_cast<std::int64_t>(pin.size));
  table.insert("sha256", pin.sha256);
  if (pin.unpacked_size != 0) table.insert("unpacked", static_cast<std::int64_t>(pin.unpacked_size));
}

toml::table table_of(const PluginRequest& plugin) {
  toml::table table;
  table.insert("id", plugin.id);
  table.insert("platform", plugin.pin.platform);
  if (!plugin.labels.empty()) table.insert("labels", toml_array(plugin.labels));
  table.insert("priority", static_cast<std::int64_t>(plugin.priority));
  insert_pin(table, plugin.pin);
  if (!plugin.pin.min_system.empty()) table.insert("system", plugin.pin.min_system);
  table.insert("member", plugin.pin.member);
  if (!plugin.create_options.empty()) table.insert("create_options", toml_table(plugin.create_options));
  if (!plugin.environment.empty()) table.insert("environment", toml_table(plugin.environment));
  toml::array companions;
  for (const Pin& pin : plugin.companions) {
    toml::table companion;
    insert_pin(companion, pin);
    if (!pin.libraries.empty()) companion.insert("libraries", toml_array(pin.libraries));
    companions.push_back(std::move(companion));
  }
  if (!companions.empty()) table.insert("companion", std::move(companions));
  return table;
}

}  // namespace

LockFile read_lock(const std::filesystem::path& file) {
  const std::string content = read_file(file, size_limit);
  try {
    return parse_lock(content, file);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::not_available) throw;
    IntegrityError refused(text("{} is no lock file: {}", file.native(), error.message()));
    for (const std::string& note : error.notes())
      if (note.find("catalog") == std::string::npos) refused.note(note);
    throw refused.note("delete it, and `pier lock` writes a new one");
  }
}

std::string format_lock(const LockFile& lock, const std::filesystem::path& path) {
  std::vector<const PluginRequest*> ordered;
  for (const PluginRequest& plugin : lock.plugins) ordered.push_back(&plugin);
  std::ranges::sort(ordered, {}, [](const PluginRequest* plugin) { return std::pair(plugin->id, plugin->pin.platform); });
  toml::array plugins;
  for (const PluginRequest* const plugin : ordered) plugins.push_back(table_of(*plugin));
  toml::table table;
  table.insert("format", newest_format);
  if (!plugins.empty()) table.insert("plugin", std::move(plugins));
  std::ostringstream out;
  out << header << toml::toml_formatter(table, toml::format_flags::none) << '\n';
  std::string content = out.str();
  // What is written can be read.
  parse_lock(content, path);
  return content;
}

void write_lock(const LockFile& lock, const std::filesystem::path& file) {
  const std::string content = format_lock(lock, file);
  AtomicFile target(file, AtomicFile::Existing::replace);
  target.write(content);
  target.commit();
}

}  // namespace pier
