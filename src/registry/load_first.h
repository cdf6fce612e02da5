#pragma once

#include <filesystem>
#include <vector>

namespace pier::registry {

// Loads libraries by absolute path, in this order, for the rest of the process: whatever asks for them by name later gets these.
// Throws Error (not_available) that names the library and the loader's reason.
void load_first(const std::vector<std::filesystem::path>& libraries);

}  // namespace pier::registry
