#pragma once

#include <span>
#include <string_view>

namespace pier::registry {

// A catalog file as the build put it into the library. `labels`, `seen` and `variables` are those keys' values, and
// `packages` the names of its packages and their companions, with commas between: what a start needs to know without reading TOML.
struct EmbeddedEntry {
  std::string_view id;
  std::string_view labels;
  std::string_view seen;
  std::string_view variables;
  std::string_view packages;
  std::string_view toml;
};

std::span<const EmbeddedEntry> embedded_entries();

// The list of packages that cannot be used, as TOML.
std::string_view embedded_unusable();

}  // namespace pier::registry
