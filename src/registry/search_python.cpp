#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include <pier/catalog.h>
#include <pier/error.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/library_walk.h"
#include "registry/names.h"
#include "registry/python_environment.h"
#include "registry/python_metadata.h"
#include "registry/search.h"
#include "registry/trust.h"
#include "store/version.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr const char* namespaces[] = {"jax_plugins", "xla_plugins"};
constexpr std::size_t most_plugins = 256;  // In all environments together.

// What the catalog knows, by what is found in an environment.
class KnownPackages {
 public:
  KnownPackages() : entries_(catalog_entries()) {
    for (const CatalogEntry& entry : entries_)
      for (const CatalogPackage& package : entry.packages) by_name_.try_emplace(normalize_name(package.name), &entry, &package);
  }

  struct Known {
    const CatalogEntry* entry = nullptr;
    const CatalogPackage* package = nullptr;
  };
  Known by_name(const std::string& name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? Known{} : Known{at->second.first, at->second.second};
  }

  // The entry one of whose packages has its library below that folder: "jax_plugins/mps". Only folders of the shared namespaces tell
  // that much.
  const CatalogEntry* by_folder(const std::string& folder) const {
    for (const CatalogEntry& entry : entries_)
      for (const CatalogPackage& package : entry.packages)
        for (const CatalogFile& file : package.files)
          if (file.pin.member.starts_with(folder + "/")) return &entry;
    return nullptr;
  }

 private:
  std::vector<CatalogEntry> entries_;
  std::map<std::string, std::pair<const CatalogEntry*, const CatalogPackage*>, std::less<>> by_name_;
};

// Packages that look like plugins and are none, as far as the catalog knows them.
std::optional<std::string> why_unusable(const std::string& package) {
  try {
    const auto unusable = unusable_package(package);
    if (!unusable) return std::nullopt;
    return text("{} cannot be used: {}{}", package, unusable->reason,
                unusable->instead.empty() ? "" : text("; `pier install {}` fetches one that can", unusable->instead));
  } catch (const Error&) {
    return std::nullopt;  // A broken list is told of where it is needed.
  }
}

class Search {
 public:
  Search(const Query& query, Resolution& out) : query_(query), out_(out) {}

  void look_into(const SiteFolder& site) {
    site_ = &site;
    plugins_ = others_ = 0;
    bool complete = true;
    for (const Distribution& distribution : distributions_in(site.path, complete)) add_distribution(distribution);
    for (const char* const name : namespaces) add_namespace(name);
    std::string line = text("{} ({}): {}", site.path.native(), site.from,
                            plugins_ == 0 ? "no plugin" : plugins_ == 1 ? "1 plugin" : text("{} plugins", plugins_));
    if (others_ > 0) line += text(", {} of them of other names", others_);
    if (!complete) line += ", as far as it was looked at";
    out_.places.push_back(std::move(line));
  }

 private:
  void add_distribution(const Distribution& distribution) {
    if (const auto known = known_.by_name(distribution.name); known.package) {
      std::vector<fs::path> libraries = of_known_package(*known.package);
      if (libraries.empty()) libraries = of_record(distribution);
      for (const fs::path& library : libraries) add(library, *known.entry, known.package, &distribution);
      if (libraries.empty()) report_empty(distribution);
      return;
    }
    const std::vector<EntryPoint> points = plugin_entry_points(metadata_text(distribution, "entry_points.txt"));
    if (points.empty()) return;
    bool any = false;
    for (const EntryPoint& point : points) {
      const fs::path folder = folder_of(point.module);
      std::vector<fs::path> libraries = folder.empty() ? std::vector<fs::path>{} : below(site_->path / folder);
      // Not beside its Python code: wherever the package put it.
      if (libraries.empty()) libraries = of_record(distribution);
      for (const fs::path& library : libraries) add(library, folder, point.name, &distribution);
      any |= !libraries.empty();
    }
    if (!any) report_empty(distribution);
  }

  // Packages whose metadata is not there, or says nothing.
  void add_namespace(const char* name) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator at(site_->path / name, error), end; !error && at != end && folders.size() < most_plugins; at.increment(error)) {
      std::error_code none;
      if (at->is_directory(none)) folders.push_back(fs::path(name) / at->path().filename());
    }
    std::sort(folders.begin(), folders.end());
    for (const fs::path& folder : folders)
      for (const fs::path& library : below(site_->path / folder)) add(library, folder, {}, nullptr);
  }

  // The library of this machine where the package has several.
  std::vector<fs::path> of_known_package(const CatalogPackage& package) const {
    const std::string host = to_string(host_platform());
    std::vector<fs::path> out;
    for (const CatalogFile& file : package.files) {
      const fs::path library = site_->path / file.pin.member;
      std::error_code error;
      if (!fs::is_regular_file(library, error)) continue;
      if (file.pin.platform == host) return {library};
      if (std::find(out.begin(), out.end(), library) == out.end()) out.push_back(library);
    }
    return out;
  }

  std::vector<fs::path> of_record(const Distribution& distribution) const {
    std::vector<fs::path> out;
    for (const fs::path& path : recorded_libraries(metadata_text(distribution, "RECORD"))) {
      std::error_code error;
      if (out.size() < most_plugins && fs::is_regular_file(site_->path / path, error)) out.push_back(site_->path / path);
    }
    return out;
  }

  static std::vector<fs::path> below(const fs::path& folder) { return plugin_libraries_below(folder).paths; }

  // The folder of a module, relative to the site folder: "a/b" for the module a.b, and for a.b.c when c is a file; empty when it
  // has none.
  fs::path folder_of(const std::string& module) const {
    fs::path folder;
    std::error_code error;
    for (const std::string& part : split(module, '.')) {
      if (!fs::is_directory(site_->path / folder / part, error)) break;
      folder /= part;
    }
    // A namespace itself belongs to nobody.
    for (const char* const name : namespaces)
      if (folder == name) return {};
    return folder;
  }

  void report_empty(const Distribution& distribution) {
    out_.places.push_back(text("{} ({}): {} {} brings no plugin library", site_->path.native(), site_->from, distribution.name,
                               distribution.version));
  }

  void add(const fs::path& library, const CatalogEntry& entry, const CatalogPackage* package, const Distribution* distribution) {
    Candidate candidate;
    candidate.id = entry.id;
    candidate.library = library;
    complete_from_catalog(candidate, entry);
    if (package) {
      candidate.create_options = package->create_options;
      candidate.environment = package->environment;
      if (distribution && distribution->version == package->version) candidate.api_version = package->api_version;
    }
    add(std::move(candidate), distribution);
  }

  void add(const fs::path& library, const fs::path& folder, const std::string& entry_point, const Distribution* distribution) {
    const bool shared = std::any_of(std::begin(namespaces), std::end(namespaces), [&](const char* name) { return folder.parent_path() == name; });
    if (const CatalogEntry* const entry = shared ? known_.by_folder(folder.generic_string()) : nullptr)
      return add(library, *entry, nullptr, distribution);
    std::string id = lower_ascii(folder.filename().native());
    if (!is_name(id)) id = lower_ascii(entry_point);
    if (!is_name(id)) id = id_from_library(library);
    add(candidate_for(library, "python", id), distribution);
  }

  void add(Candidate candidate, const Distribution* distribution) {
    if (!seen_.insert(real_path(candidate.library)).second) return;
    ++plugins_;
    candidate.source = "python";
    candidate.found_in = text("{} ({})", site_->path.native(), site_->from);
    if (distribution) {
      candidate.package = distribution->name;
      candidate.version = distribution->version;
    }
    if (!query_.wants(candidate.id, candidate.labels) || seen_.size() > most_plugins) {
      ++others_;
      return;
    }
    check_file(candidate);
    // Nobody meant it: a file that is not what its name says is no damage to what is installed.
    candidate.damaged = false;
    if (distribution)
      if (auto why = why_unusable(distribution->name)) candidate.reason = std::move(*why);
    // Python's own extensions have such names, too.
    if (candidate.reason.empty())
      if (auto why = why_no_plugin(candidate.library)) candidate.reason = std::move(*why);
    out_.candidates.push_back(std::move(candidate));
  }

  const Query& query_;
  Resolution& out_;
  KnownPackages known_;
  const SiteFolder* site_ = nullptr;
  std::set<fs::path> seen_;
  std::size_t plugins_ = 0;
  std::size_t others_ = 0;
};

}  // namespace

void search_python(const Query& query, Resolution& out) {
  if (query.kind == Query::Kind::path) return;
  const std::vector<SiteFolder> sites = python_site_folders("/", out.places);
  if (sites.empty()) return;
  Search search(query, out);
  for (const SiteFolder& site : sites) search.look_into(site);
}

}  // namespace pier::registry
