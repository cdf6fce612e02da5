#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>
#include <pier/registry.h>

#include "registry/select.h"

namespace pier::registry {

// A request made definite: which bytes are installed, and under which settings.
struct Order {
  PluginRequest plugin;
  std::optional<CatalogEntry> entry;  // nothing for an id that the catalog does not have
  std::vector<std::string> notes;     // what the user should know about the choice
  std::vector<std::string> others;    // packages that could have been chosen instead
};

// Reads the catalog, and asks the index where another version than the pinned one is wanted. Throws as install_plugin() does.
Order make_order(std::string_view id, const InstallRequest& request, const Target& target);

}  // namespace pier::registry
