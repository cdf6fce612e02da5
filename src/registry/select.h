#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>
#include <pier/error.h>

#include "base/platform.h"

namespace pier::registry {

// The machine that a package is chosen for.
struct Target {
  Platform platform;
  std::optional<SystemVersion> system;  // Least glibc or macOS it is known to have; nothing when not known.
  bool host = true;                     // This machine: what a package needs can be looked up.
};

// This machine.
Target host_target();
// `platform` empty: this machine. `system` overrides what is known of it. Throws Error (invalid_argument).
Target make_target(std::string_view platform, std::string_view system);

struct Choice {
  CatalogPackage package;
  CatalogFile file;
  std::vector<std::string> others;  // The other packages for the platform, one line each, with why they were not taken.
};

// The first package of the entry that fits the target; with a name or a version, the first of those. An old package only by
// its name. Throws Error (not_available) that lists every package with its reason, or says why a package cannot be used at all.
Choice choose(const CatalogEntry& entry, const Target& target, std::string_view package = {}, std::string_view version = {});

// The package's file for the platform, or null.
const CatalogFile* file_for(const CatalogPackage& package, Platform platform);

// What to say to whoever asks for a package that cannot be used: Error (not_available).
Error unusable_error(const UnusablePackage& package);

// "glibc" or "macOS".
std::string_view system_name(Os os);

// "14.5", "2.36", "26" as a version. Throws Error (invalid_argument).
SystemVersion parse_system(std::string_view text);

}  // namespace pier::registry
