#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pier::registry {

// How far a walk goes; what lies beyond is not looked at.
struct WalkLimits {
  std::size_t depth = 4;          // Folders below the first one.
  std::size_t entries = 10'000;   // Files and folders in all.
};

struct FoundLibraries {
  std::vector<std::filesystem::path> paths;  // By name.
  bool complete = true;                      // False: the walk ended at a limit, or a folder could not be read.
};

// Libraries named like a plugin in the folder and in those below it. Links to folders are not followed, so that no walk runs in a
// circle or out of the tree; nor are folders of build tools that hold copies of what lies elsewhere in the tree.
FoundLibraries plugin_libraries_below(const std::filesystem::path& folder, const WalkLimits& limits = {});

// How far a build tool's output folder is walked: deep, and large without the folders that the walk leaves out.
inline constexpr WalkLimits output_limits{.depth = 16, .entries = 200'000};

// Why the library is no plugin, by its header: "it does not export GetPjrtApi"; nothing when it is one for some machine.
std::optional<std::string> why_no_plugin(const std::filesystem::path& library);

// The one plugin in the folder or below it. Throws Error (not_found) when there is none, (invalid_argument) with all of them when
// there are several.
std::filesystem::path only_plugin_in(const std::filesystem::path& folder);

}  // namespace pier::registry
