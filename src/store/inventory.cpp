#include <algorithm>
#include <array>

#include <pier/error.h>
#include <pier/store.h>

#include "base/env.h"
#include "base/file.h"
#include "base/text.h"
#include "store/layout.h"
#include "store/manifest.h"
#include "store/names.h"

namespace pier {
namespace {

std::vector<std::filesystem::path> manifests_in(const std::filesystem::path& folder, Inventory& inventory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  std::filesystem::directory_iterator it(folder, error);
  if (error) {
    if (error != std::errc::no_such_file_or_directory) inventory.rejected.push_back({.manifest = folder, .reason = text("cannot be read: {}", error.message()), .id = {}});
    return files;
  }
  for (const std::filesystem::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().native();
    if (name.ends_with(".toml") && !name.starts_with('.')) files.push_back(it->path());
  }
  std::ranges::sort(files);
  return files;
}

// Whether the manifest, or what it records, was lost or changed: what cannot be read, or was written by a newer pier, may be whole.
bool is_damage(const Error& error, bool own_files) {
  return error.code() == ErrorCode::integrity || (own_files && error.code() == ErrorCode::not_found);
}

void add(const std::filesystem::path& path, Origin origin, Inventory& inventory) {
  const bool own_files = origin == Origin::installed || origin == Origin::foreign;
  const auto reject = [&](std::string reason, bool damaged) {
    inventory.rejected.push_back({path, std::move(reason), path.stem().native(), origin, damaged});
  };
  try {
    Manifest manifest = read_manifest(path);
    InstalledPlugin& plugin = manifest.plugin;
    plugin.origin = origin;
    if (path.stem() != plugin.id) throw IntegrityError(text("the file's name is not that of its id, '{}'", plugin.id));
    const std::string difference = library_difference(manifest);
    plugin.changed = !difference.empty();
    // A build of the user's may change; what pier put there may not. Its time may, when the folder was copied.
    std::error_code ignored;
    if (plugin.changed && own_files && plugin.library_size != 0 && std::filesystem::file_size(plugin.library, ignored) != plugin.library_size)
      throw IntegrityError(text("{}; install it again", difference));
    inventory.plugins.push_back(std::move(plugin));
  } catch (const Error& error) {
    reject(error.message(), is_damage(error, own_files));
  } catch (const std::exception& error) {
    reject(error.what(), false);
  }
}

void add_folder(const std::filesystem::path& folder, Origin origin, Inventory& inventory) {
  for (const auto& path : manifests_in(folder, inventory)) add(path, origin, inventory);
}

}  // namespace

std::string_view name(Origin origin) noexcept {
  switch (origin) {
    case Origin::registered: return "registered";
    case Origin::system: return "system";
    case Origin::installed: return "installed";
    case Origin::foreign: return "foreign";
  }
  return "unknown";
}

std::string_view name(Phase phase) noexcept {
  constexpr std::array<std::string_view, 7> names = {"waiting", "searching", "downloading", "unpacking", "checking", "loading", "finishing"};
  const auto index = static_cast<std::size_t>(phase);
  return index < names.size() ? names[index] : "unknown";
}

std::string_view name(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::installed: return "installed";
    case Outcome::already_installed: return "already installed";
    case Outcome::replaced: return "replaced";
    case Outcome::repaired: return "repaired";
  }
  return "unknown";
}

Inventory installed_plugins() {
  Inventory inventory;
  add_folder(registered_folder(), Origin::registered, inventory);
  for (const auto& folder : system_config_dirs()) add_folder(folder / "plugins", Origin::system, inventory);
  add_folder(Layout(host_platform()).manifests(), Origin::installed, inventory);
  std::error_code error;
  std::vector<std::filesystem::path> foreign;
  for (std::filesystem::directory_iterator it(foreign_folder(), error), end; !error && it != end; it.increment(error))
    foreign.push_back(it->path());
  std::ranges::sort(foreign);
  for (const auto& folder : foreign) add_folder(folder / "manifests", Origin::foreign, inventory);
  return inventory;
}

Inventory installed_plugins(std::string_view id) {
  Inventory inventory;
  if (!is_name(id)) return inventory;
  const auto add_from = [&](const std::filesystem::path& folder, Origin origin) {
    const std::filesystem::path file = folder / (std::string(id) + ".toml");
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, error))) add(file, origin, inventory);
  };
  add_from(registered_folder(), Origin::registered);
  for (const auto& folder : system_config_dirs()) add_from(folder / "plugins", Origin::system);
  add_from(Layout(host_platform()).manifests(), Origin::installed);
  return inventory;
}

}  // namespace pier
