#include "store/publish.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/file.h"
#include "base/text.h"
#include "store/in_use.h"
#include "store/verify.h"

namespace pier {
namespace {

std::filesystem::path free_name(const std::filesystem::path& home, const std::string& name) {
  std::filesystem::path path = home / name;
  std::error_code ignored;
  // A folder that a running process may use is never written into; a second copy stands beside it.
  for (int copy = 2; std::filesystem::exists(std::filesystem::symlink_status(path, ignored)); ++copy) path = home / text("{}-r{}", name, copy);
  return path;
}

void write_record(const Unpacked& files, const std::filesystem::path& path) {
  const std::string record = format_record(files);
  const Fd fd = open_file(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  write_all(fd.get(), std::as_bytes(std::span(record)), path);
  sync_fd(fd.get(), path);
}

void move_paths(InstalledPlugin& plugin, const std::filesystem::path& root) {
  const auto moved = [&](const std::filesystem::path& path) { return root / path.lexically_relative(plugin.root); };
  plugin.library = moved(plugin.library);
  for (InstalledPackage& companion : plugin.companions)
    for (std::filesystem::path& library : companion.libraries) library = moved(library);
  plugin.root = root;
}

}  // namespace

void Publisher::move_into_place(const Staging& staging, const PackageSet& packages, const Unpacked& files, Manifest& manifest) const {
  const std::filesystem::path home = layout_.plugin_folder(manifest.plugin.id);
  write_record(files, staging.root() / Layout::own_record);
  write_manifest(manifest, staging.root() / Layout::own_manifest);
  sync_tree(files, staging.root());
  const std::filesystem::path final = free_name(home, packages.folder_name());
  if (std::rename(staging.root().c_str(), final.c_str()) != 0) throw_errno(errno, "rename to", final);
  sync_folder(home);
  move_paths(manifest.plugin, final);
}

void Publisher::publish(Manifest& manifest) const {
  make_folders(layout_.manifests());
  // Held only for the moment of writing, so whatever temporary lies there was left by a process that is gone.
  const FileLock lock = wait_for_lock(layout_.manifests() / ".lock", lock_timeout_, waiting_);
  sweep(layout_.manifests());
  manifest.plugin.manifest = layout_.manifest(manifest.plugin.id);
  write_manifest(manifest, manifest.plugin.manifest);
}

void drop_copies(const std::vector<std::filesystem::path>& copies, const std::filesystem::path& kept) {
  for (const auto& folder : copies) {
    try {
      if (folder != kept && !remove_unused_tree(folder)) log(LogLevel::info, text("{} stays: a running process uses it", folder.native()));
    } catch (const Error& failure) {
      log(LogLevel::warning, failure.what());
    }
  }
}

}  // namespace pier
