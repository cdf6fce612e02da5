#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>

#include "inspect/search.h"

namespace pier::registry {

// Whether one of the signs of a device is there. A sign is "always", "platform:macos-arm64" or "path:/dev/kfd".
bool any_sign_is_there(const std::vector<std::string>& signs);

// Whether a device of that accelerator is seen on this machine; nothing for one that the catalog does not know.
std::optional<bool> device_is_seen(std::string_view id);

// Why this machine lacks what a package needs ("libstdc++.so.6 has no GLIBCXX_3.4.22"), or nothing. Looks where this
// machine's loader would, and reads the library without loading it.
std::optional<std::string> why_lacking(const CatalogNeed& need);
// The same for a machine of this kind with those places.
std::optional<std::string> why_lacking(const CatalogNeed& need, const inspection::SearchPlaces& places);

}  // namespace pier::registry
