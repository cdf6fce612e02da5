#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <pier/export.h>
#include <pier/store.h>

namespace pier {

/// The exact packages of a set of plugins, hash by hash: what `pier lock` writes down and `pier sync` installs again. One
/// plugin for each id and platform, ordered by both.
struct LockFile {
  std::vector<PluginRequest> plugins;
};

/// Throws Error (not_found, permission_denied, io) when the file cannot be read, IntegrityError that names line and key when it is
/// no lock file or has no hash for a package.
PIER_API LockFile read_lock(const std::filesystem::path& file);

/// Whole or not at all; replaces an older one. Throws Error (permission_denied, resource_exhausted, io) by what the system said.
PIER_API void write_lock(const LockFile& lock, const std::filesystem::path& file);

/// What shall be locked.
struct LockRequest {
  std::vector<std::string> ids;        ///< Empty: everything that pier installed, and what was locked before.
  std::vector<std::string> platforms;  ///< "linux-aarch64"; empty: this machine's, and with empty ids every one that is installed.
  bool upgrade = false;  ///< Take what the catalog pins now, instead of what is installed or was locked.
};

/// The lock file of what is installed; for what is not, of what was locked before; else of what the catalog pins. Asks no
/// network. Throws Error (not_available) for an id that none of them has for a platform.
PIER_API LockFile lock_plugins(const LockRequest& request, const LockFile& before = {});

struct SyncOptions {
  InstallOptions install;  ///< load_test stays empty for the probe; see probe.h.
  std::chrono::milliseconds probe_limit{60'000};
  bool prune = false;      ///< Remove what pier installed for this machine and the lock file does not have.
};

struct SyncResult {
  std::vector<InstallResult> plugins;
  std::vector<std::string> removed;  ///< Ids.
};

/// Installs what the lock file has for this machine, and nothing else. What is there and whole stays as it is; a plugin of another version
/// gives way and stays for going back. Throws as install() does; those before it are in place then.
PIER_API SyncResult sync_plugins(const LockFile& lock, const SyncOptions& options = {});

/// Writes a .tar with a lock file and every package that it names, for machines without a network; for other platforms, too.
/// The same lock file gives the same bytes. Throws Error (already_exists) when the file is there, unless options.force; else as install()
/// does.
PIER_API void write_bundle(const LockFile& lock, const std::filesystem::path& file, const InstallOptions& options = {});

/// A bundle unpacked into a temporary folder, which goes away with it.
class PIER_API Bundle {
 public:
  /// Throws IntegrityError for what is no bundle, or a damaged one, and the Error of the file system.
  explicit Bundle(const std::filesystem::path& file);
  ~Bundle();
  Bundle(const Bundle&) = delete;
  Bundle& operator=(const Bundle&) = delete;

  const LockFile& lock() const { return lock_; }
  /// The folder of its packages, for InstallOptions::find_links.
  const std::filesystem::path& packages() const { return packages_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path packages_;
  LockFile lock_;
};

}  // namespace pier
