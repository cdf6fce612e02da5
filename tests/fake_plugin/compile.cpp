#include <algorithm>
#include <charconv>

#include "fake_plugin/bodies.h"
#include "fake_plugin/executable.h"
#include "fake_plugin/hash.h"
#include "fake_plugin/wire.h"

namespace fake {
namespace {

// Field numbers of CompileOptionsProto, ExecutableBuildOptionsProto and DeviceAssignmentProto in XLA's protocol.
enum : std::uint32_t {
  options_build = 3,
  build_replicas = 4,
  build_partitions = 5,
  build_assignment = 9,
  assignment_replicas = 1,
  assignment_computations = 2,
  assignment_devices = 3,
  computation_ids = 1,
};

constexpr int most_devices = 64;
constexpr std::string_view serialized_mark = "FAKEEXEC";

std::vector<WireField> require_message(std::string_view bytes) {
  auto fields = read_wire(bytes);
  if (!fields) refuse("compile options are no CompileOptionsProto");
  return std::move(*fields);
}

int read_count(std::uint64_t value) {
  if (value < 1 || value > most_devices) refuse("replicas and partitions must be 1 to 64");
  return static_cast<int>(value);
}

/// One list of replicas for each partition.
std::vector<std::vector<std::int64_t>> read_assignment(std::string_view bytes) {
  std::vector<std::vector<std::int64_t>> computations;
  for (const WireField& field : require_message(bytes)) {
    if (field.number != assignment_devices) continue;
    std::vector<std::int64_t>& ids = computations.emplace_back();
    for (const WireField& id : require_message(field.bytes)) {
      if (id.number != computation_ids) continue;
      if (id.bytes.empty()) {
        ids.push_back(static_cast<std::int64_t>(id.value));
        continue;
      }
      const auto packed = read_packed(id.bytes);
      if (!packed) refuse("a device assignment without numbers");
      for (const std::uint64_t value : *packed) ids.push_back(static_cast<std::int64_t>(value));
    }
  }
  return computations;
}

std::string hexadecimal(std::uint64_t value) {
  char digits[17];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value, 16);
  return {digits, end};
}

std::vector<Named> cost_of(const Program& program) {
  double bytes = 0;
  double flops = 0;
  if (program.signature) {
    for (const auto* side : {&program.signature->arguments, &program.signature->results}) {
      for (const TensorType& type : *side) {
        bytes += static_cast<double>(device_bytes(*find_element(type.type), type.dims));
      }
    }
    if (program.verb == Verb::add_one) {
      for (const TensorType& type : program.signature->results) flops += static_cast<double>(count_elements(type.dims));
    }
  }
  return {{"flops", static_cast<float>(flops)}, {"bytes accessed", static_cast<float>(bytes)}};
}

}  // namespace

Devices read_compile_options(std::string_view serialized) {
  Devices devices;
  std::vector<std::vector<std::int64_t>> computations;
  for (const WireField& field : require_message(serialized)) {
    if (field.number != options_build) continue;
    for (const WireField& build : require_message(field.bytes)) {
      if (build.number == build_replicas) devices.replicas = read_count(build.value);
      if (build.number == build_partitions) devices.partitions = read_count(build.value);
      if (build.number == build_assignment) computations = read_assignment(build.bytes);
    }
  }
  if (computations.empty()) return devices;
  if (computations.size() != static_cast<std::size_t>(devices.partitions)) {
    refuse("the device assignment is for " + std::to_string(computations.size()) + " partitions, not " +
           std::to_string(devices.partitions));
  }
  for (std::size_t replica = 0; replica < static_cast<std::size_t>(devices.replicas); ++replica) {
    for (const auto& computation : computations) {
      if (computation.size() != static_cast<std::size_t>(devices.replicas)) {
        refuse("the device assignment is for " + std::to_string(computation.size()) + " replicas, not " +
               std::to_string(devices.replicas));
      }
      devices.ids.push_back(computation[replica]);
    }
  }
  return devices;
}

Compiled::Compiled(Program what, std::string compile_options, int minor)
    : program(std::move(what)),
      options(std::move(compile_options)),
      devices(read_compile_options(options)),
      name(program.name),
      fingerprint(hexadecimal(hash(program.bytes + options))),
      cost(cost_of(program)) {
  for (std::size_t i = 0; i < program.num_outputs; ++i) {
    output_kinds.push_back(device_kind.data());
    output_kind_sizes.push_back(device_kind.size());
  }
  for (std::size_t i = 0; i < program.num_arguments; ++i) {
    parameter_kinds.push_back(device_kind.data());
    parameter_kind_sizes.push_back(device_kind.size());
  }
  optimized_format = program.format;
  optimized = program.bytes;
  if (!program.signature) return;
  for (const TensorType& type : program.signature->arguments) {
    argument_bytes += device_bytes(*find_element(type.type), type.dims);
  }
  for (const TensorType& type : program.signature->results) {
    output_types.push_back(type.type);
    output_dims.insert(output_dims.end(), type.dims.begin(), type.dims.end());
    output_ranks.push_back(type.dims.size());
    output_bytes += device_bytes(*find_element(type.type), type.dims);
  }
  for (const auto* side : {&program.signature->arguments, &program.signature->results}) {
    for (const TensorType& type : *side) {
      const abi::ValueFact* fact = abi::find_value(*abi::find_enum("PJRT_Buffer_Type"), type.type);
      if (fact != nullptr && fact->since > minor) refuse("element type " + to_string(type) + " is newer than this plugin");
    }
  }
  if (auto hlo = hlo_with_config(program)) {
    optimized_format = "hlo_with_config";
    optimized = std::move(*hlo);
  }
}

std::shared_ptr<const Compiled> compile(const abi::PJRT_Program* program, const char* options, std::size_t options_size,
                                        const Settings& settings) {
  const abi::PJRT_Program given = nested(program, "PJRT_Program", settings);
  if (given.code == nullptr && given.code_size != 0) misuse("the program is null");
  std::string format(given.format, given.format_size);
  std::string bytes(given.code, given.code_size);
  std::string serialized(options, options_size);
  steering().remember("program_format", format);
  steering().remember("program", bytes);
  steering().remember("compile_options", serialized);
  if (std::find(settings.formats.begin(), settings.formats.end(), format) == settings.formats.end()) {
    std::string known;
    for (const std::string& one : settings.formats) known += (known.empty() ? "" : ", ") + one;
    refuse(settings.platform + " only supports the formats " + known + ", not " + format);
  }
  return std::make_shared<const Compiled>(parse_program(std::move(format), std::move(bytes)), std::move(serialized),
                                          settings.minor());
}

std::string encode_assignment(const LoadedExecutable& executable) {
  const Devices& devices = executable.compiled->devices;
  WireWriter writer;
  writer.number(assignment_replicas, static_cast<std::uint64_t>(devices.replicas));
  writer.number(assignment_computations, static_cast<std::uint64_t>(devices.partitions));
  for (int partition = 0; partition < devices.partitions; ++partition) {
    std::vector<std::int64_t> ids;
    for (int replica = 0; replica < devices.replicas; ++replica) {
      ids.push_back(executable.assignment[static_cast<std::size_t>(replica * devices.partitions + partition)]);
    }
    WireWriter computation;
    computation.packed(computation_ids, ids);
    writer.bytes(assignment_devices, computation.message());
  }
  return writer.message();
}

std::string serialize(const Compiled& compiled) {
  WireWriter writer;
  writer.bytes(1, compiled.program.format);
  writer.bytes(2, compiled.program.bytes);
  writer.bytes(3, compiled.options);
  return std::string(serialized_mark) + writer.message();
}

std::shared_ptr<const Compiled> deserialize(std::string_view bytes, int minor) {
  if (!bytes.starts_with(serialized_mark)) refuse("these bytes are no executable of the fake plugin");
  const auto fields = read_wire(bytes.substr(serialized_mark.size()));
  if (!fields || fields->size() != 3) refuse("a damaged executable of the fake plugin");
  return std::make_shared<const Compiled>(
      parse_program(std::string((*fields)[0].bytes), std::string((*fields)[1].bytes)), std::string((*fields)[2].bytes),
      minor);
}

void run(abi::PJRT_Client_Compile_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  const auto compiled = compile(args.program, args.compile_options, args.compile_options_size, call.settings());
  args.executable = give<abi::PJRT_LoadedExecutable>(std::make_shared<LoadedExecutable>(compiled, *client));
}

void run(abi::PJRT_Compile_Args& args, Call& call) {
  ledger().get<Topology>(args.topology);
  if (args.client != nullptr) ledger().get<Client>(args.client);
  const auto compiled = compile(args.program, args.compile_options, args.compile_options_size, call.settings());
  args.executable = give<abi::PJRT_Executable>(std::make_shared<Executable>(compiled, nullptr));
}

void run(abi::PJRT_Client_Load_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  const auto executable = ledger().get<Executable>(args.executable);
  steering().remember("load_options", std::string(args.compile_options, args.compile_options_size));
  args.loaded_executable =
      give<abi::PJRT_LoadedExecutable>(std::make_shared<LoadedExecutable>(executable->compiled, *client));
}

void run(abi::PJRT_Executable_DeserializeAndLoad_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  const auto compiled = deserialize({args.serialized_executable, args.serialized_executable_size}, call.minor());
  args.loaded_executable = give<abi::PJRT_LoadedExecutable>(std::make_shared<LoadedExecutable>(compiled, *client));
}

}  // namespace fake
