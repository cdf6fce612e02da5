#include <charconv>

#include "fake_plugin/bodies.h"
#include "fake_plugin/client.h"
#include "fake_plugin/hash.h"
#include "fake_plugin/holder.h"

namespace fake {
namespace {

constexpr std::string_view serialized_mark = "FAKETOPO";
constexpr int kind_ids[] = {0, 1};

/// "", "fake", "fake:4"
int devices_of_name(const Settings& settings, std::string_view name) {
  if (name.empty() || name == "fake") return settings.devices;
  int count = 0;
  if (name.starts_with("fake:")) {
    const std::string_view digits = name.substr(5);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error == std::errc() && end == digits.data() + digits.size() && count >= 1 && count <= 8) return count;
  }
  refuse(abi::PJRT_Error_Code_NOT_FOUND, "no topology is called '" + std::string(name) + "'; known are fake:1 to fake:8");
}

std::shared_ptr<Topology> make_topology(const Settings& settings, int devices, const std::vector<Named>& options) {
  auto descriptions = describe_devices(settings, devices, options);
  auto topology = std::make_shared<Topology>(settings, std::move(descriptions), options, true, nullptr);
  for (const auto& description : topology->descriptions) ledger().add(description);
  return topology;
}

std::string serialize(const Topology& topology) {
  return std::string(serialized_mark) + std::to_string(topology.descriptions.size());
}

}  // namespace

Topology::Topology(const Settings& settings, std::vector<std::shared_ptr<DeviceDescription>> described,
                   const std::vector<Named>& options, bool belongs_to_caller, const void* client)
    : Object(Kind::topology, client),
      platform_name(settings.platform),
      platform_version(settings.platform_version),
      descriptions(std::move(described)),
      attributes(options),
      belongs_to_caller_(belongs_to_caller) {
  for (const auto& description : descriptions) handles.push_back(handle_of<abi::PJRT_DeviceDescription>(*description));
}

void Topology::retire() {
  for (const auto& description : descriptions) ledger().drop(description->handle());
}

void run(abi::PJRT_TopologyDescription_Create_Args& args, Call& call) {
  const std::vector<Named> options = read_named(args.create_options, args.num_options, "create options");
  const int devices = devices_of_name(call.settings(), {args.topology_name, args.topology_name_size});
  args.topology = give<abi::PJRT_TopologyDescription>(make_topology(call.settings(), devices, options));
}

void run(abi::PJRT_TopologyDescription_Destroy_Args& args, Call&) {
  if (args.topology != nullptr && !ledger().get<Topology>(args.topology)->is_counted()) {
    misuse("this topology belongs to its client");
  }
  ledger().take<Topology>(args.topology);
}

void run(abi::PJRT_TopologyDescription_PlatformName_Args& args, Call&) {
  const auto topology = ledger().get<Topology>(args.topology);
  args.platform_name = topology->platform_name.data();
  args.platform_name_size = topology->platform_name.size();
}

void run(abi::PJRT_TopologyDescription_PlatformVersion_Args& args, Call&) {
  const auto topology = ledger().get<Topology>(args.topology);
  args.platform_version = topology->platform_version.data();
  args.platform_version_size = topology->platform_version.size();
}

void run(abi::PJRT_TopologyDescription_GetDeviceDescriptions_Args& args, Call&) {
  const auto topology = ledger().get<Topology>(args.topology);
  args.descriptions = topology->handles.data();
  args.num_descriptions = topology->handles.size();
}

void run(abi::PJRT_TopologyDescription_Serialize_Args& args, Call&) {
  const auto topology = ledger().get<Topology>(args.topology);
  give_bytes(serialize(*topology), args.serialized_bytes, args.serialized_bytes_size, args.serialized_topology,
             args.serialized_topology_deleter);
}

void run(abi::PJRT_TopologyDescription_Deserialize_Args& args, Call& call) {
  const std::string_view bytes(args.serialized_topology, args.serialized_topology_size);
  if (!bytes.starts_with(serialized_mark)) refuse("these bytes are no topology of the fake plugin");
  const std::string name = "fake:" + std::string(bytes.substr(serialized_mark.size()));
  args.topology = give<abi::PJRT_TopologyDescription>(
      make_topology(call.settings(), devices_of_name(call.settings(), name), {}));
}

void run(abi::PJRT_TopologyDescription_Attributes_Args& args, Call&) {
  const auto topology = ledger().get<Topology>(args.topology);
  args.attributes = topology->attributes.data();
  args.num_attributes = topology->attributes.size();
}

void run(abi::PJRT_TopologyDescription_Fingerprint_Args& args, Call&) {
  const auto topology = ledger().get<Topology>(args.topology);
  args.fingerprint = hash(serialize(*topology) + std::string(topology->platform_name.view()));
}

void run(abi::PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args, Call& call) {
  ledger().get<Topology>(args.topology);
  args.memory_space_kind_ids = kind_ids;
  args.num_memory_space_kind_ids = call.settings().memories ? std::size(kind_ids) : 0;
}

}  // namespace fake
