#include "fake_plugin/executable.h"

#include <cstring>

#include "fake_plugin/bodies.h"
#include "fake_plugin/holder.h"

namespace fake {

void Executable::retire() {
  if (orphaned) ledger().violate("an executable destroyed after its loaded executable");
  for (const auto* layouts : {&parameter_layouts, &output_layouts}) {
    for (const void* const layout : *layouts) ledger().drop(layout);
  }
}

LoadedExecutable::LoadedExecutable(std::shared_ptr<const Compiled> what, const Client& client)
    : Object(Kind::loaded_executable, client.handle()), compiled(std::move(what)) {
  const Devices& wanted = compiled->devices;
  const auto count = static_cast<std::size_t>(wanted.replicas) * static_cast<std::size_t>(wanted.partitions);
  std::vector<std::int64_t>& ids = assignment;
  ids = wanted.ids;
  for (std::size_t i = 0; wanted.ids.empty() && i < count && i < client.devices.size(); ++i) {
    ids.push_back(client.devices[i]->description->id);
  }
  if (ids.size() < count) {
    refuse("the program needs " + std::to_string(count) + " devices, there are " + std::to_string(client.devices.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::shared_ptr<Device> found;
    for (const auto& device : client.devices) {
      if (device->description->id == ids[i]) found = device;
    }
    if (!found) refuse("the device assignment names device " + std::to_string(ids[i]) + ", which is not there");
    if (!found->is_addressable) continue;
    devices.push_back(found);
    handles.push_back(handle_of<abi::PJRT_Device>(*found));
    logical_ids.push_back({static_cast<int>(i) / wanted.partitions, static_cast<int>(i) % wanted.partitions});
  }
}

void LoadedExecutable::retire() {
  const std::lock_guard lock(mutex);
  for (const std::weak_ptr<Executable>& weak : plain) {
    if (const auto executable = weak.lock()) executable->orphaned = true;
  }
}

void ExecuteContext::retire() {
  if (executions > 0) ledger().violate("an execute context destroyed during its execution");
}

namespace {

std::shared_ptr<Executable> find(const abi::PJRT_Executable* handle) {
  auto executable = ledger().get<Executable>(handle);
  if (executable->orphaned) misuse("an executable used after its loaded executable was destroyed");
  return executable;
}

const Compiled& require_types(const Executable& executable) {
  if (!executable.compiled->program.signature) {
    refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this program does not tell its types");
  }
  return *executable.compiled;
}

}  // namespace

void run(abi::PJRT_Executable_Destroy_Args& args, Call&) { ledger().take<Executable>(args.executable); }

void run(abi::PJRT_Executable_Name_Args& args, Call&) {
  const auto executable = find(args.executable);
  args.executable_name = executable->compiled->name.data();
  args.executable_name_size = executable->compiled->name.size();
}

void run(abi::PJRT_Executable_NumReplicas_Args& args, Call&) {
  args.num_replicas = static_cast<std::size_t>(find(args.executable)->compiled->devices.replicas);
}

void run(abi::PJRT_Executable_NumPartitions_Args& args, Call&) {
  args.num_partitions = static_cast<std::size_t>(find(args.executable)->compiled->devices.partitions);
}

void run(abi::PJRT_Executable_NumOutputs_Args& args, Call&) {
  args.num_outputs = find(args.executable)->compiled->program.num_outputs;
}

void run(abi::PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args, Call&) {
  args.size_in_bytes = static_cast<std::int64_t>(find(args.executable)->compiled->program.bytes.size());
}

void run(abi::PJRT_Executable_Fingerprint_Args& args, Call&) {
  const auto executable = find(args.executable);
  args.executable_fingerprint = executable->compiled->fingerprint.data();
  args.executable_fingerprint_size = executable->compiled->fingerprint.size();
}

void run(abi::PJRT_Executable_GetCostAnalysis_Args& args, Call&) {
  const auto executable = find(args.executable);
  args.properties = executable->compiled->cost.data();
  args.num_properties = executable->compiled->cost.size();
}

void run(abi::PJRT_Executable_GetCompiledMemoryStats_Args& args, Call&) {
  const auto executable = find(args.executable);
  const Compiled& compiled = *executable->compiled;
  args.generated_code_size_in_bytes = static_cast<std::int64_t>(compiled.program.bytes.size());
  args.argument_size_in_bytes = compiled.argument_bytes;
  args.output_size_in_bytes = compiled.output_bytes;
  args.alias_size_in_bytes = 0;
  args.temp_size_in_bytes = 0;
  args.host_generated_code_size_in_bytes = 0;
  args.host_argument_size_in_bytes = 0;
  args.host_output_size_in_bytes = 0;
  args.host_alias_size_in_bytes = 0;
  args.host_temp_size_in_bytes = 0;
  args.peak_memory_in_bytes = compiled.argument_bytes + compiled.output_bytes;
  args.total_size_in_bytes = args.peak_memory_in_bytes + args.generated_code_size_in_bytes;
  args.total_allocation_bytes = args.peak_memory_in_bytes;
  args.indefinite_allocations = 0;
  args.peak_unpadded_heap_bytes = args.peak_memory_in_bytes;
}

void run(abi::PJRT_Executable_OutputElementTypes_Args& args, Call&) {
  const auto executable = find(args.executable);
  const Compiled& compiled = require_types(*executable);
  args.output_types = const_cast<abi::PJRT_Buffer_Type*>(compiled.output_types.data());
  args.num_output_types = compiled.output_types.size();
}

void run(abi::PJRT_Executable_OutputDimensions_Args& args, Call&) {
  const auto executable = find(args.executable);
  const Compiled& compiled = require_types(*executable);
  args.num_outputs = compiled.output_ranks.size();
  args.dims = compiled.output_dims.data();
  args.dim_sizes = compiled.output_ranks.data();
}

void run(abi::PJRT_Executable_OutputMemoryKinds_Args& args, Call&) {
  const auto executable = find(args.executable);
  args.num_outputs = executable->compiled->output_kinds.size();
  args.memory_kinds = executable->compiled->output_kinds.data();
  args.memory_kind_sizes = executable->compiled->output_kind_sizes.data();
}

void run(abi::PJRT_Executable_ParameterMemoryKinds_Args& args, Call&) {
  const auto executable = find(args.executable);
  args.num_parameters = executable->compiled->parameter_kinds.size();
  args.memory_kinds = executable->compiled->parameter_kinds.data();
  args.memory_kind_sizes = executable->compiled->parameter_kind_sizes.data();
}

void run(abi::PJRT_Executable_OptimizedProgram_Args& args, Call& call) {
  const auto executable = find(args.executable);
  const Compiled& compiled = *executable->compiled;
  const abi::PJRT_Program given = nested<abi::PJRT_Program>(args.program, "PJRT_Program", call.settings());
  args.program->format = compiled.optimized_format.data();
  args.program->format_size = compiled.optimized_format.size();
  if (given.code == nullptr) {
    args.program->code_size = compiled.optimized.size();
    return;
  }
  if (given.code_size < compiled.optimized.size()) {
    refuse("`code_size` must be >= " + std::to_string(compiled.optimized.size()));
  }
  std::memcpy(given.code, compiled.optimized.data(), compiled.optimized.size());
  args.program->code_size = compiled.optimized.size();
}

void run(abi::PJRT_Executable_Serialize_Args& args, Call&) {
  const auto executable = find(args.executable);
  give_bytes(serialize(*executable->compiled), args.serialized_bytes, args.serialized_bytes_size,
             args.serialized_executable, args.serialized_executable_deleter);
}

void run(abi::PJRT_Executable_GetCompileOptions_Args& args, Call&) {
  const auto executable = find(args.executable);
  give_bytes(executable->compiled->options, args.serialized_bytes, args.serialized_bytes_size,
             args.serialized_compile_options, args.serialized_compile_options_deleter);
}

void run(abi::PJRT_LoadedExecutable_Destroy_Args& args, Call&) { ledger().take<LoadedExecutable>(args.executable); }

void run(abi::PJRT_LoadedExecutable_GetExecutable_Args& args, Call&) {
  const auto loaded = ledger().get<LoadedExecutable>(args.loaded_executable);
  const auto executable = std::make_shared<Executable>(loaded->compiled, loaded->owner());
  {
    const std::lock_guard lock(loaded->mutex);
    std::erase_if(loaded->plain, [](const std::weak_ptr<Executable>& weak) { return weak.expired(); });
    loaded->plain.push_back(executable);
  }
  args.executable = give<abi::PJRT_Executable>(executable);
}

void run(abi::PJRT_LoadedExecutable_GetDeviceAssignment_Args& args, Call&) {
  const auto loaded = ledger().get<LoadedExecutable>(args.executable);
  give_bytes(encode_assignment(*loaded), args.serialized_bytes, args.serialized_bytes_size,
             args.serialized_device_assignment, args.serialized_device_assignment_deleter);
}

void run(abi::PJRT_LoadedExecutable_AddressableDevices_Args& args, Call&) {
  const auto loaded = ledger().get<LoadedExecutable>(args.executable);
  args.addressable_devices = loaded->handles.data();
  args.num_addressable_devices = loaded->handles.size();
}

void run(abi::PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args, Call&) {
  const auto loaded = ledger().get<LoadedExecutable>(args.executable);
  args.addressable_device_logical_ids = loaded->logical_ids.data();
  args.num_addressable_device_logical_ids = loaded->logical_ids.size();
}

void run(abi::PJRT_LoadedExecutable_Delete_Args& args, Call&) {
  ledger().get<LoadedExecutable>(args.executable)->deleted = true;
}

void run(abi::PJRT_LoadedExecutable_IsDeleted_Args& args, Call&) {
  args.is_deleted = ledger().get<LoadedExecutable>(args.executable)->deleted;
}

void run(abi::PJRT_LoadedExecutable_Fingerprint_Args& args, Call&) {
  const auto loaded = ledger().get<LoadedExecutable>(args.executable);
  args.executable_fingerprint = loaded->compiled->fingerprint.data();
  args.executable_fingerprint_size = loaded->compiled->fingerprint.size();
}

void run(abi::PJRT_ExecuteContext_Create_Args& args, Call&) {
  args.context = give<abi::PJRT_ExecuteContext>(std::make_shared<ExecuteContext>());
}

void run(abi::PJRT_ExecuteContext_Destroy_Args& args, Call&) { ledger().take<ExecuteContext>(args.context); }

}  // namespace fake
