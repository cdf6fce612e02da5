#include "registry/catalog_check.h"

#include <algorithm>

#include <pier/error.h>

#include "base/env.h"
#include "base/text.h"

namespace pier::registry {
namespace {

IndexConfig configuration(std::string_view index_url) {
  if (env_flag("PIER_OFFLINE"))
    throw Error(ErrorCode::not_available, "the package index cannot be asked: PIER_OFFLINE=1 forbids the network");
  return index_config(index_url);
}

CheckedPin judge(const Pin& pin, const IndexFile& file, const std::string& place) {
  if (!file.sha256.empty() && file.sha256 != pin.sha256)
    return {pin, PinState::differs, text("{} offers SHA-256 {}, pinned is {}", place, file.sha256, pin.sha256)};
  if (file.size && *file.size != pin.size)
    return {pin, PinState::differs, text("{} offers {} bytes, pinned are {}", place, *file.size, pin.size)};
  if (file.yanked)
    return {pin, PinState::yanked, file.yanked_reason.empty() ? text("withdrawn on {}", place) : text("withdrawn on {}: {}", place, file.yanked_reason)};
  if (file.sha256.empty()) return {pin, PinState::unverified, text("{} gives no SHA-256", place)};
  return {pin, PinState::good, {}};
}

}  // namespace

Projects::Projects(std::string_view index_url) : config_(configuration(index_url)), client_(config_.http) {}

const std::vector<ProjectPage>& Projects::pages(const std::string& name) {
  auto [at, is_new] = answers_.try_emplace(name);
  Answer& answer = at->second;
  if (is_new) {
    try {
      answer.pages = project_pages(client_, config_, name);
    } catch (const Error& error) {
      answer.error = error;
    }
  }
  if (answer.error) throw *answer.error;
  return answer.pages;
}

std::string_view name(PinState state) {
  switch (state) {
    case PinState::good: return "ok";
    case PinState::unverified: return "unverified";
    case PinState::yanked: return "yanked";
    case PinState::missing: return "missing";
    case PinState::differs: return "differs";
    case PinState::unknown: return "unknown";
  }
  return "unknown";
}

std::vector<Pin> pins_of(const CatalogEntry& entry) {
  std::vector<Pin> pins;
  for (const CatalogPackage& package : entry.packages) {
    for (const CatalogFile& file : package.files) pins.push_back(file.pin);
    for (const CatalogCompanion& companion : package.companions) pins.insert(pins.end(), companion.files.begin(), companion.files.end());
  }
  return pins;
}

CheckedPin check_pin(const Pin& pin, Projects& projects) {
  try {
    std::size_t files = 0;
    const std::vector<ProjectPage>& pages = projects.pages(pin.package);
    // The first index that has the file is the one it would be fetched from.
    for (const ProjectPage& page : pages) {
      const auto found = std::ranges::find(page.project.files, pin.file, &IndexFile::name);
      if (found != page.project.files.end()) return judge(pin, *found, page.place);
      files += page.project.files.size();
    }
    return {pin, PinState::missing, pages.empty() ? text("no index knows {}", pin.package) : text("not among the {} files of {}", files, pin.package)};
  } catch (const Error& error) {
    std::string detail = error.message();
    for (const std::string& note : error.notes()) detail += "; " + note;
    return {pin, PinState::unknown, std::move(detail)};
  }
}

}  // namespace pier::registry
