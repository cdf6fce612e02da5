// A plugin that answers with what cannot be: every answer becomes an Error that names the function.

#include <cstring>

#include "runtime/fake_test.h"

namespace pier {
namespace {

using test::error_of;
using test::FakeTest;
using test::Lie;
using test::program;
using test::ramp;
using testing::HasSubstr;

using abi::Api;

constexpr std::size_t absurd = std::size_t{1} << 60;

class Lies : public FakeTest {
 protected:
  template <auto Function>
  Client liar(std::function<void(abi::ArgsOf<Function>&)> change) {
    return Client::create(Plugin::from_api(Lie<Function>::told_to(fake.api(), std::move(change)), "liar"));
  }

  static void blamed(const Error& error, const char* function) {
    EXPECT_EQ(error.code(), ErrorCode::internal) << error.what();
    EXPECT_EQ(error.function(), function);
    EXPECT_THAT(error.what(), HasSubstr("liar (PJRT 0.117)"));
    EXPECT_THAT(error.what(), HasSubstr("The plugin is at fault"));
  }
};

TEST_F(Lies, AboutTheNumberOfResults) {
  const Client client = liar<&Api::PJRT_Executable_NumOutputs>([](auto& args) { args.num_outputs = absurd; });
  blamed(error_of([&] { client.compile(program("fake.identity")); }), "PJRT_Executable_NumOutputs");
}

TEST_F(Lies, AboutTheDevicesOfAnExecutable) {
  const Client many = liar<&Api::PJRT_LoadedExecutable_AddressableDevices>([](auto& args) { args.num_addressable_devices = absurd; });
  blamed(error_of([&] { many.compile(program("fake.identity")); }), "PJRT_LoadedExecutable_AddressableDevices");
  const Client null = liar<&Api::PJRT_LoadedExecutable_AddressableDevices>([](auto& args) { args.addressable_devices = nullptr; });
  blamed(error_of([&] { null.compile(program("fake.identity")); }), "PJRT_LoadedExecutable_AddressableDevices");
  static abi::PJRT_Device* nothing = nullptr;
  const Client empty = liar<&Api::PJRT_LoadedExecutable_AddressableDevices>([](auto& args) { args.addressable_devices = &nothing; });
  blamed(error_of([&] { empty.compile(program("fake.identity")); }), "PJRT_LoadedExecutable_AddressableDevices");
}

TEST_F(Lies, AboutListsOfAClient) {
  const Client devices = liar<&Api::PJRT_Client_Devices>([](auto& args) { args.num_devices = absurd; });
  blamed(error_of([&] { devices.devices(); }), "PJRT_Client_Devices");
  const Client own = liar<&Api::PJRT_Client_AddressableDevices>([](auto& args) { args.addressable_devices = nullptr; });
  blamed(error_of([&] { own.default_device(); }), "PJRT_Client_AddressableDevices");
  blamed(error_of([&] { own.addressable_devices(); }), "PJRT_Client_AddressableDevices");
  const Client memories = liar<&Api::PJRT_Client_AddressableMemories>([](auto& args) { args.num_addressable_memories = absurd; });
  blamed(error_of([&] { memories.addressable_memories(); }), "PJRT_Client_AddressableMemories");
  const Client reachable = liar<&Api::PJRT_Device_AddressableMemories>([](auto& args) { args.memories = nullptr; });
  blamed(error_of([&] { reachable.default_device().memories(); }), "PJRT_Device_AddressableMemories");
}

TEST_F(Lies, AboutTexts) {
  const Client null = liar<&Api::PJRT_Client_PlatformName>([](auto& args) { args.platform_name = nullptr; });
  blamed(error_of([&] { null.platform_name(); }), "PJRT_Client_PlatformName");
  const Client version = liar<&Api::PJRT_Client_PlatformVersion>([](auto& args) { args.platform_version_size = absurd; });
  blamed(error_of([&] { version.platform_version(); }), "PJRT_Client_PlatformVersion");
  const Client kind = liar<&Api::PJRT_DeviceDescription_Kind>([](auto& args) { args.device_kind = nullptr; });
  blamed(error_of([&] { kind.default_device().kind(); }), "PJRT_DeviceDescription_Kind");
  const Client words = liar<&Api::PJRT_DeviceDescription_ToString>([](auto& args) { args.to_string_size = absurd; });
  blamed(error_of([&] { words.default_device().description(); }), "PJRT_DeviceDescription_ToString");
  const Client memory = liar<&Api::PJRT_Memory_Kind>([](auto& args) { args.kind = nullptr; });
  blamed(error_of([&] { memory.addressable_memories().front().kind(); }), "PJRT_Memory_Kind");
  const Client name = liar<&Api::PJRT_Executable_Name>([](auto& args) { args.executable_name_size = absurd; });
  blamed(error_of([&] { name.compile(program("fake.identity")).name(); }), "PJRT_Executable_Name");
  const Client none = liar<&Api::PJRT_Client_PlatformName>([](auto& args) { args.platform_name = nullptr, args.platform_name_size = 0; });
  EXPECT_EQ(none.platform_name(), "");
}

TEST_F(Lies, AboutTheShapeOfABuffer) {
  const auto refused = [&](std::function<void(abi::PJRT_Buffer_Dimensions_Args&)> change) {
    const Client client = liar<&Api::PJRT_Buffer_Dimensions>(std::move(change));
    Buffer buffer = client.put(ramp(3));
    blamed(error_of([&] { buffer.shape(); }), "PJRT_Buffer_Dimensions");
    blamed(error_of([&] { buffer.to_array(); }), "PJRT_Buffer_Dimensions");
    blamed(error_of([&] { buffer.to_host({}); }), "PJRT_Buffer_Dimensions");
    blamed(error_of([&] { buffer.host_span(); }), "PJRT_Buffer_Dimensions");
    blamed(error_of([&] { std::move(buffer).take(); }), "PJRT_Buffer_Dimensions");
  };
  static const std::int64_t negative[] = {-3};
  static const std::int64_t huge[] = {std::int64_t{1} << 62, 4};
  static const std::int64_t large[] = {std::int64_t{1} << 60};
  refused([](auto& args) { args.dims = nullptr; });
  refused([](auto& args) { args.num_dims = absurd; });
  refused([](auto& args) { args.dims = negative; });
  refused([](auto& args) { args.dims = huge, args.num_dims = 2; });
  refused([](auto& args) { args.dims = large; });
}

TEST_F(Lies, AboutTheTypeOfABuffer) {
  for (const int type : {34, 1000, -1}) {
    const Client client = liar<&Api::PJRT_Buffer_ElementType>([type](auto& args) { std::memcpy(&args.type, &type, sizeof type); });
    const Buffer buffer = client.put(ramp(3));
    const Error error = error_of([&] { buffer.to_array(); });
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_EQ(error.message(), "the plugin gave the element type " + std::to_string(type) + ", which this pier does not know");
    EXPECT_THROW(buffer.dtype(), Unsupported);
  }
  const Client token = liar<&Api::PJRT_Buffer_ElementType>([](auto& args) { args.type = abi::PJRT_Buffer_Type_TOKEN; });
  EXPECT_EQ(error_of([&] { token.put(ramp(3)).to_array(); }).code(), ErrorCode::invalid_argument);
}

TEST_F(Lies, AboutTheMemoryOfABuffer) {
  const Client null = liar<&Api::PJRT_Buffer_OpaqueDeviceMemoryDataPointer>([](auto& args) { args.device_memory_ptr = nullptr; });
  EXPECT_FALSE(null.put(ramp(3)).host_span());
  const Client size = liar<&Api::PJRT_Buffer_OnDeviceSizeInBytes>([](auto& args) { args.on_device_size_in_bytes = 4; });
  EXPECT_FALSE(size.put(ramp(3)).host_span());
  const Client far = liar<&Api::PJRT_Buffer_IsOnCpu>([](auto& args) { args.is_on_cpu = false; });
  EXPECT_FALSE(far.put(ramp(3)).host_span());
  const Array values = ramp(6);
  const Array matrix = Array::view(values.data(), DType::float32, {2, 3}, values.owner());
  const Client order = liar<&Api::PJRT_Buffer_GetMemoryLayout>([](auto& args) { args.layout.tiled.minor_to_major = nullptr; });
  EXPECT_FALSE(order.put(matrix).host_span());
  const Client rank = liar<&Api::PJRT_Buffer_GetMemoryLayout>([](auto& args) { args.layout.tiled.minor_to_major_size = 0; });
  EXPECT_FALSE(rank.put(matrix).host_span());
  const Client tiles = liar<&Api::PJRT_Buffer_GetMemoryLayout>([](auto& args) { args.layout.tiled.num_tiles = 1; });
  EXPECT_FALSE(tiles.put(matrix).host_span());
}

TEST_F(Lies, AboutTheTypesOfResults) {
  const std::string typed = "fake.identity fake.signature=f32[2,3]->f32[2,3]";
  const auto refused = [&](const Client& client, const char* function) {
    const Executable executable = client.compile(program(typed));
    blamed(error_of([&] { executable.output_types(); }), function);
  };
  refused(liar<&Api::PJRT_Executable_OutputElementTypes>([](auto& args) { args.output_types = nullptr; }), "PJRT_Executable_OutputElementTypes");
  refused(liar<&Api::PJRT_Executable_OutputElementTypes>([](auto& args) { args.num_output_types = 2; }), "PJRT_Executable_OutputDimensions");
  refused(liar<&Api::PJRT_Executable_OutputDimensions>([](auto& args) { args.dims = nullptr; }), "PJRT_Executable_OutputDimensions");
  refused(liar<&Api::PJRT_Executable_OutputDimensions>([](auto& args) { args.dim_sizes = nullptr; }), "PJRT_Executable_OutputDimensions");
  refused(liar<&Api::PJRT_Executable_OutputDimensions>([](auto& args) { args.num_outputs = absurd; }), "PJRT_Executable_OutputDimensions");
  static const std::size_t ranks[] = {absurd};
  refused(liar<&Api::PJRT_Executable_OutputDimensions>([](auto& args) { args.dim_sizes = ranks; }), "PJRT_Executable_OutputDimensions");
  static const std::int64_t negative[] = {2, -3};
  refused(liar<&Api::PJRT_Executable_OutputDimensions>([](auto& args) { args.dims = negative; }), "PJRT_Executable_OutputDimensions");
}

TEST_F(Lies, AboutTheOptimizedProgram) {
  const std::string typed = "fake.identity fake.signature=f32[2,3]->f32[2,3]";
  const auto with = [&](std::function<void(abi::PJRT_Executable_OptimizedProgram_Args&)> change) {
    return liar<&Api::PJRT_Executable_OptimizedProgram>(std::move(change)).compile(program(typed));
  };
  const Executable absurd_size = with([](auto& args) { args.program->code_size = absurd; });
  blamed(error_of([&] { absurd_size.signature(); }), "PJRT_Executable_OptimizedProgram");
  // It grows from one call to the next.
  const Executable growing = with([](auto& args) {
    if (args.program->code != nullptr) args.program->code_size += 1;
  });
  const Error error = error_of([&] { growing.signature(); });
  blamed(error, "PJRT_Executable_OptimizedProgram");
  EXPECT_THAT(error.message(), HasSubstr(" bytes of program and then "));
  const Executable format = with([](auto& args) { args.program->format = nullptr; });
  blamed(error_of([&] { format.signature(); }), "PJRT_Executable_OptimizedProgram");
  // It shrinks: the rest is not part of the program.
  const Executable shrinking = with([](auto& args) {
    if (args.program->code != nullptr) args.program->code_size -= 1;
  });
  EXPECT_FALSE(shrinking.signature());
  const Executable other = with([](auto& args) { args.program->format_size = 2; });
  EXPECT_FALSE(other.signature());
}

TEST_F(Lies, AboutADevice) {
  const Client client = liar<&Api::PJRT_Device_GetDescription>([](auto& args) { args.device_description = nullptr; });
  blamed(error_of([&] { client.default_device().id(); }), "PJRT_Device_GetDescription");
}

}  // namespace
}  // namespace pier
