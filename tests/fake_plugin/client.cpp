#include "fake_plugin/client.h"

#include <cstdio>

#include "fake_plugin/bodies.h"

namespace fake {
namespace {

constexpr int most_devices = 8;

int wanted_devices(const Settings& settings, const std::vector<Named>& options) {
  std::int64_t wanted = settings.devices;
  for (const Named& option : options) {
    if (option.name == "cpu_device_count") {
      const auto* number = std::get_if<std::int64_t>(&option.value);
      if (number == nullptr) refuse("option cpu_device_count must be an int64");
      wanted = *number;
    } else if (settings.refuse_unknown_options) {
      refuse("unknown option: " + option.name);
    }
  }
  if (wanted < 0 || wanted > most_devices) refuse("devices must be 0 to 8, not " + std::to_string(wanted));
  return static_cast<int>(wanted);
}

std::vector<Named> as_attributes(const std::vector<Named>& options) {
  std::vector<Named> attributes;
  for (const Named& option : options) attributes.push_back({"option." + option.name, option.value});
  return attributes;
}

}  // namespace

std::vector<std::shared_ptr<DeviceDescription>> describe_devices(const Settings& settings, int addressable,
                                                                 const std::vector<Named>& options) {
  std::vector<std::shared_ptr<DeviceDescription>> all;
  const std::vector<Named> attributes = as_attributes(options);
  for (int i = 0; i < addressable + settings.remote_devices; ++i) {
    const int process = i < addressable ? settings.process_index : settings.process_index + 1;
    all.push_back(std::make_shared<DeviceDescription>(settings, settings.first_device_id + i, process, attributes));
  }
  return all;
}

Client::Client(const Settings& settings, const std::vector<Named>& options)
    : Object(Kind::client),
      platform_name(settings.platform),
      platform_version(settings.platform_version),
      process_index(settings.process_index) {
  const int count = wanted_devices(settings, options);
  const auto descriptions = describe_devices(settings, count, options);
  for (int i = 0; i < static_cast<int>(descriptions.size()); ++i) {
    const auto device =
        std::make_shared<Device>(settings, i, i < count, descriptions[static_cast<std::size_t>(i)], this);
    devices.push_back(device);
    handles.push_back(handle_of<abi::PJRT_Device>(*device));
    if (!device->is_addressable) continue;
    addressable.push_back(handles.back());
    memories.insert(memories.end(), device->memory_handles.begin(), device->memory_handles.end());
  }
  topology = std::make_shared<Topology>(settings, descriptions, options, false, this);
}

void Client::enter_books() {
  for (const auto& device : devices) {
    ledger().add(device);
    for (const auto& memory : device->memories) ledger().add(memory);
  }
  for (const auto& description : topology->descriptions) ledger().add(description);
  ledger().add(topology);
}

void Client::retire() {
  if (const std::string orphans = ledger().orphans_of(handle()); !orphans.empty()) {
    ledger().violate("a client destroyed before its " + orphans);
  }
  for (const auto& device : devices) {
    for (const auto& memory : device->memories) ledger().drop(memory->handle());
    ledger().drop(device->handle());
  }
  ledger().drop(topology->handle());
}

void run(abi::PJRT_Client_Create_Args& args, Call& call) {
  const Settings& settings = call.settings();
  if (settings.noise_on_create) std::fputs("fake_plugin: noise from Client_Create\n", stderr);
  const std::vector<Named> options = read_named(args.create_options, args.num_options, "create options");
  steering().remember("create_options", describe(options));
  const auto client = std::make_shared<Client>(settings, options);
  client->enter_books();
  args.client = give<abi::PJRT_Client>(client);
}

void run(abi::PJRT_Client_Destroy_Args& args, Call&) { ledger().take<Client>(args.client); }

void run(abi::PJRT_Client_PlatformName_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  args.platform_name = client->platform_name.data();
  args.platform_name_size = client->platform_name.size();
}

void run(abi::PJRT_Client_PlatformVersion_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  args.platform_version = client->platform_version.data();
  args.platform_version_size = client->platform_version.size();
}

void run(abi::PJRT_Client_ProcessIndex_Args& args, Call&) {
  args.process_index = ledger().get<Client>(args.client)->process_index;
}

void run(abi::PJRT_Client_TopologyDescription_Args& args, Call&) {
  args.topology = handle_of<abi::PJRT_TopologyDescription>(*ledger().get<Client>(args.client)->topology);
}

void run(abi::PJRT_Client_Devices_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  args.devices = client->handles.data();
  args.num_devices = client->handles.size();
}

void run(abi::PJRT_Client_AddressableDevices_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  args.addressable_devices = client->addressable.data();
  args.num_addressable_devices = client->addressable.size();
}

void run(abi::PJRT_Client_LookupDevice_Args& args, Call&) {
  for (const auto& device : ledger().get<Client>(args.client)->devices) {
    if (device->description->id != args.id) continue;
    args.device = handle_of<abi::PJRT_Device>(*device);
    return;
  }
  refuse("no device with id " + std::to_string(args.id));
}

void run(abi::PJRT_Client_LookupAddressableDevice_Args& args, Call&) {
  for (const auto& device : ledger().get<Client>(args.client)->devices) {
    if (!device->is_addressable || device->local_hardware_id != args.local_hardware_id) continue;
    args.addressable_device = handle_of<abi::PJRT_Device>(*device);
    return;
  }
  refuse("no addressable device with local hardware id " + std::to_string(args.local_hardware_id));
}

void run(abi::PJRT_Client_AddressableMemories_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  if (!call.settings().memories) refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this plugin has no memory spaces");
  args.addressable_memories = client->memories.data();
  args.num_addressable_memories = client->memories.size();
}

void run(abi::PJRT_Client_DefaultDeviceAssignment_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  if (args.num_replicas < 1 || args.num_partitions < 1) refuse("replicas and partitions must be at least 1");
  const auto count = static_cast<std::size_t>(args.num_replicas) * static_cast<std::size_t>(args.num_partitions);
  if (args.default_assignment == nullptr || args.default_assignment_size < count) {
    refuse("default_assignment_size is less than replicas * partitions");
  }
  if (count > client->devices.size()) refuse("more replicas and partitions than devices");
  for (std::size_t i = 0; i < count; ++i) args.default_assignment[i] = client->devices[i]->description->id;
}

void run(abi::PJRT_Client_UpdateGlobalProcessInfo_Args& args, Call& call) {
  ledger().get<Client>(args.client);
  if (args.num_process_infos != 0 && args.process_infos == nullptr) misuse("process_infos is null");
  // Before 0.75 an entry had neither a size nor today's stride.
  if (call.minor() < 75) return;
  for (std::size_t i = 0; i < args.num_process_infos; ++i) {
    if (args.process_infos[i].struct_size != 48) misuse("Unexpected PJRT_ProcessInfo size");
  }
}

void run(abi::PJRT_Client_DmaMap_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  if (args.data == nullptr || args.size == 0) refuse("nothing to map");
  const auto mapping = std::make_shared<Mapping>(client->handle());
  const std::lock_guard lock(client->mutex);
  if (!client->mappings.emplace(args.data, mapping->handle()).second) refuse("mapped already");
  ledger().add(mapping);
}

void run(abi::PJRT_Client_DmaUnmap_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  const std::lock_guard lock(client->mutex);
  const auto found = client->mappings.find(args.data);
  if (found == client->mappings.end()) misuse("this memory is not mapped");
  ledger().drop(found->second);
  client->mappings.erase(found);
}

}  // namespace fake
