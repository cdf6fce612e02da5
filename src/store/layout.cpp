#include "store/layout.h"

#include <cerrno>
#include <vector>

#include <sys/stat.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/env.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/names.h"

namespace pier {
namespace {

// "x/../y" means what the system makes of it, links included; nothing else is touched.
std::filesystem::path without_dots(const std::filesystem::path& path) {
  if (path.lexically_normal() == path) return path;
  std::error_code error;
  std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : whole;
}

}  // namespace

Layout::Layout(Platform platform)
    : data(platform == host_platform() ? without_dots(data_home()) : foreign_folder() / to_string(platform)) {}

std::filesystem::path foreign_folder() { return without_dots(data_home()) / "foreign"; }

std::filesystem::path Layout::manifest(std::string_view id) const { return manifests() / text("{}.toml", id); }

std::filesystem::path Layout::lock(std::string_view id) const { return data / "locks" / text("{}.lock", id); }

std::filesystem::path registered_folder() { return without_dots(config_home()) / "plugins"; }

std::filesystem::path downloads_folder() { return without_dots(cache_home()) / "downloads"; }

void require_id(std::string_view id) {
  if (is_name(id)) return;
  throw Error(ErrorCode::invalid_argument, text("'{}' is no plugin id", escaped(shortened(id)))).note(std::string(name_rule));
}

void make_folders(const std::filesystem::path& folder) {
  const auto is_folder = [](const std::filesystem::path& place) {
    std::error_code ignored;
    return std::filesystem::is_directory(place, ignored);
  };
  int failed = 0;
  std::filesystem::path path;
  for (auto part = folder.begin(); part != folder.end() && failed == 0; ++part) {
    path /= *part;
    // A folder that is there may say anything else than that it exists: it may lie on a disk that cannot be written.
    const int error = ::mkdir(path.c_str(), 0755) == 0 ? 0 : errno;
    if (error != 0 && error != EEXIST && !is_folder(path)) failed = error;
  }
  if (failed == 0 && !is_folder(folder)) failed = ENOTDIR;
  if (failed == 0) return;
  try {
    throw_errno(failed, "make the folder", folder);
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

bool is_temporary(const std::filesystem::path& path) { return path.filename().native().starts_with(".pier-"); }

void sweep(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> stale;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (is_temporary(it->path())) stale.push_back(it->path());
  for (const auto& path : stale) {
    std::filesystem::remove_all(path, error);
    if (error) log(LogLevel::warning, text("cannot remove {}, left by an interrupted install: {}", path.native(), error.message()));
  }
}

}  // namespace pier
