#include <set>

#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

std::string text(const char* data, std::size_t size) { return {data, size}; }

TEST_F(FakePluginTest, ReportsTheNewestVersionByDefault) {
  EXPECT_EQ(api->struct_size, sizeof(Api));
  EXPECT_EQ(api->pjrt_api_version.major_version, 0);
  EXPECT_EQ(api->pjrt_api_version.minor_version, abi::api_minor);
}

TEST_F(FakePluginTest, NamesItselfAsTold) {
  script("platform=METAL;platform_version=m 2;device_kind=Apple M9;process_index=3");
  create_client();
  abi::PJRT_Client_PlatformName_Args name{.client = client};
  ASSERT_TRUE(call<&Api::PJRT_Client_PlatformName>(name));
  EXPECT_EQ(text(name.platform_name, name.platform_name_size), "METAL");
  // No NUL: who reads on sees that.
  EXPECT_EQ(std::string(name.platform_name), "METAL<past the end>");
  abi::PJRT_Client_PlatformVersion_Args version{.client = client};
  ASSERT_TRUE(call<&Api::PJRT_Client_PlatformVersion>(version));
  EXPECT_EQ(text(version.platform_version, version.platform_version_size), "m 2");
  abi::PJRT_Client_ProcessIndex_Args index{.client = client};
  ASSERT_TRUE(call<&Api::PJRT_Client_ProcessIndex>(index));
  EXPECT_EQ(index.process_index, 3);
  abi::PJRT_Device_GetDescription_Args description{.device = device()};
  ASSERT_TRUE(call<&Api::PJRT_Device_GetDescription>(description));
  abi::PJRT_DeviceDescription_Kind_Args kind{.device_description = description.device_description};
  ASSERT_TRUE(call<&Api::PJRT_DeviceDescription_Kind>(kind));
  EXPECT_EQ(text(kind.device_kind, kind.device_kind_size), "Apple M9");
}

TEST_F(FakePluginTest, HasAsManyDevicesAsToldWithIdsApartFromOrdinals) {
  script("devices=3;remote_devices=1;first_device_id=10");
  create_client();
  abi::PJRT_Client_Devices_Args all{.client = client};
  ASSERT_TRUE(call<&Api::PJRT_Client_Devices>(all));
  ASSERT_EQ(all.num_devices, 4u);
  abi::PJRT_Client_AddressableDevices_Args ours{.client = client};
  ASSERT_TRUE(call<&Api::PJRT_Client_AddressableDevices>(ours));
  ASSERT_EQ(ours.num_addressable_devices, 3u);
  for (int i = 0; i < 4; ++i) {
    abi::PJRT_Client_LookupDevice_Args by_id{.client = client, .id = 10 + i};
    ASSERT_TRUE(call<&Api::PJRT_Client_LookupDevice>(by_id));
    EXPECT_EQ(by_id.device, all.devices[i]);
    abi::PJRT_Device_LocalHardwareId_Args local{.device = by_id.device};
    ASSERT_TRUE(call<&Api::PJRT_Device_LocalHardwareId>(local));
    EXPECT_EQ(local.local_hardware_id, i < 3 ? i : -1);
    abi::PJRT_Device_IsAddressable_Args addressable{.device = by_id.device};
    ASSERT_TRUE(call<&Api::PJRT_Device_IsAddressable>(addressable));
    EXPECT_EQ(addressable.is_addressable, i < 3);
  }
  EXPECT_EQ(call<&Api::PJRT_Client_LookupDevice>({.client = client, .id = 0}).code, 3);
  EXPECT_EQ(call<&Api::PJRT_Client_LookupAddressableDevice>({.client = client, .local_hardware_id = 3}).code, 3);
}

TEST_F(FakePluginTest, EchoesCreateOptionsAsDeviceAttributesWithTheirTypes) {
  const std::int64_t list[] = {1, 2};
  abi::PJRT_NamedValue options[4];
  options[0] = {.name = "memory_fraction", .name_size = 15, .type = abi::PJRT_NamedValue_kFloat, .value_size = 1};
  options[0].float_value = 0.5f;
  options[1] = {.name = "cpu_device_count", .name_size = 16, .type = abi::PJRT_NamedValue_kInt64, .value_size = 1};
  options[1].int64_value = 2;
  options[2] = {.name = "visible_devices", .name_size = 15, .type = abi::PJRT_NamedValue_kInt64List, .value_size = 2};
  options[2].int64_array_value = list;
  options[3] = {.name = "preallocate", .name_size = 11, .type = abi::PJRT_NamedValue_kBool, .value_size = 1};
  options[3].bool_value = true;
  abi::PJRT_Client_Create_Args args{.create_options = options, .num_options = 4};
  ASSERT_TRUE(call<&Api::PJRT_Client_Create>(args));
  client = args.client;
  std::size_t size = 0;
  const char* last = plugin->last("create_options", &size);
  EXPECT_EQ(text(last, size), "memory_fraction=0.500000\ncpu_device_count=2\nvisible_devices=[1,2]\npreallocate=true\n");
  abi::PJRT_Device_GetDescription_Args description{.device = device(1)};
  ASSERT_TRUE(call<&Api::PJRT_Device_GetDescription>(description));
  abi::PJRT_DeviceDescription_Attributes_Args attributes{.device_description = description.device_description};
  ASSERT_TRUE(call<&Api::PJRT_DeviceDescription_Attributes>(attributes));
  ASSERT_EQ(attributes.num_attributes, 4u);
  EXPECT_EQ(text(attributes.attributes[0].name, attributes.attributes[0].name_size), "option.memory_fraction");
  EXPECT_EQ(attributes.attributes[0].float_value, 0.5f);
  EXPECT_EQ(attributes.attributes[2].type, abi::PJRT_NamedValue_kInt64List);
  EXPECT_EQ(attributes.attributes[2].int64_array_value[1], 2);
  EXPECT_TRUE(attributes.attributes[3].bool_value);
  abi::PJRT_Device_GetAttributes_Args newer{.device = device()};
  ASSERT_TRUE(call<&Api::PJRT_Device_GetAttributes>(newer));
  EXPECT_EQ(newer.num_attributes, 4u);
  EXPECT_EQ(plugin->live().holders, 1);
  newer.attributes_deleter(newer.device_attributes);
}

TEST_F(FakePluginTest, RefusesUnknownOptionsWhenToldTo) {
  abi::PJRT_NamedValue option{.name = "nonsense", .name_size = 8, .type = abi::PJRT_NamedValue_kBool, .value_size = 1};
  option.bool_value = true;
  abi::PJRT_Client_Create_Args args{.create_options = &option, .num_options = 1};
  ASSERT_TRUE(call<&Api::PJRT_Client_Create>(args));
  client = args.client;
  script("unknown_options=refuse");
  const Outcome refused = call<&Api::PJRT_Client_Create>(args);
  EXPECT_EQ(refused.code, abi::PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(refused.message, "unknown option: nonsense");
}

TEST_F(FakePluginTest, HasTwoMemoriesPerDeviceOrNone) {
  script("devices=2");
  create_client();
  abi::PJRT_Client_AddressableMemories_Args all{.client = client};
  ASSERT_TRUE(call<&Api::PJRT_Client_AddressableMemories>(all));
  ASSERT_EQ(all.num_addressable_memories, 4u);
  std::set<int> ids;
  for (std::size_t i = 0; i < 4; ++i) {
    abi::PJRT_Memory_Id_Args id{.memory = all.addressable_memories[i]};
    ASSERT_TRUE(call<&Api::PJRT_Memory_Id>(id));
    ids.insert(id.id);
    abi::PJRT_Memory_Kind_Args kind{.memory = all.addressable_memories[i]};
    ASSERT_TRUE(call<&Api::PJRT_Memory_Kind>(kind));
    EXPECT_EQ(text(kind.kind, kind.kind_size), i % 2 == 0 ? "device" : "pinned_host");
    abi::PJRT_Memory_AddressableByDevices_Args by{.memory = all.addressable_memories[i]};
    ASSERT_TRUE(call<&Api::PJRT_Memory_AddressableByDevices>(by));
    ASSERT_EQ(by.num_devices, 1u);
    EXPECT_EQ(by.devices[0], device(i / 2));
  }
  EXPECT_EQ(ids.size(), 4u);
  abi::PJRT_Device_DefaultMemory_Args memory{.device = device(1)};
  ASSERT_TRUE(call<&Api::PJRT_Device_DefaultMemory>(memory));
  EXPECT_EQ(memory.memory, all.addressable_memories[2]);
  ASSERT_TRUE(call<&Api::PJRT_Client_Destroy>({.client = client}));

  script("memories=0");
  create_client();
  EXPECT_EQ(call<&Api::PJRT_Client_AddressableMemories>({.client = client}).code, abi::PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_EQ(call<&Api::PJRT_Device_DefaultMemory>({.device = device()}).code, abi::PJRT_Error_Code_UNIMPLEMENTED);
}

TEST_F(FakePluginTest, GivesPluginAttributesThatStayForTheProcess) {
  script("attribute=answer:42;attribute=list:[3,4];attribute=word:abc");
  abi::PJRT_Plugin_Attributes_Args args;
  ASSERT_TRUE(call<&Api::PJRT_Plugin_Attributes>(args));
  ASSERT_EQ(args.num_attributes, 6u);
  plugin->reset();
  EXPECT_EQ(args.attributes[3].int64_value, 42);
  EXPECT_EQ(args.attributes[4].int64_array_value[1], 4);
  EXPECT_EQ(text(args.attributes[5].string_value, args.attributes[5].value_size), "abc");
}

TEST_F(FakePluginTest, MakesSerializesAndCountsTopologies) {
  abi::PJRT_TopologyDescription_Create_Args made{.topology_name = "fake:4", .topology_name_size = 6};
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Create>(made));
  EXPECT_EQ(plugin->live().topologies, 1);
  abi::PJRT_TopologyDescription_Serialize_Args bytes{.topology = made.topology};
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Serialize>(bytes));
  abi::PJRT_TopologyDescription_Deserialize_Args again{.serialized_topology = bytes.serialized_bytes,
                                                       .serialized_topology_size = bytes.serialized_bytes_size};
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Deserialize>(again));
  bytes.serialized_topology_deleter(bytes.serialized_topology);
  abi::PJRT_TopologyDescription_GetDeviceDescriptions_Args devices{.topology = again.topology};
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_GetDeviceDescriptions>(devices));
  EXPECT_EQ(devices.num_descriptions, 4u);
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Destroy>({.topology = made.topology}));
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Destroy>({.topology = again.topology}));
  EXPECT_EQ(call<&Api::PJRT_TopologyDescription_Create>({.topology_name = "moon", .topology_name_size = 4}).code,
            abi::PJRT_Error_Code_NOT_FOUND);
}

}  // namespace
}  // namespace fake::raw
