#include "registry/catalog_refresh.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <pier/error.h>

#include "base/platform.h"
#include "base/text.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace pier::registry {
namespace {

struct Offer {
  IndexFile file;
  WheelName wheel;
};

// The offer that takes the pinned file's place: for the same Python where a package has one for each, else for any.
const Offer* offer_for(const std::vector<Offer>& offers, const Pin& pin) {
  const Platform platform = parse_platform(pin.platform);
  const auto pinned = parse_wheel_name(pin.file);
  const auto rank = [&](const Offer& offer) {
    const WheelTarget* const target = matching_target(offer.wheel, platform, {});
    const bool same = pinned && offer.wheel.python == pinned->python && offer.wheel.abi == pinned->abi;
    return std::tuple(!target->platform, !same, offer.wheel.abi != "none", offer.file.name);
  };
  const Offer* best = nullptr;
  for (const Offer& offer : offers) {
    if (matching_target(offer.wheel, platform, {}) && (!best || rank(offer) < rank(*best))) best = &offer;
  }
  return best;
}

Pin pin_for(const Offer& offer, const Pin& old_pin) {
  Pin pin = old_pin;
  pin.version = offer.wheel.version;
  pin.file = offer.file.name;
  pin.size = *offer.file.size;
  pin.sha256 = offer.file.sha256;
  return pin;
}

// What the index has of a project that is newer than the pinned version, by version.
std::map<Version, std::vector<Offer>> newer_offers(const std::string& name, const Version& pinned, const std::string& fits, Projects& projects) {
  const VersionSpecifiers allowed = VersionSpecifiers::parse(fits).value();
  std::map<Version, std::vector<Offer>> offers;
  for (const ProjectPage& page : projects.pages(name)) {
    for (const IndexFile& file : page.project.files) {
      auto wheel = parse_wheel_name(file.name);
      const auto version = wheel ? Version::parse(wheel->version) : std::nullopt;
      if (!version || *version <= pinned || wheel->project != normalize_name(name)) continue;
      if (file.yanked || version->is_local() || (version->is_prerelease() && !pinned.is_prerelease())) continue;
      // Without them there is nothing to pin.
      if (file.sha256.empty() || !file.size || !allowed.contains(*version, true)) continue;
      offers[*version].push_back({file, std::move(*wheel)});
    }
  }
  return offers;
}

void look_for_newer(const std::string& name, const std::string& version, const std::string& fits, const std::vector<Pin>& pins,
                    Projects& projects, Refreshed& out) {
  const auto pinned = Version::parse(version);
  if (!pinned) return out.notes.push_back(text("{} {}: not a version that can be compared", name, version));
  const auto offers = newer_offers(name, *pinned, fits, projects);
  for (auto at = offers.rbegin(); at != offers.rend(); ++at) {
    NewPins found{.package = name, .from = version, .to = at->second.front().wheel.version, .files = {}};
    for (const Pin& pin : pins) {
      if (const Offer* const offer = offer_for(at->second, pin)) found.files.push_back({pin, pin_for(*offer, pin)});
      else out.notes.push_back(text("{} {} has no file for {}", name, found.to, pin.platform));
    }
    if (found.files.size() == pins.size()) return out.newer.push_back(std::move(found));
  }
}

// A part of a text, from a table's header to the next one.
struct TableText {
  std::size_t begin;
  std::size_t end;
};

TableText table_around(std::string_view text, std::size_t at) {
  const std::size_t header = text.rfind("\n[", at);
  return {header == std::string_view::npos ? 0 : header, std::min(text.find("\n[", at), text.size())};
}

[[noreturn]] void refuse(std::string_view source, std::string_view package) {
  throw Error(ErrorCode::invalid_argument, text("{} cannot be changed: the pins of {} are not laid out as in pier's own catalog", source, package))
      .note("change them by hand; `pier catalog refresh` without --write shows them");
}

// `key = old` in that table gets the new value.
bool replace_value(std::string& toml, const TableText& table, std::string_view key, std::string_view old_value, std::string_view new_value) {
  const std::string line = text("\n{} = {}\n", key, old_value);
  const std::size_t at = toml.find(line, table.begin);
  if (at == std::string::npos || at >= table.end) return false;
  toml.replace(at, line.size(), text("\n{} = {}\n", key, new_value));
  return true;
}

std::string in_quotes(std::string_view text) { return pier::text("\"{}\"", text); }

}  // namespace

Refreshed refresh(const CatalogEntry& entry, Projects& projects) {
  Refreshed out{.id = entry.id, .newer = {}, .notes = {}};
  for (const CatalogPackage& package : entry.packages) {
    std::vector<Pin> pins;
    for (const CatalogFile& file : package.files) pins.push_back(file.pin);
    look_for_newer(package.name, package.version, "", pins, projects, out);
    for (const CatalogCompanion& companion : package.companions)
      look_for_newer(companion.name, companion.version, companion.fits, companion.files, projects, out);
  }
  return out;
}

std::string rewritten(std::string_view toml, const Refreshed& refreshed, std::string_view source) {
  std::string out(toml);
  if (!out.ends_with('\n')) out += '\n';
  for (const NewPins& newer : refreshed.newer) {
    const std::size_t named = out.find(text("\nname = {}\n", in_quotes(newer.package)));
    if (named == std::string::npos || !replace_value(out, table_around(out, named + 1), "version", in_quotes(newer.from), in_quotes(newer.to)))
      refuse(source, newer.package);
    for (const auto& [old_pin, new_pin] : newer.files) {
      const std::size_t file = out.find(text("\nfile = {}\n", in_quotes(old_pin.file)));
      if (file == std::string::npos) refuse(source, newer.package);
      const bool replaced = replace_value(out, table_around(out, file + 1), "size", text("{}", old_pin.size), text("{}", new_pin.size)) &&
                            replace_value(out, table_around(out, file + 1), "sha256", in_quotes(old_pin.sha256), in_quotes(new_pin.sha256)) &&
                            replace_value(out, table_around(out, file + 1), "file", in_quotes(old_pin.file), in_quotes(new_pin.file));
      if (!replaced) refuse(source, newer.package);
    }
  }
  // Read again it must say just that.
  std::vector<Pin> expected = pins_of(parse_catalog_entry(toml, source));
  for (const NewPins& newer : refreshed.newer)
    for (const auto& [old_pin, new_pin] : newer.files)
      for (Pin& pin : expected)
        if (pin.sha256 == old_pin.sha256) pin = new_pin;
  const std::vector<Pin> now = pins_of(parse_catalog_entry(out, source));
  const auto same = [](const Pin& a, const Pin& b) {
    return std::tie(a.package, a.version, a.file, a.size, a.sha256, a.platform) == std::tie(b.package, b.version, b.file, b.size, b.sha256, b.platform);
  };
  if (!std::equal(now.begin(), now.end(), expected.begin(), expected.end(), same)) refuse(source, refreshed.id);
  return out;
}

}  // namespace pier::registry
