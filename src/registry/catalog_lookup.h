#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/catalog.h>

namespace pier::registry {

// Ids of the entries in the folder that PIER_CATALOG names.
std::vector<std::string> site_ids();

// Signs by which the device of an id is seen, without parsing TOML for a built-in entry; nothing for an id that the catalog
// does not have.
std::optional<std::vector<std::string>> signs_of(std::string_view id);

// The entry of that id for whoever did not ask for it by name: one broken file of a site's catalog must not take the rest away,
// so what is wrong with it becomes a warning.
std::optional<CatalogEntry> entry_or_warning(std::string_view id);

// Variables of other tools that name a library, each with the id it is for.
std::vector<std::pair<std::string, std::string>> path_variables();

// Ids by the names of packages, in normal form: an entry of that id has that package, or a companion of that name. Parses the entries of
// a site only.
std::map<std::string, std::string, std::less<>> ids_by_package();

// All entries by id, or those with a label: no other built-in one is parsed.
std::vector<CatalogEntry> catalog_entries(std::optional<std::string_view> label = {});

}  // namespace pier::registry
