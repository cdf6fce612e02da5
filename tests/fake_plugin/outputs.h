#pragma once

#include "fake_plugin/bodies.h"
#include "fake_plugin/call.h"

namespace fake {

// What each function gives out: owned() is the caller's to destroy, plain() is only looked at.

inline void outputs(abi::PJRT_Plugin_Attributes_Args& args, OutputEraser& erase) {
  erase.plain("attributes", args.attributes);
  erase.plain("num_attributes", args.num_attributes);
}
inline void outputs(abi::PJRT_Client_Create_Args& args, OutputEraser& erase) {
  erase.owned("client", args.client);
}
inline void outputs(abi::PJRT_Client_PlatformName_Args& args, OutputEraser& erase) {
  erase.plain("platform_name", args.platform_name);
  erase.plain("platform_name_size", args.platform_name_size);
}
inline void outputs(abi::PJRT_Client_PlatformVersion_Args& args, OutputEraser& erase) {
  erase.plain("platform_version", args.platform_version);
  erase.plain("platform_version_size", args.platform_version_size);
}
inline void outputs(abi::PJRT_Client_TopologyDescription_Args& args, OutputEraser& erase) {
  erase.plain("topology", args.topology);
}
inline void outputs(abi::PJRT_Client_Devices_Args& args, OutputEraser& erase) {
  erase.plain("devices", args.devices);
  erase.plain("num_devices", args.num_devices);
}
inline void outputs(abi::PJRT_Client_AddressableDevices_Args& args, OutputEraser& erase) {
  erase.plain("addressable_devices", args.addressable_devices);
  erase.plain("num_addressable_devices", args.num_addressable_devices);
}
inline void outputs(abi::PJRT_Client_LookupDevice_Args& args, OutputEraser& erase) {
  erase.plain("device", args.device);
}
inline void outputs(abi::PJRT_Client_LookupAddressableDevice_Args& args, OutputEraser& erase) {
  erase.plain("addressable_device", args.addressable_device);
}
inline void outputs(abi::PJRT_Client_AddressableMemories_Args& args, OutputEraser& erase) {
  erase.plain("addressable_memories", args.addressable_memories);
  erase.plain("num_addressable_memories", args.num_addressable_memories);
}
inline void outputs(abi::PJRT_Client_Compile_Args& args, OutputEraser& erase) {
  erase.owned("executable", args.executable);
}
inline void outputs(abi::PJRT_Client_Load_Args& args, OutputEraser& erase) {
  erase.owned("loaded_executable", args.loaded_executable);
}
inline void outputs(abi::PJRT_Client_BufferFromHostBuffer_Args& args, OutputEraser& erase) {
  erase.owned("done_with_host_buffer", args.done_with_host_buffer);
  erase.owned("buffer", args.buffer);
}
inline void outputs(abi::PJRT_Client_CreateViewOfDeviceBuffer_Args& args, OutputEraser& erase) {
  erase.owned("buffer", args.buffer);
}
inline void outputs(abi::PJRT_Client_CreateUninitializedBuffer_Args& args, OutputEraser& erase) {
  erase.owned("buffer", args.buffer);
}
inline void outputs(abi::PJRT_Client_CreateErrorBuffer_Args& args, OutputEraser& erase) {
  erase.owned("buffer", args.buffer);
}
inline void outputs(abi::PJRT_Client_CreateAliasBuffer_Args& args, OutputEraser& erase) {
  erase.owned("alias_buffer", args.alias_buffer);
  erase.owned("fulfill_alias_buffer_cb", args.fulfill_alias_buffer_cb);
}
inline void outputs(abi::PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args, OutputEraser& erase) {
  erase.owned("transfer_manager", args.transfer_manager);
}
inline void outputs(abi::PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args, OutputEraser& erase) {
  erase.owned("done_with_h2d_transfer", args.done_with_h2d_transfer);
}
inline void outputs(abi::PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args, OutputEraser& erase) {
  erase.owned("done_with_h2d_transfer", args.done_with_h2d_transfer);
}
inline void outputs(abi::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args, OutputEraser& erase) {
  erase.owned("buffer_out", args.buffer_out);
}
inline void outputs(abi::PJRT_AsyncHostToDeviceTransferManager_Device_Args& args, OutputEraser& erase) {
  erase.plain("device_out", args.device_out);
}
inline void outputs(abi::PJRT_DeviceDescription_Attributes_Args& args, OutputEraser& erase) {
  erase.plain("num_attributes", args.num_attributes);
  erase.plain("attributes", args.attributes);
}
inline void outputs(abi::PJRT_DeviceDescription_Kind_Args& args, OutputEraser& erase) {
  erase.plain("device_kind", args.device_kind);
  erase.plain("device_kind_size", args.device_kind_size);
}
inline void outputs(abi::PJRT_DeviceDescription_DebugString_Args& args, OutputEraser& erase) {
  erase.plain("debug_string", args.debug_string);
  erase.plain("debug_string_size", args.debug_string_size);
}
inline void outputs(abi::PJRT_DeviceDescription_ToString_Args& args, OutputEraser& erase) {
  erase.plain("to_string", args.to_string);
  erase.plain("to_string_size", args.to_string_size);
}
inline void outputs(abi::PJRT_Device_GetDescription_Args& args, OutputEraser& erase) {
  erase.plain("device_description", args.device_description);
}
inline void outputs(abi::PJRT_Device_AddressableMemories_Args& args, OutputEraser& erase) {
  erase.plain("memories", args.memories);
  erase.plain("num_memories", args.num_memories);
}
inline void outputs(abi::PJRT_Device_DefaultMemory_Args& args, OutputEraser& erase) {
  erase.plain("memory", args.memory);
}
inline void outputs(abi::PJRT_Device_GetAttributes_Args& args, OutputEraser& erase) {
  erase.plain("attributes", args.attributes);
  erase.plain("num_attributes", args.num_attributes);
  erase.owned("device_attributes", args.device_attributes);
  erase.plain("attributes_deleter", args.attributes_deleter);
}
inline void outputs(abi::PJRT_Device_CreateAsyncTrackingEvent_Args& args, OutputEraser& erase) {
  erase.owned("event", args.event);
}
inline void outputs(abi::PJRT_Memory_Kind_Args& args, OutputEraser& erase) {
  erase.plain("kind", args.kind);
  erase.plain("kind_size", args.kind_size);
}
inline void outputs(abi::PJRT_Memory_DebugString_Args& args, OutputEraser& erase) {
  erase.plain("debug_string", args.debug_string);
  erase.plain("debug_string_size", args.debug_string_size);
}
inline void outputs(abi::PJRT_Memory_ToString_Args& args, OutputEraser& erase) {
  erase.plain("to_string", args.to_string);
  erase.plain("to_string_size", args.to_string_size);
}
inline void outputs(abi::PJRT_Memory_AddressableByDevices_Args& args, OutputEraser& erase) {
  erase.plain("devices", args.devices);
  erase.plain("num_devices", args.num_devices);
}
inline void outputs(abi::PJRT_ExecuteContext_Create_Args& args, OutputEraser& erase) {
  erase.owned("context", args.context);
}
inline void outputs(abi::PJRT_Event_Create_Args& args, OutputEraser& erase) {
  erase.owned("event", args.event);
}
inline void outputs(abi::PJRT_Executable_Name_Args& args, OutputEraser& erase) {
  erase.plain("executable_name", args.executable_name);
  erase.plain("executable_name_size", args.executable_name_size);
}
inline void outputs(abi::PJRT_Executable_Fingerprint_Args& args, OutputEraser& erase) {
  erase.plain("executable_fingerprint", args.executable_fingerprint);
  erase.plain("executable_fingerprint_size", args.executable_fingerprint_size);
}
inline void outputs(abi::PJRT_Executable_GetCostAnalysis_Args& args, OutputEraser& erase) {
  erase.plain("num_properties", args.num_properties);
  erase.plain("properties", args.properties);
}
inline void outputs(abi::PJRT_Executable_OutputElementTypes_Args& args, OutputEraser& erase) {
  erase.plain("output_types", args.output_types);
  erase.plain("num_output_types", args.num_output_types);
}
inline void outputs(abi::PJRT_Executable_OutputDimensions_Args& args, OutputEraser& erase) {
  erase.plain("num_outputs", args.num_outputs);
  erase.plain("dims", args.dims);
  erase.plain("dim_sizes", args.dim_sizes);
}
inline void outputs(abi::PJRT_Executable_OutputMemoryKinds_Args& args, OutputEraser& erase) {
  erase.plain("num_outputs", args.num_outputs);
  erase.plain("memory_kinds", args.memory_kinds);
  erase.plain("memory_kind_sizes", args.memory_kind_sizes);
}
inline void outputs(abi::PJRT_Executable_ParameterMemoryKinds_Args& args, OutputEraser& erase) {
  erase.plain("num_parameters", args.num_parameters);
  erase.plain("memory_kinds", args.memory_kinds);
  erase.plain("memory_kind_sizes", args.memory_kind_sizes);
}
inline void outputs(abi::PJRT_Executable_Serialize_Args& args, OutputEraser& erase) {
  erase.plain("serialized_bytes", args.serialized_bytes);
  erase.plain("serialized_bytes_size", args.serialized_bytes_size);
  erase.owned("serialized_executable", args.serialized_executable);
  erase.plain("serialized_executable_deleter", args.serialized_executable_deleter);
}
inline void outputs(abi::PJRT_Executable_GetCompileOptions_Args& args, OutputEraser& erase) {
  erase.plain("serialized_bytes", args.serialized_bytes);
  erase.plain("serialized_bytes_size", args.serialized_bytes_size);
  erase.owned("serialized_compile_options", args.serialized_compile_options);
  erase.plain("serialized_compile_options_deleter", args.serialized_compile_options_deleter);
}
inline void outputs(abi::PJRT_Executable_DeserializeAndLoad_Args& args, OutputEraser& erase) {
  erase.owned("loaded_executable", args.loaded_executable);
}
inline void outputs(abi::PJRT_LoadedExecutable_GetExecutable_Args& args, OutputEraser& erase) {
  erase.owned("executable", args.executable);
}
inline void outputs(abi::PJRT_LoadedExecutable_GetDeviceAssignment_Args& args, OutputEraser& erase) {
  erase.plain("serialized_bytes", args.serialized_bytes);
  erase.plain("serialized_bytes_size", args.serialized_bytes_size);
  erase.owned("serialized_device_assignment", args.serialized_device_assignment);
  erase.plain("serialized_device_assignment_deleter", args.serialized_device_assignment_deleter);
}
inline void outputs(abi::PJRT_LoadedExecutable_AddressableDevices_Args& args, OutputEraser& erase) {
  erase.plain("addressable_devices", args.addressable_devices);
  erase.plain("num_addressable_devices", args.num_addressable_devices);
}
inline void outputs(abi::PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args, OutputEraser& erase) {
  erase.plain("addressable_device_logical_ids", args.addressable_device_logical_ids);
  erase.plain("num_addressable_device_logical_ids", args.num_addressable_device_logical_ids);
}
inline void outputs(abi::PJRT_LoadedExecutable_Fingerprint_Args& args, OutputEraser& erase) {
  erase.plain("executable_fingerprint", args.executable_fingerprint);
  erase.plain("executable_fingerprint_size", args.executable_fingerprint_size);
}
inline void outputs(abi::PJRT_Buffer_Dimensions_Args& args, OutputEraser& erase) {
  erase.plain("dims", args.dims);
  erase.plain("num_dims", args.num_dims);
}
inline void outputs(abi::PJRT_Buffer_UnpaddedDimensions_Args& args, OutputEraser& erase) {
  erase.plain("unpadded_dims", args.unpadded_dims);
  erase.plain("num_dims", args.num_dims);
}
inline void outputs(abi::PJRT_Buffer_DynamicDimensionIndices_Args& args, OutputEraser& erase) {
  erase.plain("dynamic_dim_indices", args.dynamic_dim_indices);
  erase.plain("num_dynamic_dims", args.num_dynamic_dims);
}
inline void outputs(abi::PJRT_Buffer_Device_Args& args, OutputEraser& erase) {
  erase.plain("device", args.device);
}
inline void outputs(abi::PJRT_Buffer_Memory_Args& args, OutputEraser& erase) {
  erase.plain("memory", args.memory);
}
inline void outputs(abi::PJRT_Buffer_ReadyEvent_Args& args, OutputEraser& erase) {
  erase.owned("event", args.event);
}
inline void outputs(abi::PJRT_Buffer_ToHostBuffer_Args& args, OutputEraser& erase) {
  erase.owned("event", args.event);
}
inline void outputs(abi::PJRT_Buffer_CopyRawToHost_Args& args, OutputEraser& erase) {
  erase.owned("event", args.event);
}
inline void outputs(abi::PJRT_Buffer_CopyRawToHostFuture_Args& args, OutputEraser& erase) {
  erase.owned("event", args.event);
  erase.owned("callback_data", args.callback_data);
  erase.plain("future_ready_callback", args.future_ready_callback);
}
inline void outputs(abi::PJRT_Buffer_CopyToDevice_Args& args, OutputEraser& erase) {
  erase.owned("dst_buffer", args.dst_buffer);
}
inline void outputs(abi::PJRT_Buffer_CopyToMemory_Args& args, OutputEraser& erase) {
  erase.owned("dst_buffer", args.dst_buffer);
}
inline void outputs(abi::PJRT_Buffer_Bitcast_Args& args, OutputEraser& erase) {
  erase.owned("out_buffer", args.out_buffer);
}
inline void outputs(abi::PJRT_Buffer_UnsafePointer_Args& args, OutputEraser& erase) {
  erase.plain("buffer_pointer", args.buffer_pointer);
}
inline void outputs(abi::PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args, OutputEraser& erase) {
  erase.plain("device_memory_ptr", args.device_memory_ptr);
}
inline void outputs(abi::PJRT_Buffer_DonateWithControlDependency_Args& args, OutputEraser& erase) {
  erase.owned("callback_data", args.callback_data);
  erase.plain("dependency_ready_callback", args.dependency_ready_callback);
  erase.owned("out_buffer", args.out_buffer);
}
inline void outputs(abi::PJRT_TopologyDescription_Create_Args& args, OutputEraser& erase) {
  erase.owned("topology", args.topology);
}
inline void outputs(abi::PJRT_TopologyDescription_Deserialize_Args& args, OutputEraser& erase) {
  erase.owned("topology", args.topology);
}
inline void outputs(abi::PJRT_TopologyDescription_PlatformName_Args& args, OutputEraser& erase) {
  erase.plain("platform_name", args.platform_name);
  erase.plain("platform_name_size", args.platform_name_size);
}
inline void outputs(abi::PJRT_TopologyDescription_PlatformVersion_Args& args, OutputEraser& erase) {
  erase.plain("platform_version", args.platform_version);
  erase.plain("platform_version_size", args.platform_version_size);
}
inline void outputs(abi::PJRT_TopologyDescription_GetDeviceDescriptions_Args& args, OutputEraser& erase) {
  erase.plain("descriptions", args.descriptions);
  erase.plain("num_descriptions", args.num_descriptions);
}
inline void outputs(abi::PJRT_TopologyDescription_Serialize_Args& args, OutputEraser& erase) {
  erase.plain("serialized_bytes", args.serialized_bytes);
  erase.plain("serialized_bytes_size", args.serialized_bytes_size);
  erase.owned("serialized_topology", args.serialized_topology);
  erase.plain("serialized_topology_deleter", args.serialized_topology_deleter);
}
inline void outputs(abi::PJRT_TopologyDescription_Attributes_Args& args, OutputEraser& erase) {
  erase.plain("attributes", args.attributes);
  erase.plain("num_attributes", args.num_attributes);
}
inline void outputs(abi::PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args, OutputEraser& erase) {
  erase.plain("memory_space_kind_ids", args.memory_space_kind_ids);
  erase.plain("num_memory_space_kind_ids", args.num_memory_space_kind_ids);
}
inline void outputs(abi::PJRT_Compile_Args& args, OutputEraser& erase) {
  erase.owned("executable", args.executable);
}
inline void outputs(abi::PJRT_Layouts_MemoryLayout_Serialize_Args& args, OutputEraser& erase) {
  erase.plain("serialized_bytes", args.serialized_bytes);
  erase.plain("serialized_bytes_size", args.serialized_bytes_size);
  erase.owned("serialized_layout", args.serialized_layout);
  erase.plain("serialized_layout_deleter", args.serialized_layout_deleter);
}
inline void outputs(abi::PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args, OutputEraser& erase) {
  erase.owned("layout", args.layout);
}
inline void outputs(abi::PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args, OutputEraser& erase) {
  erase.owned("layout", args.layout);
}
inline void outputs(abi::PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args, OutputEraser& erase) {
  erase.owned("layout", args.layout);
}
inline void outputs(abi::PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args, OutputEraser& erase) {
  erase.owned_list("layouts", args.layouts, args.num_outputs);
}
inline void outputs(abi::PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args, OutputEraser& erase) {
  erase.owned_list("layouts", args.layouts, args.num_parameters);
}

/// Lists that the caller allocated: what stands in them goes, the lists stay.
inline void outputs(abi::PJRT_LoadedExecutable_Execute_Args& args, OutputEraser& erase) {
  const std::size_t count = outputs_of(args.executable);
  for (std::size_t device = 0; device < args.num_devices; ++device) {
    for (std::size_t i = 0; i < count; ++i) erase.owned("output_lists", args.output_lists[device][i]);
    if (args.device_complete_events != nullptr) erase.owned("device_complete_events", args.device_complete_events[device]);
  }
}

/// Every other function gives out numbers, or nothing.
template <class Args>
void outputs(Args&, OutputEraser&) {}

}  // namespace fake
