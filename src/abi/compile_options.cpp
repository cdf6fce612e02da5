#include "abi/compile_options.h"

#include <protozero/pbf_writer.hpp>

#include <limits>

#include <pier/error.h>

#include "base/text.h"

namespace pier::abi {
namespace {

// Field numbers of the messages in xla/pjrt/proto/compile_options.proto and, for the device assignment, xla/xla_data.proto.
enum class OptionsField : protozero::pbf_tag_type {
  parameter_is_tupled_arguments = 2,
  executable_build_options = 3,
  compile_portable_executable = 4,
  profile_version = 5,
  serialized_multi_slice_config = 6,
  env_option_overrides = 7,
};

enum class BuildField : protozero::pbf_tag_type {
  device_ordinal = 1,
  num_replicas = 4,
  num_partitions = 5,
  use_spmd_partitioning = 6,
  use_auto_spmd_partitioning = 7,
  deduplicate_hlo = 8,
  device_assignment = 9,
  alias_passthrough_params = 10,
  run_backend_only = 11,
  allow_sharding_propagation_to_output = 12,
  fdo_profile = 14,
  device_memory_size = 15,
  allow_sharding_propagation_to_parameters = 18,
  use_shardy_partitioner = 19,
  exec_time_optimization_effort = 20,
  memory_fitting_effort = 21,
  process_index = 22,
  process_count = 23,
};

enum class OverrideField : protozero::pbf_tag_type { string = 1, boolean = 2, integer = 3, fraction = 4 };
enum class AssignmentField : protozero::pbf_tag_type { replica_count = 1, computation_count = 2, computation_devices = 3 };
constexpr protozero::pbf_tag_type replica_device_ids = 1;
constexpr protozero::pbf_tag_type map_key = 1;
constexpr protozero::pbf_tag_type map_value = 2;

// protozero's own builder takes the field enums as its type; this one keeps the calls short and writes nothing for a default.
class Message {
 public:
  explicit Message(std::string& out) : writer_(out) {}

  template <class Field>
  void flag(Field field, bool value) {
    if (value) writer_.add_bool(tag(field), true);
  }
  template <class Field>
  void number(Field field, std::int64_t value) {
    writer_.add_int64(tag(field), value);
  }
  template <class Field>
  void number(Field field, const std::optional<std::int64_t>& value) {
    if (value) number(field, *value);
  }
  template <class Field>
  void fraction(Field field, float value) {
    if (value != 0) writer_.add_float(tag(field), value);
  }
  template <class Field>
  void bytes(Field field, const std::string& value) {
    if (!value.empty()) writer_.add_bytes(tag(field), value);
  }
  template <class Field>
  void flags(Field field, const std::vector<bool>& values) {
    std::string packed;
    for (const bool value : values) packed += value ? '\1' : '\0';
    bytes(field, packed);
  }
  template <class Field>
  void message(Field field, const std::string& value) {
    writer_.add_message(tag(field), value);
  }

 private:
  template <class Field>
  static protozero::pbf_tag_type tag(Field field) {
    return static_cast<protozero::pbf_tag_type>(field);
  }

  protozero::pbf_writer writer_;
};

[[noreturn]] void refuse(std::string message) { throw Error(ErrorCode::invalid_argument, std::move(message)); }

void check_count(std::string_view name, std::int64_t value) {
  if (value < 1 || value > std::numeric_limits<std::int32_t>::max()) {
    refuse(text("compile option {} is {}; it must be 1 to {}", name, value, std::numeric_limits<std::int32_t>::max()));
  }
}

void check_effort(std::string_view name, float value) {
  if (!(value >= -1 && value <= 1)) refuse(text("compile option {} is {}; it must be -1 to 1", name, value));
}

std::string device_assignment(const CompileOptions& options) {
  const auto& rows = options.device_assignment;
  if (rows.size() != static_cast<std::size_t>(options.num_replicas)) {
    refuse(text("device_assignment has {} replicas, num_replicas is {}", rows.size(), options.num_replicas));
  }
  for (std::size_t replica = 0; replica < rows.size(); ++replica) {
    if (rows[replica].size() != static_cast<std::size_t>(options.num_partitions)) {
      refuse(text("replica {} of device_assignment has {} devices, num_partitions is {}", replica, rows[replica].size(),
                  options.num_partitions));
    }
  }
  std::string out;
  Message message(out);
  message.number(AssignmentField::replica_count, options.num_replicas);
  message.number(AssignmentField::computation_count, options.num_partitions);
  for (std::size_t partition = 0; partition < static_cast<std::size_t>(options.num_partitions); ++partition) {
    std::vector<std::int64_t> ids;
    for (const auto& row : rows) ids.push_back(row[partition]);
    std::string devices;
    protozero::pbf_writer(devices).add_packed_int64(replica_device_ids, ids.begin(), ids.end());
    message.message(AssignmentField::computation_devices, devices);
  }
  return out;
}

std::string build_options(const CompileOptions& options) {
  std::string out;
  Message message(out);
  message.number(BuildField::device_ordinal, options.device_ordinal);
  message.number(BuildField::num_replicas, options.num_replicas);
  message.number(BuildField::num_partitions, options.num_partitions);
  message.flag(BuildField::use_spmd_partitioning, options.use_spmd_partitioning);
  message.flag(BuildField::use_auto_spmd_partitioning, options.use_auto_spmd_partitioning);
  message.flag(BuildField::deduplicate_hlo, options.deduplicate_hlo);
  if (!options.device_assignment.empty()) message.message(BuildField::device_assignment, device_assignment(options));
  message.flag(BuildField::alias_passthrough_params, options.alias_passthrough_params);
  message.flag(BuildField::run_backend_only, options.run_backend_only);
  message.flags(BuildField::allow_sharding_propagation_to_output, options.allow_sharding_propagation_to_output);
  message.bytes(BuildField::fdo_profile, options.fdo_profile);
  message.number(BuildField::device_memory_size, options.device_memory_size);
  message.flags(BuildField::allow_sharding_propagation_to_parameters, options.allow_sharding_propagation_to_parameters);
  message.flag(BuildField::use_shardy_partitioner, options.use_shardy_partitioner);
  message.fraction(BuildField::exec_time_optimization_effort, options.exec_time_optimization_effort);
  message.fraction(BuildField::memory_fitting_effort, options.memory_fitting_effort);
  message.number(BuildField::process_index, options.process_index);
  message.number(BuildField::process_count, options.process_count);
  return out;
}

// In a choice of types the one that is written is the one that counts, so defaults are written too.
struct WriteOverride {
  protozero::pbf_writer& writer;

  void operator()(bool value) const { writer.add_bool(static_cast<protozero::pbf_tag_type>(OverrideField::boolean), value); }
  void operator()(std::int64_t value) const {
    writer.add_int64(static_cast<protozero::pbf_tag_type>(OverrideField::integer), value);
  }
  void operator()(double value) const {
    writer.add_double(static_cast<protozero::pbf_tag_type>(OverrideField::fraction), value);
  }
  void operator()(const std::string& value) const {
    writer.add_string(static_cast<protozero::pbf_tag_type>(OverrideField::string), value);
  }
};

std::string override_entry(const std::string& name, const OptionValue& value) {
  if (name.empty()) refuse("a compile option override has no name");
  std::string inner;
  protozero::pbf_writer inner_writer(inner);
  std::visit(WriteOverride{inner_writer}, value);
  std::string out;
  protozero::pbf_writer writer(out);
  writer.add_string(map_key, name);
  writer.add_message(map_value, inner);
  return out;
}

}  // namespace

std::string serialize(const CompileOptions& options) {
  check_count("num_replicas", options.num_replicas);
  check_count("num_partitions", options.num_partitions);
  check_effort("exec_time_optimization_effort", options.exec_time_optimization_effort);
  check_effort("memory_fitting_effort", options.memory_fitting_effort);
  std::string out;
  Message message(out);
  message.flag(OptionsField::parameter_is_tupled_arguments, options.parameter_is_tupled_arguments);
  message.message(OptionsField::executable_build_options, build_options(options));
  message.flag(OptionsField::compile_portable_executable, options.compile_portable_executable);
  if (options.profile_version != 0) message.number(OptionsField::profile_version, options.profile_version);
  message.bytes(OptionsField::serialized_multi_slice_config, options.serialized_multi_slice_config);
  for (const auto& [name, value] : options.overrides) {
    message.message(OptionsField::env_option_overrides, override_entry(name, value));
  }
  return out;
}

}  // namespace pier::abi
