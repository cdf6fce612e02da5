#include "registry/library_walk.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/file.h"
#include "base/text.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

bool holds_copies(std::string_view name) {
  return name.ends_with(".runfiles") || name.starts_with("_solib_") || name == "_objs" || name == "__pycache__" || name == ".git";
}

}  // namespace

FoundLibraries plugin_libraries_below(const fs::path& folder, const WalkLimits& limits) {
  FoundLibraries out;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (++seen > limits.entries) {
      out.complete = false;
      break;
    }
    const std::string name = at->path().filename();
    std::error_code none;
    if (at->is_directory(none)) {
      if (holds_copies(name)) at.disable_recursion_pending();
      else if (static_cast<std::size_t>(at.depth()) >= limits.depth) {
        at.disable_recursion_pending();
        out.complete = false;
      }
      continue;
    }
    if (is_plugin_name(name) && at->is_regular_file(none)) out.paths.push_back(at->path());
  }
  if (error) out.complete = false;
  std::sort(out.paths.begin(), out.paths.end());
  return out;
}

std::optional<std::string> why_no_plugin(const fs::path& library) {
  constexpr std::string_view entry = "GetPjrtApi";
  try {
    const Binary binary = inspect(library);
    const bool any = std::any_of(binary.images.begin(), binary.images.end(), [&](const Image& image) { return image.exports(entry); });
    return any ? std::nullopt : std::optional(text("it does not export {}", entry));
  } catch (const Error& error) {
    return error.message();
  }
}

fs::path only_plugin_in(const fs::path& folder) {
  std::error_code error;
  // The walk follows no links, and a build tool's folder may be one. The name that the user knows is the one that is kept: it leads to
  // the next build, too.
  const fs::path real = fs::canonical(folder, error);
  if (error) throw_errno(error.value(), "find", folder);
  const FoundLibraries found = plugin_libraries_below(real, output_limits);
  std::vector<fs::path> plugins;
  std::vector<std::string> others;
  for (const fs::path& library : found.paths) {
    const fs::path named = folder / library.lexically_relative(real);
    if (const auto why = why_no_plugin(library)) others.push_back(text("{}: {}", named.native(), *why));
    else plugins.push_back(named);
  }
  const std::string_view cut = found.complete ? "" : " (as far as it was looked at)";
  if (plugins.empty()) {
    Error failure(ErrorCode::not_found, text("{} is a folder, and no PJRT plugin is in it{}", folder.native(), cut));
    for (std::size_t i = 0; i < std::min<std::size_t>(others.size(), 20); ++i) failure.note(others[i]);
    throw failure.note("give the library itself");
  }
  if (plugins.size() == 1) return plugins.front();
  Error failure(ErrorCode::invalid_argument, text("{} is a folder with {} libraries that are PJRT plugins{}: give one of them", folder.native(),
                                                  plugins.size(), cut));
  for (const fs::path& plugin : plugins) failure.note(plugin.native());
  throw failure;
}

}  // namespace pier::registry
