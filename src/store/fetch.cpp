#include "store/fetch.h"

#include <mutex>
#include <optional>

#include <sys/stat.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/text.h"
#include "store/download.h"
#include "store/given.h"
#include "store/layout.h"
#include "store/side_by_side.h"

namespace pier {
namespace {

constexpr std::size_t most_at_once = 4;
constexpr std::uint64_t space_margin = std::uint64_t{16} << 20;

bool on_same_disk(const std::filesystem::path& a, const std::filesystem::path& b) {
  struct stat first {};
  struct stat second {};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev;
}

std::optional<PackageSource> given_source(const PluginRequest& request) {
  if (request.from.empty()) return std::nullopt;
  PackageSource source{.where = Url{}, .from = redact_url(request.from)};
  if (is_given_by_url(request)) {
    source.where = parse_url(request.from);
    return source;
  }
  const std::filesystem::path path = looks_like_url(request.from) ? std::filesystem::path(parse_url(request.from).path) : std::filesystem::path(request.from);
  source.where = std::filesystem::canonical(path);
  source.from = std::get<std::filesystem::path>(source.where).native();
  return source;
}

}  // namespace

SetFetch::SetFetch(const PluginRequest& request, const InstallOptions& options, const PackageSet& packages, std::string command)
    : request_(request), options_(options), packages_(packages), command_(std::move(command)),
      config_(index_config(options.index_url, options.find_links)) {}

SourceFinder SetFetch::finder(std::size_t package) const {
  return {packages_.pins()[package],
          {.config = config_,
           .given = package == 0 ? given_source(request_) : std::nullopt,
           .offline = is_offline(options_),
           .command = command_}};
}

void SetFetch::require_local() {
  for (std::size_t i = 0; i < packages_.pins().size(); ++i)
    if (packages_.format(i) != PackageFormat::folder) finder(i).require_local();
}

void SetFetch::require_space(const std::filesystem::path& home) const {
  std::uint64_t packed = 0;
  std::uint64_t unpacked = 0;
  const auto add = [](std::uint64_t& sum, std::uint64_t more) { sum += std::min(more, ~std::uint64_t{0} - sum); };
  for (std::size_t i = 0; i < packages_.pins().size(); ++i) {
    const Pin& pin = packages_.pins()[i];
    add(unpacked, pin.unpacked_size);
    if (packages_.format(i) != PackageFormat::folder) add(packed, pin.size - std::min(pin.size, kept_bytes(pin)));
  }
  make_folders(downloads_folder());
  if (on_same_disk(home, downloads_folder())) {
    add(unpacked, packed);
    packed = 0;
  }
  if (unpacked != 0) require_free_space(home, unpacked);
  if (packed != 0) {
    add(packed, space_margin);
    require_free_space(downloads_folder(), packed);
  }
}

StagedPackage SetFetch::stage(std::size_t package, Staging& staging, const ReportProgress& report) {
  const Pin& pin = packages_.pins()[package];
  const StageJob job{.pin = pin, .format = packages_.format(package), .root = staging.folder_for(package)};
  SourceFinder places = finder(package);
  if (job.format == PackageFormat::folder) {
    StagedPackage staged;
    staged.source = places.next(report);
    const auto& folder = std::get<std::filesystem::path>(staged.source.where);
    report({Phase::unpacking, 0, pin.size, pin.file});
    staged.unpacked = hash_folder(folder);
    copy_folder(folder, staged.unpacked, job.root);
    return staged;
  }
  const LockTurn waiting = [&, told = false](std::string_view holder) mutable {
    if (!std::exchange(told, true)) log(LogLevel::info, text("waiting for {} of {}", pin.file, holder));
    report({Phase::waiting, 0, 0, holder});
  };
  // Its lock goes at the end, so that nobody who waits for one package holds another.
  Download download(pin, options_.lock_timeout, waiting);
  StagedPackage staged = stage_package(job, download, [&]() -> HttpClient& { return places.client(); },
                                       [&] { return places.next(report); }, report);
  staged.notes = places.notes();
  return staged;
}

FetchedSet SetFetch::fetch(Staging& staging) {
  const std::size_t count = packages_.pins().size();
  std::vector<StagedPackage> staged(count);
  std::vector<std::uint64_t> sizes;
  for (const Pin& pin : packages_.pins()) sizes.push_back(pin.size);
  TotalProgress total(std::move(sizes));
  const auto tell = [&](const Progress& progress) {
    if (options_.progress) options_.progress(progress);
  };
  run_side_by_side(
      count, most_at_once,
      [&](std::size_t package, const std::atomic<bool>& stop) {
        staged[package] = stage(package, staging, [&](const Progress& progress) {
          if (stop) throw Stopped{};
          if (count == 1) tell(progress);
          else total.update(package, progress);
        });
        total.finish(package);
      },
      [&] { total.tell(tell); });

  FetchedSet set;
  set.source = staged.front().source;
  for (std::size_t i = 0; i < count; ++i) {
    staging.merge(packages_, i, staged[i].unpacked, set.files);
    set.notes.insert(set.notes.end(), staged[i].notes.begin(), staged[i].notes.end());
    set.packages.push_back(std::move(staged[i].unpacked));
  }
  return set;
}

void SetFetch::discard() const {
  for (const Pin& pin : packages_.pins()) discard_download(pin);
  sweep_downloads();
}

}  // namespace pier
