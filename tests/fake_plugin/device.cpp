#include <algorithm>

#include "fake_plugin/bodies.h"
#include "fake_plugin/client.h"
#include "fake_plugin/holder.h"

namespace fake {

void Pool::take(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (limit_ != 0 && bytes > limit_ - figures_.in_use) {
    refuse(abi::PJRT_Error_Code_RESOURCE_EXHAUSTED,
           "Out of memory allocating " + std::to_string(bytes) + " bytes; " + std::to_string(figures_.in_use) + " of " +
               std::to_string(limit_) + " are in use");
  }
  figures_.in_use += bytes;
  ++figures_.allocations;
  figures_.peak = std::max(figures_.peak, figures_.in_use);
  figures_.largest = std::max(figures_.largest, bytes);
}

void Pool::give_back(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  figures_.in_use -= bytes;
}

Pool::Figures Pool::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

void Pool::clear_peak() {
  const std::lock_guard lock(mutex_);
  figures_.peak = figures_.in_use;
}

DeviceDescription::DeviceDescription(const Settings& settings, int number, int process,
                                     const std::vector<Named>& extra)
    : Object(Kind::device_description),
      id(number),
      process_index(process),
      kind(settings.device_kind),
      debug_string(settings.platform + " device " + std::to_string(number) + " of process " + std::to_string(process)),
      to_string(settings.device_kind + "Device(id=" + std::to_string(number) + ")"),
      named(extra),
      attributes(extra) {}

Device::Device(const Settings& settings, int ordinal, bool addressable, std::shared_ptr<DeviceDescription> described,
               const void* client)
    : Object(Kind::device, client),
      description(std::move(described)),
      local_hardware_id(addressable ? ordinal : -1),
      is_addressable(addressable),
      pool(std::make_shared<Pool>(settings.memory_limit)) {
  if (!settings.memories || !addressable) return;
  memories.push_back(std::make_shared<Memory>(2 * description->id, "device", 0, *this, client));
  memories.push_back(std::make_shared<Memory>(2 * description->id + 1, "pinned_host", 1, *this, client));
  for (const auto& memory : memories) memory_handles.push_back(handle_of<abi::PJRT_Memory>(*memory));
}

namespace {

std::shared_ptr<Device> addressable(abi::PJRT_Device* handle) {
  auto device = ledger().get<Device>(handle);
  if (!device->is_addressable) refuse("device " + std::to_string(device->description->id) + " is not addressable");
  return device;
}

}  // namespace

void run(abi::PJRT_DeviceDescription_Id_Args& args, Call&) {
  args.id = ledger().get<DeviceDescription>(args.device_description)->id;
}

void run(abi::PJRT_DeviceDescription_ProcessIndex_Args& args, Call&) {
  args.process_index = ledger().get<DeviceDescription>(args.device_description)->process_index;
}

void run(abi::PJRT_DeviceDescription_Attributes_Args& args, Call&) {
  const auto description = ledger().get<DeviceDescription>(args.device_description);
  args.attributes = description->attributes.data();
  args.num_attributes = description->attributes.size();
}

void run(abi::PJRT_DeviceDescription_Kind_Args& args, Call&) {
  const auto description = ledger().get<DeviceDescription>(args.device_description);
  args.device_kind = description->kind.data();
  args.device_kind_size = description->kind.size();
}

void run(abi::PJRT_DeviceDescription_DebugString_Args& args, Call&) {
  const auto description = ledger().get<DeviceDescription>(args.device_description);
  args.debug_string = description->debug_string.data();
  args.debug_string_size = description->debug_string.size();
}

void run(abi::PJRT_DeviceDescription_ToString_Args& args, Call&) {
  const auto description = ledger().get<DeviceDescription>(args.device_description);
  args.to_string = description->to_string.data();
  args.to_string_size = description->to_string.size();
}

void run(abi::PJRT_Device_GetDescription_Args& args, Call&) {
  args.device_description = handle_of<abi::PJRT_DeviceDescription>(*ledger().get<Device>(args.device)->description);
}

void run(abi::PJRT_Device_IsAddressable_Args& args, Call&) {
  args.is_addressable = ledger().get<Device>(args.device)->is_addressable;
}

void run(abi::PJRT_Device_LocalHardwareId_Args& args, Call&) {
  args.local_hardware_id = ledger().get<Device>(args.device)->local_hardware_id;
}

void run(abi::PJRT_Device_AddressableMemories_Args& args, Call& call) {
  const auto device = ledger().get<Device>(args.device);
  if (!call.settings().memories) refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this plugin has no memory spaces");
  args.memories = device->memory_handles.data();
  args.num_memories = device->memory_handles.size();
}

void run(abi::PJRT_Device_DefaultMemory_Args& args, Call& call) {
  const auto device = ledger().get<Device>(args.device);
  if (!call.settings().memories || device->memories.empty()) {
    refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this device has no default memory");
  }
  args.memory = device->memory_handles.front();
}

void run(abi::PJRT_Device_MemoryStats_Args& args, Call& call) {
  const auto device = addressable(args.device);
  if (!call.settings().memory_stats) refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this plugin does not count memory");
  const Pool::Figures figures = device->pool->figures();
  args.bytes_in_use = figures.in_use;
  args.peak_bytes_in_use = figures.peak;
  args.peak_bytes_in_use_is_set = true;
  args.num_allocs = figures.allocations;
  args.num_allocs_is_set = true;
  args.largest_alloc_size = figures.largest;
  args.largest_alloc_size_is_set = true;
  args.bytes_limit = device->pool->limit();
  args.bytes_limit_is_set = device->pool->limit() != 0;
}

void run(abi::PJRT_Device_ClearMemoryStats_Args& args, Call&) { addressable(args.device)->pool->clear_peak(); }

void run(abi::PJRT_Device_PoisonExecution_Args& args, Call&) {
  addressable(args.device);
  args.poisoned = false;
}

void run(abi::PJRT_Device_GetAttributes_Args& args, Call&) {
  const auto device = ledger().get<Device>(args.device);
  const auto holder = std::make_shared<NamedHolder>(device->description->named);
  args.attributes = holder->list.data();
  args.num_attributes = holder->list.size();
  args.device_attributes = give<abi::PJRT_Device_Attributes>(holder);
  args.attributes_deleter = delete_holder<abi::PJRT_Device_Attributes>;
}

void run(abi::PJRT_Device_CreateAsyncTrackingEvent_Args& args, Call&) {
  const auto device = ledger().get<Device>(args.device);
  args.event = give<abi::PJRT_AsyncTrackingEvent>(std::make_shared<TrackingEvent>(device->owner()));
}

void run(abi::PJRT_AsyncTrackingEvent_Destroy_Args& args, Call&) { ledger().take<TrackingEvent>(args.event); }

}  // namespace fake
