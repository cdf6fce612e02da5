#include "store/pip_config.h"

#include <algorithm>
#include <sstream>

#include <pier/error.h>
#include <pier/log.h>

#include "base/ascii.h"
#include "base/env.h"
#include "base/file.h"
#include "base/text.h"

namespace pier {
namespace {

constexpr std::uint64_t file_limit = std::uint64_t{1} << 20;

// pip takes "index_url", "Index-URL" and "--index-url" for the same.
std::string option_name(std::string_view key) {
  std::string out(trim(key));
  std::ranges::transform(out, out.begin(), [](char c) { return c == '_' ? '-' : lower_ascii(c); });
  if (out.starts_with("--")) out.erase(0, 2);
  return out;
}

std::filesystem::path home() { return get_env("HOME").value_or(""); }

}  // namespace

std::vector<std::filesystem::path> pip_config_files() {
  std::vector<std::filesystem::path> files;
  const auto own = get_env("PIP_CONFIG_FILE");
  if (own == "/dev/null") return files;
#if defined(__APPLE__)
  files.emplace_back("/Library/Application Support/pip/pip.conf");
#else
  // The most important folder stands first in the variable.
  std::vector<std::filesystem::path> shared;
  std::istringstream folders(get_env("XDG_CONFIG_DIRS").value_or("/etc/xdg"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty()) shared.insert(shared.begin(), std::filesystem::path(folder) / "pip/pip.conf");
  files.insert(files.end(), shared.begin(), shared.end());
#endif
  files.emplace_back("/etc/pip.conf");
  std::error_code ignored;
  // A file of one's own replaces the user's files.
  if (!own || !std::filesystem::exists(*own, ignored)) {
    if (!home().empty()) files.push_back(home() / ".pip/pip.conf");
    std::filesystem::path folder = home().empty() ? "" : home() / ".config";
    if (const auto xdg = get_env("XDG_CONFIG_HOME")) folder = *xdg;
#if defined(__APPLE__)
    const std::filesystem::path support = home() / "Library/Application Support";
    if (std::filesystem::is_directory(support / "pip", ignored)) folder = support;
#endif
    if (!folder.empty()) files.push_back(folder / "pip/pip.conf");
  }
  if (const auto environment = get_env("VIRTUAL_ENV")) files.push_back(std::filesystem::path(*environment) / "pip.conf");
  if (own) files.emplace_back(*own);
  return files;
}

PipConfig PipConfig::of_machine() {
  PipConfig config;
  for (const auto& file : pip_config_files()) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) config.read_file(file);
  }
  config.read_variable("PIP_INDEX_URL", "index-url");
  config.read_variable("PIP_EXTRA_INDEX_URL", "extra-index-url");
  config.read_variable("PIP_FIND_LINKS", "find-links");
  config.read_variable("PIP_NO_INDEX", "no-index");
  config.read_variable("PIP_CERT", "cert");
  config.read_variable("PIP_PROXY", "proxy");
  config.read_variable("PIP_TRUSTED_HOST", "trusted-host");
  config.read_variable("PIP_TIMEOUT", "timeout");
  config.read_variable("PIP_DEFAULT_TIMEOUT", "timeout");
  config.read_variable("PIP_RETRIES", "retries");
  return config;
}

void PipConfig::read_file(const std::filesystem::path& path) {
  try {
    read_text(pier::read_file(path, file_limit), path.native());
  } catch (const Error& error) {
    log(LogLevel::warning, text("pip's configuration file is passed over: {}", error.what()));
  }
}

void PipConfig::read_text(std::string_view content, const std::string& from) {
  // The settings of a file count only if all of it can be read.
  std::map<std::string, PipSetting, std::less<>> global, install, other;
  std::map<std::string, PipSetting, std::less<>>* section = nullptr;
  PipSetting* last = nullptr;
  std::size_t number = 0;
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  while (!content.empty()) {
    ++number;
    const std::size_t end = content.find('\n');
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    const std::string_view trimmed = trim(line);
    if (trimmed.empty() || trimmed.front() == '#' || trimmed.front() == ';') continue;
    const bool indented = line.front() == ' ' || line.front() == '\t';
    if (indented && last) {
      if (!last->value.empty()) last->value += '\n';
      last->value += trimmed;
      continue;
    }
    if (trimmed.front() == '[' && trimmed.back() == ']') {
      const std::string_view name = trimmed.substr(1, trimmed.size() - 2);
      section = name == "global" ? &global : name == "install" ? &install : &other;
      last = nullptr;
      continue;
    }
    const std::size_t split = trimmed.find_first_of("=:");
    if (split == std::string_view::npos || split == 0 || !section)
      throw Error(ErrorCode::invalid_argument, text("{}, line {}: not a setting", from, number));
    last = &((*section)[option_name(trimmed.substr(0, split))] = {std::string(trim(trimmed.substr(split + 1))), from});
  }
  for (auto& [key, value] : global) global_[key] = value;
  for (auto& [key, value] : install) install_[key] = value;
}

void PipConfig::read_variable(const char* variable, std::string_view option) {
  if (const auto value = get_env(variable)) variables_[std::string(option)] = {*value, variable};
}

std::optional<PipSetting> PipConfig::get(std::string_view option) const {
  for (const auto* settings : {&variables_, &install_, &global_}) {
    const auto found = settings->find(option);
    if (found != settings->end() && !trim(found->second.value).empty())
      return PipSetting{std::string(trim(found->second.value)), found->second.from};
  }
  return std::nullopt;
}

std::vector<PipSetting> PipConfig::list(std::string_view option) const {
  std::vector<PipSetting> out;
  const auto setting = get(option);
  if (!setting) return out;
  std::istringstream words(setting->value);
  for (std::string word; words >> word;) out.push_back({word, setting->from});
  return out;
}

bool PipConfig::flag(std::string_view option) const {
  const auto setting = get(option);
  if (!setting) return false;
  const std::string value = option_name(setting->value);
  return value == "1" || value == "true" || value == "yes" || value == "on" || value == "y" || value == "t";
}

}  // namespace pier
