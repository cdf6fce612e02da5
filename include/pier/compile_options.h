#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <pier/export.h>

namespace pier {

/// How to compile. The defaults are one device, one copy.
struct CompileOptions {
  std::int64_t num_replicas = 1;
  std::int64_t num_partitions = 1;
  bool use_spmd_partitioning = false;
  bool use_shardy_partitioner = false;
  /// Ids of the devices to run on: num_replicas rows of num_partitions each. Empty: the client's default.
  std::vector<std::int64_t> device_ids;
  /// XLA debug options by name, without leading dashes: {"xla_backend_optimization_level", 0}.
  std::map<std::string, std::variant<bool, std::int64_t, double, std::string>, std::less<>> overrides;
};

}  // namespace pier
