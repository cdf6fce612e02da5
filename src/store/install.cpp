#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/store.h>

#include "base/env.h"
#include "base/file.h"
#include "base/text.h"
#include "store/index.h"
#include "store/layout.h"
#include "store/manifest.h"
#include "store/package.h"
#include "store/preflight.h"
#include "store/verify.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace pier {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

[[noreturn]] void refuse(const PluginRequest& request, std::string_view fault) {
  throw Error(ErrorCode::invalid_argument, text("cannot install '{}': {}", request.id, fault))
      .note("this is what the catalog says about the plugin; the catalog needs mending");
}

void check_request(const PluginRequest& request) {
  require_id(request.id);
  const Pin& pin = request.pin;
  if (!is_sha256(pin.sha256)) refuse(request, text("its pin has no SHA-256 ('{}')", printable(pin.sha256)));
  if (pin.file.empty() || pin.file.find('/') != std::string::npos || pin.file.starts_with('.'))
    refuse(request, text("its pin's file name is '{}'", printable(pin.file)));
  if (!pin.file.ends_with(".whl")) refuse(request, text("{} is no wheel", printable(pin.file)));
  if (!Version::parse(pin.version)) refuse(request, text("its pin's version is '{}'", printable(pin.version)));
  if (pin.package.empty() || pin.package.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
                                 std::string::npos)
    refuse(request, text("its pin's package is '{}'", printable(pin.package)));
  MemberNames names{UnpackLimits{}};
  try {
    names.add_file(pin.member);
  } catch (const Error& error) {
    refuse(request, text("its pin's library is refused: {}", error.message()));
  }
}

// One install of one plugin, under its lock.
class Install {
 public:
  Install(const PluginRequest& request, const InstallOptions& options)
      : request_(request), options_(options), pin_(request.pin), platform_(parse_platform(request.pin.platform)),
        foreign_(platform_ != host_platform()), layout_(platform_) {
    pin_.sha256 = lower(pin_.sha256);
  }

  InstallResult run() {
    // Most calls find everything in place; they need no lock and write nothing.
    if (auto present = find_present(); present && !options_.force && is_as_requested(present->plugin)) return already(*present);
    require_system();
    make_folders(layout_.lock(request_.id).parent_path());
    const FileLock lock = take_lock();
    before_ = read_current();
    if (!options_.force) {
      // Another process may have done it while this one waited.
      if (auto present = find_present()) return is_as_requested(present->plugin) ? already(*present) : update(*present);
      make_folders(layout_.plugin_folder(request_.id));
      sweep(layout_.plugin_folder(request_.id));
      if (auto adopted = adopt()) return *adopted;
    }
    make_folders(layout_.plugin_folder(request_.id));
    sweep(layout_.plugin_folder(request_.id));
    return fetch();
  }

 private:
  void report(const Progress& progress) const {
    if (options_.progress) options_.progress(progress);
  }

  FileLock take_lock() const {
    const auto path = layout_.lock(request_.id);
    if (auto lock = FileLock::try_acquire(path)) return std::move(*lock);
    report({Phase::waiting, 0, 0, request_.id});
    return FileLock::acquire(path, options_.lock_timeout.count(), [](std::string_view holder) {
      log(LogLevel::info, text("waiting for another install of the same plugin by {}", holder));
    });
  }

  std::optional<Manifest> read_current() const {
    const auto path = layout_.manifest(request_.id);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    try {
      return read_manifest(path);
    } catch (const Error& error) {
      log(LogLevel::warning, text("a manifest is replaced because it cannot be read: {}", error.what()));
      return std::nullopt;
    }
  }

  // What the manifest names, if it is the pinned package and its library is whole.
  std::optional<Manifest> find_present() const {
    auto manifest = read_current();
    if (!manifest || lower(manifest->plugin.sha256) != pin_.sha256) return std::nullopt;
    return is_whole(*manifest) ? manifest : std::nullopt;
  }

  bool is_whole(const Manifest& manifest) const {
    const InstalledPlugin& plugin = manifest.plugin;
    try {
      if (plugin.library != plugin.root / pin_.member) return false;
      // Size and time tell in microseconds what the hash of some hundred megabytes tells in a tenth of a second.
      if (manifest.library_mtime != 0 && library_difference(manifest).empty()) return true;
      return file_sha256(plugin.library) == plugin.library_sha256;
    } catch (const Error&) {
      return false;
    }
  }

  bool is_as_requested(const InstalledPlugin& plugin) const {
    return plugin.labels == request_.labels && plugin.priority == request_.priority &&
           plugin.create_options == request_.create_options && sorted(plugin.environment) == sorted(request_.environment);
  }

  static std::vector<std::pair<std::string, std::string>> sorted(std::vector<std::pair<std::string, std::string>> pairs) {
    std::ranges::sort(pairs);
    return pairs;
  }

  void describe(InstalledPlugin& plugin) const {
    plugin.origin = foreign_ ? Origin::foreign : Origin::installed;
    plugin.id = request_.id;
    plugin.labels = request_.labels;
    plugin.priority = request_.priority;
    plugin.create_options = request_.create_options;
    plugin.environment = request_.environment;
    plugin.platform = to_string(platform_);
    plugin.package = pin_.package;
    plugin.version = pin_.version;
    plugin.file = pin_.file;
    plugin.sha256 = pin_.sha256;
  }

  InstallResult already(Manifest& manifest) {
    manifest.plugin.origin = foreign_ ? Origin::foreign : Origin::installed;
    notes_.push_back(text("already installed: {} {} (SHA-256 {})", pin_.package, pin_.version, pin_.sha256));
    return {std::move(manifest.plugin), Outcome::already_installed, std::move(notes_)};
  }

  // The same files under new settings.
  InstallResult update(Manifest& manifest) {
    describe(manifest.plugin);
    publish(manifest);
    notes_.emplace_back("labels, priority, options or environment were brought up to date");
    return already(manifest);
  }

  void require_system() const {
    if (foreign_ || pin_.min_system.empty()) return;
    const auto needed = parse_system_version(pin_.min_system);
    const auto have = host_system_version();
    if (!needed || !have || *have >= *needed) return;
    const std::string_view what = platform_.os == Os::macos ? "macOS" : "glibc";
    throw Error(ErrorCode::not_available, text("{} {} needs {} {}, this machine has {}.{}", pin_.package, pin_.version, what,
                                               pin_.min_system, have->major, have->minor))
        .note("update the system, or register a plugin that was built for it: pier register PATH --id ID");
  }

  // A folder of this very package that an interrupted install left whole, or that an earlier version of the manifest used.
  std::optional<InstallResult> adopt() {
    const std::string prefix = folder_name();
    std::error_code error;
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::directory_iterator it(layout_.plugin_folder(request_.id), error), end; !error && it != end; it.increment(error))
      if (it->path().filename().native().starts_with(prefix)) folders.push_back(it->path());
    for (const auto& folder : folders) {
      try {
        Manifest manifest = read_manifest(folder / Layout::own_manifest);
        if (lower(manifest.plugin.sha256) != pin_.sha256 || manifest.plugin.library != folder / pin_.member) continue;
        if (!verify_tree(folder, Layout::own_manifest).empty()) continue;
        // Its load test may have been skipped.
        if (manifest.plugin.api_version.empty()) load_test(manifest.plugin);
        describe(manifest.plugin);
        manifest.plugin.root = folder;
        record_library(manifest);
        publish(manifest);
        notes_.push_back(text("found whole in {}", folder.native()));
        return InstallResult{std::move(manifest.plugin), outcome(), std::move(notes_)};
      } catch (const Error& failure) {
        log(LogLevel::info, text("{} is not used again: {}", folder.native(), failure.message()));
      }
    }
    return std::nullopt;
  }

  std::string folder_name() const { return text("{}-{}", Version::parse(pin_.version)->text(), pin_.sha256.substr(0, 12)); }

  bool is_offline() const { return options_.offline || env_flag("PIER_OFFLINE"); }

  PackageSource find_source(bool local) {
    if (local)
      if (auto source = find_local(config_, pin_)) return *source;
    if (is_offline())
      throw Error(ErrorCode::not_available, text("'{}' is not installed, and the network is forbidden (PIER_OFFLINE)", request_.id))
          .note(text("run: pier install {}", foreign_ ? text("{} --platform {}", request_.id, to_string(platform_)) : request_.id))
          .note(text("or put {} into a folder and name that with --find-links", pin_.file));
    report({Phase::searching, 0, 0, pin_.package});
    PackageSource source = find_remote(client(), config_, pin_);
    if (source.yanked) {
      notes_.push_back(text("{} {} is yanked from the index{}{}; the pinned bytes are used all the same", pin_.package, pin_.version,
                            source.yanked_reason.empty() ? "" : ": ", printable(source.yanked_reason)));
      log(LogLevel::warning, notes_.back());
    }
    return source;
  }

  HttpClient& client() {
    if (!client_) client_ = std::make_unique<HttpClient>(config_.http);
    return *client_;
  }

  InstallResult fetch() {
    const std::filesystem::path home = layout_.plugin_folder(request_.id);
    config_ = index_config(options_.index_url, options_.find_links);
    // Refused before anything is made, so that an offline machine sees nothing change.
    if (is_offline() && kept_bytes(pin_) == 0 && !find_local(config_, pin_)) find_source(false);
    if (pin_.unpacked_size != 0) require_free_space(home, pin_.unpacked_size);

    Download download(pin_, options_.lock_timeout);
    const Staging staging(home);
    StagedPackage staged = stage_package(pin_, staging.root, download, [this]() -> HttpClient& { return client(); },
                                         [this](bool local) { return find_source(local); },
                                         [this](const Progress& progress) { report(progress); });
    const auto library = staged.unpacked.files.find(pin_.member);
    if (library == staged.unpacked.files.end()) refuse_without_library(staged.unpacked);
    if (staged.unpacked.files.contains(Layout::own_manifest))
      throw IntegrityError(text("{} brings a {}, which only pier may write", pin_.file, Layout::own_manifest));

    Manifest manifest;
    InstalledPlugin& plugin = manifest.plugin;
    describe(plugin);
    plugin.root = staging.root;
    plugin.library = staging.root / pin_.member;
    plugin.library_sha256 = to_hex(library->second.sha256);
    plugin.source = staged.source.from;
    plugin.installed_at = timestamp();
    report({Phase::checking, 0, 0, pin_.member});
    require_preflight(plugin, notes_);
    load_test(plugin);
    record_library(manifest);

    report({Phase::finishing, 0, 0, pin_.member});
    write_manifest(manifest, staging.root / Layout::own_manifest);
    sync_tree(staged.unpacked, staging.root);
    const std::filesystem::path final = free_name(home);
    if (::rename(staging.root.c_str(), final.c_str()) != 0) throw_errno(errno, "rename to", final);
    sync_folder(home);
    plugin.root = final;
    plugin.library = final / pin_.member;
    publish(manifest);
    download.discard();
    drop_replaced(final);
    return {std::move(plugin), outcome(), std::move(notes_)};
  }

  // A folder of ours that goes away with whatever is left in it.
  struct Staging {
    explicit Staging(const std::filesystem::path& parent) : folder(make_temporary_folder(parent)), root(folder / "root") {
      if (::mkdir(root.c_str(), 0755) != 0) throw_errno(errno, "make the folder", root);
    }
    ~Staging() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    std::filesystem::path folder;
    std::filesystem::path root;
  };

  [[noreturn]] void refuse_without_library(const Unpacked& unpacked) const {
    IntegrityError error(text("{} has no member {}", pin_.file, pin_.member));
    for (const auto& [path, file] : unpacked.files)
      if (path.find(".so") != std::string::npos || path.ends_with(".dylib") || path.ends_with(".dll"))
        error.note(text("it has {}", printable(path)));
    throw error;
  }

  void load_test(InstalledPlugin& plugin) {
    if (foreign_) {
      notes_.push_back(text("this machine cannot load it: it is for {}, this is {}", plugin.platform, to_string(host_platform())));
      return;
    }
    if (!options_.load_test) {
      notes_.emplace_back("no load test was made");
      return;
    }
    report({Phase::loading, 0, 0, pin_.member});
    plugin.api_version = options_.load_test(plugin);
  }

  std::filesystem::path free_name(const std::filesystem::path& home) const {
    std::filesystem::path path = home / folder_name();
    std::error_code ignored;
    // A folder that a running process may use is never written into; a second copy stands beside it.
    for (int copy = 2; std::filesystem::exists(std::filesystem::symlink_status(path, ignored)); ++copy)
      path = home / text("{}-r{}", folder_name(), copy);
    return path;
  }

  void publish(const Manifest& manifest) const {
    make_folders(layout_.manifests());
    // Held only for the moment of writing, so whatever temporary lies there was left by a process that is gone.
    const FileLock lock = FileLock::acquire(layout_.manifests() / ".lock", options_.lock_timeout.count());
    sweep(layout_.manifests());
    write_manifest(manifest, layout_.manifest(request_.id));
  }

  // A damaged or replaced copy of the same package; other versions stay for going back.
  void drop_replaced(const std::filesystem::path& kept) const {
    const std::filesystem::path home = layout_.plugin_folder(request_.id);
    std::error_code error;
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::directory_iterator it(home, error), end; !error && it != end; it.increment(error))
      if (it->path() != kept && it->path().filename().native().starts_with(folder_name())) folders.push_back(it->path());
    for (const auto& folder : folders) {
      try {
        remove_tree(folder);
      } catch (const Error& failure) {
        log(LogLevel::warning, failure.what());
      }
    }
  }

  Outcome outcome() const {
    if (!before_) return Outcome::installed;
    return lower(before_->plugin.sha256) == pin_.sha256 && !options_.force ? Outcome::repaired : Outcome::replaced;
  }

  const PluginRequest& request_;
  const InstallOptions& options_;
  Pin pin_;
  Platform platform_;
  bool foreign_;
  Layout layout_;
  IndexConfig config_;
  std::unique_ptr<HttpClient> client_;
  std::optional<Manifest> before_;
  std::vector<std::string> notes_;
};

}  // namespace

InstallResult install(const PluginRequest& request, const InstallOptions& options) {
  check_request(request);
  try {
    return Install(request, options).run();
  } catch (Error& error) {
    const auto named = [](const std::string& note) { return note.find("PIER_HOME") != std::string::npos; };
    if (error.code() == ErrorCode::resource_exhausted && std::ranges::none_of(error.notes(), named))
      error.note("PIER_HOME names another place for everything that pier keeps");
    throw;
  }
}

bool remove_plugin(std::string_view id, std::string_view platform) {
  require_id(id);
  const Layout layout(platform.empty() ? host_platform() : parse_platform(platform));
  const std::filesystem::path home = layout.plugin_folder(id);
  std::error_code ignored;
  if (!std::filesystem::exists(home, ignored) && !std::filesystem::exists(layout.manifest(id), ignored)) return false;
  make_folders(layout.lock(id).parent_path());
  const FileLock lock = FileLock::acquire(layout.lock(id), InstallOptions{}.lock_timeout.count(), [](std::string_view holder) {
    log(LogLevel::info, text("waiting for an install of the same plugin by {}", holder));
  });
  // The manifest goes first: from then on the files are rubbish, whatever happens to us.
  const bool listed = ::unlink(layout.manifest(id).c_str()) == 0;
  if (!listed && errno != ENOENT) throw_errno(errno, "remove", layout.manifest(id));
  if (listed) sync_folder(layout.manifests());
  bool any = listed;
  std::vector<std::filesystem::path> folders;
  sweep(home);
  std::error_code error;
  for (std::filesystem::directory_iterator it(home, error), end; !error && it != end; it.increment(error)) folders.push_back(it->path());
  for (const auto& folder : folders) {
    remove_tree(folder);
    any = true;
  }
  if (::rmdir(home.c_str()) != 0 && errno != ENOENT) throw_errno(errno, "remove", home);
  return any;
}

}  // namespace pier
