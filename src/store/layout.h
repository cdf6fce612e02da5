#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/platform.h"

namespace pier {

// Where the store keeps things for one platform; free of "." and "..", so that paths can be compared:
//   <data>/plugins/<id>/<version>-<sha12>/   the packages' files, their manifest and record; temporaries start with ".pier-"
//   <data>/manifests/<id>.toml               which of them counts
//   <data>/locks/<id>.lock                   held by whoever changes them
// <data> is data_home(), or data_home()/foreign/<platform>.
struct Layout {
  explicit Layout(Platform platform);

  static constexpr std::string_view own_manifest = "pier-manifest.toml";
  static constexpr std::string_view own_record = "pier-record.csv";  // every other file there with hash and size

  std::filesystem::path plugin_folder(std::string_view id) const { return data / "plugins" / id; }
  std::filesystem::path manifests() const { return data / "manifests"; }
  std::filesystem::path manifest(std::string_view id) const;
  std::filesystem::path lock(std::string_view id) const;

  std::filesystem::path data;
};

// Packages for other platforms, one folder each.
std::filesystem::path foreign_folder();

// Manifests of registered plugins: config_home()/plugins/<id>.toml.
std::filesystem::path registered_folder();

// Unfinished downloads: cache_home()/downloads.
std::filesystem::path downloads_folder();

// Throws Error (invalid_argument) unless the id is a name (store/names.h).
void require_id(std::string_view id);

// Makes the folder and those above it, writable by their owner only, whatever the umask would allow. Throws Error by what the
// system said, with what to do.
void make_folders(const std::filesystem::path& folder);

// Removes a folder tree so that a half-removed one is never mistaken for a whole one: it is renamed to a ".pier-" name first.
void remove_tree(const std::filesystem::path& folder);

// Whether the name is one of pier's temporaries'.
bool is_temporary(const std::filesystem::path& path);

// Removes what an interrupted install or removal left in the folder (names that start with ".pier-"). Only for whoever
// holds the lock of that folder: nobody else can be writing there.
void sweep(const std::filesystem::path& folder);

}  // namespace pier
