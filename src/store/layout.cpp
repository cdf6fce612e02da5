#include "store/layout.h"

#include <algorithm>
#include <vector>

#include <pier/error.h>
#include <pier/log.h>

#include "base/env.h"
#include "base/file.h"
#include "base/text.h"

namespace pier {

Layout::Layout(Platform platform)
    : data(platform == host_platform() ? data_home() : data_home() / "foreign" / to_string(platform)) {}

std::filesystem::path Layout::manifest(std::string_view id) const { return manifests() / text("{}.toml", id); }

std::filesystem::path Layout::lock(std::string_view id) const { return data / "locks" / text("{}.lock", id); }

std::filesystem::path registered_folder() { return config_home() / "plugins"; }

std::filesystem::path downloads_folder() { return cache_home() / "downloads"; }

void require_id(std::string_view id) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool good = !id.empty() && id.size() <= 64 && plain(id.front()) &&
                    std::ranges::all_of(id, [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
  if (good) return;
  std::string shown(id.substr(0, 100));
  std::ranges::replace_if(shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  throw Error(ErrorCode::invalid_argument, text("'{}' is no plugin id", shown))
      .note("an id has 1 to 64 of a-z, 0-9, '.', '_' and '-', and starts with a letter or digit");
}

void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  try {
    throw_errno(error.value(), "make the folder", folder);
  } catch (Error& failure) {
    failure.note("PIER_HOME names another place for everything that pier keeps");
    throw;
  }
}

void remove_tree(const std::filesystem::path& folder) {
  const std::filesystem::path parent = folder.parent_path();
  const std::filesystem::path aside = make_temporary_folder(parent);
  std::error_code error;
  std::filesystem::rename(folder, aside / "removed", error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
    throw_errno(error.value(), "remove", folder);
  }
  std::filesystem::remove_all(aside, error);
  if (error) throw_errno(error.value(), "remove", folder);
}

void sweep(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> stale;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().native().starts_with(".pier-")) stale.push_back(it->path());
  for (const auto& path : stale) {
    std::filesystem::remove_all(path, error);
    if (error) log(LogLevel::warning, text("cannot remove {}, left by an interrupted install: {}", path.native(), error.message()));
  }
}

}  // namespace pier
