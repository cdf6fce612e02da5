#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/store.h>

#include "base/ascii.h"
#include "base/env.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/index.h"
#include "store/layout.h"
#include "store/lock_wait.h"
#include "store/manifest.h"
#include "store/noted.h"
#include "store/package.h"
#include "store/preflight.h"
#include "store/verify.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace pier {
namespace {

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

// Whether the system refused something in the folders that PIER_HOME moves, and nobody has said so yet.
bool is_about_our_folders(const Error& error) {
  if (error.code() != ErrorCode::resource_exhausted && error.code() != ErrorCode::permission_denied && error.code() != ErrorCode::io)
    return false;
  const auto named = [](const std::string& note) { return note.find("PIER_HOME") != std::string::npos; };
  if (std::ranges::any_of(error.notes(), named)) return false;
  const auto holds = [&](const std::filesystem::path& folder) { return error.message().find(folder.native()) != std::string::npos; };
  return holds(Layout(host_platform()).data) || holds(downloads_folder());
}

// One install of one plugin, under its lock.
class Install {
 public:
  Install(const PluginRequest& request, const InstallOptions& options)
      : request_(request), options_(options), pin_(request.pin), platform_(parse_platform(request.pin.platform)),
        foreign_(platform_ != host_platform()), layout_(platform_) {
    pin_.sha256 = lower_ascii(pin_.sha256);
  }

  InstallResult run() {
    // Most calls find everything in place; they need no lock and write nothing.
    auto present = options_.force ? std::nullopt : find_present();
    if (present && is_as_requested(present->plugin)) return already(*present);
    // What can be refused is refused before anything is made.
    require_system();
    require_settings();
    if (!present && is_offline()) require_local();
    make_folders(layout_.lock(request_.id).parent_path());
    const FileLock lock = take_lock(layout_.lock(request_.id));
    before_ = read_current();
    if (!options_.force) {
      // Another process may have done it while this one waited.
      if (present = find_present(); present) return is_as_requested(present->plugin) ? already(*present) : update(*present);
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

  // Tells who is waited for as long as that lasts, so that the caller may cancel.
  LockTurn waiting() const {
    return [this, told = false](std::string_view holder) mutable {
      if (!std::exchange(told, true)) log(LogLevel::info, text("waiting for {}", holder));
      report({Phase::waiting, 0, 0, holder});
    };
  }

  FileLock take_lock(const std::filesystem::path& path) const { return wait_for_lock(path, options_.lock_timeout, waiting()); }

  std::optional<Manifest> read_current() {
    const auto path = layout_.manifest(request_.id);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    try {
      return read_manifest(path);
    } catch (const Error& error) {
      if (damage_.empty()) log(LogLevel::warning, text("a manifest is replaced because it cannot be read: {}", error.what()));
      if (error.code() == ErrorCode::integrity) damage_ = error.message();
      return std::nullopt;
    }
  }

  // What the manifest names, if it is the pinned package and its library is whole.
  std::optional<Manifest> find_present() {
    auto manifest = read_current();
    if (!manifest || lower_ascii(manifest->plugin.sha256) != pin_.sha256) return std::nullopt;
    if (is_whole(*manifest)) return manifest;
    damage_ = text("the files in {} are not those that were installed", manifest->plugin.root.native());
    return std::nullopt;
  }

  bool is_whole(const Manifest& manifest) const {
    const InstalledPlugin& plugin = manifest.plugin;
    try {
      if (plugin.library != plugin.root / pin_.member) return false;
      // The libraries beside it count as well.
      if (!has_recorded_files(plugin.root)) return false;
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

  void require_settings() const {
    Manifest manifest;
    describe(manifest.plugin);
    manifest.plugin.library = layout_.plugin_folder(request_.id) / folder_name() / pin_.member;
    require_manifest(manifest, layout_.manifest(request_.id));
  }

  // Without the network: throws unless something on this machine may do.
  void require_local() {
    look_here();
    if (local_->files.empty() && !may_be_kept(pin_) && (options_.force || own_folders().empty())) refuse_offline();
  }

  void look_here() {
    if (local_) return;
    config_ = index_config(options_.index_url, options_.find_links);
    local_ = find_local(config_, pin_);
  }

  [[noreturn]] void refuse_offline() const {
    const bool refused_here = local_->differs || next_local_ > 0;
    Error error = !damage_.empty() ? IntegrityError(text("'{}' is damaged, and the network is forbidden (PIER_OFFLINE): {}", request_.id, damage_))
                  : refused_here   ? IntegrityError(text("{} is here, but not the pinned bytes, and the network is forbidden (PIER_OFFLINE)", pin_.file))
                                   : Error(ErrorCode::not_available, text("'{}' is not installed, and the network is forbidden (PIER_OFFLINE)", request_.id));
    error.note(text("run: pier install {}", foreign_ ? text("{} --platform {}", request_.id, to_string(platform_)) : request_.id));
    error.note(text("or put {} into a folder and name that with --find-links", pin_.file));
    for (const std::string& line : local_->looked) error.note(line);
    throw error;
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

  // Folders of this very package: that which counts, what an interrupted install left whole, an earlier copy.
  std::vector<std::filesystem::path> own_folders() const {
    const std::string prefix = folder_name();
    std::error_code error;
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::directory_iterator it(layout_.plugin_folder(request_.id), error), end; !error && it != end; it.increment(error))
      if (it->path().filename().native().starts_with(prefix)) folders.push_back(it->path());
    return folders;
  }

  // The manifest in a folder that holds the pinned package, every byte of it.
  std::optional<Manifest> read_whole(const std::filesystem::path& folder) const {
    try {
      Manifest manifest = read_manifest(folder / Layout::own_manifest);
      if (lower_ascii(manifest.plugin.sha256) != pin_.sha256 || manifest.plugin.library != folder / pin_.member) return std::nullopt;
      const auto wrong = verify_tree(folder, Layout::own_manifest);
      if (wrong.empty()) return manifest;
      log(LogLevel::info, text("{} is not used again: {}", folder.native(), wrong.front()));
    } catch (const Error& failure) {
      log(LogLevel::info, text("{} is not used again: {}", folder.native(), failure.message()));
    }
    return std::nullopt;
  }

  std::optional<InstallResult> adopt() {
    for (const auto& folder : own_folders()) {
      auto manifest = read_whole(folder);
      if (!manifest) continue;
      // Its load test may have been skipped.
      if (manifest->plugin.api_version.empty()) load_test(manifest->plugin);
      describe(manifest->plugin);
      manifest->plugin.root = folder;
      record_library(*manifest);
      publish(*manifest);
      notes_.push_back(text("found whole in {}", folder.native()));
      return InstallResult{std::move(manifest->plugin), outcome(), std::move(notes_)};
    }
    return std::nullopt;
  }

  std::string folder_name() const { return text("{}-{}", Version::parse(pin_.version)->text(), pin_.sha256.substr(0, 12)); }

  bool is_offline() const { return options_.offline || env_flag("PIER_OFFLINE"); }

  // The next place that may have the file.
  PackageSource find_source() {
    if (next_local_ > 0) local_->looked.push_back(text("{}: is not the pinned file", local_->files[next_local_ - 1].from));
    if (next_local_ < local_->files.size()) return local_->files[next_local_++];
    if (is_offline()) refuse_offline();
    report({Phase::searching, 0, 0, pin_.package});
    PackageSource source = find_remote(client(), config_, pin_, *local_);
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
    look_here();
    if (pin_.unpacked_size != 0) require_free_space(home, pin_.unpacked_size);

    Download download(pin_, options_.lock_timeout, waiting());
    const Staging staging(home);
    StagedPackage staged = stage_package(pin_, staging.root, download, [this]() -> HttpClient& { return client(); },
                                         [this] { return find_source(); },
                                         [this](const Progress& progress) { report(progress); });
    const auto library = staged.unpacked.files.find(pin_.member);
    if (library == staged.unpacked.files.end()) refuse_without_library(staged.unpacked);
    if (staged.unpacked.files.contains(Layout::own_manifest))
      throw noted(IntegrityError(text("{} brings a {}, which only pier may write", pin_.file, Layout::own_manifest)),
                  "nothing was installed; tell the package's makers");

    Manifest manifest;
    InstalledPlugin& plugin = manifest.plugin;
    describe(plugin);
    plugin.root = staging.root;
    plugin.library = staging.root / pin_.member;
    plugin.library_sha256 = to_hex(library->second.sha256);
    // A folder's name need not be text, as a manifest is.
    plugin.source = valid_utf8(staged.source.from) ? staged.source.from : printable(staged.source.from);
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
    sweep_downloads();
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
    error.note("the catalog names another file than the package has; nothing was installed, and the catalog needs mending");
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

  void publish(Manifest& manifest) const {
    make_folders(layout_.manifests());
    // Held only for the moment of writing, so whatever temporary lies there was left by a process that is gone.
    const FileLock lock = take_lock(layout_.manifests() / ".lock");
    sweep(layout_.manifests());
    manifest.plugin.manifest = layout_.manifest(request_.id);
    write_manifest(manifest, manifest.plugin.manifest);
  }

  // A damaged or replaced copy of the same package; other versions stay for going back.
  void drop_replaced(const std::filesystem::path& kept) const {
    for (const auto& folder : own_folders()) {
      try {
        if (folder != kept) remove_tree(folder);
      } catch (const Error& failure) {
        log(LogLevel::warning, failure.what());
      }
    }
  }

  Outcome outcome() const {
    if (!before_) return Outcome::installed;
    return lower_ascii(before_->plugin.sha256) == pin_.sha256 && !options_.force ? Outcome::repaired : Outcome::replaced;
  }

  const PluginRequest& request_;
  const InstallOptions& options_;
  Pin pin_;
  Platform platform_;
  bool foreign_;
  Layout layout_;
  IndexConfig config_;
  std::optional<LocalFiles> local_;
  std::size_t next_local_ = 0;
  std::unique_ptr<HttpClient> client_;
  std::optional<Manifest> before_;
  std::vector<std::string> notes_;
  std::string damage_;  // what is wrong with what is installed
};

}  // namespace

InstallResult install(const PluginRequest& request, const InstallOptions& options) {
  check_request(request);
  try {
    return Install(request, options).run();
  } catch (Error& error) {
    if (is_about_our_folders(error)) error.note("PIER_HOME names another place for everything that pier keeps");
    throw;
  }
}

}  // namespace pier
