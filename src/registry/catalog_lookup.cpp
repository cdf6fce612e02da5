#include <algorithm>
#include <map>

#include <pier/catalog.h>
#include <pier/error.h>
#include <pier/log.h>

#include "base/env.h"
#include "base/file.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/embedded.h"
#include "registry/names.h"
#include "registry/trust.h"
#include "store/version.h"

namespace pier {
namespace registry {
namespace {

constexpr std::uint64_t largest_entry = 1 << 20;
// The list beside the entries; no accelerator can have its name.
constexpr std::string_view unusable_list = "unusable";

std::filesystem::path site_folder() {
  const auto value = get_env("PIER_CATALOG");
  if (!value) return {};
  std::error_code error;
  // What is judged is what is read, wherever a link on the way leads later.
  const std::filesystem::path folder = std::filesystem::canonical(*value, error);
  if (error || !std::filesystem::is_directory(folder, error))
    throw Error(ErrorCode::not_found, text("PIER_CATALOG names {}, which is not a folder", *value));
  // Whoever can write a catalog decides which hashes are good.
  if (auto why = why_untrusted(folder)) throw Error(ErrorCode::permission_denied, text("PIER_CATALOG is not used: {}", *why));
  return folder;
}

// The file of the site's catalog for that id, or nothing.
std::filesystem::path site_file(std::string_view id) {
  const std::filesystem::path folder = site_folder();
  if (folder.empty()) return {};
  const std::filesystem::path file = folder / (std::string(id) + ".toml");
  std::error_code error;
  return std::filesystem::exists(file, error) ? file : std::filesystem::path{};
}

std::string read_site_file(const std::filesystem::path& file) {
  if (auto why = why_untrusted(file)) throw Error(ErrorCode::permission_denied, text("{} is not used: {}", file.native(), *why));
  log(LogLevel::debug, text("reading {}", file.native()));
  return read_file(file, largest_entry);
}

std::optional<CatalogEntry> site_entry(std::string_view id) {
  const std::filesystem::path file = site_file(id);
  if (file.empty()) return std::nullopt;
  CatalogEntry entry = parse_catalog_entry(read_site_file(file), file.native());
  if (entry.id != id)
    throw Error(ErrorCode::invalid_argument, text("{} is named for '{}' but says id = '{}'", file.native(), id, entry.id));
  return entry;
}

const EmbeddedEntry* embedded_entry(std::string_view id) {
  for (const EmbeddedEntry& entry : embedded_entries())
    if (entry.id == id) return &entry;
  return nullptr;
}

}  // namespace

std::vector<std::string> site_ids() {
  std::vector<std::string> ids;
  const std::filesystem::path folder = site_folder();
  if (folder.empty()) return ids;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::filesystem::path file = at->path();
    if (file.extension() == ".toml" && is_name(file.stem().native()) && file.stem() != unusable_list) ids.push_back(file.stem());
  }
  if (error) throw_errno(error.value(), "list", folder);
  return ids;
}

std::optional<CatalogEntry> entry_or_warning(std::string_view id) {
  try {
    return catalog_entry(id);
  } catch (const Error& error) {
    log(LogLevel::warning, error.what());
    return std::nullopt;
  }
}

std::optional<std::vector<std::string>> signs_of(std::string_view id) {
  if (!site_file(id).empty()) {
    const auto entry = entry_or_warning(id);
    return entry ? std::optional(entry->seen) : std::nullopt;
  }
  if (const EmbeddedEntry* entry = embedded_entry(id)) return split(entry->seen, ',');
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> path_variables() {
  std::map<std::string, std::vector<std::string>, std::less<>> by_id;
  for (const EmbeddedEntry& entry : embedded_entries()) by_id[std::string(entry.id)] = split(entry.variables, ',');
  for (const std::string& id : site_ids())
    if (const auto entry = entry_or_warning(id)) by_id[id] = entry->variables;
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [id, variables] : by_id)
    for (const std::string& variable : variables) out.emplace_back(variable, id);
  return out;
}

std::map<std::string, std::string, std::less<>> ids_by_package() {
  std::map<std::string, std::string, std::less<>> out;
  for (const std::string& id : site_ids())
    if (const auto entry = entry_or_warning(id))
      for (const CatalogPackage& package : entry->packages) out.try_emplace(normalize_name(package.name), id);
  for (const EmbeddedEntry& entry : embedded_entries())
    if (site_file(entry.id).empty())
      for (const std::string& package : split(entry.packages, ',')) out.try_emplace(normalize_name(package), entry.id);
  return out;
}

std::vector<CatalogEntry> catalog_entries(std::optional<std::string_view> label) {
  std::vector<CatalogEntry> out;
  for (const std::string& id : catalog_ids()) {
    const EmbeddedEntry* const embedded = embedded_entry(id);
    if (label && embedded && site_file(id).empty() && !contains(split(embedded->labels, ','), *label)) continue;
    auto entry = entry_or_warning(id);
    if (entry && (!label || contains(entry->labels, *label))) out.push_back(std::move(*entry));
  }
  return out;
}

}  // namespace registry

std::vector<std::string> catalog_ids() {
  std::vector<std::string> ids = registry::site_ids();
  for (const registry::EmbeddedEntry& entry : registry::embedded_entries()) ids.emplace_back(entry.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::optional<CatalogEntry> catalog_entry(std::string_view id) {
  if (!is_name(id) || id == registry::unusable_list) return std::nullopt;
  if (auto entry = registry::site_entry(id)) return entry;
  const registry::EmbeddedEntry* const entry = registry::embedded_entry(id);
  if (!entry) return std::nullopt;
  const std::string source = text("catalog/{}.toml", id);
  log(LogLevel::debug, text("reading the built-in {}", source));
  CatalogEntry parsed = parse_catalog_entry(entry->toml, source);
  parsed.source = "built in";
  return parsed;
}

std::optional<UnusablePackage> unusable_package(std::string_view name) {
  const std::string wanted = normalize_name(name);
  const auto find = [&](std::vector<UnusablePackage> packages) -> std::optional<UnusablePackage> {
    for (UnusablePackage& package : packages)
      if (normalize_name(package.name) == wanted) return std::move(package);
    return std::nullopt;
  };
  if (const std::filesystem::path file = registry::site_file(registry::unusable_list); !file.empty())
    if (auto found = find(parse_unusable_packages(registry::read_site_file(file), file.native()))) return found;
  return find(parse_unusable_packages(registry::embedded_unusable(), "catalog/unusable.toml"));
}

}  // namespace pier
