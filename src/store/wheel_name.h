#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform.h"

namespace pier {

// One platform that a wheel says it is for.
struct WheelTarget {
  std::optional<Platform> platform;  // none: "any"
  SystemVersion minimum;             // glibc or macOS; 0.0 when the tag names none
  bool musl = false;                 // needs musl instead of glibc
};

// "name-version[-build]-python-abi-platform.whl" taken apart. Python and ABI tags mean nothing to pier.
struct WheelName {
  std::string project;  // normalised
  std::string version;  // as spelled
  std::string build;
  std::string python;
  std::string abi;
  std::vector<WheelTarget> targets;  // known ones only; compressed tags give several
};

// Nothing when the text is no wheel's file name.
std::optional<WheelName> parse_wheel_name(std::string_view file);

// The target that fits the platform and its system: the most demanding one that it satisfies, so that one for any
// platform is the last resort. An unknown system version satisfies every demand.
const WheelTarget* matching_target(const WheelName& wheel, Platform platform, std::optional<SystemVersion> system);

// "2.36" or "14"; nothing when it is not such a number.
std::optional<SystemVersion> parse_system_version(std::string_view text);

}  // namespace pier
