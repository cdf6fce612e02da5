#include "store/toml_keys.h"

#include <cmath>
#include <limits>

#include <pier/error.h>

#include "base/text.h"
#include "store/digest.h"
#include "store/member_path.h"
#include "store/names.h"
#include "store/toml_text.h"

namespace pier {
namespace {

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

void insert(toml::table& table, const std::string& key, const AttributeValue& value) {
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

}  // namespace

toml::table parse_toml(std::string_view content, const std::filesystem::path& path) {
  try {
    require_toml_text(content, path);
    return toml::parse(content);
  } catch (const toml::parse_error& failure) {
    throw IntegrityError(text("{}, line {}: {}", path.native(), static_cast<std::uint64_t>(failure.source().begin.line),
                              printable(failure.description())));
  } catch (const Error& error) {
    throw IntegrityError(error.message());
  }
}

void TomlKeys::refuse(std::string_view key, std::string_view fault, const toml::node* node) const {
  const std::string line = node ? text(", line {}", static_cast<std::uint64_t>(node->source().begin.line)) : std::string();
  throw IntegrityError(text("{}{}: '{}' {}", path_.native(), line, printable(key), fault));
}

const toml::node* TomlKeys::find(std::string_view key, bool required) const {
  const toml::node* node = table_.get(key);
  if (!node && required) refuse(key, "is missing");
  return node;
}

std::string TomlKeys::string_of(std::string_view key, const toml::node& node) const {
  const auto* value = node.as_string();
  if (!value) refuse(key, text("must be a string, not {}", type_name(node)), &node);
  if (value->get().find('\0') != std::string::npos) refuse(key, "has a zero byte", &node);
  return value->get();
}

std::string TomlKeys::string(std::string_view key, bool required) const {
  const toml::node* node = find(key, required);
  return node ? string_of(key, *node) : std::string();
}

std::int64_t TomlKeys::integer(std::string_view key, std::int64_t least, std::int64_t most, bool required) const {
  const toml::node* node = find(key, required);
  if (!node) return 0;
  const auto* value = node->as_integer();
  if (!value) refuse(key, text("must be an integer, not {}", type_name(*node)), node);
  if (value->get() < least || value->get() > most) refuse(key, text("must be {} to {}, not {}", least, most, value->get()), node);
  return value->get();
}

bool TomlKeys::boolean(std::string_view key) const {
  const toml::node* node = find(key, false);
  if (!node) return false;
  if (!node->as_boolean()) refuse(key, text("must be true or false, not {}", type_name(*node)), node);
  return node->as_boolean()->get();
}

std::vector<std::string> TomlKeys::strings(std::string_view key) const {
  std::vector<std::string> out;
  const toml::node* node = find(key, false);
  if (!node) return out;
  const toml::array* array = node->as_array();
  if (!array) refuse(key, text("must be an array of strings, not {}", type_name(*node)), node);
  for (const toml::node& item : *array) out.push_back(string_of(key, item));
  return out;
}

std::string TomlKeys::hash(std::string_view key, bool required) const {
  std::string hash = string(key, required);
  if ((required || !hash.empty()) && !is_sha256(hash)) refuse(key, "must be 64 hexadecimal digits", find(key, false));
  return hash;
}

const toml::table* TomlKeys::table(std::string_view key) const {
  const toml::node* node = find(key, false);
  if (!node) return nullptr;
  if (!node->as_table()) refuse(key, text("must be a table, not {}", type_name(*node)), node);
  return node->as_table();
}

AttributeValue TomlKeys::attribute(std::string_view key, const toml::node& node) const {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) {
    const double number = value->get();
    if (std::isfinite(number) && std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()))
      refuse(key, "is too large for a 32-bit fraction", &node);
    return static_cast<float>(number);
  }
  if (node.as_string()) return string_of(key, node);
  if (const toml::array* array = node.as_array()) {
    std::vector<std::int64_t> out;
    for (const toml::node& item : *array) {
      if (!item.as_integer()) refuse(key, "must hold integers only", &item);
      out.push_back(item.as_integer()->get());
    }
    return out;
  }
  refuse(key, text("must be a truth value, number, string or array of integers, not {}", type_name(node)), &node);
}

Attributes TomlKeys::attributes(std::string_view key) const {
  Attributes out;
  if (const toml::table* options = table(key))
    for (const auto& [name, value] : *options) out[std::string(name.str())] = attribute(name.str(), value);
  return out;
}

std::vector<std::pair<std::string, std::string>> TomlKeys::variables(std::string_view key) const {
  std::vector<std::pair<std::string, std::string>> out;
  if (const toml::table* variables = table(key))
    for (const auto& [name, value] : *variables) {
      if (!is_variable_name(name.str())) refuse(name.str(), "is no name of an environment variable", &value);
      out.emplace_back(std::string(name.str()), string_of(name.str(), value));
    }
  return out;
}

std::vector<TomlKeys> TomlKeys::tables(std::string_view key) const {
  std::vector<TomlKeys> out;
  const toml::node* node = find(key, false);
  if (!node) return out;
  const toml::array* array = node->as_array();
  if (!array) refuse(key, text("must be an array of tables, not {}", type_name(*node)), node);
  for (const toml::node& item : *array) {
    if (!item.as_table()) refuse(key, text("must hold tables only, not {}", type_name(item)), &item);
    out.emplace_back(*item.as_table(), path_);
  }
  return out;
}

toml::array toml_array(const std::vector<std::string>& texts) {
  toml::array array;
  for (const std::string& item : texts) array.push_back(item);
  return array;
}

toml::table toml_table(const Attributes& attributes) {
  toml::table table;
  for (const auto& [key, value] : attributes) insert(table, key, value);
  return table;
}

toml::table toml_table(const std::vector<std::pair<std::string, std::string>>& variables) {
  toml::table table;
  for (const auto& [key, value] : variables) table.insert_or_assign(key, value);
  return table;
}

}  // namespace pier
