#include "registry/python_metadata.h"

#include <algorithm>
#include <system_error>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/file.h"
#include "registry/names.h"
#include "store/version.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 50'000;
// The largest known RECORD, of a package with 20,000 files, has 3 MB.
constexpr std::uint64_t largest_metadata = std::uint64_t{32} << 20;

bool is_module(std::string_view module) {
  if (module.empty() || module.front() == '.' || module.back() == '.' || module.find("..") != std::string_view::npos) return false;
  return std::all_of(module.begin(), module.end(), [](char c) {
    return c == '_' || c == '.' || (c >= '0' && c <= '9') || (lower_ascii(c) >= 'a' && lower_ascii(c) <= 'z');
  });
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool stays_inside(const fs::path& path) {
  return !path.empty() && path.is_relative() && std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

}  // namespace

std::vector<Distribution> distributions_in(const fs::path& site, bool& complete) {
  constexpr std::string_view ending = ".dist-info";
  std::vector<Distribution> out;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator at(site, error), end; !error && at != end; at.increment(error)) {
    if (++seen > most_entries) {
      complete = false;
      break;
    }
    const std::string name = at->path().filename();
    if (!name.ends_with(ending)) continue;
    const std::string stem = name.substr(0, name.size() - ending.size());
    const std::size_t dash = stem.rfind('-');
    if (dash == std::string::npos || dash == 0) continue;
    out.push_back({normalize_name(stem.substr(0, dash)), stem.substr(dash + 1), at->path()});
  }
  if (error) complete = false;
  std::sort(out.begin(), out.end(), [](const Distribution& a, const Distribution& b) { return a.metadata < b.metadata; });
  return out;
}

std::vector<EntryPoint> plugin_entry_points(std::string_view text) {
  std::vector<EntryPoint> out;
  bool ours = false;
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      const std::string_view group = trim(line.substr(1, line.find(']') - 1));
      ours = group == "jax_plugins" || group == "xla_plugins";
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!ours || equals == std::string_view::npos) continue;
    const std::string_view name = trim(line.substr(0, equals));
    // "module:object [extra]"
    const std::string_view module = trim(line.substr(equals + 1, line.find_first_of(":[", equals) - equals - 1));
    if (!name.empty() && is_module(module)) out.push_back({std::string(name), std::string(module)});
  }
  return out;
}

std::vector<fs::path> recorded_libraries(std::string_view record) {
  std::vector<fs::path> out;
  while (!record.empty()) {
    std::string_view line = trim(take_line(record));
    // A field in quotation marks may hold a comma; no library's name has a quotation mark itself.
    const bool quoted = line.starts_with('"');
    if (quoted) line.remove_prefix(1);
    const fs::path path(line.substr(0, line.find(quoted ? '"' : ',')));
    if (is_plugin_name(path.filename().native()) && stays_inside(path)) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string metadata_text(const Distribution& distribution, const char* file) {
  const fs::path path = distribution.metadata / file;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  try {
    return read_file(path, largest_metadata);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace pier::registry
