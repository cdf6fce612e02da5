#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fake_plugin/control.h"
#include "fake_plugin/named.h"
#include "fake_plugin/names.h"

namespace fake {

/// What the plugin is. A snapshot is immutable; a change makes a new one.
struct Settings {
  FakePose pose;
  std::vector<FunctionId> removed;
  std::vector<std::string> extensions = {"layouts"};

  int devices = 1;
  int remote_devices = 0;
  int first_device_id = 0;
  int process_index = 0;
  std::string platform = "cpu";
  std::string platform_version = "fake 1.0";
  std::string device_kind = "Fake";
  std::vector<Named> attributes;
  bool memories = true;
  bool memory_stats = true;
  /// Bytes of each device; 0: no limit.
  std::int64_t memory_limit = 0;

  std::vector<std::string> formats = {"mlir", "hlo", "hlo_with_config"};
  bool refuse_unknown_options = false;
  bool strict_sizes = false;
  bool require_initialize = true;
  bool abort_on_unknown_enum = false;
  bool abort_on_violation = false;

  bool noise_from_constructor = false;
  bool noise_from_thread = false;
  bool noise_on_create = false;
  std::string report;

  int minor() const noexcept { return pose.minor; }
};

}  // namespace fake
