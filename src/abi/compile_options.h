#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pier::abi {

/// A debug option of the compiler by name. Plugins refuse a value of another type than the option has.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// What a compilation is told, in the form that plugins read: a serialized xla.CompileOptionsProto. What is unset stays out
/// of the message, so the plugin's default holds.
struct CompileOptions {
  std::int64_t num_replicas = 1;
  std::int64_t num_partitions = 1;
  std::optional<std::int64_t> device_ordinal;
  bool use_spmd_partitioning = false;
  bool use_auto_spmd_partitioning = false;
  bool use_shardy_partitioner = false;
  bool deduplicate_hlo = false;
  bool alias_passthrough_params = false;
  bool run_backend_only = false;
  std::vector<bool> allow_sharding_propagation_to_parameters;
  std::vector<bool> allow_sharding_propagation_to_output;
  /// -1 to 1; 0 is the plugin's default.
  float exec_time_optimization_effort = 0;
  float memory_fitting_effort = 0;
  /// Device ids, [replica][partition]; empty leaves the choice to the plugin.
  std::vector<std::vector<std::int64_t>> device_assignment;
  std::string fdo_profile;
  std::optional<std::int64_t> device_memory_size;
  std::optional<std::int64_t> process_index;
  std::optional<std::int64_t> process_count;

  bool parameter_is_tupled_arguments = false;
  bool compile_portable_executable = false;
  std::int64_t profile_version = 0;
  std::string serialized_multi_slice_config;
  std::map<std::string, OptionValue, std::less<>> overrides;
};

/// The message's bytes; the same options give the same bytes. Throws Error(invalid_argument) that names the option.
std::string serialize(const CompileOptions& options);

}  // namespace pier::abi
