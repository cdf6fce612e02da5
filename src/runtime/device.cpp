#include <pier/device.h>

#include "abi/named_value.h"
#include "runtime/checked.h"
#include "runtime/state.h"

namespace pier {
namespace {

using abi::Api;

abi::PJRT_Device* device_of(void* handle) { return static_cast<abi::PJRT_Device*>(handle); }
abi::PJRT_Memory* memory_of(void* handle) { return static_cast<abi::PJRT_Memory*>(handle); }

}  // namespace

Memory::Memory(std::shared_ptr<const runtime::ClientState> client, void* handle) noexcept
    : client_(std::move(client)), handle_(handle) {}

const runtime::ClientState& Memory::client() const { return runtime::held(client_, "a memory"); }

int Memory::id() const { return client().usable().call<&Api::PJRT_Memory_Id>({.memory = memory_of(handle_)}).id; }

std::string Memory::kind() const {
  const auto args = client().usable().call<&Api::PJRT_Memory_Kind>({.memory = memory_of(handle_)});
  return runtime::checked_text(client().table(), args.kind, args.kind_size, "PJRT_Memory_Kind", "kind");
}

std::string Memory::description() const {
  const auto args = client().usable().call<&Api::PJRT_Memory_ToString>({.memory = memory_of(handle_)});
  return runtime::checked_text(client().table(), args.to_string, args.to_string_size, "PJRT_Memory_ToString", "to_string");
}

Device::Device(std::shared_ptr<const runtime::ClientState> client, void* handle) noexcept
    : client_(std::move(client)), handle_(handle) {}

const runtime::ClientState& Device::client() const { return runtime::held(client_, "a device"); }

void* Device::device_description() const {
  const abi::Table& table = client().usable();
  const auto args = table.call<&Api::PJRT_Device_GetDescription>({.device = device_of(handle_)});
  return table.require_out(args.device_description, "PJRT_Device_GetDescription", "device_description");
}

int Device::id() const {
  auto* const description = static_cast<abi::PJRT_DeviceDescription*>(device_description());
  return client().table().call<&Api::PJRT_DeviceDescription_Id>({.device_description = description}).id;
}

int Device::local_hardware_id() const {
  return client().usable().call<&Api::PJRT_Device_LocalHardwareId>({.device = device_of(handle_)}).local_hardware_id;
}

int Device::process_index() const {
  auto* const description = static_cast<abi::PJRT_DeviceDescription*>(device_description());
  return client().table().call<&Api::PJRT_DeviceDescription_ProcessIndex>({.device_description = description}).process_index;
}

bool Device::is_addressable() const {
  return client().usable().call<&Api::PJRT_Device_IsAddressable>({.device = device_of(handle_)}).is_addressable;
}

std::string Device::kind() const {
  auto* const description = static_cast<abi::PJRT_DeviceDescription*>(device_description());
  const auto args = client().table().call<&Api::PJRT_DeviceDescription_Kind>({.device_description = description});
  return runtime::checked_text(client().table(), args.device_kind, args.device_kind_size, "PJRT_DeviceDescription_Kind",
                               "device_kind");
}

std::string Device::description() const {
  auto* const description = static_cast<abi::PJRT_DeviceDescription*>(device_description());
  const auto args = client().table().call<&Api::PJRT_DeviceDescription_ToString>({.device_description = description});
  return runtime::checked_text(client().table(), args.to_string, args.to_string_size, "PJRT_DeviceDescription_ToString",
                               "to_string");
}

Attributes Device::attributes() const {
  auto* const description = static_cast<abi::PJRT_DeviceDescription*>(device_description());
  Attributes out;
  runtime::offered([&] {
    const auto args = client().table().call<&Api::PJRT_DeviceDescription_Attributes>({.device_description = description});
    out = abi::read_named_values(client().table(), args.attributes, args.num_attributes, "PJRT_DeviceDescription_Attributes");
  });
  return out;
}

std::vector<Memory> Device::memories() const {
  std::vector<Memory> out;
  runtime::offered([&] {
    const auto args = client().usable().call<&Api::PJRT_Device_AddressableMemories>({.device = device_of(handle_)});
    for (abi::PJRT_Memory* const memory : runtime::checked_handles(client().table(), args.memories, args.num_memories,
                                                                   "PJRT_Device_AddressableMemories", "memories"))
      out.emplace_back(client_, memory);
  });
  return out;
}

std::optional<Memory> Device::default_memory() const {
  std::optional<Memory> out;
  runtime::offered([&] {
    const auto args = client().usable().call<&Api::PJRT_Device_DefaultMemory>({.device = device_of(handle_)});
    if (args.memory) out.emplace(client_, args.memory);
  });
  return out;
}

std::optional<MemoryStats> Device::memory_stats() const {
  std::optional<MemoryStats> out;
  runtime::offered([&] {
    const auto args = client().usable().call<&Api::PJRT_Device_MemoryStats>({.device = device_of(handle_)});
    MemoryStats stats;
    stats.bytes_in_use = args.bytes_in_use;
    if (args.peak_bytes_in_use_is_set) stats.peak_bytes_in_use = args.peak_bytes_in_use;
    if (args.bytes_limit_is_set) stats.bytes_limit = args.bytes_limit;
    if (args.largest_free_block_bytes_is_set) stats.largest_free_block_bytes = args.largest_free_block_bytes;
    out = stats;
  });
  return out;
}

}  // namespace pier
