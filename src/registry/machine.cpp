#include "registry/machine.h"

#include <filesystem>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

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
  const auto places = inspection::host_search_places();
  if (!places) return text("{} cannot be looked for: this system's loader is not glibc's", need.library);
  return why_lacking(need, *places);
}

std::optional<std::string> why_lacking(const CatalogNeed& need, const inspection::SearchPlaces& places) {
  // Looked for as on behalf of a library that needs it.
  Image user;
  user.platform = to_string(host_platform());
  user.arch = user.platform.substr(user.platform.find('-') + 1);
  user.needed = {{need.library, false}};
  const Binary package{.name = "the package", .path = {}, .size = 0, .format = BinaryFormat::elf, .images = {}, .universal = false};
  const inspection::SearchResult result = inspection::search_elf(package, user, places, {});
  const LibraryLookup& found = result.libraries.front();
  if (!found.path) {
    for (const Finding& finding : result.findings)
      if (finding.code == "library-broken") return finding.message;
    return text("{} is not on this machine", need.library);
  }
  if (need.version.empty()) return std::nullopt;
  try {
    const Binary binary = inspect(*found.path);
    const Image* const image = binary.image_for(user.platform);
    if (image && contains(image->versions_defined, need.version)) return std::nullopt;
    return text("{} has no {}", found.path->native(), need.version);
  } catch (const Error& error) {
    return text("{} cannot be looked at: {}", found.path->native(), error.message());
  }
}

}  // namespace pier::registry
