#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "runtime/fake_test.h"

namespace pier {
namespace {

using test::error_of;
using test::FakeTest;
using test::floats;
using test::program;
using test::ramp;
using testing::ElementsAre;
using testing::HasSubstr;

class Clients : public FakeTest {};

TEST_F(Clients, TellWhatTheyAre) {
  script("platform=METAL;platform_version=fake 2;process_index=3");
  const Client client = connect();
  EXPECT_EQ(client.platform_name(), "METAL");
  EXPECT_EQ(client.platform_version(), "fake 2");
  EXPECT_EQ(client.process_index(), 3);
  EXPECT_EQ(client.plugin().path(), fake.path().string());
}

TEST_F(Clients, HandTheirOptionsToThePluginWithTheirTypes) {
  const Client client = connect({{"cpu_device_count", std::int64_t{2}},
                                 {"memory_fraction", 0.5f},
                                 {"preallocate", false},
                                 {"name", std::string("x")},
                                 {"visible_devices", std::vector<std::int64_t>{1, 0}}});
  const Attributes attributes = client.default_device().attributes();
  EXPECT_EQ(attributes.at("option.cpu_device_count"), AttributeValue(std::int64_t{2}));
  EXPECT_EQ(attributes.at("option.memory_fraction"), AttributeValue(0.5f));
  EXPECT_EQ(attributes.at("option.preallocate"), AttributeValue(false));
  EXPECT_EQ(attributes.at("option.name"), AttributeValue(std::string("x")));
  EXPECT_EQ(attributes.at("option.visible_devices"), AttributeValue(std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(client.devices().size(), 2u);
}

TEST_F(Clients, ListDevicesOfAllProcessesAndTheirOwn) {
  script("devices=2;remote_devices=1;first_device_id=10;device_kind=NVIDIA H200");
  const Client client = connect();
  ASSERT_EQ(client.devices().size(), 3u);
  ASSERT_EQ(client.addressable_devices().size(), 2u);
  const Device second = client.addressable_devices()[1];
  EXPECT_EQ(second.id(), 11);
  EXPECT_EQ(second.local_hardware_id(), 1);
  EXPECT_EQ(second.kind(), "NVIDIA H200");
  EXPECT_FALSE(second.description().empty());
  EXPECT_TRUE(second.is_addressable());
  EXPECT_EQ(second.process_index(), 0);
  EXPECT_EQ(client.device(11), second);
  EXPECT_FALSE(client.device(12).is_addressable());
  EXPECT_EQ(client.device(12).process_index(), 1);
  EXPECT_EQ(client.default_device().id(), 10);
  const Error error = error_of([&] { client.device(1); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.notes(), ElementsAre("ids of this client: 10, 11, 12"));
}

TEST_F(Clients, ListMemoriesAndDoWithoutThem) {
  const Client client = connect();
  EXPECT_EQ(client.addressable_memories().size(), 2u);
  const Device device = client.default_device();
  ASSERT_EQ(device.memories().size(), 2u);
  EXPECT_EQ(device.memories()[0].kind(), "device");
  EXPECT_EQ(device.memories()[1].kind(), "pinned_host");
  EXPECT_NE(device.memories()[0].id(), device.memories()[1].id());
  EXPECT_FALSE(device.memories()[0].description().empty());
  EXPECT_EQ(device.default_memory()->kind(), "device");
  EXPECT_EQ(client.put(ramp(3)).memory()->kind(), "device");
  script("memories=0");
  EXPECT_TRUE(client.addressable_memories().empty());
  EXPECT_TRUE(device.memories().empty());
  EXPECT_FALSE(device.default_memory());
}

TEST_F(Clients, CountMemoryWhereThePluginDoes) {
  script("memory_limit=4096");
  const Client client = connect();
  const Buffer buffer = client.put(Array::zeros(DType::float32, {64}), HostSemantics::copy);
  const auto stats = client.default_device().memory_stats();
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->bytes_in_use, 256);
  EXPECT_EQ(stats->bytes_limit, 4096);
  const Error error = error_of([&] { client.put(Array::zeros(DType::float32, {4096}), HostSemantics::copy); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  script("memory_stats=0");
  EXPECT_FALSE(client.default_device().memory_stats());
}

TEST_F(Clients, RefuseAMachineWithoutDevices) {
  const Client client = Client::create(Plugin::from_api(
      test::Lie<&abi::Api::PJRT_Client_AddressableDevices>::told_to(fake.api(), [](auto& args) { args.num_addressable_devices = 0; }), "none"));
  EXPECT_EQ(error_of([&] { client.default_device(); }).code(), ErrorCode::not_available);
}

TEST_F(Clients, TellWhereAPluginsOwnExceptionCameFrom) {
  const Error error = error_of([&] {
    Client::create(Plugin::from_api(
        test::Lie<&abi::Api::PJRT_Client_Create>::told_to(
            fake.api(),
            [&](auto& created) {
              abi::PJRT_Client_Destroy_Args destroy{};
              destroy.struct_size = sizeof destroy;
              destroy.client = created.client;
              static_cast<const abi::Api*>(fake.api())->PJRT_Client_Destroy(&destroy);
              throw std::length_error("vector::reserve");
            }),
        "thrower"));
  });
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_THAT(error.message(), HasSubstr("vector::reserve"));
  EXPECT_EQ(error.function(), "PJRT_Client_Create");
  EXPECT_THAT(error.plugin(), HasSubstr("thrower"));
}

TEST_F(Clients, LiveUntilTheLastOfTheirThingsIsGone) {
  std::optional<Device> device;
  Buffer buffer;
  {
    const Client client = connect();
    device = client.default_device();
    buffer = client.put(ramp(2));
  }
  EXPECT_EQ(fake->live().clients, 1);
  EXPECT_EQ(device->id(), 0);
  device.reset();
  EXPECT_THAT(floats(buffer.to_array()), ElementsAre(0, 1));
  buffer = Buffer();
  EXPECT_EQ(fake->live().clients, 0);
}

TEST_F(Clients, DestroyTheirThingsBeforeThemselvesInWhateverOrderTheyGo) {
  // Five owners; every order in which they can be let go of.
  std::vector<int> order = {0, 1, 2, 3, 4};
  do {
    auto client = std::make_unique<Client>(connect());
    auto executable = std::make_unique<Executable>(client->compile(program("fake.identity")));
    auto input = std::make_unique<Buffer>(client->put(ramp(4)));
    auto results = std::make_unique<Results>((*executable)(*input));
    auto event = std::make_unique<Event>(results->only().ready());
    for (const int which : order) {
      switch (which) {
        case 0: client.reset(); break;
        case 1: executable.reset(); break;
        case 2: input.reset(); break;
        case 3: results.reset(); break;
        case 4: event.reset(); break;
      }
    }
    ASSERT_EQ(fake->live().total, 0);
    ASSERT_EQ(fake->violations(), 0u) << fake->violation_report();
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Clients, RefuseDevicesAndBuffersOfOthers) {
  script("devices=2");
  const Client one = connect();
  const Client other = connect();
  const Buffer foreign = other.put(ramp(2));
  const auto code = [](const auto& work) { return error_of(work).code(); };
  EXPECT_EQ(code([&] { one.put(ramp(2), other.default_device()); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&] { one.compile(program("fake.identity"), other.default_device()); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&] { one.put(ramp(2)).copy_to(other.default_device()); }), ErrorCode::invalid_argument);
  const Executable identity = one.compile(program("fake.identity"));
  const Error error = error_of([&] { identity(foreign); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.message(), "argument 0 of fake_identity belongs to another client");
  EXPECT_EQ(fake->calls("PJRT_LoadedExecutable_Execute"), 0u);
}

TEST_F(Clients, AndAllThatTheyGiveRefuseToBeUsedAfterTheyWereMovedFrom) {
  const auto refused = [](const char* what, const std::vector<std::function<void()>>& uses) {
    for (const auto& use : uses) {
      const Error error = error_of(use);
      EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
      EXPECT_EQ(error.message(), std::string(what) + " that holds nothing was used; it was moved from or never filled");
    }
  };
  Plugin a_plugin = plugin();
  Client client = connect();
  Module module = program("fake.identity");
  Executable executable = client.compile(module);
  Device device = client.default_device();
  Memory memory = device.memories().front();
  const Buffer buffer = client.put(ramp(2));
  const Plugin plugin_now = std::move(a_plugin);
  const Client client_now = std::move(client);
  const Module module_now = std::move(module);
  const Executable executable_now = std::move(executable);
  const Device device_now = std::move(device);
  const Memory memory_now = std::move(memory);
  refused("a plugin", {[&] { a_plugin.path(); }, [&] { a_plugin.api_version(); }, [&] { a_plugin.attributes(); },
                       [&] { a_plugin.extensions(); }, [&] { a_plugin.missing_functions(); }, [&] { Client::create(a_plugin); }});
  refused("a client", {[&] { client.plugin(); }, [&] { client.platform_name(); }, [&] { client.platform_version(); },
                       [&] { client.process_index(); }, [&] { client.devices(); }, [&] { client.addressable_devices(); },
                       [&] { client.device(0); }, [&] { client.default_device(); }, [&] { client.addressable_memories(); },
                       [&] { client.compile(module_now); }, [&] { client.compile(module_now, device_now); },
                       [&] { client.put(ramp(1)); }, [&] { client.put(ramp(1), device_now); }});
  refused("a module", {[&] { module.format(); }, [&] { module.bytes(); }, [&] { module.name(); }, [&] { module.signature(); },
                       [&] { client_now.compile(module); }});
  refused("an executable", {[&] { executable.name(); }, [&] { executable.num_outputs(); }, [&] { executable.devices(); },
                            [&] { executable.output_types(); }, [&] { executable.signature(); }, [&] { executable(buffer); },
                            [&] { executable.run_into({}, {}); }});
  refused("a device", {[&] { device.id(); }, [&] { device.local_hardware_id(); }, [&] { device.process_index(); },
                       [&] { device.is_addressable(); }, [&] { device.kind(); }, [&] { device.description(); },
                       [&] { device.attributes(); }, [&] { device.memories(); }, [&] { device.default_memory(); },
                       [&] { device.memory_stats(); }});
  refused("a memory", {[&] { memory.id(); }, [&] { memory.kind(); }, [&] { memory.description(); }});
  EXPECT_EQ(executable_now(buffer).size(), 1u);
  EXPECT_EQ(memory_now.kind() + device_now.kind() + plugin_now.path(), "device" + std::string("Fake") + fake.path().string());
}

TEST_F(Clients, OfTwoPluginsWorkSideBySide) {
  fake::Library second;
  {
    const Client a = connect();
    const Client b = Client::create(Plugin::load(second.path()));
    const Buffer x = a.put(ramp(3));
    const Buffer y = b.put(x.to_array());
    EXPECT_THAT(floats(b.compile(program("fake.add_one"))(y).to_array()), ElementsAre(1, 2, 3));
    EXPECT_EQ(error_of([&] { b.compile(program("fake.add_one"))(x); }).code(), ErrorCode::invalid_argument);
    EXPECT_EQ(fake->calls("PJRT_Client_Compile"), 0u);
  }
  EXPECT_EQ(second->live().total, 0);
  EXPECT_EQ(second->violations(), 0u) << second->violation_report();
}

TEST_F(Clients, CompileForTheDeviceThatIsNamed) {
  script("devices=3;first_device_id=7");
  const Client client = connect();
  for (const Device& device : client.devices()) {
    const Executable add = client.compile(program("fake.add_one"), device);
    ASSERT_EQ(add.devices().size(), 1u);
    EXPECT_EQ(add.devices().front(), device);
    const Results results = add(client.put(ramp(2), device));
    EXPECT_EQ(results.only().device().id(), device.id());
    EXPECT_THAT(floats(results.to_array()), ElementsAre(1, 2));
  }
  // Arguments on another device are the plugin's to refuse.
  const Executable add = client.compile(program("fake.add_one"), client.device(9));
  EXPECT_THAT(error_of([&] { add(client.put(ramp(2), client.device(7))); }).message(), HasSubstr("device 7"));
}

TEST_F(Clients, NoticeAPluginThatCompilesForAnotherDevice) {
  script("devices=2");
  static abi::PJRT_Device* other = nullptr;
  const Client client = Client::create(Plugin::from_api(
      test::Lie<&abi::Api::PJRT_LoadedExecutable_AddressableDevices>::told_to(
          fake.api(), [](auto& args) { args.addressable_devices = &other; }), "ignores device ids"));
  other = static_cast<abi::PJRT_Device*>(client.device(0).handle());
  const Error error = error_of([&] { client.compile(program("fake.identity"), client.device(1)); });
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_THAT(error.message(), HasSubstr("compiled for device 0"));
  EXPECT_NO_THROW(client.compile(program("fake.identity"), client.device(0)));
}

TEST_F(Clients, CheckTheNumberOfDeviceIds) {
  script("devices=4");
  const Client client = connect();
  CompileOptions options;
  options.num_partitions = 2;
  options.device_ids = {0, 1, 2};
  EXPECT_THAT(error_of([&] { client.compile(program("fake.identity"), options); }).message(),
              HasSubstr("3 device ids for 1 replicas of 2 partitions; 2 are needed"));
  options.num_replicas = 0;
  EXPECT_EQ(error_of([&] { client.compile(program("fake.identity"), options); }).code(), ErrorCode::invalid_argument);
  options.num_replicas = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(error_of([&] { client.compile(program("fake.identity"), options); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(fake->calls("PJRT_Client_Compile"), 0u);
  options.num_replicas = 2;
  options.device_ids = {3, 1, 0, 2};
  EXPECT_EQ(client.compile(program("fake.identity"), options).devices().size(), 4u);
}

TEST_F(Clients, TellWhatWasCompiledAndBothVersionsWhenItFails) {
  const Client client = connect();
  const Error error = error_of([&] { client.compile(Module::from_bytes("module { func.func @main() }", "model.mlir")); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.function(), "PJRT_Client_Compile");
  EXPECT_THAT(error.what(), HasSubstr("compiling model.mlir (MLIR text of 28 B)"));
  EXPECT_THAT(error.what(), HasSubstr("the plugin reads StableHLO up to 1.13.0"));
  const std::string bytecode("ML\xefR\x06StableHLO_v9.9.9\0rest", 26);
  EXPECT_THAT(error_of([&] { client.compile(Module::from_bytes(bytecode, "new.bin")); }).what(),
              HasSubstr("the module was written by StableHLO_v9.9.9"));
  // A producer without an end, and none at all.
  EXPECT_THROW(client.compile(Module::from_bytes("ML\xefR\x06StableHLO", "cut")), Error);
  EXPECT_THROW(client.compile(Module::from_bytes("ML\xefR", "cut")), Error);
}

}  // namespace
}  // namespace pier
