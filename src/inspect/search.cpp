#include "inspect/search.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <system_error>

#include <pier/error.h>

#include "base/text.h"

namespace pier::inspection {
namespace {

namespace fs = std::filesystem;

// More libraries than any plugin's closure; a chain of files that need ever new ones ends here.
constexpr std::size_t most_libraries = 1024;

struct Folder {
  std::string path;
  std::string how;
};

// A library that is, or would be, in the process.
struct Known {
  std::string path;
  std::string how;
  std::shared_ptr<const Binary> binary;  // read when needed
};

struct Node {
  std::string path;
  std::shared_ptr<const Binary> owner;  // null for the library that the caller holds
  const Image* image = nullptr;
  // RPATH folders of this library and of those that brought it in.
  std::vector<Folder> inherited;
};

class Search {
 public:
  Search(const Binary& binary, const Image& image, const SearchPlaces& places, std::span<const fs::path> preloaded)
      : places_(places), platform_(image.platform) {
    Node root{binary.path.empty() ? binary.name : binary.path.string(), nullptr, &image, {}};
    from_memory_ = binary.path.empty();
    read_cache(image.arch);
    for (const SearchPlaces::Loaded& loaded : places.loaded)
      known_.try_emplace(loaded.soname, Known{loaded.path.string(), "already loaded", nullptr});
    for (const fs::path& path : preloaded) add_preloaded(path);
    if (!image.soname.empty()) known_.try_emplace(image.soname, Known{root.path, "the library itself", nullptr});
    queue_.push_back(std::move(root));
  }

  SearchResult run() {
    // Breadth first, as the loader goes.
    while (!queue_.empty()) {
      Node node = std::move(queue_.front());
      queue_.pop_front();
      visit(node);
    }
    return std::move(result_);
  }

 private:
  void report(Severity severity, std::string code, std::string message, std::string remedy) {
    result_.findings.push_back({severity, std::move(code), std::move(message), std::move(remedy)});
  }

  void read_cache(const std::string& arch) {
    if (!places_.complete) return;
    try {
      cache_ = LoaderCache::read(places_.cache, arch);
    } catch (const Error& error) {
      report(Severity::warning, "search-incomplete", error.message(), "rebuild it: sudo ldconfig");
    }
  }

  void add_preloaded(const fs::path& path) {
    try {
      auto binary = std::make_shared<const Binary>(inspect(path));
      const Image* const image = fitting_image(*binary);
      if (image == nullptr || image->soname.empty()) return;
      known_.try_emplace(image->soname, Known{path.string(), "loaded before", binary});
      queue_.push_back({path.string(), binary, image, {}});
    } catch (const Error& error) {
      report(Severity::error, "library-broken", text("a library to be loaded first is unusable: {}", error.message()), "");
    }
  }

  const Image* fitting_image(const Binary& binary) const {
    for (const Image& image : binary.images)
      if (image.platform == platform_) return &image;
    return nullptr;
  }

  std::string expand(std::string folder, const std::string& origin) const {
    const auto replace = [&](std::string_view name, const std::string& value) {
      for (const std::string& token : {text("${{{}}}", name), text("${}", name)})
        for (std::size_t at = folder.find(token); at != std::string::npos; at = folder.find(token, at + value.size()))
          folder.replace(at, token.size(), value);
    };
    replace("ORIGIN", origin);
    replace("LIB", places_.lib);
    replace("PLATFORM", places_.platform);
    return folder;
  }

  static std::string origin_of(const std::string& path) { return fs::absolute(path).parent_path().string(); }

  std::vector<Folder> folders(const std::vector<std::string>& path, std::string_view tag, const Node& node) {
    std::vector<Folder> out;
    for (const std::string& entry : path) {
      const bool relative = entry.find("ORIGIN") != std::string::npos;
      if (relative && from_memory_ && node.owner == nullptr) continue;
      if (!relative && !places_.complete) continue;
      // An empty entry means the current folder.
      out.push_back({entry.empty() ? "." : expand(entry, origin_of(node.path)), text("{} of {}", tag, node.path)});
    }
    return out;
  }

  void visit(Node& node) {
    const Image& image = *node.image;
    const std::vector<Folder> runpath = folders(image.runpath, "RUNPATH", node);
    if (image.runpath.empty()) {
      std::vector<Folder> own = folders(image.rpath, "RPATH", node);
      own.insert(own.end(), node.inherited.begin(), node.inherited.end());
      node.inherited = std::move(own);
    }
    for (const NeededLibrary& needed : image.needed) resolve(node, needed.name, runpath);
    for (const SymbolVersion& version : image.versions_needed) check_versions(node, version.library);
  }

  void resolve(const Node& node, const std::string& name, const std::vector<Folder>& runpath) {
    const auto seen = known_.find(name);
    const bool reported = !reported_.insert(name).second;
    if (seen != known_.end()) {
      if (reported) return;
      result_.libraries.push_back({name, node.path, false, fs::path(seen->second.path), seen->second.how, {}});
      check_shadow(node, name, runpath, seen->second);
      return;
    }
    if (reported) return;
    LibraryLookup lookup{name, node.path, false, std::nullopt, {}, {}};
    std::optional<Known> found = name.find('/') != std::string::npos ? find_by_path(node, name, lookup)
                                                                      : find_by_name(node, name, runpath, lookup);
    if (found) {
      lookup.path = found->path;
      lookup.how = found->how;
      enter(node, name, *found);
      check_shadow(node, name, runpath, *found);
    } else if (places_.complete && !broken_) {
      report_missing(node, lookup);
    }
    broken_ = false;
    result_.libraries.push_back(std::move(lookup));
  }

  void report_missing(const Node& node, const LibraryLookup& lookup) {
    std::string message = text("{}, which {} needs, was not found", lookup.name, node.path);
    for (std::size_t i = 0; i < lookup.looked_in.size(); ++i)
      message += text("{}{}", i == 0 ? "; looked in " : ", ", lookup.looked_in[i]);
    if (lookup.name.starts_with("libc.musl-") || lookup.name.starts_with("ld-musl-"))
      report(Severity::error, "library-missing", std::move(message),
             "this build is for a musl system (Alpine); take the one for glibc (manylinux)");
    else
      report(Severity::error, "library-missing", std::move(message),
             "install the package that brings it, or add its folder to LD_LIBRARY_PATH before the program starts");
  }

  void enter(const Node& node, const std::string& name, const Known& found) {
    known_.try_emplace(name, found);
    if (!found.binary) return;
    const Image* const image = fitting_image(*found.binary);
    if (!image->soname.empty()) known_.try_emplace(image->soname, found);
    if (known_.size() > most_libraries) {
      if (!full_)
        report(Severity::warning, "search-incomplete",
               text("more than {} libraries are needed; the rest was not searched", most_libraries), "");
      full_ = true;
      return;
    }
    queue_.push_back({found.path, found.binary, image, node.inherited});
  }

  // A file under that name in the folder, if the loader would take it.
  std::optional<Known> attempt(const std::string& path, const std::string& how, LibraryLookup* lookup) {
    std::error_code none;
    if (!fs::exists(path, none)) return std::nullopt;
    try {
      auto binary = std::make_shared<const Binary>(inspect(fs::path(path)));
      if (fitting_image(*binary) != nullptr) return Known{path, how, std::move(binary)};
      // The loader passes over files for other processors and goes on.
      if (lookup) lookup->looked_in.push_back(text("{} ({}; skipped: it is for {})", path, how, binary->platforms()));
    } catch (const Error& error) {
      if (!lookup) return std::nullopt;
      // A file that may not be opened counts as absent.
      if (error.code() == ErrorCode::permission_denied) {
        lookup->looked_in.push_back(text("{} ({}; skipped: no permission to read it)", path, how));
        return std::nullopt;
      }
      lookup->looked_in.push_back(text("{} ({}; unusable)", path, how));
      report(Severity::error, "library-broken",
             text("{}, which {} needs, is found as {} but cannot be loaded: {}", lookup->name, lookup->needed_by, path,
                  error.message()),
             "repair or remove that file; the loader stops at it");
      broken_ = true;
    }
    return std::nullopt;
  }

  std::optional<Known> find_in(const std::vector<Folder>& where, const std::string& name, LibraryLookup* lookup) {
    for (const Folder& folder : where) {
      const std::size_t before = lookup ? lookup->looked_in.size() : 0;
      if (auto found = attempt((fs::path(folder.path) / name).string(), folder.how, lookup)) return found;
      if (broken_) return std::nullopt;
      std::error_code none;
      if (lookup && lookup->looked_in.size() == before)
        lookup->looked_in.push_back(text("{} ({}{})", folder.path, folder.how, fs::is_directory(folder.path,
            none) ? "" : "; no such folder"));
    }
    return std::nullopt;
  }

  std::optional<Known> find_by_path(const Node& node, const std::string& name, LibraryLookup& lookup) {
    if (!places_.complete && name.find("ORIGIN") == std::string::npos) return std::nullopt;
    const std::string path = expand(name, origin_of(node.path));
    auto found = attempt(path, "named by path", &lookup);
    if (!found && lookup.looked_in.empty()) lookup.looked_in.push_back(path);
    return found;
  }

  std::optional<Known> find_by_name(const Node& node, const std::string& name, const std::vector<Folder>& runpath,
                                    LibraryLookup& lookup) {
    std::vector<Folder> before;
    if (node.image->runpath.empty()) {
      before = node.inherited;
      for (const std::string& folder : places_.program_rpath) before.push_back({folder, "RPATH of the program"});
    }
    for (const std::string& folder : places_.library_path) before.push_back({folder, "LD_LIBRARY_PATH"});
    before.insert(before.end(), runpath.begin(), runpath.end());
    if (auto found = find_in(before, name, &lookup)) return found;
    if (broken_ || !places_.complete) return std::nullopt;
    if (auto found = find_in_cache(name, node.image->no_default_folders, lookup)) return found;
    if (broken_ || node.image->no_default_folders) return std::nullopt;
    std::vector<Folder> defaults;
    for (const std::string& folder : places_.default_folders) defaults.push_back({folder, "system folder"});
    return find_in(defaults, name, &lookup);
  }

  std::optional<Known> find_in_cache(const std::string& name, bool no_defaults, LibraryLookup& lookup) {
    const std::string cache = places_.cache.string();
    if (cache.empty()) return std::nullopt;
    const std::size_t before = lookup.looked_in.size();
    for (const std::string& path : cache_.paths(name)) {
      const std::string folder = fs::path(path).parent_path().string();
      if (no_defaults && std::find(places_.default_folders.begin(), places_.default_folders.end(), folder) !=
                             places_.default_folders.end())
        continue;
      if (auto found = attempt(path, cache, &lookup)) return found;
      if (broken_) return std::nullopt;
    }
    if (lookup.looked_in.size() == before) lookup.looked_in.push_back(text("{} ({} libraries)", cache, cache_.size()));
    return std::nullopt;
  }

  // A library that brings its own copy of another gets the one that is loaded, or that LD_LIBRARY_PATH names, instead.
  void check_shadow(const Node& node, const std::string& name, const std::vector<Folder>& runpath, const Known& taken) {
    if (name.find('/') != std::string::npos || taken.how == "the library itself") return;
    std::vector<Folder> own = runpath;
    if (node.image->runpath.empty()) own.insert(own.end(), node.inherited.begin(), node.inherited.end());
    const std::optional<Known> meant = find_in(own, name, nullptr);
    std::error_code none;
    if (!meant || fs::equivalent(meant->path, taken.path, none) || none) return;
    report(Severity::warning, "library-shadowed",
           text("{} asks for its own {} ({}), but gets {} ({})", node.path, name, meant->path, taken.path, taken.how),
           taken.how == "LD_LIBRARY_PATH" ? "remove that folder from LD_LIBRARY_PATH if the plugin fails or misbehaves"
                                          : "start the program without loading that library first if the plugin fails or misbehaves");
  }

  void check_versions(const Node& node, const std::string& library) {
    if (!compared_.emplace(node.path, library).second) return;
    const auto provider = known_.find(library);
    if (provider == known_.end()) return;
    Known& known = provider->second;
    if (!known.binary) {
      if (known.how == "the library itself") return;
      try {
        known.binary = std::make_shared<const Binary>(inspect(fs::path(known.path)));
      } catch (const Error&) {
        // A loaded library whose file is gone or replaced cannot be compared; the load test will tell.
        return;
      }
    }
    if (const Image* const image = fitting_image(*known.binary))
      compare_versions(*node.image, node.path, library, *image, known.path, result_.findings);
  }

  const SearchPlaces& places_;
  std::string platform_;
  bool from_memory_ = false;
  bool broken_ = false;
  bool full_ = false;
  LoaderCache cache_;
  std::map<std::string, Known> known_;
  std::set<std::string> reported_;
  std::set<std::pair<std::string, std::string>> compared_;
  std::deque<Node> queue_;
  SearchResult result_;
};

}  // namespace

SearchResult search_elf(const Binary& binary, const Image& image, const SearchPlaces& places,
                        std::span<const std::filesystem::path> preloaded) {
  return Search(binary, image, places, preloaded).run();
}

}  // namespace pier::inspection
