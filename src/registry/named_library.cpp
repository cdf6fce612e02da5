#include <algorithm>

#include <pier/error.h>
#include <pier/inspect.h>
#include <pier/log.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/names.h"
#include "registry/search.h"
#include "registry/trust.h"

namespace pier::registry {
namespace {

// Far more than a folder of plugins holds; a variable that names /usr/lib must not cost seconds.
constexpr std::size_t most_files = 10'000;

std::string why_no_library(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator files(folder, error);
  return error ? text("a folder that cannot be read: {}", error.message()) : "a folder without a library that is named like a plugin";
}

}  // namespace

Candidate candidate_for(const std::filesystem::path& library, std::string source, std::string id) {
  Candidate candidate;
  candidate.source = std::move(source);
  candidate.id = std::move(id);
  candidate.library = std::filesystem::absolute(library).lexically_normal();
  candidate.priority = default_priority(candidate.id, {});
  if (const auto entry = entry_or_warning(candidate.id)) complete_from_catalog(candidate, *entry);
  return candidate;
}

void check_file(Candidate& candidate) {
  std::error_code error;
  if (!std::filesystem::exists(candidate.library, error)) {
    candidate.reason = error ? text("cannot be looked at: {}", error.message()) : "no such file";
    return;
  }
  if (std::filesystem::is_directory(candidate.library, error)) {
    candidate.reason = why_no_library(candidate.library);
    return;
  }
  candidate.library = real_path(candidate.library);
  if (auto why = why_untrusted(candidate.library)) {
    candidate.reason = *why;
    return;
  }
  try {
    const Binary binary = inspect(candidate.library);
    const std::string host = to_string(host_platform());
    candidate.platform = binary.platforms();
    if (!binary.image_for(host)) candidate.reason = text("for {}; this machine is {}", binary.platforms(), host);
    else candidate.platform = host;
  } catch (const Error& failure) {
    candidate.reason = failure.message();
    candidate.damaged = failure.code() == ErrorCode::integrity;
  }
}

void complete_from_catalog(Candidate& candidate, const CatalogEntry& entry, std::string_view registered_as) {
  candidate.labels = entry.labels;
  candidate.priority = entry.priority;
  const std::string file_name = candidate.library.filename();
  for (const CatalogPackage& package : entry.packages) {
    const bool same_file = std::any_of(package.files.begin(), package.files.end(), [&](const CatalogFile& file) {
      return std::filesystem::path(file.pin.member).filename() == file_name;
    });
    if (!same_file && (registered_as.empty() || lower_ascii(package.registers_as) != lower_ascii(registered_as))) continue;
    candidate.create_options = package.create_options;
    candidate.environment = package.environment;
    return;
  }
}

std::vector<std::filesystem::path> libraries_at(const std::filesystem::path& place, std::string_view id) {
  std::error_code error;
  if (!std::filesystem::is_directory(place, error)) return {place};
  std::vector<std::filesystem::path> libraries;
  std::size_t seen = 0;
  for (std::filesystem::directory_iterator at(place, error), end; !error && at != end && seen < most_files; at.increment(error), ++seen) {
    const std::string name = at->path().filename();
    if (!is_library_name(name)) continue;
    const std::string own = id_from_library(name);
    if (is_plugin_name(name) || (!id.empty() && own == id)) libraries.push_back(at->path());
  }
  std::sort(libraries.begin(), libraries.end());
  if (seen == most_files) log(LogLevel::warning, text("{}: only the first {} files were looked at", place.native(), most_files));
  // An empty folder is still something to report.
  if (libraries.empty()) libraries.push_back(place);
  return libraries;
}

std::string describe(const Candidate& candidate) {
  std::string out = candidate.source + " " + candidate.id;
  if (!candidate.version.empty()) out += " " + candidate.version;
  if (!candidate.library.empty()) out += " " + candidate.library.native();
  else if (!candidate.package.empty()) out += " (" + candidate.package + ")";
  return out;
}

}  // namespace pier::registry
