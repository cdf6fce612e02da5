#include "registry/libraries.h"

#include <algorithm>

#include "base/env.h"
#include "base/text.h"
#include "inspect/search.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error);
}

std::vector<std::string> library_path() {
  std::string value = get_env("LD_LIBRARY_PATH").value_or("");
  std::ranges::replace(value, ';', ':');
  return split(value, ':');
}

bool is_hidden(const std::filesystem::path& library, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::filesystem::path other = std::filesystem::path(folder) / library.filename();
    std::error_code error;
    if (std::filesystem::exists(other, error)) return !is_same_file(other, library);
  }
  return false;
}

}  // namespace

std::vector<std::filesystem::path> companion_libraries(const InstalledPlugin& plugin) {
  std::vector<std::filesystem::path> out;
  for (const InstalledPackage& companion : plugin.companions) out.insert(out.end(), companion.libraries.begin(), companion.libraries.end());
  return out;
}

void take_libraries(Candidate& candidate, const InstalledPlugin& plugin) {
  candidate.preload = plugin.preload;
  candidate.beside = companion_libraries(plugin);
}

std::vector<std::filesystem::path> libraries_to_load_first(const std::vector<std::filesystem::path>& preload,
                                                           const std::vector<std::filesystem::path>& beside) {
  std::vector<std::filesystem::path> out = preload;
  if (beside.empty()) return out;
  const std::vector<std::string> folders = library_path();
  std::ranges::copy_if(beside, std::back_inserter(out), [&](const auto& library) { return is_hidden(library, folders); });
  return out;
}

std::vector<std::string> loaded_instead(const std::vector<std::filesystem::path>& libraries) {
  std::vector<std::string> out;
  if (libraries.empty()) return out;
  const auto places = inspection::host_search_places();
  if (!places) return out;
  for (const std::filesystem::path& library : libraries)
    for (const auto& loaded : places->loaded)
      if (loaded.soname == library.filename() && !is_same_file(loaded.path, library))
        out.push_back(text("{} was loaded before from {}: the plugin gets that one, not {}", loaded.soname, loaded.path.native(), library.native()));
  return out;
}

}  // namespace pier::registry
