#include "registry/machine.h"

#include <filesystem>
#include <utility>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/platform.h"
#include "base/text.h"
#include "inspect/search.h"
#include "registry/catalog_lookup.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

// Where the loader would find it: what is loaded already, else its folders in their order.
std::filesystem::path find_library(const std::string& library) {
  const auto places = inspection::host_search_places();
  if (!places) return {};
  for (const auto& loaded : places->loaded)
    if (loaded.soname == library) return loaded.path;
  std::vector<std::string> found;
  for (const std::string& folder : places->library_path) found.push_back(folder + "/" + library);
  if (!places->cache.empty()) {
    const std::string_view arch = host_platform().arch == Arch::aarch64 ? "aarch64" : "x86_64";
    for (std::string& path : inspection::LoaderCache::read(places->cache, arch).paths(library)) found.push_back(std::move(path));
  }
  for (const std::string& folder : places->default_folders) found.push_back(folder + "/" + library);
  std::error_code error;
  for (const std::string& path : found)
    if (std::filesystem::exists(path, error)) return path;
  return {};
}

bool is_there(std::string_view sign) {
  if (sign == "always") return true;
  if (sign.starts_with("platform:")) return sign.substr(9) == to_string(host_platform());
  std::error_code error;
  return sign.starts_with("path:") && std::filesystem::exists(sign.substr(5), error);
}

}  // namespace

bool any_sign_is_there(const std::vector<std::string>& signs) {
  for (const std::string& sign : signs)
    if (is_there(sign)) return true;
  return false;
}

std::optional<bool> device_is_seen(std::string_view id) {
  const auto signs = signs_of(id);
  if (!signs) return std::nullopt;
  return any_sign_is_there(*signs);
}

std::optional<std::string> why_lacking(const CatalogNeed& need) {
  std::filesystem::path path;
  try {
    path = find_library(need.library);
    if (path.empty()) return text("{} is not on this machine", need.library);
    if (need.version.empty()) return std::nullopt;
    const Binary binary = inspect(path);
    const Image* const image = binary.image_for(to_string(host_platform()));
    if (image && contains(image->versions_defined, need.version)) return std::nullopt;
    return text("{} has no {}", path.native(), need.version);
  } catch (const Error& error) {
    return text("{} cannot be looked at: {}", path.empty() ? need.library : path.native(), error.message());
  }
}

}  // namespace pier::registry
