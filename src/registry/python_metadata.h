#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pier::registry {

// A package that is installed in a folder of Python's, as the name of its .dist-info folder tells.
struct Distribution {
  std::string name;     // As PEP 503 compares names: "some-plugin".
  std::string version;
  std::filesystem::path metadata;  // The .dist-info folder.
};

// Those of a site folder, by name; `complete` turns false where it has more than anyone installs.
std::vector<Distribution> distributions_in(const std::filesystem::path& site, bool& complete);

// Something that a package offers to whoever asks for its group.
struct EntryPoint {
  std::string name;
  std::string module;  // "jax_plugins.xla_cuda12"; only letters, digits, '_' and single dots.
};

// What an entry_points.txt has in the groups jax_plugins and xla_plugins. What is malformed there is left out. Source of the
// format: "Entry points specification" of the Python packaging user guide.
std::vector<EntryPoint> plugin_entry_points(std::string_view text);

// Libraries named like a plugin in a RECORD, as paths relative to the site folder; those that lead out of it are left out.
std::vector<std::filesystem::path> recorded_libraries(std::string_view record);

// The file's text, or nothing where it is not there, cannot be read or is larger than such a file is.
std::string metadata_text(const Distribution& distribution, const char* file);

}  // namespace pier::registry
