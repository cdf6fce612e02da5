#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <pier/export.h>
#include <pier/store.h>

namespace pier {

/// A version of a plugin that lies in pier's folder.
struct KeptVersion {
  InstalledPlugin plugin;
  bool current = false;     ///< The one that counts.
  std::uint64_t bytes = 0;  ///< On disk, all its files.
};

/// The versions of a plugin that are installed, the newest install first. `platform` empty: this machine's.
PIER_API std::vector<KeptVersion> kept_versions(std::string_view id, std::string_view platform = {});

struct RollbackOptions {
  std::string version;   ///< Empty: the one that was installed before the current one.
  std::string platform;  ///< Empty: this machine's.
  LoadTest load_test;    ///< As in InstallOptions; roll_back() has the probe make it.
};

/// Makes an earlier version count again, after every byte of it was compared with its hash and its library was load-tested.
/// Nothing is fetched, and the version that counted stays. Throws Error (not_available) that lists the versions when there is no such one,
/// IntegrityError when it is damaged, and what the load test throws.
PIER_API InstalledPlugin rollback_plugin(std::string_view id, const RollbackOptions& options = {});

/// rollback_plugin() with a load test in a child process; what it had to say is added to `notes`. For programs that link pier::pier.
PIER_API InstalledPlugin roll_back(std::string_view id, RollbackOptions options, std::vector<std::string>& notes);

/// Something in pier's folders that nothing needs.
struct Garbage {
  std::filesystem::path path;
  std::uint64_t bytes = 0;  ///< On disk.
  std::string what;         ///< "cpu 0.11.1, an earlier version", "an unfinished download".
  bool removed = false;     ///< False where it stays; `why` says why.
  std::string why;
};

struct CollectOptions {
  bool dry_run = false;         ///< Only tell.
  bool keep_previous = false;   ///< Leave the version before the current one of each plugin, for going back.
};

/// Removes versions that do not count, what interrupted installs left, and downloads that nobody is busy with. What a process has in use
/// stays. Throws the Error of the file system only when pier's folder cannot be read at all.
PIER_API std::vector<Garbage> collect_garbage(const CollectOptions& options = {});

}  // namespace pier
