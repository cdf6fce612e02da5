#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <system_error>

#include <pier/error.h>

#include "base/env.h"
#include "base/text.h"
#include "inspect/search.h"

namespace pier::inspection {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_libraries = 1024;

bool is_part_of_macos(std::string_view name) {
  return name.starts_with("/usr/lib/") || name.starts_with("/System/Library/") || name.starts_with("/System/iOSSupport/");
}

struct Node {
  fs::path path;
  std::shared_ptr<const Binary> owner;
  const Image* image = nullptr;
  // LC_RPATH folders of this library and of those that brought it in, expanded.
  std::vector<std::string> rpath;
  // Every folder of that list could be expanded here.
  bool rpath_known = true;
};

class Search {
 public:
  Search(const Binary& binary, const Image& image, bool host_is_macos, std::span<const fs::path> preloaded)
      : host_is_macos_(host_is_macos), platform_(image.platform) {
    if (const auto folders = host_is_macos ? get_env("DYLD_LIBRARY_PATH") : std::nullopt) {
      for (std::size_t at = 0; at <= folders->size();) {
        const std::size_t colon = std::min(folders->find(':', at), folders->size());
        if (colon > at) library_path_.push_back(folders->substr(at, colon - at));
        at = colon + 1;
      }
    }
    for (const fs::path& path : preloaded) add_preloaded(path);
    if (!image.soname.empty()) seen_.insert(image.soname);
    queue_.push_back({binary.path, nullptr, &image, {}, true});
  }

  SearchResult run() {
    while (!queue_.empty()) {
      Node node = std::move(queue_.front());
      queue_.pop_front();
      std::vector<std::string> own;
      for (const std::string& folder : node.image->rpath)
        if (auto expanded = expand(folder, node)) own.push_back(std::move(*expanded));
      if (own.size() != node.image->rpath.size()) node.rpath_known = false;
      own.insert(own.end(), node.rpath.begin(), node.rpath.end());
      node.rpath = std::move(own);
      for (const NeededLibrary& needed : node.image->needed)
        if (seen_.insert(needed.name).second) resolve(node, needed);
    }
    return std::move(result_);
  }

 private:
  void add_preloaded(const fs::path& path) {
    try {
      const Binary binary = inspect(path);
      for (const Image& image : binary.images)
        if (image.platform == platform_ && !image.soname.empty()) preloaded_.push_back({image.soname, path});
    } catch (const Error& error) {
      result_.findings.push_back({Severity::error, "library-broken",
                                  text("a library to be loaded first is unusable: {}", error.message()), ""});
    }
  }

  // The folder or file with its @ variable replaced; nothing when only the Mac itself can tell.
  std::optional<std::string> expand(const std::string& name, const Node& node) const {
    constexpr std::string_view loader = "@loader_path", program = "@executable_path";
    if (name.starts_with(loader)) {
      if (node.path.empty()) return std::nullopt;
      return node.path.parent_path().string() + name.substr(loader.size());
    }
    if (name.starts_with(program) || !host_is_macos_) return std::nullopt;
    return name;
  }

  void resolve(const Node& node, const NeededLibrary& needed) {
    const std::string user = node.path.string();
    LibraryLookup lookup{needed.name, user, needed.optional, std::nullopt, {}, {}};
    for (const auto& [soname, path] : preloaded_) {
      if (soname != needed.name) continue;
      lookup.path = path;
      lookup.how = "loaded before";
      result_.libraries.push_back(std::move(lookup));
      return;
    }
    bool certain = true;  // every place is one that this machine can look at
    std::vector<std::pair<std::string, std::string>> candidates;
    for (const std::string& folder : library_path_)
      candidates.emplace_back((fs::path(folder) / fs::path(needed.name).filename()).string(), "DYLD_LIBRARY_PATH");
    constexpr std::string_view by_rpath = "@rpath/";
    if (needed.name.starts_with(by_rpath)) {
      certain = node.rpath_known;
      for (const std::string& folder : node.rpath)
        candidates.emplace_back((fs::path(folder) / needed.name.substr(by_rpath.size())).string(), "LC_RPATH");
    } else if (const auto path = expand(needed.name, node)) {
      candidates.emplace_back(*path, "named by path");
    } else {
      certain = false;
    }
    for (const auto& [path, how] : candidates)
      if (accept(path, how, node, lookup)) break;
    // System libraries have no files since macOS 11: they live in one cache that every process shares.
    if (!lookup.path && is_part_of_macos(needed.name)) {
      lookup.how = "part of macOS";
      if (host_is_macos_) lookup.path = needed.name;
      certain = false;
    }
    if (!lookup.path && certain && !needed.optional) report_missing(lookup);
    result_.libraries.push_back(std::move(lookup));
  }

  bool accept(const std::string& path, const std::string& how, const Node& node, LibraryLookup& lookup) {
    std::error_code none;
    if (!fs::exists(path, none)) {
      lookup.looked_in.push_back(text("{} ({})", path, how));
      return false;
    }
    try {
      auto binary = std::make_shared<const Binary>(inspect(fs::path(path)));
      for (const Image& image : binary->images) {
        if (image.platform != platform_) continue;
        lookup.path = path;
        lookup.how = how;
        if (seen_.size() < most_libraries) queue_.push_back({path, binary, &image, node.rpath, node.rpath_known});
        return true;
      }
      lookup.looked_in.push_back(text("{} ({}; skipped: it is for {})", path, how, binary->platforms()));
    } catch (const Error& error) {
      lookup.looked_in.push_back(text("{} ({}; unusable: {})", path, how, error.message()));
    }
    return false;
  }

  void report_missing(const LibraryLookup& lookup) {
    std::string message = text("{}, which {} needs, was not found", lookup.name, lookup.needed_by);
    for (std::size_t i = 0; i < lookup.looked_in.size(); ++i)
      message += text("{}{}", i == 0 ? "; looked in " : ", ", lookup.looked_in[i]);
    result_.findings.push_back({Severity::error, "library-missing", std::move(message),
                                "put the library where it is looked for, as the plugin's package has it"});
  }

  bool host_is_macos_;
  std::string platform_;
  std::vector<std::string> library_path_;
  std::vector<std::pair<std::string, fs::path>> preloaded_;
  std::set<std::string> seen_;
  std::deque<Node> queue_;
  SearchResult result_;
};

}  // namespace

SearchResult search_macho(const Binary& binary, const Image& image, bool host_is_macos,
                          std::span<const std::filesystem::path> preloaded) {
  return Search(binary, image, host_is_macos, preloaded).run();
}

}  // namespace pier::inspection
