#include <algorithm>
#include <functional>

#include <pier/error.h>
#include <pier/versions.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "store/download.h"
#include "store/folder_size.h"
#include "store/in_use.h"
#include "store/layout.h"
#include "store/names.h"

namespace pier {
namespace {

std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) out.push_back(it->path());
  std::ranges::sort(out);
  return out;
}

class Collection {
 public:
  explicit Collection(const CollectOptions& options) : options_(options) {}

  void collect_plugins(const Layout& layout, const std::string& platform) {
    for (const auto& home : folders_in(layout.data / "plugins")) {
      const std::string id = home.filename().native();
      if (is_name(id)) collect_plugin(layout, platform, id);
    }
  }

  void collect_downloads() {
    constexpr std::chrono::hours any_age{0};
    for (const KeptDownload& download : kept_downloads(any_age))
      remove({download.path, download.bytes, "a download", false, {}},
             [&] { return remove_download(download, any_age) ? std::string() : "a process is busy with it"; });
    for (const auto& path : folders_in(downloads_folder()))
      if (is_temporary(path)) remove_rubbish(path, "a bundle that was unpacked");
  }

  std::vector<Garbage> take() { return std::move(found_); }

 private:
  // What is to go is listed; `act` removes it and says why it did not.
  void remove(Garbage garbage, const std::function<std::string()>& act) {
    if (!options_.dry_run) {
      try {
        garbage.why = act();
        garbage.removed = garbage.why.empty();
      } catch (const Error& error) {
        garbage.why = error.message();
      }
    }
    found_.push_back(std::move(garbage));
  }

  void remove_rubbish(const std::filesystem::path& path, std::string what) {
    remove({path, folder_size(path), std::move(what), false, {}}, [&] {
      std::error_code error;
      std::filesystem::remove_all(path, error);
      return error ? error.message() : std::string();
    });
  }

  void collect_plugin(const Layout& layout, const std::string& platform, const std::string& id) {
    const auto lock = take_lock(layout, id);
    if (!lock) return;
    const std::filesystem::path home = layout.plugin_folder(id);
    bool previous_is_next = options_.keep_previous;
    std::vector<KeptVersion> versions = kept_versions(id, platform);
    const bool any_counts = std::ranges::any_of(versions, &KeptVersion::current);
    std::error_code error;
    if (!any_counts && !versions.empty() && std::filesystem::exists(layout.manifest(id), error)) {
      // Which one counts cannot be told, so all of them may.
      found_.push_back({home, folder_size(home), text("the versions of {}", id), false,
                        text("{} does not tell which of them counts; `pier install {}` or `pier rollback {}` mends it", layout.manifest(id).native(), id, id)});
      return;
    }
    bool counted = !any_counts;
    std::vector<std::filesystem::path> known;
    for (const KeptVersion& kept : versions) {
      known.push_back(kept.plugin.root);
      if (kept.current) {
        counted = true;
      } else if (counted && previous_is_next && any_counts) {
        previous_is_next = false;
      } else {
        remove({kept.plugin.root, kept.bytes, text("{} {}, a version that does not count", id, kept.plugin.version), false, {}},
               [&] { return remove_unused_tree(kept.plugin.root) ? std::string() : "a running process uses it"; });
      }
    }
    for (const auto& path : folders_in(home)) {
      if (is_temporary(path)) remove_rubbish(path, text("left by an interrupted install of {}", id));
      else if (std::ranges::find(known, path) == known.end()) remove_rubbish(path, text("no plugin, though it lies where those of {} do", id));
    }
    std::error_code ignored;
    if (!options_.dry_run) std::filesystem::remove(home, ignored);
  }

  std::optional<FileLock> take_lock(const Layout& layout, const std::string& id) {
    try {
      make_folders(layout.lock(id).parent_path());
      if (auto lock = FileLock::try_acquire(layout.lock(id))) return lock;
      found_.push_back({layout.plugin_folder(id), 0, text("the versions of {}", id), false, "another process works on them"});
    } catch (const Error& error) {
      found_.push_back({layout.plugin_folder(id), 0, text("the versions of {}", id), false, error.message()});
    }
    return std::nullopt;
  }

  const CollectOptions& options_;
  std::vector<Garbage> found_;
};

}  // namespace

std::vector<Garbage> collect_garbage(const CollectOptions& options) {
  Collection collection(options);
  collection.collect_plugins(Layout(host_platform()), {});
  for (const auto& folder : folders_in(foreign_folder())) {
    const std::string platform = folder.filename().native();
    try {
      collection.collect_plugins(Layout(parse_platform(platform)), platform);
    } catch (const Error&) {
      // No platform's folder: not ours to judge.
    }
  }
  collection.collect_downloads();
  return collection.take();
}

}  // namespace pier
