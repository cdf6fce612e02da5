#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/attribute.h>

#include "store/toml.h"

namespace pier {

// Parses text that stands in `path`. Throws IntegrityError with file and line.
toml::table parse_toml(std::string_view content, const std::filesystem::path& path);

// Reads keys of one table, with IntegrityErrors that name file, line and key. A key that is not there reads as empty,
// zero or false unless it is required. Table and path must outlive it.
class TomlKeys {
 public:
  TomlKeys(const toml::table& table, const std::filesystem::path& path) : table_(table), path_(path) {}

  [[noreturn]] void refuse(std::string_view key, std::string_view fault, const toml::node* node = nullptr) const;

  std::string string(std::string_view key, bool required = false) const;
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most, bool required = false) const;
  bool boolean(std::string_view key) const;
  std::vector<std::string> strings(std::string_view key) const;
  // 64 hexadecimal digits.
  std::string hash(std::string_view key, bool required = false) const;
  // A table of create options.
  Attributes attributes(std::string_view key) const;
  // A table of environment variables.
  std::vector<std::pair<std::string, std::string>> variables(std::string_view key) const;
  // [[key]]
  std::vector<TomlKeys> tables(std::string_view key) const;

 private:
  const toml::node* find(std::string_view key, bool required) const;
  const toml::table* table(std::string_view key) const;
  std::string string_of(std::string_view key, const toml::node& node) const;
  AttributeValue attribute(std::string_view key, const toml::node& node) const;

  const toml::table& table_;
  const std::filesystem::path& path_;
};

toml::array toml_array(const std::vector<std::string>& texts);
toml::table toml_table(const Attributes& attributes);
toml::table toml_table(const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace pier
