#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/attribute.h>
#include <pier/export.h>

namespace pier {

/// One file of a package index, named so that nothing else can take its place. The catalog holds these.
struct Pin {
  std::string package;  ///< As the index names it: "some-pjrt-plugin".
  std::string version;  ///< PEP 440.
  std::string file;     ///< The wheel's file name.
  std::uint64_t size = 0;           ///< Bytes of the wheel; 0 when not known.
  std::string sha256;               ///< Of the wheel; 64 hexadecimal digits.
  std::string member;               ///< The library's path inside the wheel, with '/'.
  std::string platform;             ///< "linux-x86_64", "macos-arm64" ...
  std::string min_system;           ///< Least glibc or macOS: "2.27", "14.0"; empty when not known.
  std::uint64_t unpacked_size = 0;  ///< Bytes after unpacking, for the check of free space; 0 when not known.
};

/// A plugin that shall be installed: what the catalog says about it.
struct PluginRequest {
  std::string id;                   ///< [a-z0-9][a-z0-9._-]{0,63}: "cpu", "metal".
  std::vector<std::string> labels;  ///< What else it answers to: "gpu".
  int priority = 0;                 ///< Higher wins.
  Pin pin;
  Attributes create_options;        ///< What the plugin needs to be told.
  std::vector<std::pair<std::string, std::string>> environment;  ///< Set before load unless the user has set it.
};

enum class Origin {
  registered,  ///< A local build that this user registered.
  system,      ///< Registered for everyone by an administrator or a distribution.
  installed,   ///< Fetched by pier for this machine.
  foreign,     ///< Fetched by pier for another platform.
};
/// "registered", "system", "installed", "foreign".
PIER_API std::string_view name(Origin origin) noexcept;

/// What a manifest says about a plugin on this disk.
struct InstalledPlugin {
  Origin origin = Origin::installed;
  std::string id;
  std::vector<std::string> labels;
  int priority = 0;
  std::filesystem::path library;    ///< Absolute.
  std::filesystem::path root;       ///< The folder that holds the package's files; empty for a registered library.
  std::filesystem::path manifest;   ///< Where this was read.
  std::string platform;             ///< "linux-x86_64" ...
  std::string package;              ///< Empty for a registered library, as are version, file and sha256.
  std::string version;
  std::string file;
  std::string sha256;               ///< Of the package file.
  std::uint64_t library_size = 0;   ///< Bytes of the library when it was installed or registered.
  std::string library_sha256;
  std::string source;               ///< The index, folder or file that it came from, without credentials.
  std::string installed_at;         ///< RFC 3339, UTC.
  std::string api_version;          ///< PJRT API version that the load test saw: "0.115"; empty when there was none.
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;
  bool allow_others = false;        ///< A registered library that other users may write: whoever registered it said so.
  bool changed = false;             ///< The library's file was written since it was installed or registered: its size or time differ.
};

enum class Phase {
  waiting,      ///< Another process installs the same plugin; name is who.
  searching,    ///< Asking the index; name is where.
  downloading,  ///< done and total are bytes of the package. It is unpacked meanwhile.
  unpacking,    ///< done and total are bytes of the package; after a download, or from a local file.
  checking,     ///< Headers and needed libraries; name is the library.
  loading,      ///< The load test in a child process; name is the library.
  finishing,    ///< Making it durable.
};
/// "waiting", "searching" ...
PIER_API std::string_view name(Phase phase) noexcept;

struct Progress {
  Phase phase = Phase::waiting;
  std::uint64_t done = 0;   ///< Bytes.
  std::uint64_t total = 0;  ///< Bytes; 0 when not known.
  std::string_view name;    ///< What it is about; valid during the call.
};

/// Loads the library where a crash or a hang does no harm, and returns the PJRT API version it reports ("0.115"). Throws
/// Error to reject the library. The store never calls into a plugin itself.
using LoadTest = std::function<std::string(const InstalledPlugin& plugin)>;

struct InstallOptions {
  std::string index_url;                ///< As --index-url; empty for what the machine is set up for.
  std::vector<std::string> find_links;  ///< Folders, files or pages that are searched before the index.
  bool force = false;                   ///< Install again even if the same package is there and whole.
  bool offline = false;                 ///< As PIER_OFFLINE=1.
  std::chrono::milliseconds lock_timeout{600'000};  ///< How long to wait for another process that installs the same plugin.
  std::function<void(const Progress&)> progress;    ///< Called on the caller's thread; may throw to cancel.
  LoadTest load_test;                   ///< Not called for a foreign platform.
};

enum class Outcome { installed, already_installed, replaced, repaired };
/// "installed", "already installed", "replaced", "repaired".
PIER_API std::string_view name(Outcome outcome) noexcept;

struct InstallResult {
  InstalledPlugin plugin;
  Outcome outcome = Outcome::installed;
  std::vector<std::string> notes;  ///< What the user should know: a skipped load test, a yanked version, preflight warnings.
};

/// Fetches the pinned package (or takes it from a find-links folder or an unfinished earlier try), compares every byte with
/// the pin and the package's own record, checks and load-tests the library, and only then puts it in place. What is there
/// and whole is returned without any network. Killing it at any instant leaves the old state or the new one.
/// Throws Error (invalid_argument) on an impossible request, NetworkError, IntegrityError, Error (not_available) when this
/// machine cannot use it or the network is forbidden, Error (permission_denied, resource_exhausted, io) by what the system
/// said.
PIER_API InstallResult install(const PluginRequest& request, const InstallOptions& options = {});

/// A local build to be registered: nothing is copied.
struct Registration {
  std::string id;
  std::vector<std::string> labels;
  int priority = 0;
  std::filesystem::path library;
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;
};

struct RegisterOptions {
  LoadTest load_test;       ///< Empty: registered without one, and the notes say so.
  bool allow_others = false;  ///< Accept a library that other users can write.
};

/// Writes a manifest for a library in its place. Registering again compares with what was registered and says what changed.
/// Throws Error (not_found, invalid_argument, permission_denied, not_available), IntegrityError for a file that is no library.
PIER_API InstallResult register_plugin(const Registration& registration, const RegisterOptions& options = {});

/// Removes the manifest of a registered library; the library stays. False when there is none.
PIER_API bool unregister_plugin(std::string_view id);

/// Removes what pier installed under that id, all its versions included; `platform` names a foreign platform, empty means
/// this machine. False when there is nothing.
PIER_API bool remove_plugin(std::string_view id, std::string_view platform = {});

/// A manifest that does not count, and why.
struct RejectedManifest {
  std::filesystem::path manifest;
  std::string reason;
  std::string id;                    ///< The plugin's, as the file's name says; empty for a folder that cannot be read.
  Origin origin = Origin::installed;
  bool damaged = false;              ///< Manifest or library are not what was recorded, or gone though pier installed them.
};

struct Inventory {
  std::vector<InstalledPlugin> plugins;  ///< Registered, system, installed, foreign; by id within each.
  std::vector<RejectedManifest> rejected;
};

/// Every plugin with a manifest that can be read and a library that is there and has its size. Opens manifests, nothing
/// else; never throws because of one bad manifest.
PIER_API Inventory installed_plugins();

/// Those of that id for this machine, in the same order; the manifests of no other are opened.
PIER_API Inventory installed_plugins(std::string_view id);

/// Every file of an installed plugin compared with the hash its package recorded, or the library of a registered one.
/// Returns what is wrong, one line each; empty when all is well.
PIER_API std::vector<std::string> verify_plugin(const InstalledPlugin& plugin);

}  // namespace pier
