#pragma once

#include <filesystem>
#include <vector>

#include <pier/registry.h>

namespace pier::registry {

// Takes over from a manifest which libraries a plugin needs besides its own.
void take_libraries(Candidate& candidate, const InstalledPlugin& plugin);

// Of a plugin's companions, in the order in which they are loaded.
std::vector<std::filesystem::path> companion_libraries(const InstalledPlugin& plugin);

// What has to be loaded before a plugin: the libraries of this machine that it uses, and those beside it of which
// LD_LIBRARY_PATH holds another: the loader would take that first. In order.
std::vector<std::filesystem::path> libraries_to_load_first(const std::vector<std::filesystem::path>& preload,
                                                           const std::vector<std::filesystem::path>& beside);

// Libraries of the same name that this process has loaded from elsewhere, and that the plugin will get instead of these: a line
// for each.
std::vector<std::string> loaded_instead(const std::vector<std::filesystem::path>& libraries);

}  // namespace pier::registry
