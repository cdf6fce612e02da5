#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <pier/attribute.h>
#include <pier/export.h>
#include <pier/plugin.h>

namespace pier {

/// How a plugin is tried out in a process of its own.
struct ProbeOptions {
  bool create_client = true;   ///< Also start a client and list its devices.
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;  ///< Set there before load, unless the user has set it.
  std::vector<std::filesystem::path> preload;  ///< Libraries that are loaded there before it, in this order.
  std::chrono::milliseconds time_limit{60'000};
};

struct ProbedDevice {
  int id = 0;
  std::string kind;
  std::string description;
};

/// What a plugin said about itself there.
struct ProbeReport {
  ApiVersion api_version;
  Attributes attributes;
  std::vector<ExtensionInfo> extensions;
  std::vector<MissingFunction> missing_functions;
  bool client_created = false;
  std::string platform_name;     ///< Of the client, as are the rest; empty without one.
  std::string platform_version;
  std::vector<ProbedDevice> devices;
  std::string log;               ///< What it printed meanwhile.
};

/// Loads a plugin in a child process, where a crash or a hang does no harm. The child is the helper program pier-probe
/// (PIER_PROBE names another); where it is not installed, a fork of this process. Throws the plugin's own Error; Error
/// (not_available) when the process crashed or ended, with the signal; Error (deadline_exceeded) at the time limit. All
/// of them carry what the plugin printed.
PIER_API ProbeReport probe_plugin(const std::filesystem::path& library, const ProbeOptions& options = {});

}  // namespace pier
