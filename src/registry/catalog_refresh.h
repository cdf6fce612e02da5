#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>

#include "registry/catalog_check.h"

namespace pier::registry {

// A newer release for a package or a companion of an entry.
struct NewPins {
  std::string package;
  std::string from;  // the pinned version
  std::string to;
  struct File {
    Pin old_pin;
    Pin new_pin;  // unpacked size and member are the old one's
  };
  std::vector<File> files;  // one for each platform that is pinned
};

struct Refreshed {
  std::string id;
  std::vector<NewPins> newer;
  std::vector<std::string> notes;  // releases that were passed over, and why
};

// The newest release, by PEP 440, of each package and companion of the entry that has a file for every platform pinned. Not
// withdrawn ones, no pre-releases unless one is pinned, and of companions only what `fits` allows. Throws what
// Projects::pages() throws.
Refreshed refresh(const CatalogEntry& entry, Projects& projects);

// The text of a catalog file with the new pins in place of the old, everything else untouched. Throws Error (invalid_argument) when
// it is not laid out so that it can be changed like that.
std::string rewritten(std::string_view toml, const Refreshed& refreshed, std::string_view source);

}  // namespace pier::registry
