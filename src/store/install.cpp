#include <algorithm>
#include <optional>
#include <utility>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/store.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/digest.h"
#include "store/fetch.h"
#include "store/preflight.h"
#include "store/presence.h"
#include "store/publish.h"
#include "store/wheel_name.h"

namespace pier {
namespace {

// Whether the system refused something in the folders that PIER_HOME moves, and nobody has said so yet.
bool is_about_our_folders(const Error& error) {
  if (error.code() != ErrorCode::resource_exhausted && error.code() != ErrorCode::permission_denied && error.code() != ErrorCode::io)
    return false;
  const auto named = [](const std::string& note) { return note.find("PIER_HOME") != std::string::npos; };
  if (std::ranges::any_of(error.notes(), named)) return false;
  const auto holds = [&](const std::filesystem::path& folder) { return error.message().find(folder.native()) != std::string::npos; };
  return holds(Layout(host_platform()).data) || holds(downloads_folder());
}

std::vector<std::pair<std::string, std::string>> sorted(std::vector<std::pair<std::string, std::string>> pairs) {
  std::ranges::sort(pairs);
  return pairs;
}

// One install of one plugin, under its lock.
class Install {
 public:
  Install(const PluginRequest& request, const InstallOptions& options)
      : request_(request), options_(options), packages_(request), platform_(parse_platform(packages_.own().platform)),
        foreign_(platform_ != host_platform()), layout_(platform_), presence_(request, packages_, layout_),
        publisher_(layout_, options.lock_timeout, waiting()) {}

  InstallResult run() {
    // Most calls find everything in place; they need no lock and write nothing.
    auto present = options_.force ? std::nullopt : presence_.find();
    if (present && is_as_requested(present->plugin)) return already(*present);
    // What can be refused is refused before anything is made.
    require_system();
    require_settings();
    if (!present && is_offline(options_) && (options_.force || presence_.folders().empty())) require_local();
    make_folders(layout_.lock(request_.id).parent_path());
    const FileLock lock = wait_for_lock(layout_.lock(request_.id), options_.lock_timeout, waiting());
    before_ = presence_.current();
    const std::filesystem::path home = layout_.plugin_folder(request_.id);
    if (!options_.force) {
      // Another process may have done it while this one waited.
      if (present = presence_.find(); present) return is_as_requested(present->plugin) ? already(*present) : update(*present);
    }
    make_folders(home);
    sweep(home);
    if (!options_.force)
      if (auto adopted = adopt()) return *adopted;
    return fetch(home);
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

  SetFetch packages_fetch() const {
    std::string command = text("pier install {}", request_.id);
    if (foreign_) command += text(" --platform {}", to_string(platform_));
    return {request_, options_, packages_, std::move(command)};
  }

  // Without the network: throws unless something on this machine may do.
  void require_local() const {
    try {
      packages_fetch().require_local();
    } catch (const Error& error) {
      refuse_damaged(error);
      throw;
    }
  }

  // A plugin that was here and is spoilt is not merely missing.
  void refuse_damaged(const Error& missing) const {
    if (presence_.damage().empty() || missing.code() != ErrorCode::not_available) return;
    IntegrityError error(text("'{}' is damaged: {}; and it cannot be fetched again: {}", request_.id, presence_.damage(), missing.message()));
    for (const std::string& note : missing.notes()) error.note(note);
    throw error;
  }

  bool is_as_requested(const InstalledPlugin& plugin) const {
    return plugin.labels == request_.labels && plugin.priority == request_.priority && plugin.preload == request_.preload &&
           plugin.create_options == request_.create_options && sorted(plugin.environment) == sorted(request_.environment);
  }

  void describe(InstalledPlugin& plugin) const {
    plugin.origin = foreign_ ? Origin::foreign : Origin::installed;
    plugin.id = request_.id;
    plugin.labels = request_.labels;
    plugin.priority = request_.priority;
    plugin.create_options = request_.create_options;
    plugin.environment = request_.environment;
    plugin.preload = request_.preload;
    packages_.describe(plugin);
  }

  InstallResult already(Manifest& manifest) {
    manifest.plugin.origin = foreign_ ? Origin::foreign : Origin::installed;
    notes_.push_back(text("already installed: {}", package_text(manifest.plugin)));
    return {std::move(manifest.plugin), Outcome::already_installed, std::move(notes_)};
  }

  // The same files under new settings.
  InstallResult update(Manifest& manifest) {
    const bool other_libraries = manifest.plugin.preload != request_.preload;
    describe(manifest.plugin);
    if (other_libraries) load_test(manifest.plugin);
    publisher_.publish(manifest);
    notes_.emplace_back("labels, priority, options, environment or libraries of this machine were brought up to date");
    return already(manifest);
  }

  void require_settings() const {
    Manifest manifest;
    describe(manifest.plugin);
    manifest.plugin.library = layout_.plugin_folder(request_.id) / packages_.folder_name() / packages_.own().member;
    require_manifest(manifest, layout_.manifest(request_.id));
  }

  void require_system() const {
    const Pin& pin = packages_.own();
    if (foreign_ || pin.min_system.empty()) return;
    const auto needed = parse_system_version(pin.min_system);
    const auto have = host_system_version();
    if (!needed || !have || *have >= *needed) return;
    const std::string_view what = platform_.os == Os::macos ? "macOS" : "glibc";
    throw Error(ErrorCode::not_available, text("{} {} needs {} {}, this machine has {}.{}", pin.package, pin.version, what,
                                               pin.min_system, have->major, have->minor))
        .note("update the system, or register a plugin that was built for it: pier register PATH --id ID");
  }

  std::optional<InstallResult> adopt() {
    for (const auto& folder : presence_.folders()) {
      auto manifest = presence_.read_whole(folder);
      if (!manifest) continue;
      // Its load test may have been skipped, or made beside other libraries.
      if (manifest->plugin.api_version.empty() || manifest->plugin.preload != request_.preload) {
        describe(manifest->plugin);
        load_test(manifest->plugin);
      }
      describe(manifest->plugin);
      manifest->plugin.root = folder;
      record_library(*manifest);
      publisher_.publish(*manifest);
      notes_.push_back(text("found whole in {}", folder.native()));
      return InstallResult{std::move(manifest->plugin), outcome(), std::move(notes_)};
    }
    return std::nullopt;
  }

  InstallResult fetch(const std::filesystem::path& home) {
    SetFetch packages = packages_fetch();
    packages.require_space(home);
    Staging staging(home);
    FetchedSet fetched = [&] {
      try {
        return packages.fetch(staging);
      } catch (const Error& error) {
        if (is_offline(options_)) refuse_damaged(error);
        throw;
      }
    }();
    notes_.insert(notes_.end(), fetched.notes.begin(), fetched.notes.end());

    Manifest manifest;
    InstalledPlugin& plugin = manifest.plugin;
    describe(plugin);
    const std::string member = plugin_library(packages_.own(), fetched.packages.front(), staging.root(), request_.find_library);
    plugin.root = staging.root();
    plugin.library = staging.root() / member;
    plugin.library_sha256 = to_hex(fetched.files.files.find(member)->second.sha256);
    for (std::size_t i = 0; i < plugin.companions.size(); ++i)
      for (const std::string& library : companion_libraries(packages_.pins()[i + 1], fetched.packages[i + 1], notes_))
        plugin.companions[i].libraries.push_back(staging.root() / library);
    // A folder's name need not be text, as a manifest is.
    plugin.source = valid_utf8(fetched.source.from) ? fetched.source.from : printable(fetched.source.from);
    plugin.installed_at = timestamp();
    report({Phase::checking, 0, 0, member});
    require_preflight(plugin, notes_);
    load_test(plugin);
    record_library(manifest);

    report({Phase::finishing, 0, 0, member});
    publisher_.move_into_place(staging, packages_, fetched.files, manifest);
    publisher_.publish(manifest);
    packages.discard();
    drop_copies(presence_.folders(), plugin.root);
    if (before_ && !packages_.is_set_of(before_->plugin)) notes_.push_back(text("before: {}", package_text(before_->plugin)));
    return {std::move(plugin), outcome(), std::move(notes_)};
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
    const std::string shown = plugin.root.empty() ? plugin.library.native() : plugin.library.lexically_relative(plugin.root).native();
    report({Phase::loading, 0, 0, shown});
    plugin.api_version = options_.load_test(plugin);
  }

  Outcome outcome() const {
    if (!before_) return Outcome::installed;
    return packages_.is_set_of(before_->plugin) && !options_.force ? Outcome::repaired : Outcome::replaced;
  }

  const PluginRequest& request_;
  const InstallOptions& options_;
  PackageSet packages_;
  Platform platform_;
  bool foreign_;
  Layout layout_;
  Presence presence_;
  Publisher publisher_;
  std::optional<Manifest> before_;
  std::vector<std::string> notes_;
};

}  // namespace

InstallResult install(const PluginRequest& request, const InstallOptions& options) {
  try {
    return Install(request, options).run();
  } catch (Error& error) {
    if (is_about_our_folders(error)) error.note("PIER_HOME names another place for everything that pier keeps");
    throw;
  }
}

}  // namespace pier
