#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// The PJRT table, its argument structs and enums.
// PJRT 0.117; a number behind a member is the minor version that brought it, where that came after its struct and
// after 0.40.

#include <cstddef>
#include <cstdint>

namespace pier::abi {

inline constexpr int api_major = 0;
inline constexpr int api_minor = 117;
inline constexpr int oldest_minor = 40;

enum PJRT_Error_Code : int {
  PJRT_Error_Code_OK = 0,  // 0.77
  PJRT_Error_Code_CANCELLED = 1,
  PJRT_Error_Code_UNKNOWN = 2,
  PJRT_Error_Code_INVALID_ARGUMENT = 3,
  PJRT_Error_Code_DEADLINE_EXCEEDED = 4,
  PJRT_Error_Code_NOT_FOUND = 5,
  PJRT_Error_Code_ALREADY_EXISTS = 6,
  PJRT_Error_Code_PERMISSION_DENIED = 7,
  PJRT_Error_Code_RESOURCE_EXHAUSTED = 8,
  PJRT_Error_Code_FAILED_PRECONDITION = 9,
  PJRT_Error_Code_ABORTED = 10,
  PJRT_Error_Code_OUT_OF_RANGE = 11,
  PJRT_Error_Code_UNIMPLEMENTED = 12,
  PJRT_Error_Code_INTERNAL = 13,
  PJRT_Error_Code_UNAVAILABLE = 14,
  PJRT_Error_Code_DATA_LOSS = 15,
  PJRT_Error_Code_UNAUTHENTICATED = 16,
};

enum PJRT_NamedValue_Type : int {
  PJRT_NamedValue_kString = 0,
  PJRT_NamedValue_kInt64 = 1,
  PJRT_NamedValue_kInt64List = 2,
  PJRT_NamedValue_kFloat = 3,
  PJRT_NamedValue_kBool = 4,
};

enum PJRT_Buffer_Type : int {
  PJRT_Buffer_Type_INVALID = 0,
  PJRT_Buffer_Type_PRED = 1,
  PJRT_Buffer_Type_S8 = 2,
  PJRT_Buffer_Type_S16 = 3,
  PJRT_Buffer_Type_S32 = 4,
  PJRT_Buffer_Type_S64 = 5,
  PJRT_Buffer_Type_U8 = 6,
  PJRT_Buffer_Type_U16 = 7,
  PJRT_Buffer_Type_U32 = 8,
  PJRT_Buffer_Type_U64 = 9,
  PJRT_Buffer_Type_F16 = 10,
  PJRT_Buffer_Type_F32 = 11,
  PJRT_Buffer_Type_F64 = 12,
  PJRT_Buffer_Type_BF16 = 13,
  PJRT_Buffer_Type_C64 = 14,
  PJRT_Buffer_Type_C128 = 15,
  PJRT_Buffer_Type_F8E5M2 = 16,
  PJRT_Buffer_Type_F8E4M3FN = 17,
  PJRT_Buffer_Type_F8E4M3B11FNUZ = 18,
  PJRT_Buffer_Type_F8E5M2FNUZ = 19,
  PJRT_Buffer_Type_F8E4M3FNUZ = 20,
  PJRT_Buffer_Type_S4 = 21,
  PJRT_Buffer_Type_U4 = 22,
  PJRT_Buffer_Type_TOKEN = 23,  // 0.50
  PJRT_Buffer_Type_S2 = 24,  // 0.53
  PJRT_Buffer_Type_U2 = 25,  // 0.53
  PJRT_Buffer_Type_F8E4M3 = 26,  // 0.55
  PJRT_Buffer_Type_F8E3M4 = 27,  // 0.55
  PJRT_Buffer_Type_F8E8M0FNU = 28,  // 0.63
  PJRT_Buffer_Type_F4E2M1FN = 29,  // 0.63
  PJRT_Buffer_Type_S1 = 30,  // 0.94
  PJRT_Buffer_Type_U1 = 31,  // 0.94
  PJRT_Buffer_Type_F6E2M3FN = 32,  // 0.114
  PJRT_Buffer_Type_F6E3M2FN = 33,  // 0.114
};

enum PJRT_HostBufferSemantics : int {
  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall = 0,
  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes = 1,
  PJRT_HostBufferSemantics_kImmutableZeroCopy = 2,  // 0.47
  PJRT_HostBufferSemantics_kMutableZeroCopy = 3,  // 0.48
};

enum PJRT_Buffer_MemoryLayout_Type : int {
  PJRT_Buffer_MemoryLayout_Type_Tiled = 0,
  PJRT_Buffer_MemoryLayout_Type_Strides = 1,
};

enum PJRT_Extension_Type : int {
  PJRT_Extension_Type_Gpu_Custom_Call = 0,
  PJRT_Extension_Type_Profiler = 1,
  PJRT_Extension_Type_Custom_Partitioner = 2,  // 0.47
  PJRT_Extension_Type_Stream = 3,  // 0.49
  PJRT_Extension_Type_Layouts = 4,  // 0.51
  PJRT_Extension_Type_FFI = 5,  // 0.53
  PJRT_Extension_Type_MemoryDescriptions = 6,  // 0.59
  PJRT_Extension_Type_Triton = 7,  // 0.65
  PJRT_Extension_Type_RawBuffer = 8,  // 0.67
  PJRT_Extension_Type_PhaseCompile = 9,  // 0.69
  PJRT_Extension_Type_Example = 10,  // 0.72
  PJRT_Extension_Type_Unknown = 11,  // 0.72
  PJRT_Extension_Type_CrossHostTransfers = 12,  // 0.74
  PJRT_Extension_Type_ExecutableMetadata = 13,  // 0.75
  PJRT_Extension_Type_Callback = 14,  // 0.77
  PJRT_Extension_Type_HostAllocator = 15,  // 0.80
  PJRT_Extension_Type_TpuTopology = 16,  // 0.81
  PJRT_Extension_Type_TpuExecutable = 17,  // 0.90
  PJRT_Extension_Type_Megascale = 18,  // 0.90
  PJRT_Extension_Type_Shardings = 19,  // 0.91
  PJRT_Extension_Type_AbiVersion = 20,  // 0.91
  PJRT_Extension_Type_Collectives = 21,  // 0.94
  PJRT_Extension_Type_MultiSlice = 22,  // 0.96
  PJRT_Extension_Type_HostMemoryAllocator = 23,  // 0.103
  PJRT_Extension_Type_XlaTransform = 24,  // 0.110
};

enum PJRT_ProcessState : int {
  PJRT_ProcessState_kUnspecified = 0,
  PJRT_ProcessState_kUninitialized = 1,
  PJRT_ProcessState_kDisconnected = 2,
  PJRT_ProcessState_kConnected = 3,
  PJRT_ProcessState_kError = 4,
};

struct PJRT_Api;
struct PJRT_Api_Version;
struct PJRT_AsyncHostToDeviceTransferManager;
struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args;
struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args;
struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args;
struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args;
struct PJRT_AsyncHostToDeviceTransferManager_Device_Args;
struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args;
struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args;
struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args;
struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args;
struct PJRT_AsyncTrackingEvent;
struct PJRT_AsyncTrackingEvent_Destroy_Args;
struct PJRT_Buffer;
struct PJRT_Buffer_Bitcast_Args;
struct PJRT_Buffer_CopyRawToHostFuture_Args;
struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args;
struct PJRT_Buffer_CopyRawToHost_Args;
struct PJRT_Buffer_CopyToDevice_Args;
struct PJRT_Buffer_CopyToMemory_Args;
struct PJRT_Buffer_DecreaseExternalReferenceCount_Args;
struct PJRT_Buffer_Delete_Args;
struct PJRT_Buffer_Destroy_Args;
struct PJRT_Buffer_Device_Args;
struct PJRT_Buffer_Dimensions_Args;
struct PJRT_Buffer_DonateWithControlDependency_Args;
struct PJRT_Buffer_DonateWithControlDependency_Callback_Args;
struct PJRT_Buffer_DynamicDimensionIndices_Args;
struct PJRT_Buffer_ElementType_Args;
struct PJRT_Buffer_GetMemoryLayout_Args;
struct PJRT_Buffer_IncreaseExternalReferenceCount_Args;
struct PJRT_Buffer_IsDeleted_Args;
struct PJRT_Buffer_IsOnCpu_Args;
struct PJRT_Buffer_MemoryLayout;
struct PJRT_Buffer_MemoryLayout_Strides;
struct PJRT_Buffer_MemoryLayout_Tiled;
struct PJRT_Buffer_Memory_Args;
struct PJRT_Buffer_OnDeviceSizeInBytes_Args;
struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args;
struct PJRT_Buffer_ReadyEvent_Args;
struct PJRT_Buffer_ToHostBuffer_Args;
struct PJRT_Buffer_UnpaddedDimensions_Args;
struct PJRT_Buffer_UnsafePointer_Args;
struct PJRT_Chunk;
struct PJRT_Client;
struct PJRT_Client_AddressableDevices_Args;
struct PJRT_Client_AddressableMemories_Args;
struct PJRT_Client_BufferFromHostBuffer_Args;
struct PJRT_Client_Compile_Args;
struct PJRT_Client_CreateAliasBuffer_Args;
struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args;
struct PJRT_Client_CreateErrorBuffer_Args;
struct PJRT_Client_CreateUninitializedBuffer_Args;
struct PJRT_Client_CreateViewOfDeviceBuffer_Args;
struct PJRT_Client_Create_Args;
struct PJRT_Client_DefaultDeviceAssignment_Args;
struct PJRT_Client_Destroy_Args;
struct PJRT_Client_Devices_Args;
struct PJRT_Client_DmaMap_Args;
struct PJRT_Client_DmaUnmap_Args;
struct PJRT_Client_FulfillAliasBuffer_Args;
struct PJRT_Client_Load_Args;
struct PJRT_Client_LookupAddressableDevice_Args;
struct PJRT_Client_LookupDevice_Args;
struct PJRT_Client_PlatformName_Args;
struct PJRT_Client_PlatformVersion_Args;
struct PJRT_Client_ProcessIndex_Args;
struct PJRT_Client_TopologyDescription_Args;
struct PJRT_Client_UpdateGlobalProcessInfo_Args;
struct PJRT_Compile_Args;
struct PJRT_CopyToDeviceStream;
struct PJRT_CopyToDeviceStream_AddChunk_Args;
struct PJRT_CopyToDeviceStream_CurrentBytes_Args;
struct PJRT_CopyToDeviceStream_Destroy_Args;
struct PJRT_CopyToDeviceStream_GranuleSize_Args;
struct PJRT_CopyToDeviceStream_TotalBytes_Args;
struct PJRT_Device;
struct PJRT_DeviceAssignmentSerialized;
struct PJRT_DeviceDescription;
struct PJRT_DeviceDescription_Attributes_Args;
struct PJRT_DeviceDescription_DebugString_Args;
struct PJRT_DeviceDescription_Id_Args;
struct PJRT_DeviceDescription_Kind_Args;
struct PJRT_DeviceDescription_ProcessIndex_Args;
struct PJRT_DeviceDescription_ToString_Args;
struct PJRT_Device_AddressableMemories_Args;
struct PJRT_Device_Attributes;
struct PJRT_Device_ClearMemoryStats_Args;
struct PJRT_Device_CreateAsyncTrackingEvent_Args;
struct PJRT_Device_DefaultMemory_Args;
struct PJRT_Device_GetAttributes_Args;
struct PJRT_Device_GetDescription_Args;
struct PJRT_Device_IsAddressable_Args;
struct PJRT_Device_LocalHardwareId_Args;
struct PJRT_Device_MemoryStats_Args;
struct PJRT_Device_PoisonExecution_Args;
struct PJRT_Error;
struct PJRT_Error_Destroy_Args;
struct PJRT_Error_ForEachPayload_Args;
struct PJRT_Error_FunctionTable;
struct PJRT_Error_GetCode_Args;
struct PJRT_Error_Message_Args;
struct PJRT_Event;
struct PJRT_Event_Await_Args;
struct PJRT_Event_Create_Args;
struct PJRT_Event_Destroy_Args;
struct PJRT_Event_Error_Args;
struct PJRT_Event_IsReady_Args;
struct PJRT_Event_OnReady_Args;
struct PJRT_Event_Set_Args;
struct PJRT_Executable;
struct PJRT_Executable_DeserializeAndLoad_Args;
struct PJRT_Executable_Destroy_Args;
struct PJRT_Executable_Fingerprint_Args;
struct PJRT_Executable_GetCompileOptions_Args;
struct PJRT_Executable_GetCompiledMemoryStats_Args;
struct PJRT_Executable_GetCostAnalysis_Args;
struct PJRT_Executable_Name_Args;
struct PJRT_Executable_NumOutputs_Args;
struct PJRT_Executable_NumPartitions_Args;
struct PJRT_Executable_NumReplicas_Args;
struct PJRT_Executable_OptimizedProgram_Args;
struct PJRT_Executable_OutputDimensions_Args;
struct PJRT_Executable_OutputElementTypes_Args;
struct PJRT_Executable_OutputMemoryKinds_Args;
struct PJRT_Executable_ParameterMemoryKinds_Args;
struct PJRT_Executable_Serialize_Args;
struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args;
struct PJRT_ExecuteContext;
struct PJRT_ExecuteContext_Create_Args;
struct PJRT_ExecuteContext_Destroy_Args;
struct PJRT_ExecuteOptions;
struct PJRT_Extension_Base;
struct PJRT_FulfillAliasBufferCallback;
struct PJRT_HloOutputCallbackInfo;
struct PJRT_KeyValueGetCallback_Args;
struct PJRT_KeyValuePutCallback_Args;
struct PJRT_KeyValueTryGetCallback_Args;
struct PJRT_LoadOptions;
struct PJRT_LoadedExecutable;
struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args;
struct PJRT_LoadedExecutable_AddressableDevices_Args;
struct PJRT_LoadedExecutable_Delete_Args;
struct PJRT_LoadedExecutable_Destroy_Args;
struct PJRT_LoadedExecutable_Execute_Args;
struct PJRT_LoadedExecutable_Fingerprint_Args;
struct PJRT_LoadedExecutable_GetDeviceAssignment_Args;
struct PJRT_LoadedExecutable_GetExecutable_Args;
struct PJRT_LoadedExecutable_IsDeleted_Args;
struct PJRT_LogicalDeviceIds;
struct PJRT_Memory;
struct PJRT_Memory_AddressableByDevices_Args;
struct PJRT_Memory_DebugString_Args;
struct PJRT_Memory_FunctionTable;
struct PJRT_Memory_Id_Args;
struct PJRT_Memory_Kind_Args;
struct PJRT_Memory_Kind_Id_Args;
struct PJRT_Memory_ToString_Args;
struct PJRT_MultiSlice_Config;
struct PJRT_NamedValue;
struct PJRT_Plugin_Attributes_Args;
struct PJRT_Plugin_Initialize_Args;
struct PJRT_ProcessInfo;
struct PJRT_Program;
struct PJRT_RecvCallbackInfo;
struct PJRT_SendCallbackInfo;
struct PJRT_SerializedCompileOptions;
struct PJRT_SerializedExecutable;
struct PJRT_SerializedTopology;
struct PJRT_ShapeSpec;
struct PJRT_TopologyDescription;
struct PJRT_TopologyDescription_Attributes_Args;
struct PJRT_TopologyDescription_Create_Args;
struct PJRT_TopologyDescription_Deserialize_Args;
struct PJRT_TopologyDescription_Destroy_Args;
struct PJRT_TopologyDescription_Fingerprint_Args;
struct PJRT_TopologyDescription_GetDeviceDescriptions_Args;
struct PJRT_TopologyDescription_GetMemorySpaceKindIds_Args;
struct PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args;
struct PJRT_TopologyDescription_PlatformName_Args;
struct PJRT_TopologyDescription_PlatformVersion_Args;
struct PJRT_TopologyDescription_Serialize_Args;

using PJRT_CallbackError = PJRT_Error* (*)(PJRT_Error_Code, const char*, std::size_t);
using PJRT_Error_PayloadVisitor = void (*)(const char*, std::size_t, const char*, std::size_t, void*);
using PJRT_Event_OnReadyCallback = void (*)(PJRT_Error*, void*);
using PJRT_HloOutputCallback = void (*)(std::int64_t, std::int64_t, const void*, const std::int64_t*, std::size_t,
    PJRT_Buffer_Type, std::int64_t, void*);
using PJRT_KeyValueGetCallback = PJRT_Error* (*)(PJRT_KeyValueGetCallback_Args*);
using PJRT_KeyValueGetCallback_ValueDeleter = void (*)(char*);
using PJRT_KeyValuePutCallback = PJRT_Error* (*)(PJRT_KeyValuePutCallback_Args*);
using PJRT_KeyValueTryGetCallback = PJRT_Error* (*)(PJRT_KeyValueTryGetCallback_Args*);
using PJRT_KeyValueTryGetCallback_ValueDeleter = void (*)(char*);
using PJRT_RecvCallback = void (*)(PJRT_CopyToDeviceStream*, void*);
using PJRT_SendCallback = PJRT_Error* (*)(PJRT_Chunk*, PJRT_CallbackError*, std::size_t, bool, void*);

struct PJRT_Extension_Base {
  std::size_t struct_size = 24;  // 0.45
  PJRT_Extension_Type type{};  // 0.45
  PJRT_Extension_Base* next = nullptr;  // 0.45
};

struct PJRT_Api_Version {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  int major_version = 0;
  int minor_version = 0;
};

struct PJRT_Error_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Error* error = nullptr;
};

struct PJRT_Error_Message_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_Error* error = nullptr;
  const char* message = nullptr;
  std::size_t message_size = 0;
};

struct PJRT_Error_FunctionTable {
  std::size_t struct_size = 56;
  std::size_t instance_size = 0;
  PJRT_Extension_Base* extension_start = nullptr;
  void (*destroy)(PJRT_Error*) = nullptr;
  void (*message)(const PJRT_Error*, const char**, std::size_t*) = nullptr;
  PJRT_Error_Code (*get_code)(const PJRT_Error*) = nullptr;
  void (*for_each_payload)(const PJRT_Error*, PJRT_Error_PayloadVisitor, void*) = nullptr;
};

struct PJRT_Error {
  const PJRT_Error_FunctionTable* vtable = nullptr;
};

struct PJRT_Error_GetCode_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_Error* error = nullptr;
  PJRT_Error_Code code{};
};

struct PJRT_Error_ForEachPayload_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_Error* error = nullptr;
  PJRT_Error_PayloadVisitor visitor = nullptr;
  void* user_arg = nullptr;
};

struct PJRT_NamedValue {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* name = nullptr;
  std::size_t name_size = 0;
  PJRT_NamedValue_Type type{};
  union {
    const char* string_value = nullptr;
    std::int64_t int64_value;
    const std::int64_t* int64_array_value;
    float float_value;
    bool bool_value;
  };
  std::size_t value_size = 0;
};

struct PJRT_Plugin_Initialize_Args {
  std::size_t struct_size = 16;
  PJRT_Extension_Base* extension_start = nullptr;
};

struct PJRT_Plugin_Attributes_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_NamedValue* attributes = nullptr;
  std::size_t num_attributes = 0;
};

struct PJRT_Event_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Event_IsReady_Args {
  std::size_t struct_size = 25;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
  bool is_ready = false;
};

struct PJRT_Event_Error_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Event_Await_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Event_OnReady_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
  PJRT_Event_OnReadyCallback callback = nullptr;
  void* user_arg = nullptr;
};

struct PJRT_Event_Create_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Event_Set_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event = nullptr;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
};

struct PJRT_Memory_FunctionTable {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  std::size_t instance_struct_size = 0;
  void* (*get_user_data)(PJRT_Memory*, const void*) = nullptr;
  void (*set_user_data)(PJRT_Memory*, const void*, void*, void (*)(void*)) = nullptr;
};

struct PJRT_Memory {
  const PJRT_Memory_FunctionTable* vtable = nullptr;
};

struct PJRT_KeyValueGetCallback_Args {
  std::size_t struct_size = 80;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* key = nullptr;
  std::size_t key_size = 0;
  int timeout_in_ms = 0;
  PJRT_CallbackError* callback_error = nullptr;
  void* user_arg = nullptr;
  char* value = nullptr;
  std::size_t value_size = 0;
  PJRT_KeyValueGetCallback_ValueDeleter value_deleter_callback = nullptr;
};

struct PJRT_KeyValueTryGetCallback_Args {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* key = nullptr;
  std::size_t key_size = 0;
  PJRT_CallbackError* callback_error = nullptr;
  void* user_arg = nullptr;
  char* value = nullptr;
  std::size_t value_size = 0;
  PJRT_KeyValueTryGetCallback_ValueDeleter value_deleter_callback = nullptr;
};

struct PJRT_KeyValuePutCallback_Args {
  std::size_t struct_size = 64;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* key = nullptr;
  std::size_t key_size = 0;
  const char* value = nullptr;
  std::size_t value_size = 0;
  PJRT_CallbackError* callback_error = nullptr;
  void* user_arg = nullptr;
};

struct PJRT_Client_Create_Args {
  std::size_t struct_size = 88;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_NamedValue* create_options = nullptr;
  std::size_t num_options = 0;
  PJRT_KeyValueGetCallback kv_get_callback = nullptr;
  void* kv_get_user_arg = nullptr;
  PJRT_KeyValuePutCallback kv_put_callback = nullptr;
  void* kv_put_user_arg = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_KeyValueTryGetCallback kv_try_get_callback = nullptr;  // 0.61
  void* kv_try_get_user_arg = nullptr;  // 0.61
};

struct PJRT_Client_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
};

struct PJRT_Client_PlatformName_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  const char* platform_name = nullptr;
  std::size_t platform_name_size = 0;
};

struct PJRT_Client_ProcessIndex_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  int process_index = 0;
};

struct PJRT_Client_PlatformVersion_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  const char* platform_version = nullptr;
  std::size_t platform_version_size = 0;
};

struct PJRT_Client_TopologyDescription_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_TopologyDescription* topology = nullptr;
};

struct PJRT_Client_Devices_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Device*const* devices = nullptr;
  std::size_t num_devices = 0;
};

struct PJRT_Client_AddressableDevices_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Device*const* addressable_devices = nullptr;
  std::size_t num_addressable_devices = 0;
};

struct PJRT_Client_LookupDevice_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  int id = 0;
  PJRT_Device* device = nullptr;
};

struct PJRT_Client_LookupAddressableDevice_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  int local_hardware_id = 0;
  PJRT_Device* addressable_device = nullptr;
};

struct PJRT_ProcessInfo {
  std::size_t struct_size = 48;  // 0.75
  int task_id = 0;  // 0.75
  std::uint64_t incarnation_id = 0;  // 0.75
  PJRT_ProcessState state{};  // 0.75
  int error_code = 0;  // 0.75
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;  // 0.75
};

struct PJRT_Client_UpdateGlobalProcessInfo_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_ProcessInfo* process_infos = nullptr;
  std::size_t num_process_infos = 0;
};

struct PJRT_Client_AddressableMemories_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Memory*const* addressable_memories = nullptr;
  std::size_t num_addressable_memories = 0;
};

struct PJRT_Program {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  char* code = nullptr;
  std::size_t code_size = 0;
  const char* format = nullptr;
  std::size_t format_size = 0;
};

struct PJRT_Client_Compile_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  const PJRT_Program* program = nullptr;
  const char* compile_options = nullptr;
  std::size_t compile_options_size = 0;
  PJRT_LoadedExecutable* executable = nullptr;
};

struct PJRT_Client_Load_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Executable* executable = nullptr;
  const char* compile_options = nullptr;
  std::size_t compile_options_size = 0;
  PJRT_LoadedExecutable* loaded_executable = nullptr;
};

struct PJRT_Client_DefaultDeviceAssignment_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  int num_replicas = 0;
  int num_partitions = 0;
  std::size_t default_assignment_size = 0;
  int* default_assignment = nullptr;
};

struct PJRT_Client_DmaMap_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  void* data = nullptr;
  std::size_t size = 0;
};

struct PJRT_Client_DmaUnmap_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  void* data = nullptr;
};

struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
};

struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  int buffer_index = 0;
  const void* data = nullptr;
  std::int64_t offset = 0;
  std::int64_t transfer_size = 0;
  bool is_last_transfer = false;
  PJRT_Event* done_with_h2d_transfer = nullptr;
};

struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  int buffer_index = 0;
  PJRT_Buffer* buffer_out = nullptr;
};

struct PJRT_AsyncHostToDeviceTransferManager_Device_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  PJRT_Device* device_out = nullptr;
};

struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  std::size_t buffer_count = 0;
};

struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  int buffer_index = 0;
  std::size_t buffer_size = 0;
};

struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  int buffer_index = 0;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
};

struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  const PJRT_NamedValue* transfer_metadata = nullptr;
  std::size_t num_metadata = 0;
};

struct PJRT_Buffer_MemoryLayout_Tiled {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  const std::int64_t* minor_to_major = nullptr;
  std::size_t minor_to_major_size = 0;
  const std::int64_t* tile_dims = nullptr;
  const std::size_t* tile_dim_sizes = nullptr;
  std::size_t num_tiles = 0;
};

struct PJRT_Buffer_MemoryLayout_Strides {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  const std::int64_t* byte_strides = nullptr;
  std::size_t num_byte_strides = 0;
};

struct PJRT_Buffer_MemoryLayout {
  std::size_t struct_size = 76;
  PJRT_Extension_Base* extension_start = nullptr;
  union {
    PJRT_Buffer_MemoryLayout_Tiled tiled{};
    PJRT_Buffer_MemoryLayout_Strides strides;
  };
  PJRT_Buffer_MemoryLayout_Type type{};
};

struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {
  std::size_t struct_size = 80;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
  int buffer_index = 0;
  const void* data = nullptr;
  const std::int64_t* shape_dims = nullptr;
  std::size_t shape_num_dims = 0;
  PJRT_Buffer_Type shape_element_type{};
  PJRT_Buffer_MemoryLayout* shape_layout = nullptr;
  PJRT_Event* done_with_h2d_transfer = nullptr;
};

struct PJRT_Client_CreateUninitializedBuffer_Args {
  std::size_t struct_size = 80;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  const std::int64_t* shape_dims = nullptr;
  std::size_t shape_num_dims = 0;
  PJRT_Buffer_Type shape_element_type{};
  PJRT_Buffer_MemoryLayout* shape_layout = nullptr;
  PJRT_Device* device = nullptr;
  PJRT_Memory* memory = nullptr;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Client_CreateErrorBuffer_Args {
  std::size_t struct_size = 120;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
  const std::int64_t* shape_dims = nullptr;
  std::size_t shape_num_dims = 0;
  PJRT_Buffer_Type shape_element_type{};
  PJRT_Buffer_MemoryLayout* shape_layout = nullptr;
  PJRT_Memory* memory = nullptr;
  PJRT_Buffer* buffer = nullptr;
  const PJRT_NamedValue* payload = nullptr;  // 0.103
  std::size_t num_payload = 0;  // 0.103
  PJRT_Buffer_MemoryLayout* device_layout = nullptr;  // 0.117
};

struct PJRT_Client_CreateAliasBuffer_Args {
  std::size_t struct_size = 80;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Memory* memory = nullptr;
  const std::int64_t* shape_dims = nullptr;
  std::size_t shape_num_dims = 0;
  PJRT_Buffer_Type shape_element_type{};
  PJRT_Buffer_MemoryLayout* shape_layout = nullptr;
  PJRT_Buffer* alias_buffer = nullptr;
  PJRT_FulfillAliasBufferCallback* fulfill_alias_buffer_cb = nullptr;
};

struct PJRT_Client_FulfillAliasBuffer_Args {
  std::size_t struct_size = 64;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Error_Code status_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
  PJRT_FulfillAliasBufferCallback* fulfill_alias_buffer_cb = nullptr;
};

struct PJRT_Client_BufferFromHostBuffer_Args {
  std::size_t struct_size = 120;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  const void* data = nullptr;
  PJRT_Buffer_Type type{};
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  const std::int64_t* byte_strides = nullptr;
  std::size_t num_byte_strides = 0;
  PJRT_HostBufferSemantics host_buffer_semantics{};
  PJRT_Device* device = nullptr;
  PJRT_Memory* memory = nullptr;
  PJRT_Buffer_MemoryLayout* device_layout = nullptr;
  PJRT_Event* done_with_host_buffer = nullptr;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Client_CreateViewOfDeviceBuffer_Args {
  std::size_t struct_size = 112;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  void* device_buffer_ptr = nullptr;
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  PJRT_Buffer_Type element_type{};
  PJRT_Buffer_MemoryLayout* layout = nullptr;
  PJRT_Device* device = nullptr;
  void (*on_delete_callback)(void*, void*) = nullptr;
  void* on_delete_callback_arg = nullptr;
  std::intptr_t stream = 0;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Memory* memory = nullptr;  // 0.66
};

struct PJRT_ShapeSpec {
  std::size_t struct_size = 36;
  PJRT_Extension_Base* extension_start = nullptr;
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  PJRT_Buffer_Type element_type{};
};

struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_ShapeSpec* shape_specs = nullptr;
  std::size_t num_shape_specs = 0;
  PJRT_Buffer_MemoryLayout** device_layouts = nullptr;
  std::size_t num_device_layouts = 0;
  PJRT_Memory* memory = nullptr;
  PJRT_AsyncHostToDeviceTransferManager* transfer_manager = nullptr;
};

struct PJRT_DeviceDescription_Id_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  int id = 0;
};

struct PJRT_DeviceDescription_ProcessIndex_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  int process_index = 0;
};

struct PJRT_DeviceDescription_Attributes_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  std::size_t num_attributes = 0;
  const PJRT_NamedValue* attributes = nullptr;
};

struct PJRT_DeviceDescription_Kind_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  const char* device_kind = nullptr;
  std::size_t device_kind_size = 0;
};

struct PJRT_DeviceDescription_DebugString_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  const char* debug_string = nullptr;
  std::size_t debug_string_size = 0;
};

struct PJRT_DeviceDescription_ToString_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  const char* to_string = nullptr;
  std::size_t to_string_size = 0;
};

struct PJRT_Device_GetDescription_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
};

struct PJRT_Device_IsAddressable_Args {
  std::size_t struct_size = 25;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  bool is_addressable = false;
};

struct PJRT_Device_LocalHardwareId_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  int local_hardware_id = 0;
};

struct PJRT_Device_AddressableMemories_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  PJRT_Memory*const* memories = nullptr;
  std::size_t num_memories = 0;
};

struct PJRT_Device_DefaultMemory_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  PJRT_Memory* memory = nullptr;
};

struct PJRT_Device_MemoryStats_Args {
  std::size_t struct_size = 201;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  std::int64_t bytes_in_use = 0;
  std::int64_t peak_bytes_in_use = 0;
  bool peak_bytes_in_use_is_set = false;
  std::int64_t num_allocs = 0;
  bool num_allocs_is_set = false;
  std::int64_t largest_alloc_size = 0;
  bool largest_alloc_size_is_set = false;
  std::int64_t bytes_limit = 0;
  bool bytes_limit_is_set = false;
  std::int64_t bytes_reserved = 0;
  bool bytes_reserved_is_set = false;
  std::int64_t peak_bytes_reserved = 0;
  bool peak_bytes_reserved_is_set = false;
  std::int64_t bytes_reservable_limit = 0;
  bool bytes_reservable_limit_is_set = false;
  std::int64_t largest_free_block_bytes = 0;
  bool largest_free_block_bytes_is_set = false;
  std::int64_t pool_bytes = 0;
  bool pool_bytes_is_set = false;
  std::int64_t peak_pool_bytes = 0;
  bool peak_pool_bytes_is_set = false;
  std::int64_t peak_allocated_bytes = 0;  // 0.113
  bool peak_allocated_bytes_is_set = false;  // 0.113
};

struct PJRT_Device_ClearMemoryStats_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
};

struct PJRT_Device_PoisonExecution_Args {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  std::int32_t launch_id = 0;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
  bool poisoned = false;
  const PJRT_NamedValue* payload = nullptr;  // 0.100
  std::size_t num_payload = 0;  // 0.100
};

struct PJRT_Device_GetAttributes_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  const PJRT_NamedValue* attributes = nullptr;
  std::size_t num_attributes = 0;
  PJRT_Device_Attributes* device_attributes = nullptr;
  void (*attributes_deleter)(PJRT_Device_Attributes*) = nullptr;
};

struct PJRT_Device_CreateAsyncTrackingEvent_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device = nullptr;
  const char* description = nullptr;
  std::size_t description_size = 0;
  PJRT_AsyncTrackingEvent* event = nullptr;
};

struct PJRT_AsyncTrackingEvent_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_AsyncTrackingEvent* event = nullptr;
};

struct PJRT_Memory_Id_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Memory* memory = nullptr;
  int id = 0;
};

struct PJRT_Memory_Kind_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Memory* memory = nullptr;
  const char* kind = nullptr;
  std::size_t kind_size = 0;
};

struct PJRT_Memory_Kind_Id_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Memory* memory = nullptr;
  int kind_id = 0;
};

struct PJRT_Memory_DebugString_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Memory* memory = nullptr;
  const char* debug_string = nullptr;
  std::size_t debug_string_size = 0;
};

struct PJRT_Memory_ToString_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Memory* memory = nullptr;
  const char* to_string = nullptr;
  std::size_t to_string_size = 0;
};

struct PJRT_Memory_AddressableByDevices_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Memory* memory = nullptr;
  PJRT_Device*const* devices = nullptr;
  std::size_t num_devices = 0;
};

struct PJRT_ExecuteContext_Create_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_ExecuteContext* context = nullptr;
};

struct PJRT_ExecuteContext_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_ExecuteContext* context = nullptr;
};

struct PJRT_Executable_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
};

struct PJRT_LoadedExecutable_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
};

struct PJRT_LoadedExecutable_GetExecutable_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* loaded_executable = nullptr;
  PJRT_Executable* executable = nullptr;
};

struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
  const char* serialized_bytes = nullptr;
  std::size_t serialized_bytes_size = 0;
  PJRT_DeviceAssignmentSerialized* serialized_device_assignment = nullptr;
  void (*serialized_device_assignment_deleter)(PJRT_DeviceAssignmentSerialized*) = nullptr;
};

struct PJRT_Executable_Name_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  const char* executable_name = nullptr;
  std::size_t executable_name_size = 0;
};

struct PJRT_Executable_NumReplicas_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_replicas = 0;
};

struct PJRT_Executable_NumPartitions_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_partitions = 0;
};

struct PJRT_LogicalDeviceIds {
  int replica = 0;
  int partition = 0;
};

struct PJRT_LoadedExecutable_AddressableDevices_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
  PJRT_Device*const* addressable_devices = nullptr;
  std::size_t num_addressable_devices = 0;
};

struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
  PJRT_LogicalDeviceIds* addressable_device_logical_ids = nullptr;
  std::size_t num_addressable_device_logical_ids = 0;
};

struct PJRT_Executable_OptimizedProgram_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  PJRT_Program* program = nullptr;
};

struct PJRT_LoadedExecutable_Delete_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
};

struct PJRT_LoadedExecutable_IsDeleted_Args {
  std::size_t struct_size = 25;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
  bool is_deleted = false;
};

struct PJRT_Chunk {
  void* data = nullptr;
  std::size_t size = 0;
  void (*deleter)(void*, void*) = nullptr;
  void* deleter_arg = nullptr;
};

struct PJRT_SendCallbackInfo {
  std::int64_t channel_id = 0;
  void* user_arg = nullptr;
  PJRT_SendCallback send_callback = nullptr;
};

struct PJRT_RecvCallbackInfo {
  std::int64_t channel_id = 0;
  void* user_arg = nullptr;
  PJRT_RecvCallback recv_callback = nullptr;
};

struct PJRT_HloOutputCallbackInfo {
  void* user_arg = nullptr;
  PJRT_HloOutputCallback callback = nullptr;
  std::int64_t callback_id = 0;
  std::size_t num_operands = 0;
};

struct PJRT_ExecuteOptions {
  std::size_t struct_size = 160;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_SendCallbackInfo** send_callbacks = nullptr;
  PJRT_RecvCallbackInfo** recv_callbacks = nullptr;
  std::size_t num_send_ops = 0;
  std::size_t num_recv_ops = 0;
  int launch_id = 0;
  const std::int64_t* non_donatable_input_indices = nullptr;
  std::size_t num_non_donatable_input_indices = 0;
  PJRT_ExecuteContext* context = nullptr;  // 0.64
  const char* call_location = nullptr;  // 0.76
  std::size_t num_tasks = 0;  // 0.78
  int* task_ids = nullptr;  // 0.78
  std::int64_t* incarnation_ids = nullptr;  // 0.78
  PJRT_MultiSlice_Config* multi_slice_config = nullptr;  // 0.97
  bool use_major_to_minor_data_layout_for_callbacks = false;  // 0.108
  PJRT_HloOutputCallbackInfo* hlo_output_callbacks = nullptr;  // 0.112
  std::size_t num_hlo_output_callbacks = 0;  // 0.112
  const PJRT_NamedValue* custom_options = nullptr;  // 0.116
  std::size_t num_custom_options = 0;  // 0.116
};

struct PJRT_LoadedExecutable_Execute_Args {
  std::size_t struct_size = 80;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
  PJRT_ExecuteOptions* options = nullptr;
  PJRT_Buffer*const*const* argument_lists = nullptr;
  std::size_t num_devices = 0;
  std::size_t num_args = 0;
  PJRT_Buffer**const* output_lists = nullptr;
  PJRT_Event** device_complete_events = nullptr;
  PJRT_Device* execute_device = nullptr;
};

struct PJRT_Executable_NumOutputs_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_outputs = 0;
};

struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::int64_t size_in_bytes = 0;
};

struct PJRT_Executable_Fingerprint_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  const char* executable_fingerprint = nullptr;
  std::size_t executable_fingerprint_size = 0;
};

struct PJRT_Executable_GetCostAnalysis_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_properties = 0;
  const PJRT_NamedValue* properties = nullptr;
};

struct PJRT_Executable_GetCompiledMemoryStats_Args {
  std::size_t struct_size = 144;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::int64_t generated_code_size_in_bytes = 0;
  std::int64_t argument_size_in_bytes = 0;
  std::int64_t output_size_in_bytes = 0;
  std::int64_t alias_size_in_bytes = 0;
  std::int64_t temp_size_in_bytes = 0;
  std::int64_t host_generated_code_size_in_bytes = 0;  // 0.43
  std::int64_t host_argument_size_in_bytes = 0;  // 0.43
  std::int64_t host_output_size_in_bytes = 0;  // 0.43
  std::int64_t host_alias_size_in_bytes = 0;  // 0.43
  std::int64_t host_temp_size_in_bytes = 0;  // 0.43
  std::int64_t peak_memory_in_bytes = 0;  // 0.72
  std::int64_t total_size_in_bytes = 0;  // 0.90
  std::int64_t total_allocation_bytes = 0;  // 0.104
  std::int64_t indefinite_allocations = 0;  // 0.104
  std::int64_t peak_unpadded_heap_bytes = 0;  // 0.104
};

struct PJRT_Executable_OutputElementTypes_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  PJRT_Buffer_Type* output_types = nullptr;
  std::size_t num_output_types = 0;
};

struct PJRT_Executable_OutputDimensions_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_outputs = 0;
  const std::int64_t* dims = nullptr;
  const std::size_t* dim_sizes = nullptr;
};

struct PJRT_Executable_ParameterMemoryKinds_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_parameters = 0;
  const char*const* memory_kinds = nullptr;
  const std::size_t* memory_kind_sizes = nullptr;
};

struct PJRT_Executable_OutputMemoryKinds_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_outputs = 0;
  const char*const* memory_kinds = nullptr;
  const std::size_t* memory_kind_sizes = nullptr;
};

struct PJRT_Executable_Serialize_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_Executable* executable = nullptr;
  const char* serialized_bytes = nullptr;
  std::size_t serialized_bytes_size = 0;
  PJRT_SerializedExecutable* serialized_executable = nullptr;
  void (*serialized_executable_deleter)(PJRT_SerializedExecutable*) = nullptr;
};

struct PJRT_Executable_GetCompileOptions_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  const char* serialized_bytes = nullptr;
  std::size_t serialized_bytes_size = 0;
  PJRT_SerializedCompileOptions* serialized_compile_options = nullptr;
  void (*serialized_compile_options_deleter)(PJRT_SerializedCompileOptions*) = nullptr;
};

struct PJRT_LoadOptions {
  std::size_t struct_size = 32;
  const std::int32_t* computation_origin = nullptr;
  std::size_t computation_origin_size = 0;
  PJRT_MultiSlice_Config* multi_slice_config = nullptr;
};

struct PJRT_Executable_DeserializeAndLoad_Args {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  const char* serialized_executable = nullptr;
  std::size_t serialized_executable_size = 0;
  PJRT_LoadedExecutable* loaded_executable = nullptr;
  const char* overridden_serialized_compile_options = nullptr;  // 0.71
  std::size_t overridden_serialized_compile_options_size = 0;  // 0.71
  PJRT_LoadOptions* load_options = nullptr;  // 0.111
};

struct PJRT_LoadedExecutable_Fingerprint_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable = nullptr;
  const char* executable_fingerprint = nullptr;
  std::size_t executable_fingerprint_size = 0;
};

struct PJRT_Buffer_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Buffer_ElementType_Args {
  std::size_t struct_size = 28;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Buffer_Type type{};
};

struct PJRT_Buffer_Dimensions_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
};

struct PJRT_Buffer_UnpaddedDimensions_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  const std::int64_t* unpadded_dims = nullptr;
  std::size_t num_dims = 0;
};

struct PJRT_Buffer_DynamicDimensionIndices_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  const std::size_t* dynamic_dim_indices = nullptr;
  std::size_t num_dynamic_dims = 0;
};

struct PJRT_Buffer_GetMemoryLayout_Args {
  std::size_t struct_size = 104;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Buffer_MemoryLayout layout{};
};

struct PJRT_Buffer_ToHostBuffer_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* src = nullptr;
  PJRT_Buffer_MemoryLayout* host_layout = nullptr;
  void* dst = nullptr;
  std::size_t dst_size = 0;
  PJRT_Event* event = nullptr;
};

struct PJRT_Buffer_OnDeviceSizeInBytes_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  std::size_t on_device_size_in_bytes = 0;
};

struct PJRT_Buffer_Delete_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Buffer_IsDeleted_Args {
  std::size_t struct_size = 25;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  bool is_deleted = false;
};

struct PJRT_Buffer_CopyRawToHost_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  void* dst = nullptr;
  std::int64_t offset = 0;
  std::int64_t transfer_size = 0;
  PJRT_Event* event = nullptr;
};

struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
  std::size_t struct_size = 48;
  void* callback_data = nullptr;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
  void* dst = nullptr;
};

struct PJRT_Buffer_CopyRawToHostFuture_Args {
  std::size_t struct_size = 64;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  std::int64_t offset = 0;
  std::int64_t transfer_size = 0;
  PJRT_Event* event = nullptr;
  void* callback_data = nullptr;
  void (*future_ready_callback)(PJRT_Buffer_CopyRawToHostFuture_Callback_Args*) = nullptr;
};

struct PJRT_Buffer_CopyToDevice_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Device* dst_device = nullptr;
  PJRT_Buffer* dst_buffer = nullptr;
};

struct PJRT_Buffer_CopyToMemory_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Memory* dst_memory = nullptr;
  PJRT_Buffer* dst_buffer = nullptr;
};

struct PJRT_Buffer_Bitcast_Args {
  std::size_t struct_size = 64;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Buffer_Type element_type{};
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  PJRT_Buffer_MemoryLayout* device_layout = nullptr;
  PJRT_Buffer* out_buffer = nullptr;
};

struct PJRT_Buffer_IsOnCpu_Args {
  std::size_t struct_size = 25;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  bool is_on_cpu = false;
};

struct PJRT_Buffer_Device_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Device* device = nullptr;
};

struct PJRT_Buffer_Memory_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Memory* memory = nullptr;
};

struct PJRT_Buffer_ReadyEvent_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Buffer_UnsafePointer_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  std::uintptr_t buffer_pointer = 0;
};

struct PJRT_Buffer_IncreaseExternalReferenceCount_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Buffer_DecreaseExternalReferenceCount_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  void* device_memory_ptr = nullptr;
};

struct PJRT_Buffer_DonateWithControlDependency_Callback_Args {
  std::size_t struct_size = 40;
  void* callback_data = nullptr;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
};

struct PJRT_Buffer_DonateWithControlDependency_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  void* callback_data = nullptr;
  void (*dependency_ready_callback)(PJRT_Buffer_DonateWithControlDependency_Callback_Args*) = nullptr;
  PJRT_Buffer* out_buffer = nullptr;
};

struct PJRT_CopyToDeviceStream_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_CopyToDeviceStream* stream = nullptr;
};

struct PJRT_CopyToDeviceStream_AddChunk_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_CopyToDeviceStream* stream = nullptr;
  PJRT_Chunk* chunk = nullptr;
  PJRT_Event* transfer_complete = nullptr;
};

struct PJRT_CopyToDeviceStream_TotalBytes_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_CopyToDeviceStream* stream = nullptr;
  std::int64_t total_bytes = 0;
};

struct PJRT_CopyToDeviceStream_GranuleSize_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_CopyToDeviceStream* stream = nullptr;
  std::int64_t granule_size_in_bytes = 0;
};

struct PJRT_CopyToDeviceStream_CurrentBytes_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_CopyToDeviceStream* stream = nullptr;
  std::int64_t current_bytes = 0;
};

struct PJRT_TopologyDescription_Create_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* topology_name = nullptr;
  std::size_t topology_name_size = 0;
  const PJRT_NamedValue* create_options = nullptr;
  std::size_t num_options = 0;
  PJRT_TopologyDescription* topology = nullptr;
};

struct PJRT_TopologyDescription_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_TopologyDescription* topology = nullptr;
};

struct PJRT_TopologyDescription_PlatformVersion_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_TopologyDescription* topology = nullptr;
  const char* platform_version = nullptr;
  std::size_t platform_version_size = 0;
};

struct PJRT_TopologyDescription_PlatformName_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_TopologyDescription* topology = nullptr;
  const char* platform_name = nullptr;
  std::size_t platform_name_size = 0;
};

struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_TopologyDescription* topology = nullptr;
  PJRT_DeviceDescription*const* descriptions = nullptr;
  std::size_t num_descriptions = 0;
};

struct PJRT_TopologyDescription_Serialize_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_TopologyDescription* topology = nullptr;
  const char* serialized_bytes = nullptr;
  std::size_t serialized_bytes_size = 0;
  PJRT_SerializedTopology* serialized_topology = nullptr;
  void (*serialized_topology_deleter)(PJRT_SerializedTopology*) = nullptr;
};

struct PJRT_TopologyDescription_Deserialize_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* serialized_topology = nullptr;
  std::size_t serialized_topology_size = 0;
  PJRT_TopologyDescription* topology = nullptr;
};

struct PJRT_TopologyDescription_Attributes_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_TopologyDescription* topology = nullptr;
  const PJRT_NamedValue* attributes = nullptr;
  std::size_t num_attributes = 0;
};

struct PJRT_TopologyDescription_Fingerprint_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_TopologyDescription* topology = nullptr;
  std::uint64_t fingerprint = 0;
};

struct PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {
  std::size_t struct_size = 88;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_TopologyDescription* topology = nullptr;
  int memory_space_kind_id = 0;
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  PJRT_Buffer_Type element_type{};
  const PJRT_Buffer_MemoryLayout* layout = nullptr;
  const char* serialized_shape = nullptr;
  std::size_t serialized_shape_size = 0;
  void (*serialized_shape_deleter)(const char*) = nullptr;
};

struct PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_TopologyDescription* topology = nullptr;
  const int* memory_space_kind_ids = nullptr;
  std::size_t num_memory_space_kind_ids = 0;
};

struct PJRT_Compile_Args {
  std::size_t struct_size = 64;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_TopologyDescription* topology = nullptr;
  const PJRT_Program* program = nullptr;
  const char* compile_options = nullptr;
  std::size_t compile_options_size = 0;
  PJRT_Client* client = nullptr;
  PJRT_Executable* executable = nullptr;
};

struct PJRT_Api {
  std::size_t struct_size = 1144;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Api_Version pjrt_api_version{};
  void (*PJRT_Error_Destroy)(PJRT_Error_Destroy_Args*) = nullptr;
  void (*PJRT_Error_Message)(PJRT_Error_Message_Args*) = nullptr;
  PJRT_Error* (*PJRT_Error_GetCode)(PJRT_Error_GetCode_Args*) = nullptr;
  PJRT_Error* (*PJRT_Plugin_Initialize)(PJRT_Plugin_Initialize_Args*) = nullptr;
  PJRT_Error* (*PJRT_Plugin_Attributes)(PJRT_Plugin_Attributes_Args*) = nullptr;
  PJRT_Error* (*PJRT_Event_Destroy)(PJRT_Event_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_Event_IsReady)(PJRT_Event_IsReady_Args*) = nullptr;
  PJRT_Error* (*PJRT_Event_Error)(PJRT_Event_Error_Args*) = nullptr;
  PJRT_Error* (*PJRT_Event_Await)(PJRT_Event_Await_Args*) = nullptr;
  PJRT_Error* (*PJRT_Event_OnReady)(PJRT_Event_OnReady_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_Create)(PJRT_Client_Create_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_Destroy)(PJRT_Client_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_PlatformName)(PJRT_Client_PlatformName_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_ProcessIndex)(PJRT_Client_ProcessIndex_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_PlatformVersion)(PJRT_Client_PlatformVersion_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_Devices)(PJRT_Client_Devices_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_AddressableDevices)(PJRT_Client_AddressableDevices_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_LookupDevice)(PJRT_Client_LookupDevice_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_LookupAddressableDevice)(PJRT_Client_LookupAddressableDevice_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_AddressableMemories)(PJRT_Client_AddressableMemories_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_Compile)(PJRT_Client_Compile_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_DefaultDeviceAssignment)(PJRT_Client_DefaultDeviceAssignment_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_BufferFromHostBuffer)(PJRT_Client_BufferFromHostBuffer_Args*) = nullptr;
  PJRT_Error* (*PJRT_DeviceDescription_Id)(PJRT_DeviceDescription_Id_Args*) = nullptr;
  PJRT_Error* (*PJRT_DeviceDescription_ProcessIndex)(PJRT_DeviceDescription_ProcessIndex_Args*) = nullptr;
  PJRT_Error* (*PJRT_DeviceDescription_Attributes)(PJRT_DeviceDescription_Attributes_Args*) = nullptr;
  PJRT_Error* (*PJRT_DeviceDescription_Kind)(PJRT_DeviceDescription_Kind_Args*) = nullptr;
  PJRT_Error* (*PJRT_DeviceDescription_DebugString)(PJRT_DeviceDescription_DebugString_Args*) = nullptr;
  PJRT_Error* (*PJRT_DeviceDescription_ToString)(PJRT_DeviceDescription_ToString_Args*) = nullptr;
  PJRT_Error* (*PJRT_Device_GetDescription)(PJRT_Device_GetDescription_Args*) = nullptr;
  PJRT_Error* (*PJRT_Device_IsAddressable)(PJRT_Device_IsAddressable_Args*) = nullptr;
  PJRT_Error* (*PJRT_Device_LocalHardwareId)(PJRT_Device_LocalHardwareId_Args*) = nullptr;
  PJRT_Error* (*PJRT_Device_AddressableMemories)(PJRT_Device_AddressableMemories_Args*) = nullptr;
  PJRT_Error* (*PJRT_Device_DefaultMemory)(PJRT_Device_DefaultMemory_Args*) = nullptr;
  PJRT_Error* (*PJRT_Device_MemoryStats)(PJRT_Device_MemoryStats_Args*) = nullptr;
  PJRT_Error* (*PJRT_Memory_Id)(PJRT_Memory_Id_Args*) = nullptr;
  PJRT_Error* (*PJRT_Memory_Kind)(PJRT_Memory_Kind_Args*) = nullptr;
  PJRT_Error* (*PJRT_Memory_DebugString)(PJRT_Memory_DebugString_Args*) = nullptr;
  PJRT_Error* (*PJRT_Memory_ToString)(PJRT_Memory_ToString_Args*) = nullptr;
  PJRT_Error* (*PJRT_Memory_AddressableByDevices)(PJRT_Memory_AddressableByDevices_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_Destroy)(PJRT_Executable_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_Name)(PJRT_Executable_Name_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_NumReplicas)(PJRT_Executable_NumReplicas_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_NumPartitions)(PJRT_Executable_NumPartitions_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_NumOutputs)(PJRT_Executable_NumOutputs_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_SizeOfGeneratedCodeInBytes)(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_GetCostAnalysis)(PJRT_Executable_GetCostAnalysis_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_OutputMemoryKinds)(PJRT_Executable_OutputMemoryKinds_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_OptimizedProgram)(PJRT_Executable_OptimizedProgram_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_Serialize)(PJRT_Executable_Serialize_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_Destroy)(PJRT_LoadedExecutable_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_GetExecutable)(PJRT_LoadedExecutable_GetExecutable_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_AddressableDevices)(PJRT_LoadedExecutable_AddressableDevices_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_Delete)(PJRT_LoadedExecutable_Delete_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_IsDeleted)(PJRT_LoadedExecutable_IsDeleted_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_Execute)(PJRT_LoadedExecutable_Execute_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_DeserializeAndLoad)(PJRT_Executable_DeserializeAndLoad_Args*) = nullptr;
  PJRT_Error* (*PJRT_LoadedExecutable_Fingerprint)(PJRT_LoadedExecutable_Fingerprint_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_Destroy)(PJRT_Buffer_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_ElementType)(PJRT_Buffer_ElementType_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_Dimensions)(PJRT_Buffer_Dimensions_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_UnpaddedDimensions)(PJRT_Buffer_UnpaddedDimensions_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_DynamicDimensionIndices)(PJRT_Buffer_DynamicDimensionIndices_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_GetMemoryLayout)(PJRT_Buffer_GetMemoryLayout_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_OnDeviceSizeInBytes)(PJRT_Buffer_OnDeviceSizeInBytes_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_Device)(PJRT_Buffer_Device_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_Memory)(PJRT_Buffer_Memory_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_Delete)(PJRT_Buffer_Delete_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_IsDeleted)(PJRT_Buffer_IsDeleted_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_CopyToDevice)(PJRT_Buffer_CopyToDevice_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_ToHostBuffer)(PJRT_Buffer_ToHostBuffer_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_IsOnCpu)(PJRT_Buffer_IsOnCpu_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_ReadyEvent)(PJRT_Buffer_ReadyEvent_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_UnsafePointer)(PJRT_Buffer_UnsafePointer_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_IncreaseExternalReferenceCount)(PJRT_Buffer_IncreaseExternalReferenceCount_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_DecreaseExternalReferenceCount)(PJRT_Buffer_DecreaseExternalReferenceCount_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_OpaqueDeviceMemoryDataPointer)(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args*) = nullptr;
  PJRT_Error* (*PJRT_CopyToDeviceStream_Destroy)(PJRT_CopyToDeviceStream_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_CopyToDeviceStream_AddChunk)(PJRT_CopyToDeviceStream_AddChunk_Args*) = nullptr;
  PJRT_Error* (*PJRT_CopyToDeviceStream_TotalBytes)(PJRT_CopyToDeviceStream_TotalBytes_Args*) = nullptr;
  PJRT_Error* (*PJRT_CopyToDeviceStream_GranuleSize)(PJRT_CopyToDeviceStream_GranuleSize_Args*) = nullptr;
  PJRT_Error* (*PJRT_CopyToDeviceStream_CurrentBytes)(PJRT_CopyToDeviceStream_CurrentBytes_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_Create)(PJRT_TopologyDescription_Create_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_Destroy)(PJRT_TopologyDescription_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_PlatformName)(PJRT_TopologyDescription_PlatformName_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_PlatformVersion)(PJRT_TopologyDescription_PlatformVersion_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_GetDeviceDescriptions)(PJRT_TopologyDescription_GetDeviceDescriptions_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_Serialize)(PJRT_TopologyDescription_Serialize_Args*) = nullptr;
  PJRT_Error* (*PJRT_TopologyDescription_Attributes)(PJRT_TopologyDescription_Attributes_Args*) = nullptr;
  PJRT_Error* (*PJRT_Compile)(PJRT_Compile_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_OutputElementTypes)(PJRT_Executable_OutputElementTypes_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_OutputDimensions)(PJRT_Executable_OutputDimensions_Args*) = nullptr;
  PJRT_Error* (*PJRT_Buffer_CopyToMemory)(PJRT_Buffer_CopyToMemory_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_CreateViewOfDeviceBuffer)(PJRT_Client_CreateViewOfDeviceBuffer_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_Fingerprint)(PJRT_Executable_Fingerprint_Args*) = nullptr;
  PJRT_Error* (*PJRT_Client_TopologyDescription)(PJRT_Client_TopologyDescription_Args*) = nullptr;
  PJRT_Error* (*PJRT_Executable_GetCompiledMemoryStats)(PJRT_Executable_GetCompiledMemoryStats_Args*) = nullptr;
  PJRT_Error* (*PJRT_Memory_Kind_Id)(PJRT_Memory_Kind_Id_Args*) = nullptr;  // 0.48
  PJRT_Error* (*PJRT_ExecuteContext_Create)(PJRT_ExecuteContext_Create_Args*) = nullptr;  // 0.52
  PJRT_Error* (*PJRT_ExecuteContext_Destroy)(PJRT_ExecuteContext_Destroy_Args*) = nullptr;  // 0.52
  PJRT_Error* (*PJRT_Buffer_CopyRawToHost)(PJRT_Buffer_CopyRawToHost_Args*) = nullptr;  // 0.57
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_Destroy)(
      PJRT_AsyncHostToDeviceTransferManager_Destroy_Args*) = nullptr;  // 0.60
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_TransferData)(
      PJRT_AsyncHostToDeviceTransferManager_TransferData_Args*) = nullptr;  // 0.60
  PJRT_Error* (*PJRT_Client_CreateBuffersForAsyncHostToDevice)(
      PJRT_Client_CreateBuffersForAsyncHostToDevice_Args*) = nullptr;  // 0.60
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer)(
      PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args*) = nullptr;  // 0.62
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_Device)(
      PJRT_AsyncHostToDeviceTransferManager_Device_Args*) = nullptr;  // 0.62
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_BufferCount)(
      PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args*) = nullptr;  // 0.62
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_BufferSize)(
      PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args*) = nullptr;  // 0.62
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_SetBufferError)(
      PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args*) = nullptr;  // 0.62
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_AddMetadata)(
      PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args*) = nullptr;  // 0.62
  PJRT_Error* (*PJRT_Client_DmaMap)(PJRT_Client_DmaMap_Args*) = nullptr;  // 0.67
  PJRT_Error* (*PJRT_Client_DmaUnmap)(PJRT_Client_DmaUnmap_Args*) = nullptr;  // 0.67
  PJRT_Error* (*PJRT_Client_CreateUninitializedBuffer)(PJRT_Client_CreateUninitializedBuffer_Args*) = nullptr;  // 0.69
  PJRT_Error* (*PJRT_Client_UpdateGlobalProcessInfo)(PJRT_Client_UpdateGlobalProcessInfo_Args*) = nullptr;  // 0.73
  PJRT_Error* (*PJRT_TopologyDescription_Deserialize)(PJRT_TopologyDescription_Deserialize_Args*) = nullptr;  // 0.75
  PJRT_Error* (*PJRT_Client_CreateAliasBuffer)(PJRT_Client_CreateAliasBuffer_Args*) = nullptr;  // 0.77
  PJRT_Error* (*PJRT_Client_FulfillAliasBuffer)(PJRT_Client_FulfillAliasBuffer_Args*) = nullptr;  // 0.77
  PJRT_Error* (*PJRT_LoadedExecutable_GetDeviceAssignment)(PJRT_LoadedExecutable_GetDeviceAssignment_Args*) = nullptr;  // 0.79
  PJRT_Error* (*PJRT_Client_CreateErrorBuffer)(PJRT_Client_CreateErrorBuffer_Args*) = nullptr;  // 0.82
  PJRT_Error* (*PJRT_AsyncHostToDeviceTransferManager_TransferLiteral)(
      PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args*) = nullptr;  // 0.83
  PJRT_Error* (*PJRT_Buffer_CopyRawToHostFuture)(PJRT_Buffer_CopyRawToHostFuture_Args*) = nullptr;  // 0.84
  PJRT_Error* (*PJRT_Device_PoisonExecution)(PJRT_Device_PoisonExecution_Args*) = nullptr;  // 0.85
  PJRT_Error* (*PJRT_Device_CreateAsyncTrackingEvent)(PJRT_Device_CreateAsyncTrackingEvent_Args*) = nullptr;  // 0.86
  PJRT_Error* (*PJRT_AsyncTrackingEvent_Destroy)(PJRT_AsyncTrackingEvent_Destroy_Args*) = nullptr;  // 0.86
  PJRT_Error* (*PJRT_Executable_GetCompileOptions)(PJRT_Executable_GetCompileOptions_Args*) = nullptr;  // 0.87
  PJRT_Error* (*PJRT_Buffer_DonateWithControlDependency)(PJRT_Buffer_DonateWithControlDependency_Args*) = nullptr;  // 0.88
  PJRT_Error* (*PJRT_Event_Create)(PJRT_Event_Create_Args*) = nullptr;  // 0.89
  PJRT_Error* (*PJRT_Event_Set)(PJRT_Event_Set_Args*) = nullptr;  // 0.89
  PJRT_Error* (*PJRT_Device_GetAttributes)(PJRT_Device_GetAttributes_Args*) = nullptr;  // 0.92
  PJRT_Error* (*PJRT_Client_Load)(PJRT_Client_Load_Args*) = nullptr;  // 0.95
  PJRT_Error* (*PJRT_LoadedExecutable_AddressableDeviceLogicalIds)(
      PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args*) = nullptr;  // 0.96
  PJRT_Error* (*PJRT_Buffer_Bitcast)(PJRT_Buffer_Bitcast_Args*) = nullptr;  // 0.98
  PJRT_Error* (*PJRT_Error_ForEachPayload)(PJRT_Error_ForEachPayload_Args*) = nullptr;  // 0.99
  PJRT_Error* (*PJRT_TopologyDescription_Fingerprint)(PJRT_TopologyDescription_Fingerprint_Args*) = nullptr;  // 0.101
  PJRT_Error* (*PJRT_Executable_ParameterMemoryKinds)(PJRT_Executable_ParameterMemoryKinds_Args*) = nullptr;  // 0.102
  PJRT_Error* (*PJRT_Device_ClearMemoryStats)(PJRT_Device_ClearMemoryStats_Args*) = nullptr;  // 0.106
  PJRT_Error* (*PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace)(
      PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args*) = nullptr;  // 0.109
  PJRT_Error* (*PJRT_TopologyDescription_GetMemorySpaceKindIds)(
      PJRT_TopologyDescription_GetMemorySpaceKindIds_Args*) = nullptr;  // 0.110
};

using Api = PJRT_Api;

}  // namespace pier::abi
