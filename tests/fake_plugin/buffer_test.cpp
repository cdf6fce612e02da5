#include <array>
#include <cstdlib>
#include <numeric>

#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

using Floats = std::vector<float>;

TEST_F(FakePluginTest, KeepsAnArrayAndGivesItBack) {
  create_client();
  abi::PJRT_Buffer* buffer = put({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(get(buffer), (Floats{1, 2, 3, 4, 5, 6}));
  abi::PJRT_Buffer_Dimensions_Args dims{.buffer = buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_Dimensions>(dims));
  ASSERT_EQ(dims.num_dims, 2u);
  EXPECT_EQ(dims.dims[1], 3);
  abi::PJRT_Buffer_OnDeviceSizeInBytes_Args size{.buffer = buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_OnDeviceSizeInBytes>(size));
  EXPECT_EQ(size.on_device_size_in_bytes, 24u);
  abi::PJRT_Buffer_Device_Args where{.buffer = buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_Device>(where));
  EXPECT_EQ(where.device, device());
  EXPECT_EQ(plugin->live().buffers, 1);
  destroy(buffer);
}

TEST_F(FakePluginTest, ReadsStridedHostArraysAndWritesOtherHostLayouts) {
  create_client();
  const Floats columns = {1, 4, 2, 5, 3, 6};
  const std::vector<std::int64_t> dims = {2, 3};
  const std::int64_t strides[] = {4, 8};
  auto args = host_args(columns, dims, abi::PJRT_Buffer_Type_F32);
  args.byte_strides = strides;
  args.num_byte_strides = 2;
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
  EXPECT_TRUE(finish(args.done_with_host_buffer));
  EXPECT_EQ(get(args.buffer), (Floats{1, 2, 3, 4, 5, 6}));
  const std::int64_t order[] = {0, 1};
  abi::PJRT_Buffer_MemoryLayout layout{};
  layout.tiled.minor_to_major = order;
  layout.tiled.minor_to_major_size = 2;
  Floats back(6);
  abi::PJRT_Buffer_ToHostBuffer_Args out{.src = args.buffer, .host_layout = &layout, .dst = back.data(), .dst_size = 24};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_ToHostBuffer>(out));
  EXPECT_TRUE(finish(out.event));
  EXPECT_EQ(back, columns);
  out.dst_size = 23;
  EXPECT_EQ(call<&Api::PJRT_Buffer_ToHostBuffer>(out).code, 3);
  layout.type = abi::PJRT_Buffer_MemoryLayout_Type_Strides;
  out.dst_size = 24;
  EXPECT_EQ(call<&Api::PJRT_Buffer_ToHostBuffer>(out).code, 3);
  destroy(args.buffer);
}

TEST_F(FakePluginTest, GivesColumnMajorResultsInTheirDeviceOrderUnlessAsked) {
  create_client();
  abi::PJRT_LoadedExecutable* executable = compile("fake.identity fake.column_major");
  abi::PJRT_Buffer* buffer = put({1, 2, 3, 4, 5, 6}, {2, 3});
  Run run = execute(executable, {buffer}, 1);
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(get(run.results[0]), (Floats{1, 4, 2, 5, 3, 6}));
  abi::PJRT_Buffer_GetMemoryLayout_Args layout{.buffer = run.results[0]};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_GetMemoryLayout>(layout));
  EXPECT_EQ(layout.layout.tiled.minor_to_major[0], 0);
  destroy(run.done);
  destroy(run.results[0]);
  destroy(buffer);
  destroy(executable);
}

TEST_F(FakePluginTest, PacksSubByteTypesOnTheDeviceAndUnpacksThemWithoutTheirSign) {
  create_client();
  const std::vector<std::int64_t> dims = {3};
  const std::vector<signed char> values = {-8, 7, -1};
  auto args = host_args(values, dims, abi::PJRT_Buffer_Type_S4);
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
  destroy(args.done_with_host_buffer);
  abi::PJRT_Buffer_OnDeviceSizeInBytes_Args size{.buffer = args.buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_OnDeviceSizeInBytes>(size));
  EXPECT_EQ(size.on_device_size_in_bytes, 2u);
  EXPECT_EQ(get<signed char>(args.buffer), (std::vector<signed char>{8, 7, 15}));
  destroy(args.buffer);
}

TEST_F(FakePluginTest, HoldsScalarsAndEmptyArrays) {
  create_client();
  abi::PJRT_Buffer* scalar = put({7}, {});
  EXPECT_EQ(get(scalar), (Floats{7}));
  abi::PJRT_Buffer* empty = put({}, {3, 0});
  EXPECT_EQ(get(empty), Floats{});
  destroy(scalar);
  destroy(empty);
}

TEST_F(FakePluginTest, RefusesShapesThatCannotBe) {
  create_client();
  const Floats values(4);
  for (const std::vector<std::int64_t>& dims : {std::vector<std::int64_t>{-1}, {INT64_MAX, 2}, {INT64_MAX}}) {
    auto args = host_args(values, dims, abi::PJRT_Buffer_Type_F32);
    EXPECT_EQ(call<&Api::PJRT_Client_BufferFromHostBuffer>(args).code, 3);
  }
}

TEST_F(FakePluginTest, SharesAlignedHostMemoryUntilTheLastUserIsGone) {
  create_client();
  alignas(64) std::array<float, 16> memory{};
  std::iota(memory.begin(), memory.end(), 0.0f);
  const std::vector<std::int64_t> dims = {16};
  for (const auto semantics :
       {abi::PJRT_HostBufferSemantics_kImmutableZeroCopy, abi::PJRT_HostBufferSemantics_kMutableZeroCopy}) {
    abi::PJRT_Client_BufferFromHostBuffer_Args args{.client = client, .data = memory.data(),
                                                    .type = abi::PJRT_Buffer_Type_F32, .dims = dims.data(), .num_dims = 1,
                                                    .host_buffer_semantics = semantics, .device = device()};
    ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
    abi::PJRT_Buffer_UnsafePointer_Args pointer{.buffer = args.buffer};
    ASSERT_TRUE(call<&Api::PJRT_Buffer_UnsafePointer>(pointer));
    EXPECT_EQ(pointer.buffer_pointer, reinterpret_cast<std::uintptr_t>(memory.data()));
    EXPECT_FALSE(is_ready(args.done_with_host_buffer));
    destroy(args.buffer);
    EXPECT_TRUE(is_ready(args.done_with_host_buffer));
    destroy(args.done_with_host_buffer);
    // One float further it is not aligned, and copied.
    args.data = memory.data() + 1;
    const std::vector<std::int64_t> fewer = {15};
    args.dims = fewer.data();
    ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
    EXPECT_TRUE(is_ready(args.done_with_host_buffer));
    destroy(args.buffer);
    destroy(args.done_with_host_buffer);
  }
}

TEST_F(FakePluginTest, ReadsHostMemoryLateUnlessItPromisedNotTo) {
  create_client();
  plugin->delay("PJRT_Client_BufferFromHostBuffer", fake_until_released);
  Floats values = {1, 2};
  const std::vector<std::int64_t> dims = {2};
  auto during = host_args(values, dims, abi::PJRT_Buffer_Type_F32);
  auto until = host_args(values, dims, abi::PJRT_Buffer_Type_F32);
  until.host_buffer_semantics = abi::PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes;
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(during));
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(until));
  EXPECT_FALSE(is_ready(until.done_with_host_buffer));
  values = {8, 9};
  EXPECT_EQ(plugin->held(), 2u);
  EXPECT_EQ(plugin->release(), 2u);
  EXPECT_TRUE(finish(until.done_with_host_buffer));
  EXPECT_TRUE(finish(during.done_with_host_buffer));
  EXPECT_EQ(get(during.buffer), (Floats{1, 2}));
  EXPECT_EQ(get(until.buffer), (Floats{8, 9}));
  destroy(during.buffer);
  destroy(until.buffer);
}

TEST_F(FakePluginTest, DeletesMemoryAndKeepsTheHandle) {
  create_client();
  abi::PJRT_Buffer* buffer = put({1, 2}, {2});
  ASSERT_TRUE(call<&Api::PJRT_Buffer_Delete>({.buffer = buffer}));
  abi::PJRT_Buffer_IsDeleted_Args deleted{.buffer = buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_IsDeleted>(deleted));
  EXPECT_TRUE(deleted.is_deleted);
  abi::PJRT_Device_MemoryStats_Args stats{.device = device()};
  ASSERT_TRUE(call<&Api::PJRT_Device_MemoryStats>(stats));
  EXPECT_EQ(stats.bytes_in_use, 0);
  EXPECT_EQ(stats.peak_bytes_in_use, 8);
  abi::PJRT_Buffer_ElementType_Args type{.buffer = buffer};
  EXPECT_TRUE(call<&Api::PJRT_Buffer_ElementType>(type));
  // Reading is no error of the call: the event tells.
  Floats values(2);
  abi::PJRT_Buffer_ToHostBuffer_Args out{.src = buffer, .dst = values.data(), .dst_size = 8};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_ToHostBuffer>(out));
  EXPECT_EQ(finish(out.event).message, "Buffer has been deleted or donated.");
  destroy(buffer);
}

TEST_F(FakePluginTest, PinsMemoryByExternalReferences) {
  create_client();
  abi::PJRT_Buffer* buffer = put({1, 2}, {2});
  ASSERT_TRUE(call<&Api::PJRT_Buffer_IncreaseExternalReferenceCount>({.buffer = buffer}));
  EXPECT_EQ(plugin->live().external_references, 1);
  abi::PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args pointer{.buffer = buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_OpaqueDeviceMemoryDataPointer>(pointer));
  ASSERT_TRUE(call<&Api::PJRT_Buffer_Delete>({.buffer = buffer}));
  EXPECT_EQ(static_cast<const float*>(pointer.device_memory_ptr)[1], 2);
  ASSERT_TRUE(call<&Api::PJRT_Buffer_DecreaseExternalReferenceCount>({.buffer = buffer}));
  destroy(buffer);
}

TEST_F(FakePluginTest, CopiesToOtherDevicesAndMemories) {
  script("devices=2");
  create_client();
  abi::PJRT_Buffer* buffer = put({1, 2}, {2});
  abi::PJRT_Buffer_CopyToDevice_Args to_device{.buffer = buffer, .dst_device = device(1)};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_CopyToDevice>(to_device));
  abi::PJRT_Buffer_Device_Args where{.buffer = to_device.dst_buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_Device>(where));
  EXPECT_EQ(where.device, device(1));
  abi::PJRT_Device_AddressableMemories_Args memories{.device = device(1)};
  ASSERT_TRUE(call<&Api::PJRT_Device_AddressableMemories>(memories));
  abi::PJRT_Buffer_CopyToMemory_Args to_memory{.buffer = to_device.dst_buffer, .dst_memory = memories.memories[1]};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_CopyToMemory>(to_memory));
  abi::PJRT_Buffer_Memory_Args memory{.buffer = to_memory.dst_buffer};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_Memory>(memory));
  EXPECT_EQ(memory.memory, memories.memories[1]);
  destroy(buffer);
  EXPECT_EQ(get(to_memory.dst_buffer), (Floats{1, 2}));
  destroy(to_device.dst_buffer);
  destroy(to_memory.dst_buffer);
}

TEST_F(FakePluginTest, CopiesRawBytesAtOnceAndWhenTheTargetIsKnown) {
  create_client();
  abi::PJRT_Buffer* buffer = put({1, 2, 3}, {3});
  float two = 0;
  abi::PJRT_Buffer_CopyRawToHost_Args raw{.buffer = buffer, .dst = &two, .offset = 4, .transfer_size = 4};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_CopyRawToHost>(raw));
  EXPECT_TRUE(finish(raw.event));
  EXPECT_EQ(two, 2);
  raw.offset = 9;
  EXPECT_EQ(call<&Api::PJRT_Buffer_CopyRawToHost>(raw).code, 3);
  abi::PJRT_Buffer_CopyRawToHostFuture_Args future{.buffer = buffer, .offset = 8, .transfer_size = 4};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_CopyRawToHostFuture>(future));
  EXPECT_FALSE(is_ready(future.event));
  float three = 0;
  abi::PJRT_Buffer_CopyRawToHostFuture_Callback_Args known{.callback_data = future.callback_data, .dst = &three};
  future.future_ready_callback(&known);
  EXPECT_TRUE(finish(future.event));
  EXPECT_EQ(three, 3);
  destroy(buffer);
}

TEST_F(FakePluginTest, FillsBuffersThroughATransferManager) {
  create_client();
  abi::PJRT_Device_DefaultMemory_Args memory{.device = device()};
  ASSERT_TRUE(call<&Api::PJRT_Device_DefaultMemory>(memory));
  const std::int64_t dims[] = {4};
  abi::PJRT_ShapeSpec spec{.dims = dims, .num_dims = 1, .element_type = abi::PJRT_Buffer_Type_F32};
  abi::PJRT_Client_CreateBuffersForAsyncHostToDevice_Args made{.client = client, .shape_specs = &spec,
                                                               .num_shape_specs = 1, .memory = memory.memory};
  ASSERT_TRUE(call<&Api::PJRT_Client_CreateBuffersForAsyncHostToDevice>(made));
  abi::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args got{.transfer_manager = made.transfer_manager};
  ASSERT_TRUE(call<&Api::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer>(got));
  abi::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args again{.transfer_manager = made.transfer_manager};
  EXPECT_EQ(call<&Api::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer>(again).code, 3);
  const Floats halves = {1, 2};
  for (const int half : {0, 1}) {
    abi::PJRT_AsyncHostToDeviceTransferManager_TransferData_Args data{
        .transfer_manager = made.transfer_manager, .data = halves.data(), .offset = half * 8, .transfer_size = 8,
        .is_last_transfer = half == 1};
    ASSERT_TRUE(call<&Api::PJRT_AsyncHostToDeviceTransferManager_TransferData>(data));
    EXPECT_TRUE(finish(data.done_with_h2d_transfer));
  }
  ASSERT_TRUE(call<&Api::PJRT_AsyncHostToDeviceTransferManager_Destroy>({.transfer_manager = made.transfer_manager}));
  EXPECT_EQ(get(got.buffer_out), (Floats{1, 2, 1, 2}));
  destroy(got.buffer_out);
}

TEST_F(FakePluginTest, ViewsForeignMemoryAndTellsWhenItIsDone) {
  create_client();
  alignas(64) std::array<float, 2> memory = {5, 6};
  const std::int64_t dims[] = {2};
  int deleted = 0;
  abi::PJRT_Client_CreateViewOfDeviceBuffer_Args args{
      .client = client, .device_buffer_ptr = memory.data(), .dims = dims, .num_dims = 1,
      .element_type = abi::PJRT_Buffer_Type_F32, .device = device(),
      .on_delete_callback = [](void*, void* count) { ++*static_cast<int*>(count); }, .on_delete_callback_arg = &deleted};
  ASSERT_TRUE(call<&Api::PJRT_Client_CreateViewOfDeviceBuffer>(args));
  EXPECT_EQ(get(args.buffer), (Floats{5, 6}));
  EXPECT_EQ(deleted, 0);
  destroy(args.buffer);
  EXPECT_EQ(deleted, 1);
}

TEST_F(FakePluginTest, MakesAliasErrorAndDependentBuffers) {
  create_client();
  abi::PJRT_Device_DefaultMemory_Args memory{.device = device()};
  ASSERT_TRUE(call<&Api::PJRT_Device_DefaultMemory>(memory));
  const std::int64_t dims[] = {2};
  abi::PJRT_Client_CreateErrorBuffer_Args failed{.client = client, .error_code = abi::PJRT_Error_Code_DATA_LOSS,
                                                 .error_message = "lost", .error_message_size = 4, .shape_dims = dims,
                                                 .shape_num_dims = 1, .shape_element_type = abi::PJRT_Buffer_Type_F32,
                                                 .memory = memory.memory};
  ASSERT_TRUE(call<&Api::PJRT_Client_CreateErrorBuffer>(failed));
  EXPECT_EQ(ready_outcome(failed.buffer).code, abi::PJRT_Error_Code_DATA_LOSS);
  abi::PJRT_Client_CreateAliasBuffer_Args alias{.client = client, .memory = memory.memory, .shape_dims = dims,
                                                .shape_num_dims = 1, .shape_element_type = abi::PJRT_Buffer_Type_F32};
  ASSERT_TRUE(call<&Api::PJRT_Client_CreateAliasBuffer>(alias));
  abi::PJRT_Buffer* real = put({3, 4}, {2});
  ASSERT_TRUE(call<&Api::PJRT_Client_FulfillAliasBuffer>(
      {.client = client, .buffer = real, .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb}));
  EXPECT_EQ(get(alias.alias_buffer), (Floats{3, 4}));
  abi::PJRT_Buffer_DonateWithControlDependency_Args donated{.buffer = real};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_DonateWithControlDependency>(donated));
  abi::PJRT_Buffer_IsDeleted_Args deleted{.buffer = real};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_IsDeleted>(deleted));
  EXPECT_TRUE(deleted.is_deleted);
  abi::PJRT_Buffer_DonateWithControlDependency_Callback_Args met{.callback_data = donated.callback_data};
  donated.dependency_ready_callback(&met);
  EXPECT_EQ(get(donated.out_buffer), (Floats{3, 4}));
  for (abi::PJRT_Buffer* buffer : {failed.buffer, alias.alias_buffer, real, donated.out_buffer}) destroy(buffer);
}

TEST_F(FakePluginTest, RunsOutOfMemoryWhereTheLimitSays) {
  script("memory_limit=16");
  create_client();
  abi::PJRT_Buffer* first = put({1, 2, 3}, {3});
  const Floats values(2);
  const std::vector<std::int64_t> dims = {2};
  auto args = host_args(values, dims, abi::PJRT_Buffer_Type_F32);
  const Outcome outcome = call<&Api::PJRT_Client_BufferFromHostBuffer>(args);
  EXPECT_EQ(outcome.code, abi::PJRT_Error_Code_RESOURCE_EXHAUSTED);
  EXPECT_EQ(outcome.message, "Out of memory allocating 8 bytes; 12 of 16 are in use");
  destroy(first);
  script("memory_stats=0");
  EXPECT_EQ(call<&Api::PJRT_Device_MemoryStats>({.device = device()}).code, abi::PJRT_Error_Code_UNIMPLEMENTED);
}

TEST_F(FakePluginTest, MapsAndUnmapsHostMemory) {
  create_client();
  int memory = 0;
  ASSERT_TRUE(call<&Api::PJRT_Client_DmaMap>({.client = client, .data = &memory, .size = 4}));
  EXPECT_EQ(plugin->live().mappings, 1);
  ASSERT_TRUE(call<&Api::PJRT_Client_DmaUnmap>({.client = client, .data = &memory}));
}

}  // namespace
}  // namespace fake::raw
