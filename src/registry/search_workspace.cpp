#include <system_error>

#include "base/text.h"
#include "registry/library_walk.h"
#include "registry/names.h"
#include "registry/search.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr int most_parents = 64;

// The output folder of the workspace around the current folder, or nothing. Bazel puts its link beside the workspace file.
fs::path output_folder(std::vector<std::string>& places) {
  std::error_code error;
  fs::path folder = fs::current_path(error);
  for (int i = 0; !error && i < most_parents; ++i, folder = folder.parent_path()) {
    for (const char* const file : {"MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"}) {
      std::error_code none;
      if (!fs::is_regular_file(folder / file, none)) continue;
      const fs::path output = folder / "bazel-bin";
      if (fs::is_directory(output, none)) return output;
      places.push_back(text("{}: nothing is built there (no bazel-bin)", (folder / file).native()));
      return {};
    }
    if (folder == folder.root_path()) break;
  }
  places.emplace_back("no Bazel workspace around the current folder");
  return {};
}

}  // namespace

void search_workspace(const Query& query, Resolution& out) {
  if (query.kind == Query::Kind::path) return;
  const fs::path output = output_folder(out.places);
  if (output.empty()) return;
  std::error_code error;
  // The walk follows no links, and this folder is one.
  const fs::path real = fs::canonical(output, error);
  const FoundLibraries found = plugin_libraries_below(error ? output : real, output_limits);
  std::size_t others = 0;
  std::size_t plugins = 0;
  for (const fs::path& library : found.paths) {
    // Builds have many libraries with such names.
    if (why_no_plugin(library)) continue;
    ++plugins;
    Candidate candidate = candidate_for(library, "workspace", id_from_library(library));
    if (!query.wants(candidate.id, candidate.labels)) {
      ++others;
      continue;
    }
    candidate.found_in = text("{} (Bazel)", output.native());
    const fs::path named = error ? library : output / library.lexically_relative(real);
    candidate.reason = text("never taken by itself; `pier register {} --id {}` makes it known", named.native(), candidate.id);
    out.candidates.push_back(std::move(candidate));
  }
  std::string line = text("{}: {}", output.native(), plugins == 1 ? "1 plugin" : text("{} plugins", plugins));
  if (others > 0) line += text(", {} of them of other names", others);
  if (!found.complete) line += ", as far as it was looked at";
  out.places.push_back(std::move(line));
}

}  // namespace pier::registry
