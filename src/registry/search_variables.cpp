#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/env.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/names.h"
#include "registry/search.h"

namespace pier::registry {
namespace {

// A library that PJRT_PLUGIN_LIBRARY_PATH names by itself, and not through its folder, is what its user wants by default.
constexpr int priority_of_a_named_file = 1000;

void add(const Query& query, Resolution& out, Candidate candidate) {
  if (!query.wants(candidate.id, candidate.labels)) {
    out.places.push_back(text("{}: {} is for '{}'", candidate.source, candidate.library.native(), candidate.id));
    return;
  }
  check_file(candidate);
  out.candidates.push_back(std::move(candidate));
}

// The id that a PIER_PLUGIN_ variable is for. Its '_' may stand for '-' or '.': the selector and the catalog know which.
std::string id_of_variable(const Query& query, std::string_view variable) {
  if (query.kind == Query::Kind::name && variable_of(query.text) == variable) return query.text;
  for (std::string& id : catalog_ids())
    if (variable_of(id) == variable) return std::move(id);
  return lower_ascii(variable.substr(std::string_view("PIER_PLUGIN_").size()));
}

void search_own_variables(const Query& query, Resolution& out) {
  constexpr std::string_view prefix = "PIER_PLUGIN_";
  std::vector<std::string> variables;
  for (char** at = environment(); at && *at; ++at) {
    const std::string_view line(*at);
    const std::size_t end = line.find('=');
    if (line.starts_with(prefix) && end != std::string_view::npos && end > prefix.size()) variables.emplace_back(line.substr(0, end));
  }
  std::sort(variables.begin(), variables.end());
  if (query.kind == Query::Kind::name && !contains(variables, variable_of(query.text)))
    out.places.push_back(text("{} is not set", variable_of(query.text)));
  for (const std::string& variable : variables) {
    const auto value = get_env(variable.c_str());
    if (!value) continue;
    const std::string id = id_of_variable(query, variable);
    for (const std::filesystem::path& library : libraries_at(*value, id)) add(query, out, candidate_for(library, variable, id));
  }
}

void search_plugin_library_path(const Query& query, Resolution& out) {
  constexpr const char* variable = "PJRT_PLUGIN_LIBRARY_PATH";
  const auto value = get_env(variable);
  if (!value) return out.places.push_back(text("{} is not set", variable));
  for (const std::string& place : split(*value, ':')) {
    std::error_code error;
    const bool folder = std::filesystem::is_directory(place, error);
    for (const std::filesystem::path& library : libraries_at(place, query.kind == Query::Kind::name ? query.text : "")) {
      Candidate candidate = candidate_for(library, variable, id_from_library(library));
      if (!folder && query.kind == Query::Kind::automatic) candidate.priority = priority_of_a_named_file;
      add(query, out, std::move(candidate));
    }
  }
}

// The entry under whose name, or under the name of one of whose packages, other frameworks know a plugin; of several the one of
// highest priority.
std::optional<CatalogEntry> entry_registered_as(const std::string& name) {
  if (auto entry = entry_or_warning(lower_ascii(name))) return entry;
  std::optional<CatalogEntry> best;
  for (CatalogEntry& entry : catalog_entries()) {
    const auto is_so_named = [&](const CatalogPackage& package) { return lower_ascii(package.registers_as) == lower_ascii(name); };
    if (std::ranges::any_of(entry.packages, is_so_named) && (!best || entry.priority > best->priority)) best = std::move(entry);
  }
  return best;
}

void search_names_and_paths(const Query& query, Resolution& out) {
  constexpr const char* variable = "PJRT_NAMES_AND_LIBRARY_PATHS";
  const auto value = get_env(variable);
  if (!value) return out.places.push_back(text("{} is not set", variable));
  for (const std::string& item : split(*value, ',')) {
    const std::size_t colon = item.find(':');
    const std::string name = item.substr(0, colon);
    if (colon == std::string::npos || colon + 1 == item.size() || !is_name(lower_ascii(name))) {
      out.places.push_back(text("{}: '{}' is not name:path", variable, item));
      continue;
    }
    const auto entry = entry_registered_as(name);
    // The user's own name is an answer too: whoever writes mtl:/path may ask for "mtl".
    const bool by_own_name = query.kind == Query::Kind::name && query.text == lower_ascii(name);
    for (const std::filesystem::path& library : libraries_at(item.substr(colon + 1), lower_ascii(name))) {
      Candidate candidate = candidate_for(library, variable, entry && !by_own_name ? entry->id : lower_ascii(name));
      if (entry) complete_from_catalog(candidate, *entry, name);
      add(query, out, std::move(candidate));
    }
  }
}

void search_catalog_variables(const Query& query, Resolution& out) {
  for (const auto& [variable, id] : path_variables()) {
    const auto value = get_env(variable.c_str());
    if (!value) {
      if (query.text == id) out.places.push_back(text("{} is not set", variable));
      continue;
    }
    for (const std::filesystem::path& library : libraries_at(*value, id)) add(query, out, candidate_for(library, variable, id));
  }
}

}  // namespace

void search_variables(const Query& query, Resolution& out) {
  if (query.kind == Query::Kind::path) return;
  search_own_variables(query, out);
  search_plugin_library_path(query, out);
  search_names_and_paths(query, out);
  search_catalog_variables(query, out);
}

}  // namespace pier::registry
