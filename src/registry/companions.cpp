#include "registry/companions.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/env.h"
#include "base/text.h"
#include "inspect/search.h"
#include "registry/names.h"
#include "registry/python_metadata.h"
#include "registry/trust.h"
#include "store/version.h"

namespace pier::registry {
namespace {

using std::filesystem::path;

// Subfolders whose names begin so, newest version (by name) first.
std::vector<path> subfolders(const path& folder, std::string_view prefix) {
  std::vector<path> out;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().native().starts_with(prefix)) out.push_back(it->path());
  std::ranges::sort(out, std::greater<>());
  return out;
}

// The folders of a toolkit that may hold libraries.
void add_toolkit(const path& root, std::vector<path>& out) {
  for (const char* part : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) out.push_back(root / part);
}

// A folder with all libraries of a companion.
struct Found {
  std::vector<path> libraries;  // as they lie there: links stay, for the name is what the loader compares
  std::string version;          // empty when nothing tells it
  path folder;
};

// "12.9.1.4" when libcublas.so.12 is a link to libcublas.so.12.9.1.4; nothing when the file has no longer name.
std::string version_by_name(const path& library) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(library, error).filename();
  const std::string name = library.filename();
  const std::size_t so = name.find(".so.");
  if (error || so == std::string::npos || real == name || !real.starts_with(name.substr(0, so + 4))) return {};
  std::string version = real.substr(so + 4);
  return Version::parse(version) ? version : std::string();
}

// What the package's own folder beside the libraries says.
std::string version_in_site(const path& site, std::string_view package) {
  bool complete = true;
  const std::vector<Distribution> distributions = distributions_in(site, complete);
  const auto found = std::ranges::find(distributions, normalize_name(package), &Distribution::name);
  return found == distributions.end() ? std::string() : found->version;
}

std::optional<Found> all_in(const path& folder, const CatalogCompanion& companion) {
  Found found{.libraries = {}, .version = {}, .folder = folder};
  std::error_code error;
  for (const std::string& name : companion.libraries) {
    if (!std::filesystem::is_regular_file(folder / name, error)) return std::nullopt;
    found.libraries.push_back(folder / name);
    if (found.version.empty()) found.version = version_by_name(found.libraries.back());
  }
  return found.libraries.empty() ? std::nullopt : std::optional(std::move(found));
}

std::vector<Found> find_all(const CatalogCompanion& companion, const LibraryPlaces& places, const inspection::LoaderCache& cache) {
  std::vector<Found> out;
  const auto look = [&](const path& folder) {
    std::error_code error;
    for (const Found& other : out)
      if (std::filesystem::equivalent(other.folder, folder, error)) return;
    if (auto found = all_in(folder, companion)) out.push_back(std::move(*found));
  };
  for (const path& folder : places.folders) look(folder);
  for (const path& site : places.sites)
    for (const path& package : subfolders(site / "nvidia", "")) {
      const std::size_t before = out.size();
      look(package / "lib");
      if (out.size() > before) {
        // The files there may have no version in their names; several packages may share a folder.
        const std::string version = version_in_site(site, companion.name);
        if (!version.empty()) out.back().version = version;
      }
    }
  if (!companion.libraries.empty())
    for (const std::string& library : cache.paths(companion.libraries.front())) look(path(library).parent_path());
  return out;
}

inspection::LoaderCache read_cache(const path& file) {
  const std::string host = to_string(host_platform());
  try {
    return inspection::LoaderCache::read(file, host.substr(host.find('-') + 1));
  } catch (const Error&) {
    return {};  // A damaged cache is for `pier doctor` to tell.
  }
}

// Why a library of the machine cannot be used, or nothing.
std::optional<std::string> why_unusable(const path& library) {
  if (auto why = why_untrusted(library)) return why;
  try {
    if (inspect(library).image_for(to_string(host_platform()))) return std::nullopt;
    return text("{} is for another processor", library.native());
  } catch (const Error& error) {
    return error.message();
  }
}

// The first that fits; what was found and does not is noted.
std::optional<Found> fitting(const CatalogCompanion& companion, const LibraryPlaces& places, const inspection::LoaderCache& cache,
                             std::vector<std::string>& notes) {
  const auto fits = VersionSpecifiers::parse(companion.fits);
  if (!fits) return std::nullopt;
  for (Found& found : find_all(companion, places, cache)) {
    const auto passed_over = [&](std::string_view why) {
      notes.push_back(text("{} in {} is not used in place of {}: {}", companion.libraries.front(), found.folder.native(), companion.name, why));
    };
    if (found.version.empty()) {
      passed_over("its version is not known");
      continue;
    }
    if (!fits->contains(found.version)) {
      passed_over(text("it is {}, needed is {}", found.version, companion.fits));
      continue;
    }
    std::optional<std::string> why;
    for (const path& library : found.libraries)
      if (!why) why = why_unusable(library);
    if (!why) return std::move(found);
    passed_over(*why);
  }
  return std::nullopt;
}

}  // namespace

LibraryPlaces library_places() {
  LibraryPlaces places;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const auto root = get_env(variable)) add_toolkit(*root, places.folders);
  add_toolkit("/usr/local/cuda", places.folders);
  for (const path& root : subfolders("/usr/local", "cuda-")) add_toolkit(root, places.folders);
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const auto root = get_env(variable))
      for (const path& python : subfolders(path(*root) / "lib", "python")) places.sites.push_back(python / "site-packages");
  places.loader_cache = "/etc/ld.so.cache";
  return places;
}

CompanionChoice choose_companions(const CatalogPackage& package, const Target& target, const CompanionWishes& wishes,
                                  const LibraryPlaces& places) {
  CompanionChoice choice;
  const std::string platform = to_string(target.platform);
  for (const std::string& name : wishes.without) {
    const auto found = std::ranges::find(package.companions, name, &CatalogCompanion::name);
    if (found != package.companions.end() && found->optional) continue;
    Error error(ErrorCode::invalid_argument, found == package.companions.end() ? text("{} needs no package '{}'", package.name, name)
                                                                               : text("{} does not run without {}", package.name, name));
    for (const CatalogCompanion& companion : package.companions)
      if (companion.optional) error.note(text("it runs without: {}", companion.name));
    throw error;
  }
  std::optional<inspection::LoaderCache> cache;
  for (const CatalogCompanion& companion : package.companions) {
    const auto file = std::ranges::find(companion.files, platform, &Pin::platform);
    if (file == companion.files.end() || contains(wishes.without, companion.name)) continue;
    if (target.host && !wishes.bundled && !companion.fits.empty()) {
      if (!cache) cache = read_cache(places.loader_cache);
      if (auto found = fitting(companion, places, *cache, choice.notes)) {
        choice.notes.push_back(text("{} {} of this machine is used, in {} (--bundled fetches {} {})", companion.name, found->version,
                                    found->folder.native(), companion.name, companion.version));
        choice.preload.insert(choice.preload.end(), found->libraries.begin(), found->libraries.end());
        continue;
      }
    }
    choice.fetched.push_back(*file);
    choice.fetched.back().libraries = companion.libraries;
  }
  return choice;
}

}  // namespace pier::registry
