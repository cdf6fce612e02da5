// Written by abi/generate.py from abi/pjrt.json; edit that.
#include "abi/facts.h"

namespace pier::abi {
namespace {

constexpr SizeFact PJRT_Extension_Base_sizes[] = {{41, 0, 16, 0}, {45, 24, 24, 0}};
constexpr SizeFact PJRT_Api_Version_sizes[] = {{40, 24, 24, 0}};
constexpr SizeFact PJRT_Error_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Error_Message_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Error_FunctionTable_sizes[] = {{107, 56, 56, 0}};
constexpr SizeFact PJRT_Error_sizes[] = {{107, 8, 8, 0}};
constexpr SizeFact PJRT_Error_GetCode_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_Error_ForEachPayload_Args_sizes[] = {{99, 40, 40, 40}};
constexpr SizeFact PJRT_NamedValue_sizes[] = {{40, 56, 56, 0}};
constexpr SizeFact PJRT_Plugin_Initialize_Args_sizes[] = {{40, 16, 16, 16}};
constexpr SizeFact PJRT_Plugin_Attributes_Args_sizes[] = {{40, 24, 32, 24}, {71, 32, 32, 32}};
constexpr SizeFact PJRT_Event_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Event_IsReady_Args_sizes[] = {{40, 25, 32, 25}};
constexpr SizeFact PJRT_Event_Error_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Event_Await_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Event_OnReady_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Event_Create_Args_sizes[] = {{89, 24, 24, 24}};
constexpr SizeFact PJRT_Event_Set_Args_sizes[] = {{89, 48, 48, 48}};
constexpr SizeFact PJRT_Memory_FunctionTable_sizes[] = {{105, 40, 40, 0}};
constexpr SizeFact PJRT_Memory_sizes[] = {{105, 8, 8, 0}};
constexpr SizeFact PJRT_KeyValueGetCallback_Args_sizes[] = {{40, 80, 80, 0}};
constexpr SizeFact PJRT_KeyValueTryGetCallback_Args_sizes[] = {{61, 72, 72, 0}};
constexpr SizeFact PJRT_KeyValuePutCallback_Args_sizes[] = {{40, 64, 64, 0}};
constexpr SizeFact PJRT_Client_Create_Args_sizes[] = {{40, 72, 72, 72}, {61, 88, 88, 88}};
constexpr SizeFact PJRT_Client_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Client_PlatformName_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Client_ProcessIndex_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_Client_PlatformVersion_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Client_TopologyDescription_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Client_Devices_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Client_AddressableDevices_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Client_LookupDevice_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Client_LookupAddressableDevice_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_ProcessInfo_sizes[] = {{73, 40, 40, 0}, {75, 48, 48, 0}};
constexpr SizeFact PJRT_Client_UpdateGlobalProcessInfo_Args_sizes[] = {{73, 40, 40, 40}};
constexpr SizeFact PJRT_Client_AddressableMemories_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Program_sizes[] = {{40, 48, 48, 48}};
constexpr SizeFact PJRT_Client_Compile_Args_sizes[] = {{40, 56, 56, 56}};
constexpr SizeFact PJRT_Client_Load_Args_sizes[] = {{95, 56, 56, 56}};
constexpr SizeFact PJRT_Client_DefaultDeviceAssignment_Args_sizes[] = {{40, 48, 48, 48}};
constexpr SizeFact PJRT_Client_DmaMap_Args_sizes[] = {{67, 40, 40, 40}};
constexpr SizeFact PJRT_Client_DmaUnmap_Args_sizes[] = {{67, 32, 32, 32}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_Destroy_Args_sizes[] = {{60, 24, 24, 24}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_TransferData_Args_sizes[] = {{60, 72, 72, 72}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args_sizes[] = {{62, 40, 40, 40}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_Device_Args_sizes[] = {{62, 32, 32, 32}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args_sizes[] = {{62, 32, 32, 32}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args_sizes[] = {{62, 40, 40, 40}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args_sizes[] = {{62, 48, 48, 48}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args_sizes[] = {{62, 40, 40, 40}};
constexpr SizeFact PJRT_Buffer_MemoryLayout_Tiled_sizes[] = {{40, 56, 56, 0}};
constexpr SizeFact PJRT_Buffer_MemoryLayout_Strides_sizes[] = {{40, 32, 32, 0}};
constexpr SizeFact PJRT_Buffer_MemoryLayout_sizes[] = {{40, 76, 80, 0}};
constexpr SizeFact PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args_sizes[] = {{83, 80, 80, 80}};
constexpr SizeFact PJRT_Client_CreateUninitializedBuffer_Args_sizes[] = {{69, 80, 80, 80}};
constexpr SizeFact PJRT_Client_CreateErrorBuffer_Args_sizes[] = {{82, 96, 96, 96}, {103, 112, 112, 96}, {115, 112, 112, 112},
    {117, 120, 120, 112}};
constexpr SizeFact PJRT_Client_CreateAliasBuffer_Args_sizes[] = {{77, 80, 80, 80}};
constexpr SizeFact PJRT_Client_FulfillAliasBuffer_Args_sizes[] = {{77, 64, 64, 64}};
constexpr SizeFact PJRT_Client_BufferFromHostBuffer_Args_sizes[] = {{40, 120, 120, 120}};
constexpr SizeFact PJRT_Client_CreateViewOfDeviceBuffer_Args_sizes[] = {{40, 104, 104, 0}, {66, 112, 112, 0}};
constexpr SizeFact PJRT_ShapeSpec_sizes[] = {{60, 36, 40, 0}};
constexpr SizeFact PJRT_Client_CreateBuffersForAsyncHostToDevice_Args_sizes[] = {{60, 72, 72, 72}};
constexpr SizeFact PJRT_DeviceDescription_Id_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_DeviceDescription_ProcessIndex_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_DeviceDescription_Attributes_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_DeviceDescription_Kind_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_DeviceDescription_DebugString_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_DeviceDescription_ToString_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Device_GetDescription_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Device_IsAddressable_Args_sizes[] = {{40, 25, 32, 25}};
constexpr SizeFact PJRT_Device_LocalHardwareId_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_Device_AddressableMemories_Args_sizes[] = {{40, 32, 40, 32}, {46, 40, 40, 40}};
constexpr SizeFact PJRT_Device_DefaultMemory_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Device_MemoryStats_Args_sizes[] = {{40, 185, 192, 185}, {113, 201, 208, 185}};
constexpr SizeFact PJRT_Device_ClearMemoryStats_Args_sizes[] = {{106, 24, 24, 24}};
constexpr SizeFact PJRT_Device_PoisonExecution_Args_sizes[] = {{85, 49, 56, 49}, {100, 72, 72, 49}, {115, 72, 72, 72}};
constexpr SizeFact PJRT_Device_GetAttributes_Args_sizes[] = {{92, 56, 56, 56}};
constexpr SizeFact PJRT_Device_CreateAsyncTrackingEvent_Args_sizes[] = {{86, 48, 48, 48}};
constexpr SizeFact PJRT_AsyncTrackingEvent_Destroy_Args_sizes[] = {{86, 24, 24, 24}};
constexpr SizeFact PJRT_Memory_Id_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_Memory_Kind_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Memory_Kind_Id_Args_sizes[] = {{48, 28, 32, 28}};
constexpr SizeFact PJRT_Memory_DebugString_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Memory_ToString_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Memory_AddressableByDevices_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_ExecuteContext_Create_Args_sizes[] = {{52, 24, 24, 24}};
constexpr SizeFact PJRT_ExecuteContext_Destroy_Args_sizes[] = {{52, 24, 24, 24}};
constexpr SizeFact PJRT_Executable_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_LoadedExecutable_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_LoadedExecutable_GetExecutable_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_LoadedExecutable_GetDeviceAssignment_Args_sizes[] = {{79, 56, 56, 56}};
constexpr SizeFact PJRT_Executable_Name_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Executable_NumReplicas_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Executable_NumPartitions_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_LogicalDeviceIds_sizes[] = {{96, 0, 8, 0}};
constexpr SizeFact PJRT_LoadedExecutable_AddressableDevices_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args_sizes[] = {{96, 40, 40, 40}};
constexpr SizeFact PJRT_Executable_OptimizedProgram_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_LoadedExecutable_Delete_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_LoadedExecutable_IsDeleted_Args_sizes[] = {{40, 25, 32, 25}};
constexpr SizeFact PJRT_Chunk_sizes[] = {{40, 0, 32, 0}};
constexpr SizeFact PJRT_SendCallbackInfo_sizes[] = {{40, 24, 24, 0}};
constexpr SizeFact PJRT_RecvCallbackInfo_sizes[] = {{40, 24, 24, 0}};
constexpr SizeFact PJRT_HloOutputCallbackInfo_sizes[] = {{112, 32, 32, 0}};
constexpr SizeFact PJRT_ExecuteOptions_sizes[] = {{40, 52, 72, 52}, {46, 72, 72, 72}, {64, 80, 80, 80}, {76, 88, 88, 88}, {78,
    112, 112, 112}, {97, 120, 120, 112}, {108, 121, 128, 112}, {112, 144, 144, 112}, {116, 160, 160, 112}};
constexpr SizeFact PJRT_LoadedExecutable_Execute_Args_sizes[] = {{40, 80, 80, 80}};
constexpr SizeFact PJRT_Executable_NumOutputs_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Executable_SizeOfGeneratedCodeInBytes_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Executable_Fingerprint_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Executable_GetCostAnalysis_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Executable_GetCompiledMemoryStats_Args_sizes[] = {{40, 64, 64, 56}, {43, 104, 104, 56}, {72, 112, 112,
    56}, {87, 112, 112, 112}, {90, 120, 120, 112}, {104, 144, 144, 112}};
constexpr SizeFact PJRT_Executable_OutputElementTypes_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Executable_OutputDimensions_Args_sizes[] = {{40, 48, 48, 48}};
constexpr SizeFact PJRT_Executable_ParameterMemoryKinds_Args_sizes[] = {{102, 48, 48, 48}};
constexpr SizeFact PJRT_Executable_OutputMemoryKinds_Args_sizes[] = {{40, 48, 48, 48}};
constexpr SizeFact PJRT_Executable_Serialize_Args_sizes[] = {{40, 56, 56, 56}};
constexpr SizeFact PJRT_Executable_GetCompileOptions_Args_sizes[] = {{87, 56, 56, 56}};
constexpr SizeFact PJRT_LoadOptions_sizes[] = {{111, 32, 32, 32}};
constexpr SizeFact PJRT_Executable_DeserializeAndLoad_Args_sizes[] = {{40, 48, 48, 48}, {71, 64, 64, 64}, {111, 72, 72, 64}};
constexpr SizeFact PJRT_LoadedExecutable_Fingerprint_Args_sizes[] = {{40, 40, 40, 0}};
constexpr SizeFact PJRT_Buffer_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Buffer_ElementType_Args_sizes[] = {{40, 28, 32, 28}};
constexpr SizeFact PJRT_Buffer_Dimensions_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Buffer_UnpaddedDimensions_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Buffer_DynamicDimensionIndices_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Buffer_GetMemoryLayout_Args_sizes[] = {{40, 104, 104, 104}};
constexpr SizeFact PJRT_Buffer_ToHostBuffer_Args_sizes[] = {{40, 56, 56, 56}};
constexpr SizeFact PJRT_Buffer_OnDeviceSizeInBytes_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Buffer_Delete_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Buffer_IsDeleted_Args_sizes[] = {{40, 25, 32, 25}};
constexpr SizeFact PJRT_Buffer_CopyRawToHost_Args_sizes[] = {{56, 56, 56, 56}};
constexpr SizeFact PJRT_Buffer_CopyRawToHostFuture_Callback_Args_sizes[] = {{84, 48, 48, 48}};
constexpr SizeFact PJRT_Buffer_CopyRawToHostFuture_Args_sizes[] = {{84, 64, 64, 64}};
constexpr SizeFact PJRT_Buffer_CopyToDevice_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Buffer_CopyToMemory_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_Buffer_Bitcast_Args_sizes[] = {{98, 64, 64, 64}};
constexpr SizeFact PJRT_Buffer_IsOnCpu_Args_sizes[] = {{40, 25, 32, 25}};
constexpr SizeFact PJRT_Buffer_Device_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Buffer_Memory_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Buffer_ReadyEvent_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Buffer_UnsafePointer_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Buffer_IncreaseExternalReferenceCount_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Buffer_DecreaseExternalReferenceCount_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_Buffer_DonateWithControlDependency_Callback_Args_sizes[] = {{88, 40, 40, 0}};
constexpr SizeFact PJRT_Buffer_DonateWithControlDependency_Args_sizes[] = {{88, 48, 48, 48}};
constexpr SizeFact PJRT_CopyToDeviceStream_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_CopyToDeviceStream_AddChunk_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_CopyToDeviceStream_TotalBytes_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_CopyToDeviceStream_GranuleSize_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_CopyToDeviceStream_CurrentBytes_Args_sizes[] = {{40, 32, 32, 32}};
constexpr SizeFact PJRT_TopologyDescription_Create_Args_sizes[] = {{40, 56, 56, 56}};
constexpr SizeFact PJRT_TopologyDescription_Destroy_Args_sizes[] = {{40, 24, 24, 24}};
constexpr SizeFact PJRT_TopologyDescription_PlatformVersion_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_TopologyDescription_PlatformName_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_TopologyDescription_GetDeviceDescriptions_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_TopologyDescription_Serialize_Args_sizes[] = {{40, 56, 56, 56}};
constexpr SizeFact PJRT_TopologyDescription_Deserialize_Args_sizes[] = {{75, 40, 40, 40}};
constexpr SizeFact PJRT_TopologyDescription_Attributes_Args_sizes[] = {{40, 40, 40, 40}};
constexpr SizeFact PJRT_TopologyDescription_Fingerprint_Args_sizes[] = {{101, 32, 32, 32}};
constexpr SizeFact PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args_sizes[] = {{109, 88, 88, 88}};
constexpr SizeFact PJRT_TopologyDescription_GetMemorySpaceKindIds_Args_sizes[] = {{110, 40, 40, 40}};
constexpr SizeFact PJRT_Compile_Args_sizes[] = {{40, 64, 64, 64}};
constexpr SizeFact PJRT_Api_sizes[] = {{40, 808, 816, 0}, {48, 808, 824, 0}, {52, 808, 840, 0}, {57, 848, 848, 0}, {60, 872,
    872, 0}, {62, 920, 920, 0}, {67, 936, 936, 0}, {69, 944, 944, 0}, {73, 952, 952, 0}, {75, 960, 960, 0}, {77, 976, 976, 0},
    {79, 984, 984, 0}, {82, 992, 992, 0}, {83, 1000, 1000, 0}, {84, 1008, 1008, 0}, {85, 1016, 1016, 0}, {86, 1032, 1032, 0},
    {87, 1040, 1040, 0}, {88, 1048, 1048, 0}, {89, 1064, 1064, 0}, {92, 1072, 1072, 0}, {95, 1080, 1080, 0}, {96, 1088, 1088,
    0}, {98, 1096, 1096, 0}, {99, 1104, 1104, 0}, {101, 1112, 1112, 0}, {102, 1120, 1120, 0}, {106, 1128, 1128, 0}, {109, 1136,
    1136, 0}, {110, 1144, 1144, 0}};
constexpr SizeFact PJRT_Gpu_Custom_Call_sizes[] = {{40, 0, 24, 0}, {45, 32, 32, 0}, {114, 33, 40, 0}};
constexpr SizeFact PJRT_Profiler_Extension_sizes[] = {{40, 0, 24, 0}, {45, 32, 40, 0}, {48, 40, 40, 0}};
constexpr SizeFact PJRT_Custom_Partitioner_Extension_sizes[] = {{47, 32, 32, 0}, {67, 40, 40, 0}};
constexpr SizeFact PJRT_Stream_Extension_sizes[] = {{49, 40, 40, 0}};
constexpr SizeFact PJRT_Layouts_Extension_sizes[] = {{51, 56, 56, 0}, {75, 64, 64, 0}, {81, 72, 72, 0}, {93, 80, 80, 0}};
constexpr SizeFact PJRT_FFI_Extension_sizes[] = {{53, 32, 32, 0}, {54, 40, 40, 0}, {73, 48, 48, 0}};
constexpr SizeFact PJRT_MemoryDescriptions_Extension_sizes[] = {{59, 40, 40, 0}};
constexpr SizeFact PJRT_RawBuffer_Extension_sizes[] = {{67, 72, 72, 0}, {73, 80, 80, 0}};
constexpr SizeFact PJRT_PhaseCompile_Extension_sizes[] = {{69, 56, 56, 0}, {72, 64, 64, 0}};
constexpr SizeFact PJRT_CrossHostTransfers_Extension_sizes[] = {{74, 40, 40, 0}, {81, 56, 56, 0}};
constexpr SizeFact PJRT_ExecutableMetadata_Extension_sizes[] = {{75, 40, 40, 0}};
constexpr SizeFact PJRT_Callback_Extension_sizes[] = {{77, 40, 40, 0}};
constexpr SizeFact PJRT_TpuTopology_Extension_sizes[] = {{81, 240, 240, 0}, {90, 272, 272, 0}};
constexpr SizeFact PJRT_TpuExecutable_Extension_sizes[] = {{90, 48, 48, 0}, {97, 80, 80, 0}, {98, 88, 88, 0}};
constexpr SizeFact PJRT_Megascale_Extension_sizes[] = {{90, 128, 128, 0}, {94, 136, 136, 0}, {98, 232, 232, 0}, {101, 240, 240,
    0}, {103, 248, 248, 0}};
constexpr SizeFact PJRT_Shardings_Extension_sizes[] = {{91, 40, 40, 0}};
constexpr SizeFact PJRT_AbiVersion_Extension_sizes[] = {{91, 120, 120, 0}};
constexpr SizeFact PJRT_Collectives_Extension_sizes[] = {{94, 96, 96, 0}};
constexpr SizeFact PJRT_MultiSlice_Extension_sizes[] = {{96, 64, 64, 0}};
constexpr SizeFact PJRT_HostMemoryAllocator_Extension_sizes[] = {{103, 32, 32, 0}};
constexpr SizeFact PJRT_Xla_Transform_Extension_sizes[] = {{110, 32, 32, 0}, {111, 40, 40, 0}, {114, 56, 56, 0}};
constexpr SizeFact PJRT_Triton_Extension_sizes[] = {{65, 32, 32, 0}};
constexpr SizeFact PJRT_Example_Extension_sizes[] = {{72, 48, 48, 0}};
constexpr SizeFact PJRT_HostAllocator_Extension_sizes[] = {{80, 48, 48, 0}};

constexpr StructFact struct_facts[] = {
    {"PJRT_Extension_Base", 41, PJRT_Extension_Base_sizes},
    {"PJRT_Api_Version", 1, PJRT_Api_Version_sizes},
    {"PJRT_Error_Destroy_Args", 1, PJRT_Error_Destroy_Args_sizes},
    {"PJRT_Error_Message_Args", 1, PJRT_Error_Message_Args_sizes},
    {"PJRT_Error_FunctionTable", 107, PJRT_Error_FunctionTable_sizes},
    {"PJRT_Error", 107, PJRT_Error_sizes},
    {"PJRT_Error_GetCode_Args", 1, PJRT_Error_GetCode_Args_sizes},
    {"PJRT_Error_ForEachPayload_Args", 99, PJRT_Error_ForEachPayload_Args_sizes},
    {"PJRT_NamedValue", 1, PJRT_NamedValue_sizes},
    {"PJRT_Plugin_Initialize_Args", 13, PJRT_Plugin_Initialize_Args_sizes},
    {"PJRT_Plugin_Attributes_Args", 9, PJRT_Plugin_Attributes_Args_sizes},
    {"PJRT_Event_Destroy_Args", 1, PJRT_Event_Destroy_Args_sizes},
    {"PJRT_Event_IsReady_Args", 1, PJRT_Event_IsReady_Args_sizes},
    {"PJRT_Event_Error_Args", 1, PJRT_Event_Error_Args_sizes},
    {"PJRT_Event_Await_Args", 1, PJRT_Event_Await_Args_sizes},
    {"PJRT_Event_OnReady_Args", 1, PJRT_Event_OnReady_Args_sizes},
    {"PJRT_Event_Create_Args", 89, PJRT_Event_Create_Args_sizes},
    {"PJRT_Event_Set_Args", 89, PJRT_Event_Set_Args_sizes},
    {"PJRT_Memory_FunctionTable", 105, PJRT_Memory_FunctionTable_sizes},
    {"PJRT_Memory", 105, PJRT_Memory_sizes},
    {"PJRT_KeyValueGetCallback_Args", 2, PJRT_KeyValueGetCallback_Args_sizes},
    {"PJRT_KeyValueTryGetCallback_Args", 61, PJRT_KeyValueTryGetCallback_Args_sizes},
    {"PJRT_KeyValuePutCallback_Args", 2, PJRT_KeyValuePutCallback_Args_sizes},
    {"PJRT_Client_Create_Args", 1, PJRT_Client_Create_Args_sizes},
    {"PJRT_Client_Destroy_Args", 1, PJRT_Client_Destroy_Args_sizes},
    {"PJRT_Client_PlatformName_Args", 1, PJRT_Client_PlatformName_Args_sizes},
    {"PJRT_Client_ProcessIndex_Args", 1, PJRT_Client_ProcessIndex_Args_sizes},
    {"PJRT_Client_PlatformVersion_Args", 1, PJRT_Client_PlatformVersion_Args_sizes},
    {"PJRT_Client_TopologyDescription_Args", 36, PJRT_Client_TopologyDescription_Args_sizes},
    {"PJRT_Client_Devices_Args", 1, PJRT_Client_Devices_Args_sizes},
    {"PJRT_Client_AddressableDevices_Args", 1, PJRT_Client_AddressableDevices_Args_sizes},
    {"PJRT_Client_LookupDevice_Args", 1, PJRT_Client_LookupDevice_Args_sizes},
    {"PJRT_Client_LookupAddressableDevice_Args", 1, PJRT_Client_LookupAddressableDevice_Args_sizes},
    {"PJRT_ProcessInfo", 73, PJRT_ProcessInfo_sizes},
    {"PJRT_Client_UpdateGlobalProcessInfo_Args", 73, PJRT_Client_UpdateGlobalProcessInfo_Args_sizes},
    {"PJRT_Client_AddressableMemories_Args", 20, PJRT_Client_AddressableMemories_Args_sizes},
    {"PJRT_Program", 1, PJRT_Program_sizes},
    {"PJRT_Client_Compile_Args", 1, PJRT_Client_Compile_Args_sizes},
    {"PJRT_Client_Load_Args", 95, PJRT_Client_Load_Args_sizes},
    {"PJRT_Client_DefaultDeviceAssignment_Args", 1, PJRT_Client_DefaultDeviceAssignment_Args_sizes},
    {"PJRT_Client_DmaMap_Args", 67, PJRT_Client_DmaMap_Args_sizes},
    {"PJRT_Client_DmaUnmap_Args", 67, PJRT_Client_DmaUnmap_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_Destroy_Args", 60, PJRT_AsyncHostToDeviceTransferManager_Destroy_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_TransferData_Args", 60, PJRT_AsyncHostToDeviceTransferManager_TransferData_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args", 62, PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_Device_Args", 62, PJRT_AsyncHostToDeviceTransferManager_Device_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args", 62, PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args", 62, PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args", 62, PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args", 62, PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args_sizes},
    {"PJRT_Buffer_MemoryLayout_Tiled", 4, PJRT_Buffer_MemoryLayout_Tiled_sizes},
    {"PJRT_Buffer_MemoryLayout_Strides", 4, PJRT_Buffer_MemoryLayout_Strides_sizes},
    {"PJRT_Buffer_MemoryLayout", 4, PJRT_Buffer_MemoryLayout_sizes},
    {"PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args", 83, PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args_sizes},
    {"PJRT_Client_CreateUninitializedBuffer_Args", 69, PJRT_Client_CreateUninitializedBuffer_Args_sizes},
    {"PJRT_Client_CreateErrorBuffer_Args", 82, PJRT_Client_CreateErrorBuffer_Args_sizes},
    {"PJRT_Client_CreateAliasBuffer_Args", 77, PJRT_Client_CreateAliasBuffer_Args_sizes},
    {"PJRT_Client_FulfillAliasBuffer_Args", 77, PJRT_Client_FulfillAliasBuffer_Args_sizes},
    {"PJRT_Client_BufferFromHostBuffer_Args", 1, PJRT_Client_BufferFromHostBuffer_Args_sizes},
    {"PJRT_Client_CreateViewOfDeviceBuffer_Args", 33, PJRT_Client_CreateViewOfDeviceBuffer_Args_sizes},
    {"PJRT_ShapeSpec", 60, PJRT_ShapeSpec_sizes},
    {"PJRT_Client_CreateBuffersForAsyncHostToDevice_Args", 60, PJRT_Client_CreateBuffersForAsyncHostToDevice_Args_sizes},
    {"PJRT_DeviceDescription_Id_Args", 1, PJRT_DeviceDescription_Id_Args_sizes},
    {"PJRT_DeviceDescription_ProcessIndex_Args", 1, PJRT_DeviceDescription_ProcessIndex_Args_sizes},
    {"PJRT_DeviceDescription_Attributes_Args", 1, PJRT_DeviceDescription_Attributes_Args_sizes},
    {"PJRT_DeviceDescription_Kind_Args", 1, PJRT_DeviceDescription_Kind_Args_sizes},
    {"PJRT_DeviceDescription_DebugString_Args", 1, PJRT_DeviceDescription_DebugString_Args_sizes},
    {"PJRT_DeviceDescription_ToString_Args", 1, PJRT_DeviceDescription_ToString_Args_sizes},
    {"PJRT_Device_GetDescription_Args", 1, PJRT_Device_GetDescription_Args_sizes},
    {"PJRT_Device_IsAddressable_Args", 1, PJRT_Device_IsAddressable_Args_sizes},
    {"PJRT_Device_LocalHardwareId_Args", 1, PJRT_Device_LocalHardwareId_Args_sizes},
    {"PJRT_Device_AddressableMemories_Args", 13, PJRT_Device_AddressableMemories_Args_sizes},
    {"PJRT_Device_DefaultMemory_Args", 17, PJRT_Device_DefaultMemory_Args_sizes},
    {"PJRT_Device_MemoryStats_Args", 1, PJRT_Device_MemoryStats_Args_sizes},
    {"PJRT_Device_ClearMemoryStats_Args", 106, PJRT_Device_ClearMemoryStats_Args_sizes},
    {"PJRT_Device_PoisonExecution_Args", 85, PJRT_Device_PoisonExecution_Args_sizes},
    {"PJRT_Device_GetAttributes_Args", 92, PJRT_Device_GetAttributes_Args_sizes},
    {"PJRT_Device_CreateAsyncTrackingEvent_Args", 86, PJRT_Device_CreateAsyncTrackingEvent_Args_sizes},
    {"PJRT_AsyncTrackingEvent_Destroy_Args", 86, PJRT_AsyncTrackingEvent_Destroy_Args_sizes},
    {"PJRT_Memory_Id_Args", 16, PJRT_Memory_Id_Args_sizes},
    {"PJRT_Memory_Kind_Args", 14, PJRT_Memory_Kind_Args_sizes},
    {"PJRT_Memory_Kind_Id_Args", 48, PJRT_Memory_Kind_Id_Args_sizes},
    {"PJRT_Memory_DebugString_Args", 15, PJRT_Memory_DebugString_Args_sizes},
    {"PJRT_Memory_ToString_Args", 15, PJRT_Memory_ToString_Args_sizes},
    {"PJRT_Memory_AddressableByDevices_Args", 20, PJRT_Memory_AddressableByDevices_Args_sizes},
    {"PJRT_ExecuteContext_Create_Args", 52, PJRT_ExecuteContext_Create_Args_sizes},
    {"PJRT_ExecuteContext_Destroy_Args", 52, PJRT_ExecuteContext_Destroy_Args_sizes},
    {"PJRT_Executable_Destroy_Args", 1, PJRT_Executable_Destroy_Args_sizes},
    {"PJRT_LoadedExecutable_Destroy_Args", 1, PJRT_LoadedExecutable_Destroy_Args_sizes},
    {"PJRT_LoadedExecutable_GetExecutable_Args", 1, PJRT_LoadedExecutable_GetExecutable_Args_sizes},
    {"PJRT_LoadedExecutable_GetDeviceAssignment_Args", 79, PJRT_LoadedExecutable_GetDeviceAssignment_Args_sizes},
    {"PJRT_Executable_Name_Args", 1, PJRT_Executable_Name_Args_sizes},
    {"PJRT_Executable_NumReplicas_Args", 1, PJRT_Executable_NumReplicas_Args_sizes},
    {"PJRT_Executable_NumPartitions_Args", 1, PJRT_Executable_NumPartitions_Args_sizes},
    {"PJRT_LogicalDeviceIds", 96, PJRT_LogicalDeviceIds_sizes},
    {"PJRT_LoadedExecutable_AddressableDevices_Args", 1, PJRT_LoadedExecutable_AddressableDevices_Args_sizes},
    {"PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args", 96, PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args_sizes},
    {"PJRT_Executable_OptimizedProgram_Args", 1, PJRT_Executable_OptimizedProgram_Args_sizes},
    {"PJRT_LoadedExecutable_Delete_Args", 1, PJRT_LoadedExecutable_Delete_Args_sizes},
    {"PJRT_LoadedExecutable_IsDeleted_Args", 1, PJRT_LoadedExecutable_IsDeleted_Args_sizes},
    {"PJRT_Chunk", 1, PJRT_Chunk_sizes},
    {"PJRT_SendCallbackInfo", 1, PJRT_SendCallbackInfo_sizes},
    {"PJRT_RecvCallbackInfo", 1, PJRT_RecvCallbackInfo_sizes},
    {"PJRT_HloOutputCallbackInfo", 112, PJRT_HloOutputCallbackInfo_sizes},
    {"PJRT_ExecuteOptions", 1, PJRT_ExecuteOptions_sizes},
    {"PJRT_LoadedExecutable_Execute_Args", 1, PJRT_LoadedExecutable_Execute_Args_sizes},
    {"PJRT_Executable_NumOutputs_Args", 1, PJRT_Executable_NumOutputs_Args_sizes},
    {"PJRT_Executable_SizeOfGeneratedCodeInBytes_Args", 1, PJRT_Executable_SizeOfGeneratedCodeInBytes_Args_sizes},
    {"PJRT_Executable_Fingerprint_Args", 35, PJRT_Executable_Fingerprint_Args_sizes},
    {"PJRT_Executable_GetCostAnalysis_Args", 2, PJRT_Executable_GetCostAnalysis_Args_sizes},
    {"PJRT_Executable_GetCompiledMemoryStats_Args", 40, PJRT_Executable_GetCompiledMemoryStats_Args_sizes},
    {"PJRT_Executable_OutputElementTypes_Args", 29, PJRT_Executable_OutputElementTypes_Args_sizes},
    {"PJRT_Executable_OutputDimensions_Args", 29, PJRT_Executable_OutputDimensions_Args_sizes},
    {"PJRT_Executable_ParameterMemoryKinds_Args", 102, PJRT_Executable_ParameterMemoryKinds_Args_sizes},
    {"PJRT_Executable_OutputMemoryKinds_Args", 18, PJRT_Executable_OutputMemoryKinds_Args_sizes},
    {"PJRT_Executable_Serialize_Args", 1, PJRT_Executable_Serialize_Args_sizes},
    {"PJRT_Executable_GetCompileOptions_Args", 87, PJRT_Executable_GetCompileOptions_Args_sizes},
    {"PJRT_LoadOptions", 111, PJRT_LoadOptions_sizes},
    {"PJRT_Executable_DeserializeAndLoad_Args", 1, PJRT_Executable_DeserializeAndLoad_Args_sizes},
    {"PJRT_LoadedExecutable_Fingerprint_Args", 28, PJRT_LoadedExecutable_Fingerprint_Args_sizes},
    {"PJRT_Buffer_Destroy_Args", 1, PJRT_Buffer_Destroy_Args_sizes},
    {"PJRT_Buffer_ElementType_Args", 5, PJRT_Buffer_ElementType_Args_sizes},
    {"PJRT_Buffer_Dimensions_Args", 6, PJRT_Buffer_Dimensions_Args_sizes},
    {"PJRT_Buffer_UnpaddedDimensions_Args", 7, PJRT_Buffer_UnpaddedDimensions_Args_sizes},
    {"PJRT_Buffer_DynamicDimensionIndices_Args", 11, PJRT_Buffer_DynamicDimensionIndices_Args_sizes},
    {"PJRT_Buffer_GetMemoryLayout_Args", 10, PJRT_Buffer_GetMemoryLayout_Args_sizes},
    {"PJRT_Buffer_ToHostBuffer_Args", 1, PJRT_Buffer_ToHostBuffer_Args_sizes},
    {"PJRT_Buffer_OnDeviceSizeInBytes_Args", 1, PJRT_Buffer_OnDeviceSizeInBytes_Args_sizes},
    {"PJRT_Buffer_Delete_Args", 1, PJRT_Buffer_Delete_Args_sizes},
    {"PJRT_Buffer_IsDeleted_Args", 1, PJRT_Buffer_IsDeleted_Args_sizes},
    {"PJRT_Buffer_CopyRawToHost_Args", 56, PJRT_Buffer_CopyRawToHost_Args_sizes},
    {"PJRT_Buffer_CopyRawToHostFuture_Callback_Args", 84, PJRT_Buffer_CopyRawToHostFuture_Callback_Args_sizes},
    {"PJRT_Buffer_CopyRawToHostFuture_Args", 84, PJRT_Buffer_CopyRawToHostFuture_Args_sizes},
    {"PJRT_Buffer_CopyToDevice_Args", 1, PJRT_Buffer_CopyToDevice_Args_sizes},
    {"PJRT_Buffer_CopyToMemory_Args", 32, PJRT_Buffer_CopyToMemory_Args_sizes},
    {"PJRT_Buffer_Bitcast_Args", 98, PJRT_Buffer_Bitcast_Args_sizes},
    {"PJRT_Buffer_IsOnCpu_Args", 1, PJRT_Buffer_IsOnCpu_Args_sizes},
    {"PJRT_Buffer_Device_Args", 1, PJRT_Buffer_Device_Args_sizes},
    {"PJRT_Buffer_Memory_Args", 24, PJRT_Buffer_Memory_Args_sizes},
    {"PJRT_Buffer_ReadyEvent_Args", 1, PJRT_Buffer_ReadyEvent_Args_sizes},
    {"PJRT_Buffer_UnsafePointer_Args", 1, PJRT_Buffer_UnsafePointer_Args_sizes},
    {"PJRT_Buffer_IncreaseExternalReferenceCount_Args", 19, PJRT_Buffer_IncreaseExternalReferenceCount_Args_sizes},
    {"PJRT_Buffer_DecreaseExternalReferenceCount_Args", 19, PJRT_Buffer_DecreaseExternalReferenceCount_Args_sizes},
    {"PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args", 19, PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args_sizes},
    {"PJRT_Buffer_DonateWithControlDependency_Callback_Args", 88, PJRT_Buffer_DonateWithControlDependency_Callback_Args_sizes},
    {"PJRT_Buffer_DonateWithControlDependency_Args", 88, PJRT_Buffer_DonateWithControlDependency_Args_sizes},
    {"PJRT_CopyToDeviceStream_Destroy_Args", 11, PJRT_CopyToDeviceStream_Destroy_Args_sizes},
    {"PJRT_CopyToDeviceStream_AddChunk_Args", 1, PJRT_CopyToDeviceStream_AddChunk_Args_sizes},
    {"PJRT_CopyToDeviceStream_TotalBytes_Args", 1, PJRT_CopyToDeviceStream_TotalBytes_Args_sizes},
    {"PJRT_CopyToDeviceStream_GranuleSize_Args", 1, PJRT_CopyToDeviceStream_GranuleSize_Args_sizes},
    {"PJRT_CopyToDeviceStream_CurrentBytes_Args", 1, PJRT_CopyToDeviceStream_CurrentBytes_Args_sizes},
    {"PJRT_TopologyDescription_Create_Args", 1, PJRT_TopologyDescription_Create_Args_sizes},
    {"PJRT_TopologyDescription_Destroy_Args", 1, PJRT_TopologyDescription_Destroy_Args_sizes},
    {"PJRT_TopologyDescription_PlatformVersion_Args", 1, PJRT_TopologyDescription_PlatformVersion_Args_sizes},
    {"PJRT_TopologyDescription_PlatformName_Args", 1, PJRT_TopologyDescription_PlatformName_Args_sizes},
    {"PJRT_TopologyDescription_GetDeviceDescriptions_Args", 1, PJRT_TopologyDescription_GetDeviceDescriptions_Args_sizes},
    {"PJRT_TopologyDescription_Serialize_Args", 22, PJRT_TopologyDescription_Serialize_Args_sizes},
    {"PJRT_TopologyDescription_Deserialize_Args", 75, PJRT_TopologyDescription_Deserialize_Args_sizes},
    {"PJRT_TopologyDescription_Attributes_Args", 27, PJRT_TopologyDescription_Attributes_Args_sizes},
    {"PJRT_TopologyDescription_Fingerprint_Args", 101, PJRT_TopologyDescription_Fingerprint_Args_sizes},
    {"PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args", 109, PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args_sizes},
    {"PJRT_TopologyDescription_GetMemorySpaceKindIds_Args", 110, PJRT_TopologyDescription_GetMemorySpaceKindIds_Args_sizes},
    {"PJRT_Compile_Args", 1, PJRT_Compile_Args_sizes},
    {"PJRT_Api", 1, PJRT_Api_sizes},
    {"PJRT_Gpu_Custom_Call", 31, PJRT_Gpu_Custom_Call_sizes},
    {"PJRT_Profiler_Extension", 34, PJRT_Profiler_Extension_sizes},
    {"PJRT_Custom_Partitioner_Extension", 47, PJRT_Custom_Partitioner_Extension_sizes},
    {"PJRT_Stream_Extension", 49, PJRT_Stream_Extension_sizes},
    {"PJRT_Layouts_Extension", 51, PJRT_Layouts_Extension_sizes},
    {"PJRT_FFI_Extension", 53, PJRT_FFI_Extension_sizes},
    {"PJRT_MemoryDescriptions_Extension", 59, PJRT_MemoryDescriptions_Extension_sizes},
    {"PJRT_RawBuffer_Extension", 67, PJRT_RawBuffer_Extension_sizes},
    {"PJRT_PhaseCompile_Extension", 69, PJRT_PhaseCompile_Extension_sizes},
    {"PJRT_CrossHostTransfers_Extension", 74, PJRT_CrossHostTransfers_Extension_sizes},
    {"PJRT_ExecutableMetadata_Extension", 75, PJRT_ExecutableMetadata_Extension_sizes},
    {"PJRT_Callback_Extension", 77, PJRT_Callback_Extension_sizes},
    {"PJRT_TpuTopology_Extension", 81, PJRT_TpuTopology_Extension_sizes},
    {"PJRT_TpuExecutable_Extension", 90, PJRT_TpuExecutable_Extension_sizes},
    {"PJRT_Megascale_Extension", 90, PJRT_Megascale_Extension_sizes},
    {"PJRT_Shardings_Extension", 91, PJRT_Shardings_Extension_sizes},
    {"PJRT_AbiVersion_Extension", 91, PJRT_AbiVersion_Extension_sizes},
    {"PJRT_Collectives_Extension", 94, PJRT_Collectives_Extension_sizes},
    {"PJRT_MultiSlice_Extension", 96, PJRT_MultiSlice_Extension_sizes},
    {"PJRT_HostMemoryAllocator_Extension", 103, PJRT_HostMemoryAllocator_Extension_sizes},
    {"PJRT_Xla_Transform_Extension", 110, PJRT_Xla_Transform_Extension_sizes},
    {"PJRT_Triton_Extension", 65, PJRT_Triton_Extension_sizes},
    {"PJRT_Example_Extension", 72, PJRT_Example_Extension_sizes},
    {"PJRT_HostAllocator_Extension", 80, PJRT_HostAllocator_Extension_sizes},
};

constexpr FunctionFact function_facts[] = {
    {"PJRT_Error_Destroy", 40, 1, &struct_facts[2]},
    {"PJRT_Error_Message", 48, 1, &struct_facts[3]},
    {"PJRT_Error_GetCode", 56, 1, &struct_facts[6]},
    {"PJRT_Plugin_Initialize", 64, 13, &struct_facts[9]},
    {"PJRT_Plugin_Attributes", 72, 9, &struct_facts[10]},
    {"PJRT_Event_Destroy", 80, 1, &struct_facts[11]},
    {"PJRT_Event_IsReady", 88, 1, &struct_facts[12]},
    {"PJRT_Event_Error", 96, 1, &struct_facts[13]},
    {"PJRT_Event_Await", 104, 1, &struct_facts[14]},
    {"PJRT_Event_OnReady", 112, 1, &struct_facts[15]},
    {"PJRT_Client_Create", 120, 1, &struct_facts[23]},
    {"PJRT_Client_Destroy", 128, 1, &struct_facts[24]},
    {"PJRT_Client_PlatformName", 136, 1, &struct_facts[25]},
    {"PJRT_Client_ProcessIndex", 144, 1, &struct_facts[26]},
    {"PJRT_Client_PlatformVersion", 152, 1, &struct_facts[27]},
    {"PJRT_Client_Devices", 160, 1, &struct_facts[29]},
    {"PJRT_Client_AddressableDevices", 168, 1, &struct_facts[30]},
    {"PJRT_Client_LookupDevice", 176, 1, &struct_facts[31]},
    {"PJRT_Client_LookupAddressableDevice", 184, 1, &struct_facts[32]},
    {"PJRT_Client_AddressableMemories", 192, 20, &struct_facts[35]},
    {"PJRT_Client_Compile", 200, 1, &struct_facts[37]},
    {"PJRT_Client_DefaultDeviceAssignment", 208, 1, &struct_facts[39]},
    {"PJRT_Client_BufferFromHostBuffer", 216, 1, &struct_facts[58]},
    {"PJRT_DeviceDescription_Id", 224, 1, &struct_facts[62]},
    {"PJRT_DeviceDescription_ProcessIndex", 232, 1, &struct_facts[63]},
    {"PJRT_DeviceDescription_Attributes", 240, 1, &struct_facts[64]},
    {"PJRT_DeviceDescription_Kind", 248, 1, &struct_facts[65]},
    {"PJRT_DeviceDescription_DebugString", 256, 1, &struct_facts[66]},
    {"PJRT_DeviceDescription_ToString", 264, 1, &struct_facts[67]},
    {"PJRT_Device_GetDescription", 272, 1, &struct_facts[68]},
    {"PJRT_Device_IsAddressable", 280, 1, &struct_facts[69]},
    {"PJRT_Device_LocalHardwareId", 288, 1, &struct_facts[70]},
    {"PJRT_Device_AddressableMemories", 296, 13, &struct_facts[71]},
    {"PJRT_Device_DefaultMemory", 304, 17, &struct_facts[72]},
    {"PJRT_Device_MemoryStats", 312, 1, &struct_facts[73]},
    {"PJRT_Memory_Id", 320, 16, &struct_facts[79]},
    {"PJRT_Memory_Kind", 328, 14, &struct_facts[80]},
    {"PJRT_Memory_DebugString", 336, 15, &struct_facts[82]},
    {"PJRT_Memory_ToString", 344, 15, &struct_facts[83]},
    {"PJRT_Memory_AddressableByDevices", 352, 20, &struct_facts[84]},
    {"PJRT_Executable_Destroy", 360, 1, &struct_facts[87]},
    {"PJRT_Executable_Name", 368, 1, &struct_facts[91]},
    {"PJRT_Executable_NumReplicas", 376, 1, &struct_facts[92]},
    {"PJRT_Executable_NumPartitions", 384, 1, &struct_facts[93]},
    {"PJRT_Executable_NumOutputs", 392, 1, &struct_facts[106]},
    {"PJRT_Executable_SizeOfGeneratedCodeInBytes", 400, 1, &struct_facts[107]},
    {"PJRT_Executable_GetCostAnalysis", 408, 2, &struct_facts[109]},
    {"PJRT_Executable_OutputMemoryKinds", 416, 18, &struct_facts[114]},
    {"PJRT_Executable_OptimizedProgram", 424, 1, &struct_facts[97]},
    {"PJRT_Executable_Serialize", 432, 1, &struct_facts[115]},
    {"PJRT_LoadedExecutable_Destroy", 440, 1, &struct_facts[88]},
    {"PJRT_LoadedExecutable_GetExecutable", 448, 1, &struct_facts[89]},
    {"PJRT_LoadedExecutable_AddressableDevices", 456, 1, &struct_facts[95]},
    {"PJRT_LoadedExecutable_Delete", 464, 1, &struct_facts[98]},
    {"PJRT_LoadedExecutable_IsDeleted", 472, 1, &struct_facts[99]},
    {"PJRT_LoadedExecutable_Execute", 480, 1, &struct_facts[105]},
    {"PJRT_Executable_DeserializeAndLoad", 488, 1, &struct_facts[118]},
    {"PJRT_LoadedExecutable_Fingerprint", 496, 28, &struct_facts[119]},
    {"PJRT_Buffer_Destroy", 504, 1, &struct_facts[120]},
    {"PJRT_Buffer_ElementType", 512, 5, &struct_facts[121]},
    {"PJRT_Buffer_Dimensions", 520, 6, &struct_facts[122]},
    {"PJRT_Buffer_UnpaddedDimensions", 528, 7, &struct_facts[123]},
    {"PJRT_Buffer_DynamicDimensionIndices", 536, 11, &struct_facts[124]},
    {"PJRT_Buffer_GetMemoryLayout", 544, 10, &struct_facts[125]},
    {"PJRT_Buffer_OnDeviceSizeInBytes", 552, 1, &struct_facts[127]},
    {"PJRT_Buffer_Device", 560, 1, &struct_facts[137]},
    {"PJRT_Buffer_Memory", 568, 24, &struct_facts[138]},
    {"PJRT_Buffer_Delete", 576, 1, &struct_facts[128]},
    {"PJRT_Buffer_IsDeleted", 584, 1, &struct_facts[129]},
    {"PJRT_Buffer_CopyToDevice", 592, 1, &struct_facts[133]},
    {"PJRT_Buffer_ToHostBuffer", 600, 1, &struct_facts[126]},
    {"PJRT_Buffer_IsOnCpu", 608, 1, &struct_facts[136]},
    {"PJRT_Buffer_ReadyEvent", 616, 1, &struct_facts[139]},
    {"PJRT_Buffer_UnsafePointer", 624, 1, &struct_facts[140]},
    {"PJRT_Buffer_IncreaseExternalReferenceCount", 632, 19, &struct_facts[141]},
    {"PJRT_Buffer_DecreaseExternalReferenceCount", 640, 19, &struct_facts[142]},
    {"PJRT_Buffer_OpaqueDeviceMemoryDataPointer", 648, 19, &struct_facts[143]},
    {"PJRT_CopyToDeviceStream_Destroy", 656, 11, &struct_facts[146]},
    {"PJRT_CopyToDeviceStream_AddChunk", 664, 1, &struct_facts[147]},
    {"PJRT_CopyToDeviceStream_TotalBytes", 672, 1, &struct_facts[148]},
    {"PJRT_CopyToDeviceStream_GranuleSize", 680, 1, &struct_facts[149]},
    {"PJRT_CopyToDeviceStream_CurrentBytes", 688, 1, &struct_facts[150]},
    {"PJRT_TopologyDescription_Create", 696, 1, &struct_facts[151]},
    {"PJRT_TopologyDescription_Destroy", 704, 1, &struct_facts[152]},
    {"PJRT_TopologyDescription_PlatformName", 712, 1, &struct_facts[154]},
    {"PJRT_TopologyDescription_PlatformVersion", 720, 1, &struct_facts[153]},
    {"PJRT_TopologyDescription_GetDeviceDescriptions", 728, 1, &struct_facts[155]},
    {"PJRT_TopologyDescription_Serialize", 736, 22, &struct_facts[156]},
    {"PJRT_TopologyDescription_Attributes", 744, 27, &struct_facts[158]},
    {"PJRT_Compile", 752, 1, &struct_facts[162]},
    {"PJRT_Executable_OutputElementTypes", 760, 29, &struct_facts[111]},
    {"PJRT_Executable_OutputDimensions", 768, 29, &struct_facts[112]},
    {"PJRT_Buffer_CopyToMemory", 776, 32, &struct_facts[134]},
    {"PJRT_Client_CreateViewOfDeviceBuffer", 784, 33, &struct_facts[59]},
    {"PJRT_Executable_Fingerprint", 792, 35, &struct_facts[108]},
    {"PJRT_Client_TopologyDescription", 800, 36, &struct_facts[28]},
    {"PJRT_Executable_GetCompiledMemoryStats", 808, 40, &struct_facts[110]},
    {"PJRT_Memory_Kind_Id", 816, 48, &struct_facts[81]},
    {"PJRT_ExecuteContext_Create", 824, 52, &struct_facts[85]},
    {"PJRT_ExecuteContext_Destroy", 832, 52, &struct_facts[86]},
    {"PJRT_Buffer_CopyRawToHost", 840, 57, &struct_facts[130]},
    {"PJRT_AsyncHostToDeviceTransferManager_Destroy", 848, 60, &struct_facts[42]},
    {"PJRT_AsyncHostToDeviceTransferManager_TransferData", 856, 60, &struct_facts[43]},
    {"PJRT_Client_CreateBuffersForAsyncHostToDevice", 864, 60, &struct_facts[61]},
    {"PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer", 872, 62, &struct_facts[44]},
    {"PJRT_AsyncHostToDeviceTransferManager_Device", 880, 62, &struct_facts[45]},
    {"PJRT_AsyncHostToDeviceTransferManager_BufferCount", 888, 62, &struct_facts[46]},
    {"PJRT_AsyncHostToDeviceTransferManager_BufferSize", 896, 62, &struct_facts[47]},
    {"PJRT_AsyncHostToDeviceTransferManager_SetBufferError", 904, 62, &struct_facts[48]},
    {"PJRT_AsyncHostToDeviceTransferManager_AddMetadata", 912, 62, &struct_facts[49]},
    {"PJRT_Client_DmaMap", 920, 67, &struct_facts[40]},
    {"PJRT_Client_DmaUnmap", 928, 67, &struct_facts[41]},
    {"PJRT_Client_CreateUninitializedBuffer", 936, 69, &struct_facts[54]},
    {"PJRT_Client_UpdateGlobalProcessInfo", 944, 73, &struct_facts[34]},
    {"PJRT_TopologyDescription_Deserialize", 952, 75, &struct_facts[157]},
    {"PJRT_Client_CreateAliasBuffer", 960, 77, &struct_facts[56]},
    {"PJRT_Client_FulfillAliasBuffer", 968, 77, &struct_facts[57]},
    {"PJRT_LoadedExecutable_GetDeviceAssignment", 976, 79, &struct_facts[90]},
    {"PJRT_Client_CreateErrorBuffer", 984, 82, &struct_facts[55]},
    {"PJRT_AsyncHostToDeviceTransferManager_TransferLiteral", 992, 83, &struct_facts[53]},
    {"PJRT_Buffer_CopyRawToHostFuture", 1000, 84, &struct_facts[132]},
    {"PJRT_Device_PoisonExecution", 1008, 85, &struct_facts[75]},
    {"PJRT_Device_CreateAsyncTrackingEvent", 1016, 86, &struct_facts[77]},
    {"PJRT_AsyncTrackingEvent_Destroy", 1024, 86, &struct_facts[78]},
    {"PJRT_Executable_GetCompileOptions", 1032, 87, &struct_facts[116]},
    {"PJRT_Buffer_DonateWithControlDependency", 1040, 88, &struct_facts[145]},
    {"PJRT_Event_Create", 1048, 89, &struct_facts[16]},
    {"PJRT_Event_Set", 1056, 89, &struct_facts[17]},
    {"PJRT_Device_GetAttributes", 1064, 92, &struct_facts[76]},
    {"PJRT_Client_Load", 1072, 95, &struct_facts[38]},
    {"PJRT_LoadedExecutable_AddressableDeviceLogicalIds", 1080, 96, &struct_facts[96]},
    {"PJRT_Buffer_Bitcast", 1088, 98, &struct_facts[135]},
    {"PJRT_Error_ForEachPayload", 1096, 99, &struct_facts[7]},
    {"PJRT_TopologyDescription_Fingerprint", 1104, 101, &struct_facts[159]},
    {"PJRT_Executable_ParameterMemoryKinds", 1112, 102, &struct_facts[113]},
    {"PJRT_Device_ClearMemoryStats", 1120, 106, &struct_facts[74]},
    {"PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace", 1128, 109, &struct_facts[160]},
    {"PJRT_TopologyDescription_GetMemorySpaceKindIds", 1136, 110, &struct_facts[161]},
};

constexpr MemberFact Gpu_Custom_Call_members[] = {
    {"custom_call", 24, 45},
};
constexpr VersionFact Gpu_Custom_Call_versions[] = {{31, 0}, {40, 1}, {54, 2}, {114, 3}};
constexpr MemberFact Profiler_members[] = {
    {"profiler_api", 24, 45},
};
constexpr VersionFact Profiler_versions[] = {{34, 0}, {48, 1}};
constexpr MemberFact Custom_Partitioner_members[] = {
    {"register_custom_partitioner", 24, 47},
    {"register_batch_partitionable", 32, 67},
};
constexpr VersionFact Custom_Partitioner_versions[] = {{47, 0}, {67, 1}};
constexpr MemberFact Stream_members[] = {
    {"get_stream", 24, 49},
    {"wait_stream", 32, 49},
};
constexpr VersionFact Stream_versions[] = {{49, 0}};
constexpr MemberFact Layouts_members[] = {
    {"PJRT_Layouts_MemoryLayout_Destroy", 24, 51},
    {"PJRT_Layouts_MemoryLayout_Serialize", 32, 51},
    {"PJRT_Layouts_PJRT_Client_GetDefaultLayout", 40, 51},
    {"PJRT_Layouts_PJRT_Buffer_MemoryLayout", 48, 51},
    {"PJRT_Layouts_PJRT_Topology_GetDefaultLayout", 56, 75},
    {"PJRT_Layouts_PJRT_Executable_GetOutputLayouts", 64, 81},
    {"PJRT_Layouts_PJRT_Executable_GetParameterLayouts", 72, 93},
};
constexpr VersionFact Layouts_versions[] = {{51, 1}, {75, 2}, {81, 3}, {93, 4}};
constexpr MemberFact FFI_members[] = {
    {"type_register", 24, 80},
    {"user_data_add", 32, 54},
    {"register_handler", 40, 73},
};
constexpr VersionFact FFI_versions[] = {{53, 1}, {54, 2}, {80, 3}};
constexpr MemberFact MemoryDescriptions_members[] = {
    {"PJRT_DeviceDescription_MemoryDescriptions", 24, 59},
    {"PJRT_MemoryDescription_Kind", 32, 59},
};
constexpr VersionFact MemoryDescriptions_versions[] = {{59, 0}, {61, 1}};
constexpr MemberFact Triton_members[] = {
    {"compile", 24, 65},
};
constexpr VersionFact Triton_versions[] = {{65, 1}, {90, 2}};
constexpr MemberFact RawBuffer_members[] = {
    {"PJRT_RawBuffer_CreateRawAliasOfBuffer", 24, 67},
    {"PJRT_RawBuffer_Destroy", 32, 67},
    {"PJRT_RawBuffer_GetOnDeviceSizeInBytes", 40, 67},
    {"PJRT_RawBuffer_GetMemorySpace", 48, 67},
    {"PJRT_RawBuffer_CopyRawHostToDevice", 56, 67},
    {"PJRT_RawBuffer_CopyRawDeviceToHost", 64, 67},
    {"PJRT_RawBuffer_GetHostPointer", 72, 73},
};
constexpr VersionFact RawBuffer_versions[] = {{67, 1}, {73, 2}};
constexpr MemberFact PhaseCompile_members[] = {
    {"phase_compile_get_compiler", 24, 69},
    {"phase_compile_destroy_compiler", 32, 69},
    {"phase_compile_run_phases", 40, 72},
    {"phase_compile_get_phase_names", 48, 69},
    {"phase_compile_c_buffers_destroy", 56, 72},
};
constexpr VersionFact PhaseCompile_versions[] = {{70, 1}};
constexpr VersionFact Example_versions[] = {{72, 1}};
constexpr MemberFact CrossHostTransfers_members[] = {
    {"PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers", 24, 74},
    {"PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice", 32, 74},
    {"PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers", 40, 81},
    {"PJRT_Transfers_PJRT_Client_CrossHostSendBuffers", 48, 81},
};
constexpr VersionFact CrossHostTransfers_versions[] = {{74, 1}, {81, 3}, {85, 4}, {90, 5}, {104, 6}, {116, 7}, {117, 8}};
constexpr MemberFact ExecutableMetadata_members[] = {
    {"get_executable_metadata", 24, 75},
    {"destroy_serialized_metadata", 32, 75},
};
constexpr VersionFact ExecutableMetadata_versions[] = {{75, 1}};
constexpr MemberFact Callback_members[] = {
    {"register_callback", 24, 77},
    {"invoke_callback", 32, 77},
};
constexpr VersionFact Callback_versions[] = {{77, 1}};
constexpr MemberFact HostAllocator_members[] = {
    {"get_preferred_alignment", 24, 80},
    {"allocate", 32, 80},
    {"free", 40, 80},
};
constexpr VersionFact HostAllocator_versions[] = {{80, 0}};
constexpr MemberFact TpuTopology_members[] = {
    {"subslice", 24, 81},
    {"is_subslice_topology", 32, 81},
    {"subslice_device_id_from_full_device_id", 40, 81},
    {"replace_host_bounds", 48, 81},
    {"is_enhanced_barrier_enabled", 56, 81},
    {"has_limited_ici_connectivity", 64, 81},
    {"is_reachable_over_limited_ici", 72, 81},
    {"process_count", 80, 81},
    {"chips_per_process", 88, 81},
    {"core_count_per_chip", 96, 81},
    {"chip_count", 104, 81},
    {"core_count", 112, 81},
    {"logical_device_count_per_process", 120, 81},
    {"logical_device_count", 128, 81},
    {"logical_device_count_per_chip", 136, 81},
    {"core_count_per_process", 144, 81},
    {"process_ids", 152, 81},
    {"logical_device_ids_on_process", 160, 81},
    {"proc_id_and_idx_on_proc_for_chip", 168, 81},
    {"proc_id_and_idx_on_proc_for_logi_device", 176, 81},
    {"process_coord_from_id", 184, 81},
    {"chip_id_from_coord", 192, 81},
    {"logical_device_id_from_chip_coord_and_idx", 200, 81},
    {"chip_coord_and_idx_for_logi_device", 208, 81},
    {"chips_per_process_bounds", 216, 81},
    {"chip_bounds", 224, 81},
    {"process_bounds", 232, 81},
    {"get_routing_strategy", 240, 90},
    {"get_slice_config", 248, 90},
    {"get_slice_configs", 256, 90},
    {"get_default_platform_config", 264, 90},
};
constexpr VersionFact TpuTopology_versions[] = {{81, 1}};
constexpr MemberFact TpuExecutable_members[] = {
    {"get_target_arguments", 24, 90},
    {"get_hlo_module_with_config", 32, 90},
    {"get_core_program_abi_version", 40, 90},
    {"get_compiled_memory_stats", 48, 97},
    {"run_hlo_cost_analysis", 56, 97},
    {"set_tpu_compilation_env", 64, 97},
    {"get_tpu_compilation_env_field_as_string", 72, 97},
    {"is_tpu_predetermined_error", 80, 98},
};
constexpr VersionFact TpuExecutable_versions[] = {{90, 1}};
constexpr MemberFact Megascale_members[] = {
    {"create_client_context_from_pjrt_client", 24, 90},
    {"create_default_client_context", 32, 90},
    {"delete_client_context", 40, 90},
    {"create_aot_config", 48, 90},
    {"create_multi_slice_config", 56, 90},
    {"delete_multi_slice_config", 64, 90},
    {"multi_slice_config_num_slices", 72, 90},
    {"multi_slice_config_slice_id", 80, 90},
    {"multi_slice_config_get_num_devices_per_slice", 88, 90},
    {"multi_slice_config_serialize", 96, 90},
    {"client_context_initialize", 104, 90},
    {"client_context_unblock_pending_work", 112, 90},
    {"client_context_megascale_port", 120, 90},
    {"create_megascale_collectives", 128, 94},
    {"device_id_to_megascale_id", 136, 98},
    {"megascale_id_to_device_id", 144, 98},
    {"register_megascale_error_handler", 152, 98},
    {"unregister_megascale_error_handler", 160, 98},
    {"error_aggregator_create", 168, 98},
    {"error_aggregator_delete", 176, 98},
    {"error_digest_delete", 184, 98},
    {"error_aggregator_add_error", 192, 98},
    {"error_aggregator_process_and_shutdown", 200, 98},
    {"error_aggregator_log_error_digest", 208, 98},
    {"error_aggregator_size", 216, 98},
    {"error_aggregator_active", 224, 98},
    {"get_interface_addresses_helper", 232, 101},
    {"get_or_create_runtime_error", 240, 103},
};
constexpr VersionFact Megascale_versions[] = {{90, 1}};
constexpr MemberFact Shardings_members[] = {
    {"PJRT_Shardings_PJRT_Executable_ParameterShardings", 24, 91},
    {"PJRT_Shardings_PJRT_Executable_OutputShardings", 32, 91},
};
constexpr VersionFact Shardings_versions[] = {{91, 1}};
constexpr MemberFact AbiVersion_members[] = {
    {"client_runtime_abi_version", 24, 91},
    {"executable_get_abi_version", 32, 91},
    {"runtime_abi_version_destroy", 40, 91},
    {"runtime_abi_version_is_compatible_with_runtime", 48, 91},
    {"runtime_abi_version_is_compatible_with_executable", 56, 91},
    {"runtime_abi_version_to_proto", 64, 91},
    {"runtime_abi_version_platform_id", 72, 91},
    {"executable_abi_version_destroy", 80, 91},
    {"executable_abi_version_to_proto", 88, 91},
    {"executable_abi_version_platform_id", 96, 91},
    {"runtime_abi_version_from_proto", 104, 91},
    {"executable_abi_version_from_proto", 112, 91},
};
constexpr VersionFact AbiVersion_versions[] = {{91, 1}};
constexpr MemberFact Collectives_members[] = {
    {"collectives_destroy", 24, 94},
    {"collectives_create_communicators", 32, 94},
    {"communicator_destroy", 40, 94},
    {"communicator_all_reduce", 48, 94},
    {"communicator_reduce_scatter", 56, 94},
    {"communicator_all_gather", 64, 94},
    {"communicator_collective_permute", 72, 94},
    {"communicator_all_to_all", 80, 94},
    {"communicator_to_string", 88, 94},
};
constexpr VersionFact Collectives_versions[] = {{94, 1}};
constexpr MemberFact MultiSlice_members[] = {
    {"config_destroy", 24, 96},
    {"config_num_slices", 32, 96},
    {"config_slice_id", 40, 96},
    {"config_num_devices_per_slice", 48, 96},
    {"config_serialize", 56, 96},
};
constexpr VersionFact MultiSlice_versions[] = {{96, 1}};
constexpr MemberFact HostMemoryAllocator_members[] = {
    {"allocate", 24, 103},
};
constexpr VersionFact HostMemoryAllocator_versions[] = {{103, 0}};
constexpr MemberFact XlaTransform_members[] = {
    {"register_xla_transform", 24, 110},
    {"clear_xla_transform", 32, 111},
    {"get_hlo_pass_pipeline_trace", 40, 114},
    {"destroy_hlo_pass_pipeline_trace", 48, 114},
};
constexpr VersionFact XlaTransform_versions[] = {{110, 1}};

constexpr ExtensionFact extension_facts[] = {
    {"Gpu_Custom_Call", 0, 41, 0, &struct_facts[164], Gpu_Custom_Call_members, Gpu_Custom_Call_versions},
    {"Profiler", 1, 41, 0, &struct_facts[165], Profiler_members, Profiler_versions},
    {"Custom_Partitioner", 2, 47, 0, &struct_facts[166], Custom_Partitioner_members, Custom_Partitioner_versions},
    {"Stream", 3, 49, 0, &struct_facts[167], Stream_members, Stream_versions},
    {"Layouts", 4, 51, 0, &struct_facts[168], Layouts_members, Layouts_versions},
    {"FFI", 5, 53, 0, &struct_facts[169], FFI_members, FFI_versions},
    {"MemoryDescriptions", 6, 59, 0, &struct_facts[170], MemoryDescriptions_members, MemoryDescriptions_versions},
    {"Triton", 7, 65, 114, &struct_facts[185], Triton_members, Triton_versions},
    {"RawBuffer", 8, 67, 0, &struct_facts[171], RawBuffer_members, RawBuffer_versions},
    {"PhaseCompile", 9, 69, 0, &struct_facts[172], PhaseCompile_members, PhaseCompile_versions},
    {"Example", 10, 72, 113, &struct_facts[186], {}, Example_versions},
    {"Unknown", 11, 72, 0, nullptr, {}, {}},
    {"CrossHostTransfers", 12, 74, 0, &struct_facts[173], CrossHostTransfers_members, CrossHostTransfers_versions},
    {"ExecutableMetadata", 13, 75, 0, &struct_facts[174], ExecutableMetadata_members, ExecutableMetadata_versions},
    {"Callback", 14, 77, 0, &struct_facts[175], Callback_members, Callback_versions},
    {"HostAllocator", 15, 80, 112, &struct_facts[187], HostAllocator_members, HostAllocator_versions},
    {"TpuTopology", 16, 81, 0, &struct_facts[176], TpuTopology_members, TpuTopology_versions},
    {"TpuExecutable", 17, 90, 0, &struct_facts[177], TpuExecutable_members, TpuExecutable_versions},
    {"Megascale", 18, 90, 0, &struct_facts[178], Megascale_members, Megascale_versions},
    {"Shardings", 19, 91, 0, &struct_facts[179], Shardings_members, Shardings_versions},
    {"AbiVersion", 20, 91, 0, &struct_facts[180], AbiVersion_members, AbiVersion_versions},
    {"Collectives", 21, 94, 0, &struct_facts[181], Collectives_members, Collectives_versions},
    {"MultiSlice", 22, 96, 0, &struct_facts[182], MultiSlice_members, MultiSlice_versions},
    {"HostMemoryAllocator", 23, 103, 0, &struct_facts[183], HostMemoryAllocator_members, HostMemoryAllocator_versions},
    {"XlaTransform", 24, 110, 0, &struct_facts[184], XlaTransform_members, XlaTransform_versions},
};

constexpr ValueFact PJRT_Error_Code_values[] = {
    {"PJRT_Error_Code_OK", 0, 77},
    {"PJRT_Error_Code_CANCELLED", 1, 1},
    {"PJRT_Error_Code_UNKNOWN", 2, 1},
    {"PJRT_Error_Code_INVALID_ARGUMENT", 3, 1},
    {"PJRT_Error_Code_DEADLINE_EXCEEDED", 4, 1},
    {"PJRT_Error_Code_NOT_FOUND", 5, 1},
    {"PJRT_Error_Code_ALREADY_EXISTS", 6, 1},
    {"PJRT_Error_Code_PERMISSION_DENIED", 7, 1},
    {"PJRT_Error_Code_RESOURCE_EXHAUSTED", 8, 1},
    {"PJRT_Error_Code_FAILED_PRECONDITION", 9, 1},
    {"PJRT_Error_Code_ABORTED", 10, 1},
    {"PJRT_Error_Code_OUT_OF_RANGE", 11, 1},
    {"PJRT_Error_Code_UNIMPLEMENTED", 12, 1},
    {"PJRT_Error_Code_INTERNAL", 13, 1},
    {"PJRT_Error_Code_UNAVAILABLE", 14, 1},
    {"PJRT_Error_Code_DATA_LOSS", 15, 1},
    {"PJRT_Error_Code_UNAUTHENTICATED", 16, 1},
};
constexpr ValueFact PJRT_NamedValue_Type_values[] = {
    {"PJRT_NamedValue_kString", 0, 1},
    {"PJRT_NamedValue_kInt64", 1, 1},
    {"PJRT_NamedValue_kInt64List", 2, 1},
    {"PJRT_NamedValue_kFloat", 3, 1},
    {"PJRT_NamedValue_kBool", 4, 30},
};
constexpr ValueFact PJRT_Buffer_Type_values[] = {
    {"PJRT_Buffer_Type_INVALID", 0, 1},
    {"PJRT_Buffer_Type_PRED", 1, 1},
    {"PJRT_Buffer_Type_S8", 2, 1},
    {"PJRT_Buffer_Type_S16", 3, 1},
    {"PJRT_Buffer_Type_S32", 4, 1},
    {"PJRT_Buffer_Type_S64", 5, 1},
    {"PJRT_Buffer_Type_U8", 6, 1},
    {"PJRT_Buffer_Type_U16", 7, 1},
    {"PJRT_Buffer_Type_U32", 8, 1},
    {"PJRT_Buffer_Type_U64", 9, 1},
    {"PJRT_Buffer_Type_F16", 10, 1},
    {"PJRT_Buffer_Type_F32", 11, 1},
    {"PJRT_Buffer_Type_F64", 12, 1},
    {"PJRT_Buffer_Type_BF16", 13, 1},
    {"PJRT_Buffer_Type_C64", 14, 1},
    {"PJRT_Buffer_Type_C128", 15, 1},
    {"PJRT_Buffer_Type_F8E5M2", 16, 1},
    {"PJRT_Buffer_Type_F8E4M3FN", 17, 1},
    {"PJRT_Buffer_Type_F8E4M3B11FNUZ", 18, 1},
    {"PJRT_Buffer_Type_F8E5M2FNUZ", 19, 4},
    {"PJRT_Buffer_Type_F8E4M3FNUZ", 20, 4},
    {"PJRT_Buffer_Type_S4", 21, 1},
    {"PJRT_Buffer_Type_U4", 22, 1},
    {"PJRT_Buffer_Type_TOKEN", 23, 50},
    {"PJRT_Buffer_Type_S2", 24, 53},
    {"PJRT_Buffer_Type_U2", 25, 53},
    {"PJRT_Buffer_Type_F8E4M3", 26, 55},
    {"PJRT_Buffer_Type_F8E3M4", 27, 55},
    {"PJRT_Buffer_Type_F8E8M0FNU", 28, 63},
    {"PJRT_Buffer_Type_F4E2M1FN", 29, 63},
    {"PJRT_Buffer_Type_S1", 30, 94},
    {"PJRT_Buffer_Type_U1", 31, 94},
    {"PJRT_Buffer_Type_F6E2M3FN", 32, 114},
    {"PJRT_Buffer_Type_F6E3M2FN", 33, 114},
};
constexpr ValueFact PJRT_HostBufferSemantics_values[] = {
    {"PJRT_HostBufferSemantics_kImmutableOnlyDuringCall", 0, 1},
    {"PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes", 1, 1},
    {"PJRT_HostBufferSemantics_kImmutableZeroCopy", 2, 1},
    {"PJRT_HostBufferSemantics_kMutableZeroCopy", 3, 48},
};
constexpr ValueFact PJRT_Buffer_MemoryLayout_Type_values[] = {
    {"PJRT_Buffer_MemoryLayout_Type_Tiled", 0, 4},
    {"PJRT_Buffer_MemoryLayout_Type_Strides", 1, 4},
};
constexpr ValueFact PJRT_Extension_Type_values[] = {
    {"PJRT_Extension_Type_Gpu_Custom_Call", 0, 41},
    {"PJRT_Extension_Type_Profiler", 1, 41},
    {"PJRT_Extension_Type_Custom_Partitioner", 2, 47},
    {"PJRT_Extension_Type_Stream", 3, 49},
    {"PJRT_Extension_Type_Layouts", 4, 51},
    {"PJRT_Extension_Type_FFI", 5, 53},
    {"PJRT_Extension_Type_MemoryDescriptions", 6, 59},
    {"PJRT_Extension_Type_Triton", 7, 65},
    {"PJRT_Extension_Type_RawBuffer", 8, 67},
    {"PJRT_Extension_Type_PhaseCompile", 9, 69},
    {"PJRT_Extension_Type_Example", 10, 72},
    {"PJRT_Extension_Type_Unknown", 11, 72},
    {"PJRT_Extension_Type_CrossHostTransfers", 12, 74},
    {"PJRT_Extension_Type_ExecutableMetadata", 13, 75},
    {"PJRT_Extension_Type_Callback", 14, 77},
    {"PJRT_Extension_Type_HostAllocator", 15, 80},
    {"PJRT_Extension_Type_TpuTopology", 16, 81},
    {"PJRT_Extension_Type_TpuExecutable", 17, 90},
    {"PJRT_Extension_Type_Megascale", 18, 90},
    {"PJRT_Extension_Type_Shardings", 19, 91},
    {"PJRT_Extension_Type_AbiVersion", 20, 91},
    {"PJRT_Extension_Type_Collectives", 21, 94},
    {"PJRT_Extension_Type_MultiSlice", 22, 96},
    {"PJRT_Extension_Type_HostMemoryAllocator", 23, 103},
    {"PJRT_Extension_Type_XlaTransform", 24, 110},
};
constexpr ValueFact PJRT_ProcessState_values[] = {
    {"PJRT_ProcessState_kUnspecified", 0, 73},
    {"PJRT_ProcessState_kUninitialized", 1, 73},
    {"PJRT_ProcessState_kDisconnected", 2, 73},
    {"PJRT_ProcessState_kConnected", 3, 73},
    {"PJRT_ProcessState_kError", 4, 73},
};

constexpr EnumFact enum_facts[] = {
    {"PJRT_Error_Code", PJRT_Error_Code_values},
    {"PJRT_NamedValue_Type", PJRT_NamedValue_Type_values},
    {"PJRT_Buffer_Type", PJRT_Buffer_Type_values},
    {"PJRT_HostBufferSemantics", PJRT_HostBufferSemantics_values},
    {"PJRT_Buffer_MemoryLayout_Type", PJRT_Buffer_MemoryLayout_Type_values},
    {"PJRT_Extension_Type", PJRT_Extension_Type_values},
    {"PJRT_ProcessState", PJRT_ProcessState_values},
};

}  // namespace

std::span<const StructFact> structs() noexcept { return struct_facts; }
std::span<const FunctionFact> functions() noexcept { return function_facts; }
std::span<const ExtensionFact> extensions() noexcept { return extension_facts; }
std::span<const EnumFact> enums() noexcept { return enum_facts; }

const ShiftedTable& shifted_table() noexcept {
  static constexpr ShiftedTable table{56, 816, 848, 592, 840};
  return table;
}

}  // namespace pier::abi
