#include "store/presence.h"

#include <pier/error.h>
#include <pier/log.h>

#include "base/text.h"
#include "store/digest.h"
#include "store/verify.h"

namespace pier {

std::optional<Manifest> Presence::current() {
  const auto path = layout_.manifest(request_.id);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    return read_manifest(path);
  } catch (const Error& error) {
    if (damage_.empty()) log(LogLevel::warning, text("a manifest is replaced because it cannot be read: {}", error.what()));
    if (error.code() == ErrorCode::integrity) damage_ = error.message();
    return std::nullopt;
  }
}

std::optional<Manifest> Presence::find() {
  auto manifest = current();
  if (!manifest || !packages_.is_set_of(manifest->plugin)) return std::nullopt;
  if (is_whole(*manifest)) return manifest;
  damage_ = text("the files in {} are not those that were installed", manifest->plugin.root.native());
  return std::nullopt;
}

bool Presence::is_wanted_library(const InstalledPlugin& plugin, const std::filesystem::path& root) const {
  if (plugin.library == root / packages_.own().member) return true;
  return request_.find_library && !plugin.library.lexically_relative(root).empty() && *plugin.library.lexically_relative(root).begin() != "..";
}

bool Presence::is_whole(const Manifest& manifest) const {
  const InstalledPlugin& plugin = manifest.plugin;
  try {
    if (!is_wanted_library(plugin, plugin.root)) return false;
    // The libraries beside it count as well.
    if (!has_recorded_files(plugin.root)) return false;
    // Size and time tell in microseconds what the hash of some hundred megabytes tells in a tenth of a second.
    if (manifest.library_mtime != 0 && library_difference(manifest).empty()) return true;
    return file_sha256(plugin.library) == plugin.library_sha256;
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::filesystem::path> Presence::folders() const {
  const std::string prefix = packages_.folder_name();
  std::error_code error;
  std::vector<std::filesystem::path> folders;
  for (std::filesystem::directory_iterator it(layout_.plugin_folder(request_.id), error), end; !error && it != end; it.increment(error))
    if (it->path().filename().native().starts_with(prefix)) folders.push_back(it->path());
  return folders;
}

std::optional<Manifest> Presence::read_whole(const std::filesystem::path& folder) const {
  try {
    Manifest manifest = read_manifest(folder / Layout::own_manifest);
    if (!packages_.is_set_of(manifest.plugin) || !is_wanted_library(manifest.plugin, folder)) return std::nullopt;
    const auto wrong = verify_tree(folder);
    if (wrong.empty()) return manifest;
    log(LogLevel::info, text("{} is not used again: {}", folder.native(), wrong.front()));
  } catch (const Error& failure) {
    log(LogLevel::info, text("{} is not used again: {}", folder.native(), failure.message()));
  }
  return std::nullopt;
}

}  // namespace pier
