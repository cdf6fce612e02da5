#include "registry/names.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "store/names.h"

namespace pier::registry {
namespace {

bool is_version_like(std::string_view token) {
  if (token.starts_with('v')) token.remove_prefix(1);
  return !token.empty() && std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool says_nothing(std::string_view token) {
  constexpr std::array words = {"pjrt", "c", "api", "plugin", "xla", "native", "lib"};
  return std::find(words.begin(), words.end(), token) != words.end();
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string join(const std::vector<std::string>& list, std::string_view separator) {
  std::string out;
  for (const std::string& item : list) {
    if (!out.empty()) out += separator;
    out += item;
  }
  return out;
}

std::string shell_word(std::string_view word) {
  const auto plain = [](char c) {
    return (lower_ascii(c) >= 'a' && lower_ascii(c) <= 'z') || (c >= '0' && c <= '9') || std::string_view("/._-+=:@%,~").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + "'";
}

std::string variable_of(std::string_view id) {
  std::string out = "PIER_PLUGIN_";
  for (const char c : id) {
    if (c >= 'a' && c <= 'z') out += static_cast<char>(c - 'a' + 'A');
    else out += (c == '-' || c == '.') ? '_' : c;
  }
  return out;
}

bool is_plugin_name(std::string_view file_name) {
  return is_library_name(file_name) && (file_name.find("pjrt") != std::string_view::npos || file_name.find("plugin") != std::string_view::npos);
}

std::string id_from_library(const std::filesystem::path& library) {
  std::string stem = lower_ascii(library.filename().native());
  for (const std::string_view extension : {".so", ".dylib", ".dll"})
    if (const std::size_t at = stem.rfind(extension); at != std::string::npos && at > 0) stem.resize(at);
  if (stem.starts_with("lib") && stem.size() > 3) stem.erase(0, 3);

  std::string words = stem;
  std::replace_if(words.begin(), words.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  std::vector<std::string> telling;
  for (const std::string& token : split(words, '_'))
    if (!says_nothing(token) && !is_version_like(token)) telling.push_back(token);
  std::string id = telling.empty() ? words : join(telling, "_");
  return is_name(id) ? id : "plugin";
}

int default_priority(std::string_view id, const std::vector<std::string>& labels) {
  const auto is = [&](std::string_view word) { return id == word || contains(labels, word); };
  if (is("tpu")) return 600;
  if (is("gpu")) return 500;
  if (is("cpu")) return 100;
  return 300;
}

}  // namespace pier::registry
