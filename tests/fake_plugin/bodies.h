#pragma once

#include "abi/extensions.h"
#include "abi/pjrt.h"
#include "fake_plugin/call.h"
#include "fake_plugin/ledger.h"

namespace fake {

// What the functions of the table do, told apart by their arguments. Refusals are thrown as Failure.

void run(abi::PJRT_Error_Destroy_Args& args, Call& call);
void run(abi::PJRT_Error_Message_Args& args, Call& call);
void run(abi::PJRT_Error_GetCode_Args& args, Call& call);
void run(abi::PJRT_Plugin_Initialize_Args& args, Call& call);
void run(abi::PJRT_Plugin_Attributes_Args& args, Call& call);
void run(abi::PJRT_Event_Destroy_Args& args, Call& call);
void run(abi::PJRT_Event_IsReady_Args& args, Call& call);
void run(abi::PJRT_Event_Error_Args& args, Call& call);
void run(abi::PJRT_Event_Await_Args& args, Call& call);
void run(abi::PJRT_Event_OnReady_Args& args, Call& call);
void run(abi::PJRT_Client_Create_Args& args, Call& call);
void run(abi::PJRT_Client_Destroy_Args& args, Call& call);
void run(abi::PJRT_Client_PlatformName_Args& args, Call& call);
void run(abi::PJRT_Client_ProcessIndex_Args& args, Call& call);
void run(abi::PJRT_Client_PlatformVersion_Args& args, Call& call);
void run(abi::PJRT_Client_Devices_Args& args, Call& call);
void run(abi::PJRT_Client_AddressableDevices_Args& args, Call& call);
void run(abi::PJRT_Client_LookupDevice_Args& args, Call& call);
void run(abi::PJRT_Client_LookupAddressableDevice_Args& args, Call& call);
void run(abi::PJRT_Client_AddressableMemories_Args& args, Call& call);
void run(abi::PJRT_Client_Compile_Args& args, Call& call);
void run(abi::PJRT_Client_DefaultDeviceAssignment_Args& args, Call& call);
void run(abi::PJRT_Client_BufferFromHostBuffer_Args& args, Call& call);
void run(abi::PJRT_DeviceDescription_Id_Args& args, Call& call);
void run(abi::PJRT_DeviceDescription_ProcessIndex_Args& args, Call& call);
void run(abi::PJRT_DeviceDescription_Attributes_Args& args, Call& call);
void run(abi::PJRT_DeviceDescription_Kind_Args& args, Call& call);
void run(abi::PJRT_DeviceDescription_DebugString_Args& args, Call& call);
void run(abi::PJRT_DeviceDescription_ToString_Args& args, Call& call);
void run(abi::PJRT_Device_GetDescription_Args& args, Call& call);
void run(abi::PJRT_Device_IsAddressable_Args& args, Call& call);
void run(abi::PJRT_Device_LocalHardwareId_Args& args, Call& call);
void run(abi::PJRT_Device_AddressableMemories_Args& args, Call& call);
void run(abi::PJRT_Device_DefaultMemory_Args& args, Call& call);
void run(abi::PJRT_Device_MemoryStats_Args& args, Call& call);
void run(abi::PJRT_Memory_Id_Args& args, Call& call);
void run(abi::PJRT_Memory_Kind_Args& args, Call& call);
void run(abi::PJRT_Memory_DebugString_Args& args, Call& call);
void run(abi::PJRT_Memory_ToString_Args& args, Call& call);
void run(abi::PJRT_Memory_AddressableByDevices_Args& args, Call& call);
void run(abi::PJRT_Executable_Destroy_Args& args, Call& call);
void run(abi::PJRT_Executable_Name_Args& args, Call& call);
void run(abi::PJRT_Executable_NumReplicas_Args& args, Call& call);
void run(abi::PJRT_Executable_NumPartitions_Args& args, Call& call);
void run(abi::PJRT_Executable_NumOutputs_Args& args, Call& call);
void run(abi::PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args, Call& call);
void run(abi::PJRT_Executable_GetCostAnalysis_Args& args, Call& call);
void run(abi::PJRT_Executable_OutputMemoryKinds_Args& args, Call& call);
void run(abi::PJRT_Executable_OptimizedProgram_Args& args, Call& call);
void run(abi::PJRT_Executable_Serialize_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_Destroy_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_GetExecutable_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_AddressableDevices_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_Delete_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_IsDeleted_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_Execute_Args& args, Call& call);
void run(abi::PJRT_Executable_DeserializeAndLoad_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_Fingerprint_Args& args, Call& call);
void run(abi::PJRT_Buffer_Destroy_Args& args, Call& call);
void run(abi::PJRT_Buffer_ElementType_Args& args, Call& call);
void run(abi::PJRT_Buffer_Dimensions_Args& args, Call& call);
void run(abi::PJRT_Buffer_UnpaddedDimensions_Args& args, Call& call);
void run(abi::PJRT_Buffer_DynamicDimensionIndices_Args& args, Call& call);
void run(abi::PJRT_Buffer_GetMemoryLayout_Args& args, Call& call);
void run(abi::PJRT_Buffer_OnDeviceSizeInBytes_Args& args, Call& call);
void run(abi::PJRT_Buffer_Device_Args& args, Call& call);
void run(abi::PJRT_Buffer_Memory_Args& args, Call& call);
void run(abi::PJRT_Buffer_Delete_Args& args, Call& call);
void run(abi::PJRT_Buffer_IsDeleted_Args& args, Call& call);
void run(abi::PJRT_Buffer_CopyToDevice_Args& args, Call& call);
void run(abi::PJRT_Buffer_ToHostBuffer_Args& args, Call& call);
void run(abi::PJRT_Buffer_IsOnCpu_Args& args, Call& call);
void run(abi::PJRT_Buffer_ReadyEvent_Args& args, Call& call);
void run(abi::PJRT_Buffer_UnsafePointer_Args& args, Call& call);
void run(abi::PJRT_Buffer_IncreaseExternalReferenceCount_Args& args, Call& call);
void run(abi::PJRT_Buffer_DecreaseExternalReferenceCount_Args& args, Call& call);
void run(abi::PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_Create_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_Destroy_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_PlatformName_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_PlatformVersion_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_GetDeviceDescriptions_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_Serialize_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_Attributes_Args& args, Call& call);
void run(abi::PJRT_Compile_Args& args, Call& call);
void run(abi::PJRT_Executable_OutputElementTypes_Args& args, Call& call);
void run(abi::PJRT_Executable_OutputDimensions_Args& args, Call& call);
void run(abi::PJRT_Buffer_CopyToMemory_Args& args, Call& call);
void run(abi::PJRT_Client_CreateViewOfDeviceBuffer_Args& args, Call& call);
void run(abi::PJRT_Executable_Fingerprint_Args& args, Call& call);
void run(abi::PJRT_Client_TopologyDescription_Args& args, Call& call);
void run(abi::PJRT_Executable_GetCompiledMemoryStats_Args& args, Call& call);
void run(abi::PJRT_Memory_Kind_Id_Args& args, Call& call);
void run(abi::PJRT_ExecuteContext_Create_Args& args, Call& call);
void run(abi::PJRT_ExecuteContext_Destroy_Args& args, Call& call);
void run(abi::PJRT_Buffer_CopyRawToHost_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_Destroy_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args, Call& call);
void run(abi::PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_Device_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args& args, Call& call);
void run(abi::PJRT_Client_DmaMap_Args& args, Call& call);
void run(abi::PJRT_Client_DmaUnmap_Args& args, Call& call);
void run(abi::PJRT_Client_CreateUninitializedBuffer_Args& args, Call& call);
void run(abi::PJRT_Client_UpdateGlobalProcessInfo_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_Deserialize_Args& args, Call& call);
void run(abi::PJRT_Client_CreateAliasBuffer_Args& args, Call& call);
void run(abi::PJRT_Client_FulfillAliasBuffer_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_GetDeviceAssignment_Args& args, Call& call);
void run(abi::PJRT_Client_CreateErrorBuffer_Args& args, Call& call);
void run(abi::PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args, Call& call);
void run(abi::PJRT_Buffer_CopyRawToHostFuture_Args& args, Call& call);
void run(abi::PJRT_Device_PoisonExecution_Args& args, Call& call);
void run(abi::PJRT_Device_CreateAsyncTrackingEvent_Args& args, Call& call);
void run(abi::PJRT_AsyncTrackingEvent_Destroy_Args& args, Call& call);
void run(abi::PJRT_Executable_GetCompileOptions_Args& args, Call& call);
void run(abi::PJRT_Buffer_DonateWithControlDependency_Args& args, Call& call);
void run(abi::PJRT_Event_Create_Args& args, Call& call);
void run(abi::PJRT_Event_Set_Args& args, Call& call);
void run(abi::PJRT_Device_GetAttributes_Args& args, Call& call);
void run(abi::PJRT_Client_Load_Args& args, Call& call);
void run(abi::PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args, Call& call);
void run(abi::PJRT_Buffer_Bitcast_Args& args, Call& call);
void run(abi::PJRT_Error_ForEachPayload_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_Fingerprint_Args& args, Call& call);
void run(abi::PJRT_Executable_ParameterMemoryKinds_Args& args, Call& call);
void run(abi::PJRT_Device_ClearMemoryStats_Args& args, Call& call);
void run(abi::PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args, Call& call);
void run(abi::PJRT_Layouts_MemoryLayout_Destroy_Args& args, Call& call);
void run(abi::PJRT_Layouts_MemoryLayout_Serialize_Args& args, Call& call);
void run(abi::PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args, Call& call);
void run(abi::PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args, Call& call);
void run(abi::PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args, Call& call);
void run(abi::PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args, Call& call);
void run(abi::PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args, Call& call);

/// Results of one run on one device.
std::size_t outputs_of(const abi::PJRT_LoadedExecutable* executable);

}  // namespace fake
