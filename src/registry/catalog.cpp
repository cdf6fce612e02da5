#include <pier/catalog.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <sstream>

#include <pier/error.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/machine.h"
#include "registry/names.h"
#include "store/toml.h"
#include "store/toml_text.h"
#include "store/version.h"

namespace pier {
namespace {

// One table of a catalog file, read key by key. Every message names the file, the line and the key.
class Table {
 public:
  Table(const toml::table& table, std::string_view source, std::string name)
      : table_(table), source_(source), name_(std::move(name)) {}

  [[noreturn]] void fail(const toml::node* at, std::string_view what) const {
    const toml::source_position where = (at ? at->source() : table_.source()).begin;
    throw Error(ErrorCode::invalid_argument, text("{}:{}: {}", source_, static_cast<std::uint64_t>(where.line), what))
        .note("the keys are documented in catalog/README.md");
  }

  void allow_only(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : table_)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        fail(&value, text("unknown key '{}' in {}", key.str(), name_));
  }

  std::string string(std::string_view key) const {
    const toml::node* const node = table_.get(key);
    if (!node) fail(nullptr, text("{} has no '{}'", name_, key));
    return as_string(*node, key);
  }

  std::string string_or(std::string_view key, std::string fallback) const {
    return table_.get(key) ? string(key) : std::move(fallback);
  }

  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most) const {
    const toml::node* const node = table_.get(key);
    if (!node) fail(nullptr, text("{} has no '{}'", name_, key));
    const auto value = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
    if (!value) fail(node, text("'{}' is not a whole number", key));
    if (*value < least || *value > most) fail(node, text("'{}' is {}, not within {} to {}", key, *value, least, most));
    return *value;
  }

  std::int64_t integer_or(std::string_view key, std::int64_t fallback, std::int64_t least, std::int64_t most) const {
    return table_.get(key) ? integer(key, least, most) : fallback;
  }

  bool boolean_or(std::string_view key, bool fallback) const {
    const toml::node* const node = table_.get(key);
    if (!node) return fallback;
    const auto value = node->is_boolean() ? node->value<bool>() : std::nullopt;
    if (!value) fail(node, text("'{}' is neither true nor false", key));
    return *value;
  }

  std::vector<std::string> strings(std::string_view key) const {
    std::vector<std::string> out;
    const toml::node* const node = table_.get(key);
    if (!node) return out;
    if (!node->is_array()) fail(node, text("'{}' is not a list", key));
    for (const toml::node& item : *node->as_array()) out.push_back(as_string(item, key));
    return out;
  }

  std::vector<Table> tables(std::string_view key) const {
    std::vector<Table> out;
    const toml::node* const node = table_.get(key);
    if (!node) return out;
    if (!node->is_array()) fail(node, text("'{}' is not a list of tables", key));
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_table()) fail(&item, text("'{}' is not a list of tables", key));
      out.emplace_back(*item.as_table(), source_, text("[[{}]]", key));
    }
    return out;
  }

  std::optional<Table> table(std::string_view key) const {
    const toml::node* const node = table_.get(key);
    if (!node) return std::nullopt;
    if (!node->is_table()) fail(node, text("'{}' is not a table", key));
    return Table(*node->as_table(), source_, std::string(key));
  }

  Attributes attributes() const {
    Attributes out;
    for (const auto& [key, value] : table_) out.emplace(std::string(key.str()), attribute(value, key.str()));
    return out;
  }

  std::vector<std::pair<std::string, std::string>> variables() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [key, value] : table_) {
      const std::string_view variable = key.str();
      if (!is_variable_name(variable)) fail(&value, text("'{}' cannot be a variable", variable));
      out.emplace_back(variable, as_string(value, variable));
    }
    return out;
  }

  const toml::node* node(std::string_view key) const { return table_.get(key); }

 private:
  std::string as_string(const toml::node& node, std::string_view key) const {
    const auto value = node.is_string() ? node.value<std::string>() : std::nullopt;
    if (!value) fail(&node, text("'{}' is not text", key));
    if (value->find('\0') != std::string::npos) fail(&node, text("'{}' holds a zero byte", key));
    return *value;
  }

  AttributeValue attribute(const toml::node& node, std::string_view key) const {
    if (node.is_boolean()) return *node.value<bool>();
    if (node.is_integer()) return *node.value<std::int64_t>();
    if (node.is_floating_point()) {
      const double number = *node.value<double>();
      if (std::isfinite(number) && std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()))
        fail(&node, text("'{}' is too large for a 32-bit fraction", key));
      return static_cast<float>(number);
    }
    if (node.is_string()) return as_string(node, key);
    if (!node.is_array()) fail(&node, text("'{}' cannot be a create option", key));
    std::vector<std::int64_t> list;
    for (const toml::node& item : *node.as_array()) {
      if (!item.is_integer()) fail(&item, text("'{}' is not a list of whole numbers", key));
      list.push_back(*item.value<std::int64_t>());
    }
    return list;
  }

  const toml::table& table_;
  std::string_view source_;
  std::string name_;
};

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// A path of a wheel's member: relative, and not out of the wheel.
bool is_member(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\\') != std::string_view::npos) return false;
  const std::vector<std::string> parts = registry::split(path, '/');
  return std::none_of(parts.begin(), parts.end(), [](const std::string& part) { return part == ".." || part == "."; });
}

// What the file tables of packages and companions have in common.
Pin read_pin(const Table& table, const std::string& package, const std::string& version) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  Pin pin;
  pin.package = package;
  pin.version = version;
  pin.platform = table.string("platform");
  const std::string written = [&] {
    try {
      return to_string(parse_platform(pin.platform));
    } catch (const Error& error) {
      table.fail(table.node("platform"), error.message());
    }
  }();
  if (written != pin.platform) table.fail(table.node("platform"), text("platform '{}' is written '{}'", pin.platform, written));
  pin.file = table.string("file");
  if (pin.file.empty() || pin.file.find('/') != std::string::npos || pin.file.front() == '.')
    table.fail(table.node("file"), text("file '{}' is not a file's name", pin.file));
  pin.size = static_cast<std::uint64_t>(table.integer("size", 1, most));
  pin.sha256 = table.string("sha256");
  if (!is_sha256(pin.sha256)) table.fail(table.node("sha256"), "sha256 is not 64 lower-case hexadecimal digits");
  pin.unpacked_size = static_cast<std::uint64_t>(table.integer_or("unpacked", 0, 0, most));
  return pin;
}

// Conditions on a version; empty where the key is not there.
std::string specifiers(const Table& table, std::string_view key) {
  std::string conditions = table.string_or(key, "");
  if (table.node(key) && (conditions.empty() || !VersionSpecifiers::parse(conditions)))
    table.fail(table.node(key), text("{} '{}' is no condition on versions, like >=12.4,<13", key, conditions));
  return conditions;
}

CatalogNeed read_need(const Table& table) {
  table.allow_only({"library", "file", "version"});
  if (!table.node("file")) return {.library = table.string("library"), .version = table.string_or("version", ""), .file = {}};
  if (table.node("library")) table.fail(table.node("library"), "[[needs]] names both a library and a file");
  CatalogNeed need{.library = {}, .version = specifiers(table, "version"), .file = table.string("file")};
  if (!need.file.starts_with('/')) table.fail(table.node("file"), text("file '{}' is not an absolute path", need.file));
  if (need.version.empty()) table.fail(nullptr, text("[[needs]] does not say which 'version' {} shall hold", need.file));
  return need;
}

CatalogFile read_file_table(const Table& table, const CatalogPackage& package) {
  table.allow_only({"platform", "system", "needs", "file", "size", "sha256", "member", "unpacked"});
  CatalogFile file{.pin = read_pin(table, package.name, package.version), .needs = {}};
  Pin& pin = file.pin;
  pin.min_system = table.string_or("system", "");
  if (pin.min_system.find_first_not_of("0123456789.") != std::string::npos)
    table.fail(table.node("system"), text("system '{}' is not a version", pin.min_system));
  pin.member = table.string("member");
  if (!is_member(pin.member)) table.fail(table.node("member"), text("member '{}' is not a path inside a package", pin.member));
  for (const Table& need : table.tables("needs")) file.needs.push_back(read_need(need));
  return file;
}

CatalogCompanion read_companion(const Table& table) {
  table.allow_only({"name", "version", "libraries", "fits", "optional", "file"});
  CatalogCompanion companion;
  companion.name = table.string("name");
  if (companion.name.empty()) table.fail(table.node("name"), "a companion without a name");
  companion.version = table.string("version");
  if (!Version::parse(companion.version)) table.fail(table.node("version"), text("'{}' is not a version", companion.version));
  companion.libraries = table.strings("libraries");
  for (const std::string& library : companion.libraries)
    if (library.empty() || library.find('/') != std::string::npos)
      table.fail(table.node("libraries"), text("'{}' is not a library's name", library));
  companion.fits = specifiers(table, "fits");
  companion.optional = table.boolean_or("optional", false);
  for (const Table& file : table.tables("file")) {
    file.allow_only({"platform", "file", "size", "sha256", "unpacked"});
    companion.files.push_back(read_pin(file, companion.name, companion.version));
  }
  if (companion.files.empty()) table.fail(nullptr, text("companion {} has no [[package.companion.file]]", companion.name));
  return companion;
}

CatalogPackage read_package(const Table& table) {
  table.allow_only({"name", "version", "api", "licence", "registers_as", "note", "status", "create_options", "environment", "file",
                    "companion"});
  CatalogPackage package;
  package.name = table.string("name");
  package.version = table.string("version");
  if (package.name.empty() || package.version.empty()) table.fail(nullptr, "a package without a name or a version");
  package.api_version = table.string_or("api", "");
  package.licence = table.string_or("licence", "");
  package.registers_as = table.string_or("registers_as", "");
  package.note = table.string_or("note", "");
  if (table.node("status")) {
    if (table.string("status") != "old") table.fail(table.node("status"), "'status' is not \"old\", the only one there is");
    package.old = true;
  }
  if (const auto options = table.table("create_options")) package.create_options = options->attributes();
  if (const auto environment = table.table("environment")) package.environment = environment->variables();
  for (const Table& file : table.tables("file")) package.files.push_back(read_file_table(file, package));
  if (package.files.empty()) table.fail(nullptr, text("package {} has no [[package.file]]", package.name));
  for (const Table& companion : table.tables("companion")) package.companions.push_back(read_companion(companion));
  return package;
}

toml::table parse_document(std::string_view toml_text, std::string_view source) {
  require_toml_text(toml_text, source);
  try {
    return toml::parse(toml_text, source);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::invalid_argument, text("{}:{}: {}", source, static_cast<std::uint64_t>(error.source().begin.line),
                                                  error.description()));
  }
}

}  // namespace

CatalogEntry parse_catalog_entry(std::string_view toml_text, std::string_view source) {
  const toml::table document = parse_document(toml_text, source);
  const Table table(document, source, "the catalog entry");
  table.allow_only({"format", "id", "title", "labels", "priority", "seen", "variables", "fetch_unasked", "package"});
  table.integer("format", 1, 1);
  CatalogEntry entry;
  entry.source = source;
  entry.id = table.string("id");
  if (!is_name(entry.id)) table.fail(table.node("id"), text("id '{}' has other characters than a-z 0-9 . _ -", entry.id));
  entry.title = table.string_or("title", entry.id);
  entry.labels = table.strings("labels");
  for (const std::string& label : entry.labels)
    if (!is_name(label)) table.fail(table.node("labels"), text("label '{}' has other characters than a-z 0-9 . _ -", label));
  entry.priority = static_cast<int>(
      table.integer_or("priority", registry::default_priority(entry.id, entry.labels), -1'000'000, 1'000'000));
  entry.seen = table.strings("seen");
  for (const std::string& sign : entry.seen)
    if (!registry::is_sign(sign))
      table.fail(table.node("seen"), text("'{}' is not a sign of a device: always, platform:..., path:/..., pci:10de:03, pci:1ae0/005e", sign));
  entry.variables = table.strings("variables");
  for (const std::string& variable : entry.variables)
    if (!variable.ends_with("_PATH") || !is_variable_name(variable))
      table.fail(table.node("variables"), text("'{}' is not a variable that ends in _PATH", variable));
  entry.fetch_unasked = table.boolean_or("fetch_unasked", false);
  for (const Table& package : table.tables("package")) entry.packages.push_back(read_package(package));
  return entry;
}

std::vector<UnusablePackage> parse_unusable_packages(std::string_view toml_text, std::string_view source) {
  const toml::table document = parse_document(toml_text, source);
  const Table table(document, source, "the list of unusable packages");
  table.allow_only({"format", "unusable"});
  table.integer("format", 1, 1);
  std::vector<UnusablePackage> out;
  for (const Table& package : table.tables("unusable")) {
    package.allow_only({"name", "id", "reason", "instead"});
    out.push_back({package.string("name"), package.string_or("id", ""), package.string("reason"), package.string_or("instead", "")});
    for (const char* const key : {"id", "instead"})
      if (package.node(key) && !is_name(package.string(key)))
        package.fail(package.node(key), text("{} '{}' is no id", key, package.string(key)));
  }
  return out;
}

}  // namespace pier
