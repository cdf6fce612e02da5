#include "store/release.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <pier/error.h>
#include <pier/log.h>

#include "base/ascii.h"
#include "base/text.h"
#include "store/digest.h"
#include "store/kept.h"
#include "store/layout.h"
#include "store/noted.h"
#include "store/wheel_name.h"

namespace pier {
namespace {

// The name of a wheel of the project; nothing for other files.
std::optional<WheelName> wheel_of(const IndexFile& file, const std::string& project) {
  auto wheel = parse_wheel_name(file.name);
  return wheel && wheel->project == project ? std::move(wheel) : std::nullopt;
}

// Where the version stands in a wheel's name, without looking at the rest.
std::string_view version_in(std::string_view file) {
  const std::size_t first = file.find('-');
  const std::size_t second = first == std::string_view::npos ? first : file.find('-', first + 1);
  if (second == std::string_view::npos || !file.ends_with(".whl")) return {};
  return file.substr(first + 1, second - first - 1);
}

// What makes one file better than another.
struct Rank {
  bool final = false;
  Version version;
  bool native = false;  // it names its platform
  SystemVersion minimum;
  std::string build;

  auto key() const { return std::tie(final, version, native, minimum, build); }
};

struct Judged {
  std::optional<Rank> rank;
  std::string reason;  // why there is none
};

Judged judge(const IndexFile& file, const WheelName& wheel, const Version& version, const ReleaseQuery& query) {
  if (!query.wanted.contains(version, true)) return {std::nullopt, "not a version that was asked for"};
  if (file.yanked && !query.exact)
    return {std::nullopt, file.yanked_reason.empty() ? "yanked from the index" : text("yanked from the index: {}", file.yanked_reason)};
  const WheelTarget* const target = matching_target(wheel, query.platform, query.system);
  if (!target) return {std::nullopt, text("not for {}{}", to_string(query.platform),
                                          query.system ? text(" with {}.{}", query.system->major, query.system->minor) : "")};
  const bool wanted_as_it_is = query.exact || query.prereleases || query.wanted.contains(version, false);
  return {Rank{wanted_as_it_is, version, target->platform.has_value(), target->minimum, wheel.build}, {}};
}

struct Offer {
  PackageSource source;
  IndexFile file;
};

Pin pin_of(const Offer& offer, const ReleaseQuery& query) {
  const WheelName wheel = *parse_wheel_name(offer.file.name);
  Pin pin;
  pin.package = normalize_name(query.package);
  pin.version = Version::parse(wheel.version)->text();
  pin.file = offer.file.name;
  pin.platform = to_string(query.platform);
  const WheelTarget* const target = matching_target(wheel, query.platform, query.system);
  if (target->minimum != SystemVersion{}) pin.min_system = text("{}.{}", target->minimum.major, target->minimum.minor);
  pin.size = offer.file.size.value_or(0);
  pin.sha256 = offer.file.sha256;
  if (offer.source.is_local()) {
    const auto& path = std::get<std::filesystem::path>(offer.source.where);
    const std::string own = file_sha256(path);
    if (pin.sha256.empty()) pin.sha256 = own;
    pin.size = std::filesystem::file_size(path);
  }
  const std::string wanted = lower_ascii(query.sha256);
  if (pin.sha256.empty()) pin.sha256 = wanted;
  if (pin.sha256.empty())
    throw Error(ErrorCode::failed_precondition, text("{} gives no SHA-256 of {}", offer.source.from, pin.file))
        .note("give it with --sha256, or use an index that does (--index-url or PIER_INDEX_URL)");
  if (!wanted.empty() && wanted != pin.sha256)
    throw noted(IntegrityError(text("{} offers other bytes under the name {}", offer.source.from, pin.file)), text("asked for: SHA-256 {}", wanted),
                text("offered: SHA-256 {}", pin.sha256));
  return pin;
}

// Whether the first is the better one; of equal ones it is not.
bool is_better(const Offer& a, const Offer& b, const ReleaseQuery& query) { return newest_file({a.file, b.file}, query) == 0U; }

}  // namespace

std::optional<std::size_t> newest_file(const std::vector<IndexFile>& files, const ReleaseQuery& query) {
  const std::string project = normalize_name(query.package);
  std::optional<std::size_t> best;
  Rank best_rank;
  std::string spelling;
  std::optional<Version> version;
  // From the end, because most indexes list the newest last: then the version alone tells that the others are older.
  for (std::size_t i = files.size(); i-- > 0;) {
    const std::string_view written = version_in(files[i].name);
    if (written.empty()) continue;
    if (written != spelling) {
      spelling = written;
      version = Version::parse(written);
    }
    if (!version || (best && best_rank.final && *version < best_rank.version)) continue;
    const auto wheel = wheel_of(files[i], project);
    if (!wheel) continue;
    Judged judged = judge(files[i], *wheel, *version, query);
    if (!judged.rank || (best && judged.rank->key() <= best_rank.key())) continue;
    best = i;
    best_rank = std::move(*judged.rank);
  }
  return best;
}

std::vector<std::string> passed_over(const std::vector<IndexFile>& files, const ReleaseQuery& query, std::size_t limit) {
  const std::string project = normalize_name(query.package);
  std::map<Version, std::pair<std::string, std::vector<std::string>>, std::greater<>> versions;
  std::size_t others = 0;
  for (const IndexFile& file : files) {
    const auto wheel = wheel_of(file, project);
    if (!wheel) {
      ++others;
      continue;
    }
    const Version version = *Version::parse(wheel->version);
    auto& [spelling, reasons] = versions[version];
    spelling = wheel->version;
    const Judged judged = judge(file, *wheel, version, query);
    if (!judged.reason.empty() && std::ranges::find(reasons, judged.reason) == reasons.end()) reasons.push_back(judged.reason);
  }
  std::vector<std::string> out;
  for (const auto& [version, what] : versions) {
    if (out.size() == limit) {
      out.push_back(text("and {} older versions", versions.size() - limit));
      break;
    }
    std::string line = what.first + ": ";
    for (std::size_t i = 0; i < what.second.size(); ++i) line += (i ? ", or " : "") + what.second[i];
    out.push_back(std::move(line));
  }
  if (others > 0) out.push_back(text("{} files that are no wheels of it", others));
  return out;
}

Pin find_release(const ReleaseQuery& query, const InstallOptions& options) {
  const IndexConfig config = index_config(options.index_url, options.find_links);
  const bool offline = is_offline(options);
  std::optional<HttpClient> client;
  if (!offline) client.emplace(config.http);
  const auto searching = [&] {
    if (options.progress) options.progress({Phase::searching, 0, 0, query.package});
  };
  if (client) client->on_wait(searching);
  std::optional<Offer> best;
  std::vector<std::string> looked;
  std::vector<std::string> rejected;
  std::optional<NetworkError> failed;
  const auto look = [&](const IndexConfig::Index& place, bool is_index) {
    const std::string shown = text("{} ({})", redact_url(place.url), place.from);
    try {
      searching();
      const auto project = read_project(client ? &*client : nullptr, place, is_index, query.package);
      if (!project) return looked.push_back(text("{}: {}", shown, !client && !is_local(place.url) ? "the network is forbidden (PIER_OFFLINE)" : "knows no such project"));
      const auto found = newest_file(project->files, query);
      if (!found) {
        looked.push_back(text("{}: none of its {} files will do", shown, project->files.size()));
        for (std::string& line : passed_over(project->files, query)) rejected.push_back(std::move(line));
        return;
      }
      Offer offer{.source = source_of(*project, project->files[*found], redact_url(place.url)), .file = project->files[*found]};
      if (!best || is_better(offer, *best, query)) best = std::move(offer);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) throw;
      looked.push_back(text("{}: {}", shown, error.message()));
      const auto* network = dynamic_cast<const NetworkError*>(&error);
      if (network && !failed) failed = *network;
    }
  };
  for (const auto& place : config.find_links) look(place, false);
  for (const auto& index : config.indexes) look(index, true);
  if (best) {
    // A place that could not be asked may have something newer.
    if (failed) log(LogLevel::warning, failed->message());
    return pin_of(*best, query);
  }
  const std::string what = text("{}{}", query.package, query.wanted.text().empty() ? "" : " " + query.wanted.text());
  const auto with_lines = [&](auto error) {
    for (std::string& line : rejected) error.note(std::move(line));
    for (std::string& line : looked) error.note(std::move(line));
    error.note("another index is named with --index-url or PIER_INDEX_URL; a folder with the file with --find-links");
    return error;
  };
  if (failed) throw with_lines(NetworkError(text("{} was not found: {}", what, failed->message())));
  throw with_lines(Error(ErrorCode::not_available, text("there is no {} for {}", what, to_string(query.platform))));
}

std::optional<PluginRequest> kept_release(std::string_view id, const ReleaseQuery& query) {
  std::optional<InstalledPlugin> best;
  std::optional<Version> best_version;
  for (InstalledPlugin& plugin : kept_plugins(Layout(query.platform), id)) {
    if (plugin.root.filename().native().starts_with('.')) continue;
    const auto version = Version::parse(plugin.version);
    if (normalize_name(plugin.package) != normalize_name(query.package) || !version || !query.wanted.contains(*version, query.prereleases || query.exact)) continue;
    if (best_version && *version <= *best_version) continue;
    best = std::move(plugin);
    best_version = version;
  }
  if (!best) return std::nullopt;
  PluginRequest request = request_of(*best);
  request.preload = std::move(best->preload);
  return request;
}

}  // namespace pier
