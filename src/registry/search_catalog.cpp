#include <pier/catalog.h>
#include <pier/error.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/machine.h"
#include "registry/search.h"
#include "registry/select.h"

namespace pier::registry {
namespace {

// What a fetch brings: the package and, unless this machine has them, its companions.
std::string download_text(const Choice& choice) {
  std::uint64_t companions = 0;
  for (const CatalogCompanion& companion : choice.package.companions)
    for (const Pin& pin : companion.files)
      if (pin.platform == choice.file.pin.platform) companions += pin.size;
  std::string out = bytes_text(choice.file.pin.size);
  if (companions != 0) out += text(", and up to {} of packages that it uses", bytes_text(companions));
  return out;
}

Candidate candidate_of(const CatalogEntry& entry, Resolution& out) {
  Candidate candidate;
  candidate.source = "catalog";
  candidate.id = entry.id;
  candidate.labels = entry.labels;
  candidate.priority = entry.priority;
  candidate.platform = to_string(host_platform());
  try {
    const Choice choice = choose(entry, host_target());
    const CatalogPackage& package = choice.package;
    for (const std::string& other : choice.others) out.places.push_back(text("the catalog has for {}, too: {}", entry.id, other));
    candidate.package = package.name;
    candidate.version = package.version;
    candidate.api_version = package.api_version;
    candidate.create_options = package.create_options;
    candidate.environment = package.environment;
    if (!entry.fetch_unasked) {
      candidate.reason = text("not installed; `pier install {}` fetches it ({})", entry.id, download_text(choice));
      if (!any_sign_is_there(entry.seen)) candidate.reason += "; no device of it is seen on this machine";
    }
  } catch (const Error& error) {
    candidate.reason = error.message();
    for (const std::string& note : error.notes()) candidate.reason += "; " + note;
  }
  return candidate;
}

}  // namespace

void search_catalog(const Query& query, Resolution& out) {
  if (query.kind == Query::Kind::path) return;
  if (query.kind == Query::Kind::name)
    // Broken, it is an error for whoever needs it only.
    if (const auto entry = out.taken() ? entry_or_warning(query.text) : catalog_entry(query.text)) return out.candidates.push_back(candidate_of(*entry, out));
  bool any = false;
  for (const CatalogEntry& entry : catalog_entries(query.kind == Query::Kind::name ? std::optional<std::string_view>(query.text) : std::nullopt)) {
    out.candidates.push_back(candidate_of(entry, out));
    any = true;
  }
  if (!any) out.places.push_back(text("the catalog has nothing for '{}'", query.text));
}

}  // namespace pier::registry
