#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/attribute.h>
#include <pier/client.h>
#include <pier/error.h>
#include <pier/export.h>
#include <pier/store.h>

namespace pier {

/// One plugin that the resolver met, and what came of it.
struct Candidate {
  std::string source;                ///< "path", a variable's name, "registered", "system", "installed", "foreign", "python", "workspace", "catalog".
  std::string id;                    ///< The accelerator: "cpu", "metal".
  std::vector<std::string> labels;   ///< What else it answers to: "gpu".
  int priority = 0;                  ///< Higher wins.
  std::filesystem::path library;     ///< Empty for a catalog entry that is not installed.
  std::filesystem::path manifest;    ///< Where it is written down, if it is.
  std::string found_in;              ///< The Python environment or the workspace that it was found in, and how that is known; else empty.
  std::string platform;              ///< "linux-x86_64"; empty when not known.
  std::string package;               ///< Empty for a local build.
  std::string version;
  std::string api_version;           ///< PJRT API version, where a manifest or the catalog tells.
  bool usable = true;                ///< False: it cannot be used here, or is not there; the reason says why.
  bool damaged = false;              ///< Not usable because bytes are not what their hash, record or header says.
  bool taken = false;
  std::string reason;                ///< Why it was or was not taken.
  Attributes create_options;         ///< What the plugin needs to be told.
  std::vector<std::pair<std::string, std::string>> environment;  ///< Set before load unless the user has set it.
  std::vector<std::filesystem::path> preload;  ///< Libraries of this machine that are loaded before it, in this order.
  std::vector<std::filesystem::path> beside;   ///< Libraries that were installed with it for it to find, in that order, too.
};

/// One kind of place of the search, and what it had.
struct SearchStep {
  std::string name;                     ///< "path", "variables", "manifests", "python", "workspace", "catalog".
  bool looked = true;                   ///< False: it was not needed any more, or is not asked for this selector.
  std::vector<std::string> places;      ///< Folders and variables, one line each with what they held.
  std::vector<std::size_t> candidates;  ///< Indexes of Resolution::candidates.
};

/// Everything that was looked at for a selector, in the order of the search.
struct Resolution {
  std::string selector;             ///< As it was understood: "auto" gives way to PIER_PLATFORM.
  std::vector<Candidate> candidates;
  std::vector<std::string> places;  ///< Folders and variables that were looked at, one line each with what they held.
  std::vector<SearchStep> steps;    ///< The same and the candidates by kind of place, in the order of the search.
  /// The candidate that was taken, or null. One without a library is a catalog entry that load_plugin() would fetch.
  const Candidate* taken() const;
};

/// How much a resolution has to tell. What is taken is the same.
enum class SearchDepth {
  until_found,  ///< Stops at the first place that settles it; Python environments and the catalog only when nothing else does: for a start.
  everything,   ///< Looks at every place, and at what a Bazel workspace around the current folder has built: for people.
};

/// Finds the plugin for a selector without loading anything and without the network. A selector is an id ("cpu"), a label
/// ("gpu"), a path to a library (it has a '/' or ends in .so, .dylib or .dll), or "auto": what PIER_PLATFORM says, else the
/// best by priority whose device is seen. PIER_PLATFORM may be a list ("gpu,cpu"): the first that leads to a plugin counts, and
/// of those before the last only one whose device is seen.
///
/// Order: the path; PIER_PLUGIN_<ID>, PJRT_PLUGIN_LIBRARY_PATH, PJRT_NAMES_AND_LIBRARY_PATHS and the variables that the
/// catalog lists; manifests in the user's and the system's folders; what pier installed. Only when none of these can be used:
/// plugins in Python environments (VIRTUAL_ENV, CONDA_PREFIX, .venv in the current folder, the user's and the system's packages); then
/// the catalog. For an id the first of them wins; for a label and "auto" the highest priority does, and among equals the first.
/// Ids that PIER_DISABLE matches, or that PIER_ENABLE is set and does not match, are left out (lists of globs with commas between;
/// neither is asked about a path). A library is refused when it is for
/// another platform, or when others could have put it there: it or a folder above it may be written by everyone (sticky
/// folders excepted), or it or its own folder belongs to neither root nor the user. The same goes for its manifest. Links are
/// followed first. A library that was registered with allow_others may be written by others.
/// Throws Error (invalid_argument) for a selector that cannot be one.
PIER_API Resolution resolve(std::string_view selector, SearchDepth depth = SearchDepth::everything);

/// The error for a resolution without a library to load: Error (not_available), or (integrity) when one that was meant is damaged, with
/// every candidate, its reason and the command that helps.
PIER_API Error not_found_error(const Resolution& resolution);

struct ConnectOptions {
  Attributes create_options;                        ///< Added to what manifest or catalog say; these win.
  std::function<void(const Progress&)> progress;    ///< Called while a plugin is fetched.
  bool fetch = true;  ///< Whether a pinned plugin that is small (the CPU's) may be fetched when it is missing.
};

/// The plugin for a selector, loaded; the CPU plugin is fetched when it is missing. Its environment is set first, where the user
/// has not: call this before other threads read the environment. Throws not_found_error(), or what fetching and loading throw.
PIER_API Plugin load_plugin(std::string_view selector = "auto", const ConnectOptions& options = {});

/// The library of a candidate, loaded, whatever it was decided about it. Its environment is set first, then the libraries that it
/// needs from this machine are loaded by absolute path, and those beside it that LD_LIBRARY_PATH would hide. Its folder is
/// not removed by other processes while this one lives. Throws Error (invalid_argument) for a candidate without a library, Error
/// (not_available) when a library it needs is gone, and what loading throws, with what is wrong with the file.
PIER_API Plugin load_plugin(const Candidate& candidate);

/// A client of a candidate's plugin. What the candidate has to be told counts where the options do not say otherwise. Throws what
/// Client::create() throws, with the options, where the plugin was found, and whether a device of it is seen on this machine at all.
PIER_API Client create_client(const Candidate& candidate, Plugin plugin, const Attributes& create_options = {});

/// load_plugin() and a client of it. "cpu:1" and the like are for commands; here a device is chosen from the client.
PIER_API Client connect(std::string_view selector = "auto", const ConnectOptions& options = {});

/// What is to be installed for an accelerator. What is left empty comes from the catalog entry of that id.
struct InstallRequest {
  std::string platform;  ///< "macos-arm64"; empty for this machine.
  std::string system;    ///< Version of glibc or macOS there, "14.5"; empty: this machine's, or not known.
  std::string package;   ///< "jax-metal"; empty for the first in the catalog that fits.
  /// Empty for the pinned one; a version ("0.11.2"), or conditions (">=0.11,<0.12", PEP 440), of which the newest on the index that
  /// fits the platform is taken. A yanked one is taken only when its version is named; prereleases when `pre` is set, when
  /// the conditions name one, or when there is nothing else.
  std::string version;
  bool latest = false;   ///< The newest version on the index.
  bool pre = false;      ///< Prereleases count; implies `latest` where no version is given.
  /// A file or folder of this machine, or a URL, instead of a package of the index: a wheel, .zip, .tar.gz, .tar.zst, a library by
  /// itself, or a folder that holds one plugin. The id need not be in the catalog then.
  std::string from;
  std::string sha256;    ///< Of the package: must be given for a URL, and for an index that gives none.
  std::vector<std::string> labels;   ///< Instead of the catalog's.
  std::optional<int> priority;
  bool bundled = false;  ///< Fetch every companion, even where this machine has libraries that fit.
  std::vector<std::string> without;  ///< Companions that the plugin runs without, and that are left out.
  std::chrono::milliseconds probe_limit{60'000};  ///< Time limit of the load test.
  InstallOptions options;                         ///< load_test stays empty for the probe; see probe.h.
};

/// Fetches and installs a plugin for an id, or for a label that only one accelerator of that platform has; of several, for
/// the one of highest priority whose device is seen here and whose package fits this machine. For another version than the pinned
/// one, size and hash that the index gives become the pin; without a network the newest fitting version that was installed before is
/// taken. For another machine the notes of the result name the packages that could have been chosen instead. Throws as
/// install() does; Error (invalid_argument) for a request that contradicts itself; Error
/// (not_available) that lists every package of the catalog and why it does not fit; Error (permission_denied) when others can write
/// where it is installed, for it would be refused there.
PIER_API InstallResult install_plugin(std::string_view id, const InstallRequest& request = {});

/// How a local build is registered. What is left empty comes from the catalog entry of that id, if there is one.
struct RegisterRequest {
  std::string id;
  std::vector<std::string> labels;
  std::optional<int> priority;  ///< Empty, and not in the catalog: that of its label (tpu 600, gpu 500, cpu 100), else 300.
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;
  bool probe = true;            ///< Load it in a child process first.
  bool create_client = false;   ///< In that process, also start a client.
  std::chrono::milliseconds probe_limit{60'000};
  bool allow_others = false;    ///< Accept a library that other users can write, now and whenever it is used by its id.
};

/// Registers a library in its place, after its headers were read and, unless told otherwise, it was loaded in a child
/// process. Of a folder (bazel-bin) the only plugin in it or below it is taken. Throws as register_plugin() and probe_plugin() do;
/// Error (not_found) for a folder without a plugin, Error (invalid_argument) with all of them for one with several.
PIER_API InstallResult register_library(const std::filesystem::path& library, const RegisterRequest& request);

}  // namespace pier
