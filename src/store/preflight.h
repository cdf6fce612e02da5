#pragma once

#include <string>
#include <vector>

#include <pier/store.h>

namespace pier {

// Reads the library's headers for the plugin's platform. Throws IntegrityError for a file that is no library, Error
// (invalid_argument) for a library that is no plugin, and Error (not_available) for one that cannot be loaded there, with every reason and its remedy; adds warnings to `notes`.
void require_preflight(const InstalledPlugin& plugin, std::vector<std::string>& notes);

}  // namespace pier
