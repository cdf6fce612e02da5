#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <pier/inspect.h>

#include "base/platform.h"
#include "inspect/search.h"

namespace pier::inspection {

// The machine that preflight judges for: this one, or one that a test made up.
struct Host {
  Platform platform;
  std::optional<ReleaseNumber> system;
  std::optional<SearchPlaces> places;
  std::optional<std::set<std::string>> cpu_features;
};
Host this_host();

// preflight() against that host; the public functions use this_host().
Preflight preflight_on(const Host& host, const Binary& binary, const PreflightOptions& options);
Preflight preflight_on(const Host& host, const std::filesystem::path& path, const PreflightOptions& options);

// What macOS makes of the com.apple.quarantine attribute that browsers put on downloads. `value` is the attribute's text.
Finding quarantine_finding(std::string_view path, std::string_view value);

// The attribute's text, or nothing; only macOS has it.
std::optional<std::string> quarantine_of(const std::filesystem::path& path);

// Whether the file lies on a file system that is mounted without the right to run code.
bool is_on_noexec_mount(const std::filesystem::path& path);

}  // namespace pier::inspection
