#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <pier/store.h>

namespace pier {

// A manifest file is TOML:
//   schema = 1                    required; a file with a larger one was written by a newer pier
//   id = "cpu"                    required
//   library = "../x/plugin.so"    required; absolute, or relative to the manifest
//   labels, priority, platform, root, package, version, file, sha256, library_size, library_sha256, library_mtime, source,
//   installed_at, api_version, allow_others, preload, [[companion]] (package, version, file, sha256, libraries), [create_options],
//   [environment]
// Keys that are not known are passed over: within a schema, new ones only add.

// What is only in the file.
struct Manifest {
  InstalledPlugin plugin;
  std::int64_t library_mtime = 0;  // of the library when it was installed, in ns since the epoch; 0 when not known
};

// Priorities are within this, either side of 0.
constexpr std::int64_t priority_limit = 1'000'000;

// Throws Error (not_found, permission_denied, io) when it cannot be read, IntegrityError that names file, line and key when it
// is no proper manifest, and Error (not_available) when a newer pier wrote it. Labels come in lower case, as selectors are. Does not look at the library.
Manifest read_manifest(const std::filesystem::path& path);

// As read_manifest for text that would stand in `path`.
Manifest parse_manifest(std::string_view content, const std::filesystem::path& path);

// Paths below the parent of the manifest's folder are written relative to it, so that the whole can be moved.
std::string format_manifest(const Manifest& manifest, const std::filesystem::path& path);

// Refuses what a manifest in `path` cannot hold, before anything is done for it: labels that are no names, names of variables,
// a priority out of range, text that is not UTF-8, and too much of all. Throws Error (invalid_argument) that says what to do.
void require_manifest(const Manifest& manifest, const std::filesystem::path& path);

// Whole or not at all; replaces an older one. What is written has been read back first. Only the owner may write it, whatever
// the umask says.
void write_manifest(const Manifest& manifest, const std::filesystem::path& path);

// Takes size and time of the library's file. Throws Error (not_found, io) when it is no plain file.
void record_library(Manifest& manifest);

// Whether the library's file still has the recorded size and time. A reason, or empty when it has.
std::string library_difference(const Manifest& manifest);

// Now, as RFC 3339 in UTC.
std::string timestamp();

}  // namespace pier
