#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <pier/export.h>
#include <pier/inspect.h>
#include <pier/probe.h>
#include <pier/registry.h>

namespace pier {

/// Where a machine's /sys, /proc, /dev, /etc and /tmp are found: "/", or a tree that a test made.
struct MachineRoots {
  std::filesystem::path root = "/";
};

struct DoctorOptions {
  std::vector<std::string> selectors;  ///< Ids, labels or paths of the plugins to examine; empty for all.
  MachineRoots machine;
  bool probe = true;                   ///< Load each plugin in a child process, and start its client where its device is seen.
  std::chrono::milliseconds probe_limit{30'000};  ///< For each of them.
};

/// One line of what was seen on this machine.
struct Observation {
  std::string what;   ///< "glibc", "/dev/kfd", "PIER_HOME"
  std::string value;  ///< "2.36"
  std::string how;    ///< Where it was read, or what it means; may be empty.
};

/// Something that is wrong, and what mends it.
struct Problem {
  Severity severity = Severity::error;  ///< error: it keeps a plugin that is installed or registered from working. warning: it may.
  std::string plugin;                   ///< The id it is about; empty for the machine.
  std::string what;
  std::string mend;                     ///< A command, or what to do where no command does it.
};

/// One plugin: what is known without loading it, and what it did in a child process.
struct PluginExamination {
  Candidate plugin;
  std::optional<bool> device_seen;     ///< Whether a sign of its device is there; nothing where the catalog does not know its signs.
  std::vector<Finding> findings;       ///< Of the preflight; empty where the library could not be read.
  std::vector<LibraryLookup> libraries;  ///< Each needed library, and where it was or was not found.
  std::optional<ProbeReport> probe;    ///< What it said about itself; nothing when it was not tried, or failed.
  std::string probe_failure;           ///< How the trial failed.
  std::string probe_log;               ///< What it printed meanwhile.
};

/// One of pier's folders.
struct FolderState {
  std::string what;  ///< "settings", "plugins", "unfinished downloads", "settings of the system"
  std::filesystem::path path;
  bool exists = false;
  unsigned mode = 0;         ///< Permission bits.
  std::uint32_t owner = 0;   ///< User id.
  std::uint64_t bytes = 0;   ///< Of the files in it and below.
  std::uint64_t files = 0;
  bool complete = true;      ///< False: it has more than was counted, or a part cannot be read.
};

struct PIER_API DoctorReport {
  std::vector<Observation> system;     ///< Operating system, architecture, C and C++ library, processor.
  std::vector<Observation> hardware;   ///< Devices on the PCI bus and device nodes.
  std::vector<Observation> drivers;    ///< Kernel modules, driver libraries and their versions.
  std::vector<PluginExamination> plugins;
  std::vector<Observation> launchers;  ///< Launchers of several processes whose variables are set, the one that counts first.
  std::vector<Observation> index;      ///< The package index in use and who chose it, without credentials.
  std::vector<FolderState> folders;
  std::vector<Observation> variables;  ///< Those of pier and those that decide about libraries and devices.
  std::vector<Problem> problems;

  /// Nothing is wrong with what is installed: no problem is an error.
  bool ok() const noexcept;
};

/// Examines this machine and its plugins. Loads nothing into this process, and fetches nothing. Conflicts with libraries that are
/// loaded already are those of this process: a program that asks learns more than the command does. Throws Error (invalid_argument)
/// for what cannot be a selector; all else that goes wrong is a problem of the report.
PIER_API DoctorReport examine(const DoctorOptions& options = {});

}  // namespace pier
