#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// The extensions that any platform may offer.
// PJRT 0.117; a number behind a member is the minor version that brought it, where that came after its struct and
// after 0.40.

#include <cstddef>
#include <cstdint>

#include "abi/pjrt.h"

namespace pier::abi {

enum PJRT_FFI_Handler_TraitsBits : int {
  PJRT_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1,
};

enum PJRT_Callback_Type : int {
  PJRT_Callback_Type_Unknown = 0,
  PJRT_Callback_Type_Tpu_SliceBuilder = 1,
  PJRT_Callback_Type_Prefatal = 2,
};

enum PJRT_Callback_Tpu_SliceFailureType : int {
  SLICE_FAILURE_UNKNOWN = 0,
  SLICE_FAILURE_INIT_ERROR = 1,
  SLICE_FAILURE_WORKER_UNAVAILABLE = 2,
  SLICE_FAILURE_FLAPPING_TASK_ERROR = 3,
  SLICE_FAILURE_SW_INJECT_ERROR = 4,
  SLICE_FAILURE_CHIP_DRIVER_ERROR = 5,
};

enum PJRT_DeviceEvent_State : int {
  PJRT_DeviceEvent_State_Unavailable = 0,
  PJRT_DeviceEvent_State_Ready = 1,
  PJRT_DeviceEvent_State_Error = 2,
};

enum PJRT_XlaTransform_PipelineStage : int {
  PJRT_XlaTransform_PipelineStage_kPreScheduler = 0,
  PJRT_XlaTransform_PipelineStage_kPostScheduler = 1,
};

struct JAX_CustomCallPartitioner_Callbacks;
struct JAX_CustomCallPartitioner_InferShardingFromOperands_Args;
struct JAX_CustomCallPartitioner_Partition_Args;
struct JAX_CustomCallPartitioner_PropagateUserSharding_Args;
struct JAX_CustomCallPartitioner_aval;
struct JAX_CustomCallPartitioner_string;
struct JAX_CustomCallPartitioner_version_and_error;
struct PJRT_AbiVersion_Extension;
struct PJRT_Buffer;
struct PJRT_Buffer_MemoryLayout;
struct PJRT_Callback_Extension;
struct PJRT_Callback_InvokeCallback_Args;
struct PJRT_Callback_PrefatalArgs;
struct PJRT_Callback_RegisterCallback_Args;
struct PJRT_Callback_Tpu_SliceBuilderArgs;
struct PJRT_Clear_Xla_Transform_Args;
struct PJRT_Client;
struct PJRT_Client_RuntimeAbiVersion_Args;
struct PJRT_CrossHostTransfers_Extension;
struct PJRT_Custom_Partitioner_Extension;
struct PJRT_Device;
struct PJRT_DeviceDescription;
struct PJRT_DeviceDescription_MemoryDescriptions_Args;
struct PJRT_DeviceEvent;
struct PJRT_DeviceEventPromise;
struct PJRT_DeviceEventPromise_FunctionTable;
struct PJRT_DeviceEventVector;
struct PJRT_DeviceEvent_FunctionTable;
struct PJRT_Error;
struct PJRT_Event;
struct PJRT_Executable;
struct PJRT_ExecutableAbiVersion;
struct PJRT_ExecutableAbiVersion_Destroy_Args;
struct PJRT_ExecutableAbiVersion_FromProto_Args;
struct PJRT_ExecutableAbiVersion_PlatformId_Args;
struct PJRT_ExecutableAbiVersion_ToProto_Args;
struct PJRT_ExecutableMetadata;
struct PJRT_ExecutableMetadata_DestroySerializedMetadata_Args;
struct PJRT_ExecutableMetadata_Extension;
struct PJRT_ExecutableMetadata_GetExecutableMetadata_Args;
struct PJRT_Executable_GetAbiVersion_Args;
struct PJRT_ExecuteContext;
struct PJRT_Extension_Base;
struct PJRT_FFI;
struct PJRT_FFI_Extension;
struct PJRT_FFI_Register_Handler_Args;
struct PJRT_FFI_Type_Info;
struct PJRT_FFI_Type_Register_Args;
struct PJRT_FFI_UserData;
struct PJRT_FFI_UserData_Add_Args;
struct PJRT_Get_Stream_For_External_Ready_Events_Args;
struct PJRT_Gpu_Custom_Call;
struct PJRT_Gpu_Register_Custom_Call_Args;
struct PJRT_HloPassPipelineTrace;
struct PJRT_HostMemoryAllocator_Allocate_Args;
struct PJRT_HostMemoryAllocator_Extension;
struct PJRT_Layouts_Extension;
struct PJRT_Layouts_MemoryLayout;
struct PJRT_Layouts_MemoryLayout_Destroy_Args;
struct PJRT_Layouts_MemoryLayout_Serialize_Args;
struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args;
struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args;
struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args;
struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args;
struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args;
struct PJRT_Layouts_SerializedLayout;
struct PJRT_Memory;
struct PJRT_MemoryDescription;
struct PJRT_MemoryDescription_Kind_Args;
struct PJRT_MemoryDescriptions_Extension;
struct PJRT_PhaseCompile_C_Buffers_Destroy_Args;
struct PJRT_PhaseCompile_Destroy_Compiler_Args;
struct PJRT_PhaseCompile_Extension;
struct PJRT_PhaseCompile_Get_Compiler_Args;
struct PJRT_PhaseCompile_Get_PhaseNames_Args;
struct PJRT_PhaseCompile_Run_Phase_Args;
struct PJRT_PhaseCompiler;
struct PJRT_Profiler_Extension;
struct PJRT_RawBuffer;
struct PJRT_RawBuffer_CopyRawDeviceToHost_Args;
struct PJRT_RawBuffer_CopyRawHostToDevice_Args;
struct PJRT_RawBuffer_CreateRawAliasOfBuffer_Args;
struct PJRT_RawBuffer_Destroy_Args;
struct PJRT_RawBuffer_Extension;
struct PJRT_RawBuffer_FunctionTable;
struct PJRT_RawBuffer_GetHostPointer_Args;
struct PJRT_RawBuffer_GetMemorySpace_Args;
struct PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args;
struct PJRT_Register_Batch_Partitionable_Args;
struct PJRT_Register_Custom_Partitioner_Args;
struct PJRT_Register_Xla_Transform_Args;
struct PJRT_RuntimeAbiVersion;
struct PJRT_RuntimeAbiVersion_Destroy_Args;
struct PJRT_RuntimeAbiVersion_FromProto_Args;
struct PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args;
struct PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args;
struct PJRT_RuntimeAbiVersion_PlatformId_Args;
struct PJRT_RuntimeAbiVersion_ToProto_Args;
struct PJRT_SerializedProto;
struct PJRT_Shardings_Extension;
struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args;
struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args;
struct PJRT_Stream_Extension;
struct PJRT_TopologyDescription;
struct PJRT_Transfers_CrossHostRecvNotifierInfo;
struct PJRT_Transfers_CrossHostRemoteSendCallbackInfo;
struct PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args;
struct PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args;
struct PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args;
struct PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args;
struct PJRT_Wait_Until_Buffer_Ready_On_Stream_Args;
struct PJRT_XlaTransform_Args;
struct PJRT_XlaTransform_Callbacks;
struct PJRT_XlaTransform_string;
struct PJRT_XlaTransform_version_and_error;
struct PJRT_Xla_Transform_Destroy_Hlo_Pass_Pipeline_Trace_Args;
struct PJRT_Xla_Transform_Extension;
struct PJRT_Xla_Transform_Get_Hlo_Pass_Pipeline_Trace_Args;
struct PLUGIN_Profiler_Api;

using PJRT_Callback_Function = void(void*, void*);
using PJRT_Clear_Xla_Transform_Fn = PJRT_Error* (*)(PJRT_Clear_Xla_Transform_Args*);
using PJRT_DeviceEvent_AndThen = void (*)(void*);
using PJRT_ExecutableMetadata_DestroySerializedMetadata = void (*)(PJRT_ExecutableMetadata_DestroySerializedMetadata_Args*);
using PJRT_ExecutableMetadata_GetExecutableMetadata = PJRT_Error* (*)(PJRT_ExecutableMetadata_GetExecutableMetadata_Args*);
using PJRT_HostMemoryAllocator_Allocate = PJRT_Error* (*)(PJRT_HostMemoryAllocator_Allocate_Args*);
using PJRT_Register_Xla_Transform_Fn = PJRT_Error* (*)(PJRT_Register_Xla_Transform_Args*);
using PJRT_Transfers_CrossHostOnCanceledCallback = void (*)(PJRT_Error*, void*);
using PJRT_Transfers_CrossHostSendCancelNotifier = void (*)(const char*, std::size_t, PJRT_Error_Code, const char*,
    std::size_t, PJRT_Transfers_CrossHostOnCanceledCallback, void*, void*);
using PJRT_Transfers_CrossHostRecvNotifier = void (*)(PJRT_Error*, const char**, std::size_t*, std::size_t, void*,
    PJRT_Transfers_CrossHostSendCancelNotifier, void*);
using PJRT_Transfers_CrossHostRemoteSendCallback = void (*)(PJRT_Error*, bool, void*);
using PJRT_Transfers_DescriptorDestructor = void (*)(char**, std::size_t*);
using PJRT_Xla_Transform_Destroy_Hlo_Pass_Pipeline_Trace_Fn = void (*)(PJRT_Xla_Transform_Destroy_Hlo_Pass_Pipeline_Trace_Args*);
using PJRT_Xla_Transform_Get_Hlo_Pass_Pipeline_Trace_Fn = PJRT_Error* (*)(PJRT_Xla_Transform_Get_Hlo_Pass_Pipeline_Trace_Args*);

struct PJRT_Client_RuntimeAbiVersion_Args {
  std::size_t struct_size = 24;
  PJRT_Client* client = nullptr;
  PJRT_RuntimeAbiVersion* abi_version = nullptr;
};

struct PJRT_Executable_GetAbiVersion_Args {
  std::size_t struct_size = 24;
  PJRT_Executable* executable = nullptr;
  PJRT_ExecutableAbiVersion* abi_version = nullptr;
};

struct PJRT_RuntimeAbiVersion_Destroy_Args {
  std::size_t struct_size = 16;
  PJRT_RuntimeAbiVersion* abi_version = nullptr;
};

struct PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args {
  std::size_t struct_size = 24;
  const PJRT_RuntimeAbiVersion* abi_version = nullptr;
  const PJRT_RuntimeAbiVersion* other_abi_version = nullptr;
};

struct PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args {
  std::size_t struct_size = 24;
  const PJRT_RuntimeAbiVersion* abi_version = nullptr;
  const PJRT_ExecutableAbiVersion* executable_abi_version = nullptr;
};

struct PJRT_RuntimeAbiVersion_ToProto_Args {
  std::size_t struct_size = 48;
  const PJRT_RuntimeAbiVersion* abi_version = nullptr;
  const char* serialized_proto = nullptr;
  std::size_t serialized_proto_size = 0;
  PJRT_SerializedProto* serialized_proto_holder = nullptr;
  void (*serialized_proto_deleter)(PJRT_SerializedProto*) = nullptr;
};

struct PJRT_RuntimeAbiVersion_PlatformId_Args {
  std::size_t struct_size = 24;
  const PJRT_RuntimeAbiVersion* abi_version = nullptr;
  std::uint64_t platform_id = 0;
};

struct PJRT_ExecutableAbiVersion_Destroy_Args {
  std::size_t struct_size = 16;
  PJRT_ExecutableAbiVersion* abi_version = nullptr;
};

struct PJRT_ExecutableAbiVersion_ToProto_Args {
  std::size_t struct_size = 48;
  const PJRT_ExecutableAbiVersion* abi_version = nullptr;
  const char* serialized_proto = nullptr;
  std::size_t serialized_proto_size = 0;
  PJRT_SerializedProto* serialized_proto_holder = nullptr;
  void (*serialized_proto_deleter)(PJRT_SerializedProto*) = nullptr;
};

struct PJRT_ExecutableAbiVersion_PlatformId_Args {
  std::size_t struct_size = 24;
  const PJRT_ExecutableAbiVersion* abi_version = nullptr;
  std::uint64_t platform_id = 0;
};

struct PJRT_RuntimeAbiVersion_FromProto_Args {
  std::size_t struct_size = 32;
  const char* serialized_proto = nullptr;
  std::size_t serialized_proto_size = 0;
  PJRT_RuntimeAbiVersion* abi_version = nullptr;
};

struct PJRT_ExecutableAbiVersion_FromProto_Args {
  std::size_t struct_size = 32;
  const char* serialized_proto = nullptr;
  std::size_t serialized_proto_size = 0;
  PJRT_ExecutableAbiVersion* abi_version = nullptr;
};

struct PJRT_AbiVersion_Extension {
  PJRT_Extension_Base base = {.struct_size = 120, .type = PJRT_Extension_Type_AbiVersion};
  PJRT_Error* (*client_runtime_abi_version)(PJRT_Client_RuntimeAbiVersion_Args*) = nullptr;
  PJRT_Error* (*executable_get_abi_version)(PJRT_Executable_GetAbiVersion_Args*) = nullptr;
  PJRT_Error* (*runtime_abi_version_destroy)(PJRT_RuntimeAbiVersion_Destroy_Args*) = nullptr;
  PJRT_Error* (*runtime_abi_version_is_compatible_with_runtime)(PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args*) = nullptr;
  PJRT_Error* (*runtime_abi_version_is_compatible_with_executable)(
      PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args*) = nullptr;
  PJRT_Error* (*runtime_abi_version_to_proto)(PJRT_RuntimeAbiVersion_ToProto_Args*) = nullptr;
  PJRT_Error* (*runtime_abi_version_platform_id)(PJRT_RuntimeAbiVersion_PlatformId_Args*) = nullptr;
  PJRT_Error* (*executable_abi_version_destroy)(PJRT_ExecutableAbiVersion_Destroy_Args*) = nullptr;
  PJRT_Error* (*executable_abi_version_to_proto)(PJRT_ExecutableAbiVersion_ToProto_Args*) = nullptr;
  PJRT_Error* (*executable_abi_version_platform_id)(PJRT_ExecutableAbiVersion_PlatformId_Args*) = nullptr;
  PJRT_Error* (*runtime_abi_version_from_proto)(PJRT_RuntimeAbiVersion_FromProto_Args*) = nullptr;
  PJRT_Error* (*executable_abi_version_from_proto)(PJRT_ExecutableAbiVersion_FromProto_Args*) = nullptr;
};

struct PJRT_Callback_Tpu_SliceBuilderArgs {
  std::size_t struct_size = 12;
  PJRT_Callback_Tpu_SliceFailureType failure_type{};
};

struct PJRT_Callback_PrefatalArgs {
  std::size_t struct_size = 32;
  PJRT_Error_Code error_code{};
  const char* error_message = nullptr;
  std::size_t error_message_size = 0;
};

struct PJRT_Callback_RegisterCallback_Args {
  std::size_t struct_size = 40;
  PJRT_Client* client = nullptr;
  PJRT_Callback_Type type{};
  PJRT_Callback_Function* callback = nullptr;
  void* user_arg = nullptr;
};

struct PJRT_Callback_InvokeCallback_Args {
  std::size_t struct_size = 32;
  PJRT_Client* client = nullptr;
  PJRT_Callback_Type type{};
  void* args = nullptr;
};

struct PJRT_Callback_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_Callback};
  PJRT_Error* (*register_callback)(PJRT_Callback_RegisterCallback_Args*) = nullptr;
  PJRT_Error* (*invoke_callback)(PJRT_Callback_InvokeCallback_Args*) = nullptr;
};

struct JAX_CustomCallPartitioner_string {
  const char* data = nullptr;
  std::size_t size = 0;
};

struct JAX_CustomCallPartitioner_aval {
  JAX_CustomCallPartitioner_string shape{};
  bool has_sharding = false;
  JAX_CustomCallPartitioner_string sharding{};
};

struct JAX_CustomCallPartitioner_version_and_error {
  std::int64_t api_version = 0;
  void* data = nullptr;
  void (*cleanup_fn)(void*) = nullptr;
  bool has_error = false;
  PJRT_Error_Code code{};
  JAX_CustomCallPartitioner_string error_msg{};
};

struct JAX_CustomCallPartitioner_Partition_Args {
  JAX_CustomCallPartitioner_version_and_error header{};
  std::size_t num_args = 0;
  JAX_CustomCallPartitioner_aval* op_args = nullptr;
  JAX_CustomCallPartitioner_aval op_result{};
  JAX_CustomCallPartitioner_string backend_config{};
  JAX_CustomCallPartitioner_string mlir_module{};
  JAX_CustomCallPartitioner_string* args_sharding = nullptr;
  JAX_CustomCallPartitioner_string result_sharding{};
};

struct JAX_CustomCallPartitioner_InferShardingFromOperands_Args {
  JAX_CustomCallPartitioner_version_and_error header{};
  std::size_t num_args = 0;
  JAX_CustomCallPartitioner_aval* op_args = nullptr;
  JAX_CustomCallPartitioner_string result_shape{};
  JAX_CustomCallPartitioner_string backend_config{};
  bool has_result_sharding = false;
  JAX_CustomCallPartitioner_string result_sharding{};
};

struct JAX_CustomCallPartitioner_PropagateUserSharding_Args {
  JAX_CustomCallPartitioner_version_and_error header{};
  JAX_CustomCallPartitioner_string backend_config{};
  JAX_CustomCallPartitioner_string result_shape{};
  JAX_CustomCallPartitioner_string result_sharding{};
};

struct JAX_CustomCallPartitioner_Callbacks {
  std::int64_t version = 0;
  void* private_data = nullptr;
  void (*dtor)(JAX_CustomCallPartitioner_Callbacks*) = nullptr;
  void (*partition)(JAX_CustomCallPartitioner_Callbacks*, JAX_CustomCallPartitioner_Partition_Args*) = nullptr;
  void (*infer_sharding)(JAX_CustomCallPartitioner_Callbacks*,
      JAX_CustomCallPartitioner_InferShardingFromOperands_Args*) = nullptr;
  void (*propagate_user_sharding)(JAX_CustomCallPartitioner_Callbacks*,
      JAX_CustomCallPartitioner_PropagateUserSharding_Args*) = nullptr;
  bool can_side_effecting_have_replicated_sharding = false;
};

struct PJRT_Register_Custom_Partitioner_Args {
  std::size_t struct_size = 32;
  const char* name = nullptr;
  std::size_t name_size = 0;
  JAX_CustomCallPartitioner_Callbacks* callbacks = nullptr;
};

struct PJRT_Register_Batch_Partitionable_Args {
  std::size_t struct_size = 24;
  const char* name = nullptr;
  std::size_t name_size = 0;
};

struct PJRT_Custom_Partitioner_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_Custom_Partitioner};
  PJRT_Error* (*register_custom_partitioner)(PJRT_Register_Custom_Partitioner_Args*) = nullptr;
  PJRT_Error* (*register_batch_partitionable)(PJRT_Register_Batch_Partitionable_Args*) = nullptr;  // 0.67
};

struct PJRT_DeviceEvent_FunctionTable {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  void (*inc_ref)(void*) = nullptr;
  void (*dec_ref)(void*) = nullptr;
  void (*and_then)(void*, PJRT_DeviceEvent_AndThen, void*) = nullptr;
  int (*get_error_if_present)(void*, PJRT_Error_Code*, const char**, std::size_t*) = nullptr;
  const PJRT_DeviceEvent_FunctionTable* parent = nullptr;  // 0.106
  PJRT_DeviceEvent_State (*get_state)(void*) = nullptr;  // 0.106
  std::intptr_t (*get_definition_stream)(void*, std::uint64_t*) = nullptr;  // 0.108
};

struct PJRT_DeviceEvent {
  const PJRT_DeviceEvent_FunctionTable* vtable = nullptr;
  void* device_event = nullptr;
};

struct PJRT_DeviceEventVector {
  PJRT_DeviceEvent* data = nullptr;
  std::size_t size = 0;
  std::size_t capacity = 0;
  void (*destroy)(PJRT_DeviceEvent*) = nullptr;
};

struct PJRT_DeviceEventPromise_FunctionTable {
  std::size_t struct_size = 72;
  std::size_t instance_size = 0;
  PJRT_Extension_Base* extension_start = nullptr;
  void (*inc_ref)(PJRT_DeviceEventPromise*) = nullptr;
  void (*dec_ref)(PJRT_DeviceEventPromise*) = nullptr;
  PJRT_DeviceEvent (*event)(PJRT_DeviceEventPromise*) = nullptr;
  void (*set)(PJRT_DeviceEventPromise*, PJRT_DeviceEvent) = nullptr;
  void (*set_error)(PJRT_DeviceEventPromise*, PJRT_Error*) = nullptr;
  void (*set_ready)(PJRT_DeviceEventPromise*) = nullptr;
};

struct PJRT_DeviceEventPromise {
  const PJRT_DeviceEventPromise_FunctionTable* vtable = nullptr;
};

struct PJRT_FFI_Type_Info {
  void (*deleter)(void*) = nullptr;
  void (*serialize)() = nullptr;
  void (*deserialize)() = nullptr;
};

struct PJRT_FFI_Type_Register_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  const char* type_name = nullptr;
  std::size_t type_name_size = 0;
  std::int64_t type_id = 0;
  PJRT_FFI_Type_Info* type_info = nullptr;
};

struct PJRT_FFI_UserData {
  std::int64_t type_id = 0;
  void* data = nullptr;
};

struct PJRT_FFI_UserData_Add_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_ExecuteContext* context = nullptr;
  PJRT_FFI_UserData user_data{};  // 0.81
};

struct PJRT_FFI_Register_Handler_Args {
  std::size_t struct_size = 52;
  const char* target_name = nullptr;
  std::size_t target_name_size = 0;
  void* handler = nullptr;
  const char* platform_name = nullptr;
  std::size_t platform_name_size = 0;
  PJRT_FFI_Handler_TraitsBits traits{};
};

struct PJRT_FFI_Extension {
  PJRT_Extension_Base base = {.struct_size = 48, .type = PJRT_Extension_Type_FFI};
  PJRT_Error* (*type_register)(PJRT_FFI_Type_Register_Args*) = nullptr;
  PJRT_Error* (*user_data_add)(PJRT_FFI_UserData_Add_Args*) = nullptr;  // 0.54
  PJRT_Error* (*register_handler)(PJRT_FFI_Register_Handler_Args*) = nullptr;  // 0.73
};

struct PJRT_FFI {
  PJRT_Extension_Base base = {.struct_size = 48};
  PJRT_Error* (*type_register)(PJRT_FFI_Type_Register_Args*) = nullptr;
  PJRT_Error* (*user_data_add)(PJRT_FFI_UserData_Add_Args*) = nullptr;  // 0.54
  PJRT_Error* (*register_handler)(PJRT_FFI_Register_Handler_Args*) = nullptr;  // 0.73
};

struct PJRT_Gpu_Register_Custom_Call_Args {
  std::size_t struct_size = 68;
  const char* function_name = nullptr;
  std::size_t function_name_size = 0;
  int api_version = 0;
  void* handler_instantiate = nullptr;
  void* handler_prepare = nullptr;  // 0.54
  void* handler_initialize = nullptr;  // 0.54
  void* handler_execute = nullptr;  // 0.54
  std::uint32_t traits = 0;  // 0.114
};

struct PJRT_Gpu_Custom_Call {
  PJRT_Extension_Base base = {.struct_size = 33, .type = PJRT_Extension_Type_Gpu_Custom_Call};
  PJRT_Error* (*custom_call)(PJRT_Gpu_Register_Custom_Call_Args*) = nullptr;  // 0.45
  bool custom_call_handles_traits = false;  // 0.114
};

struct PJRT_Layouts_MemoryLayout_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Layouts_MemoryLayout* layout = nullptr;
};

struct PJRT_Layouts_MemoryLayout_Serialize_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Layouts_MemoryLayout* layout = nullptr;
  const char* serialized_bytes = nullptr;
  std::size_t serialized_bytes_size = 0;
  PJRT_Layouts_SerializedLayout* serialized_layout = nullptr;
  void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout*) = nullptr;
};

struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Layouts_MemoryLayout* layout = nullptr;
};

struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Buffer_Type type{};
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  PJRT_Layouts_MemoryLayout* layout = nullptr;
};

struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_TopologyDescription* topology_description = nullptr;
  PJRT_Buffer_Type type{};
  const std::int64_t* dims = nullptr;
  std::size_t num_dims = 0;
  PJRT_Layouts_MemoryLayout* layout = nullptr;
};

struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_outputs = 0;
  PJRT_Layouts_MemoryLayout** layouts = nullptr;
};

struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_parameters = 0;
  PJRT_Layouts_MemoryLayout** layouts = nullptr;
};

struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base = {.struct_size = 80, .type = PJRT_Extension_Type_Layouts};
  PJRT_Error* (*PJRT_Layouts_MemoryLayout_Destroy)(PJRT_Layouts_MemoryLayout_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_Layouts_MemoryLayout_Serialize)(PJRT_Layouts_MemoryLayout_Serialize_Args*) = nullptr;
  PJRT_Error* (*PJRT_Layouts_PJRT_Client_GetDefaultLayout)(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args*) = nullptr;
  PJRT_Error* (*PJRT_Layouts_PJRT_Buffer_MemoryLayout)(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args*) = nullptr;
  PJRT_Error* (*PJRT_Layouts_PJRT_Topology_GetDefaultLayout)(
      PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args*) = nullptr;  // 0.75
  PJRT_Error* (*PJRT_Layouts_PJRT_Executable_GetOutputLayouts)(
      PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args*) = nullptr;  // 0.81
  PJRT_Error* (*PJRT_Layouts_PJRT_Executable_GetParameterLayouts)(
      PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args*) = nullptr;  // 0.93
};

struct PJRT_DeviceDescription_MemoryDescriptions_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description = nullptr;
  const PJRT_MemoryDescription*const* memory_descriptions = nullptr;
  std::size_t num_memory_descriptions = 0;
  std::size_t default_memory_index = 0;  // 0.61
};

struct PJRT_MemoryDescription_Kind_Args {
  std::size_t struct_size = 44;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_MemoryDescription* memory_description = nullptr;
  const char* kind = nullptr;
  std::size_t kind_size = 0;
  int kind_id = 0;
};

struct PJRT_MemoryDescriptions_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_MemoryDescriptions};
  PJRT_Error* (*PJRT_DeviceDescription_MemoryDescriptions)(PJRT_DeviceDescription_MemoryDescriptions_Args*) = nullptr;
  PJRT_Error* (*PJRT_MemoryDescription_Kind)(PJRT_MemoryDescription_Kind_Args*) = nullptr;
};

struct PJRT_PhaseCompile_Get_Compiler_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_PhaseCompiler* phase_compiler = nullptr;
};

struct PJRT_PhaseCompile_Destroy_Compiler_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_PhaseCompiler* phase_compiler = nullptr;
};

struct PJRT_PhaseCompile_Run_Phase_Args {
  std::size_t struct_size = 120;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_PhaseCompiler* phase_compiler = nullptr;
  const char** input_programs = nullptr;
  const std::size_t* input_programs_sizes = nullptr;
  std::size_t num_input_programs = 0;
  const char** phases_to_run = nullptr;
  const std::size_t* phases_to_run_sizes = nullptr;
  std::size_t num_phases_to_run = 0;
  const char* compile_options = nullptr;
  std::size_t compile_options_size = 0;
  PJRT_TopologyDescription* topology = nullptr;
  const char** output_programs = nullptr;
  const std::size_t* output_programs_sizes = nullptr;
  std::size_t num_output_programs = 0;
};

struct PJRT_PhaseCompile_Get_PhaseNames_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_PhaseCompiler* phase_compiler = nullptr;
  const char** phase_names = nullptr;
  const std::size_t* phase_names_sizes = nullptr;
  std::size_t num_phase_names = 0;
};

struct PJRT_PhaseCompile_C_Buffers_Destroy_Args {
  std::size_t struct_size = 40;
  PJRT_Extension_Base* extension_start = nullptr;
  const char** char_buffers = nullptr;
  const std::size_t* char_buffer_sizes = nullptr;
  std::size_t num_char_buffers = 0;
};

struct PJRT_PhaseCompile_Extension {
  PJRT_Extension_Base base = {.struct_size = 64, .type = PJRT_Extension_Type_PhaseCompile};
  PJRT_Error* (*phase_compile_get_compiler)(PJRT_PhaseCompile_Get_Compiler_Args*) = nullptr;
  void (*phase_compile_destroy_compiler)(PJRT_PhaseCompile_Destroy_Compiler_Args*) = nullptr;
  PJRT_Error* (*phase_compile_run_phases)(PJRT_PhaseCompile_Run_Phase_Args*) = nullptr;
  PJRT_Error* (*phase_compile_get_phase_names)(PJRT_PhaseCompile_Get_PhaseNames_Args*) = nullptr;
  void (*phase_compile_c_buffers_destroy)(PJRT_PhaseCompile_C_Buffers_Destroy_Args*) = nullptr;  // 0.72
};

struct PJRT_Profiler_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_Profiler};
  PLUGIN_Profiler_Api* profiler_api = nullptr;  // 0.45
  std::int64_t traceme_context_id = 0;  // 0.45
};

struct PJRT_RawBuffer_FunctionTable {
  std::size_t struct_size = 128;
  std::size_t instance_size = 0;
  PJRT_Extension_Base* extension_start = nullptr;
  void (*inc_ref)(PJRT_RawBuffer*) = nullptr;
  void (*dec_ref)(PJRT_RawBuffer*) = nullptr;
  std::size_t (*get_on_device_size_in_bytes)(const PJRT_RawBuffer*) = nullptr;
  PJRT_Memory* (*get_memory_space)(const PJRT_RawBuffer*) = nullptr;
  void* (*get_host_pointer)(const PJRT_RawBuffer*) = nullptr;
  PJRT_Error* (*copy_raw_host_to_device_and_return_event)(PJRT_RawBuffer*, const void*, std::int64_t, std::int64_t,
      PJRT_DeviceEventVector*, PJRT_DeviceEvent*) = nullptr;
  PJRT_Error* (*copy_raw_device_to_host_and_return_event)(PJRT_RawBuffer*, void*, std::int64_t, std::int64_t,
      PJRT_DeviceEventVector*, PJRT_DeviceEvent*) = nullptr;
  void* (*opaque_device_memory_data_pointer)(const PJRT_RawBuffer*) = nullptr;
  PJRT_Error* (*make_allocation_ready_event)(PJRT_RawBuffer*, PJRT_DeviceEvent*) = nullptr;
  PJRT_Error* (*get_raw_buffer_async_value)(PJRT_RawBuffer*, PJRT_DeviceEvent*) = nullptr;
  bool (*is_mutable)(const PJRT_RawBuffer*) = nullptr;
  PJRT_Error* (*slice)(PJRT_RawBuffer*, std::int64_t, std::int64_t, PJRT_RawBuffer**) = nullptr;  // 0.113
  void (*schedule_copy_to)(PJRT_RawBuffer*, PJRT_DeviceEventVector*, PJRT_RawBuffer*, PJRT_DeviceEventPromise*,
      PJRT_DeviceEventPromise*, void (*)(PJRT_Error*, void*), void*) = nullptr;  // 0.113
};

struct PJRT_RawBuffer {
  const PJRT_RawBuffer_FunctionTable* vtable = nullptr;
};

struct PJRT_RawBuffer_CreateRawAliasOfBuffer_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_RawBuffer* raw_buffer = nullptr;
};

struct PJRT_RawBuffer_Destroy_Args {
  std::size_t struct_size = 24;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_RawBuffer* buffer = nullptr;
};

struct PJRT_RawBuffer_GetHostPointer_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_RawBuffer* buffer = nullptr;
  void* host_pointer = nullptr;
};

struct PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_RawBuffer* buffer = nullptr;
  std::size_t on_device_size_in_bytes = 0;
};

struct PJRT_RawBuffer_GetMemorySpace_Args {
  std::size_t struct_size = 32;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_RawBuffer* buffer = nullptr;
  PJRT_Memory* memory_space = nullptr;
};

struct PJRT_RawBuffer_CopyRawDeviceToHost_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_RawBuffer* buffer = nullptr;
  void* dst = nullptr;
  std::int64_t offset = 0;
  std::int64_t transfer_size = 0;
  PJRT_Event* event = nullptr;
};

struct PJRT_RawBuffer_CopyRawHostToDevice_Args {
  std::size_t struct_size = 56;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_RawBuffer* buffer = nullptr;
  const void* src = nullptr;
  std::int64_t offset = 0;
  std::int64_t transfer_size = 0;
  PJRT_Event* event = nullptr;
};

struct PJRT_RawBuffer_Extension {
  PJRT_Extension_Base base = {.struct_size = 80, .type = PJRT_Extension_Type_RawBuffer};
  PJRT_Error* (*PJRT_RawBuffer_CreateRawAliasOfBuffer)(PJRT_RawBuffer_CreateRawAliasOfBuffer_Args*) = nullptr;
  PJRT_Error* (*PJRT_RawBuffer_Destroy)(PJRT_RawBuffer_Destroy_Args*) = nullptr;
  PJRT_Error* (*PJRT_RawBuffer_GetOnDeviceSizeInBytes)(PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args*) = nullptr;
  PJRT_Error* (*PJRT_RawBuffer_GetMemorySpace)(PJRT_RawBuffer_GetMemorySpace_Args*) = nullptr;
  PJRT_Error* (*PJRT_RawBuffer_CopyRawHostToDevice)(PJRT_RawBuffer_CopyRawHostToDevice_Args*) = nullptr;
  PJRT_Error* (*PJRT_RawBuffer_CopyRawDeviceToHost)(PJRT_RawBuffer_CopyRawDeviceToHost_Args*) = nullptr;
  PJRT_Error* (*PJRT_RawBuffer_GetHostPointer)(PJRT_RawBuffer_GetHostPointer_Args*) = nullptr;  // 0.73
};

struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_parameters = 0;
  const char*const* shardings = nullptr;
  const std::size_t* sharding_sizes = nullptr;
};

struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
  std::size_t struct_size = 48;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable = nullptr;
  std::size_t num_outputs = 0;
  const char*const* shardings = nullptr;
  const std::size_t* sharding_sizes = nullptr;
};

struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_Shardings};
  PJRT_Error* (*PJRT_Shardings_PJRT_Executable_ParameterShardings)(
      PJRT_Shardings_PJRT_Executable_ParameterShardings_Args*) = nullptr;
  PJRT_Error* (*PJRT_Shardings_PJRT_Executable_OutputShardings)(PJRT_Shardings_PJRT_Executable_OutputShardings_Args*) = nullptr;
};

struct PJRT_Get_Stream_For_External_Ready_Events_Args {
  std::size_t struct_size = 24;
  PJRT_Device* device = nullptr;
  std::intptr_t stream = 0;
};

struct PJRT_Wait_Until_Buffer_Ready_On_Stream_Args {
  std::size_t struct_size = 24;
  std::intptr_t stream = 0;
  PJRT_Buffer* buffer = nullptr;
};

struct PJRT_Stream_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_Stream};
  PJRT_Error* (*get_stream)(PJRT_Get_Stream_For_External_Ready_Events_Args*) = nullptr;
  PJRT_Error* (*wait_stream)(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args*) = nullptr;
};

struct PJRT_XlaTransform_string {
  const char* data = nullptr;
  std::size_t size = 0;
};

struct PJRT_XlaTransform_version_and_error {
  std::int64_t api_version = 0;
  void* data = nullptr;
  void (*cleanup_fn)(void*) = nullptr;
  bool has_error = false;
  PJRT_Error_Code code{};
  PJRT_XlaTransform_string error_msg{};
};

struct PJRT_XlaTransform_Args {
  std::size_t struct_size = 89;
  PJRT_XlaTransform_version_and_error header{};
  PJRT_XlaTransform_string hlo_module{};
  PJRT_XlaTransform_string transformed_hlo_module{};
  bool changed = false;
};

struct PJRT_XlaTransform_Callbacks {
  std::int64_t version = 0;
  void (*dtor)(PJRT_XlaTransform_Callbacks*) = nullptr;
  void (*transform_hlo_module)(PJRT_XlaTransform_Callbacks*, PJRT_XlaTransform_Args*) = nullptr;
};

struct PJRT_Register_Xla_Transform_Args {
  std::size_t struct_size = 40;
  const char* name = nullptr;
  std::size_t name_size = 0;
  PJRT_XlaTransform_PipelineStage stage{};
  PJRT_XlaTransform_Callbacks* callbacks = nullptr;
};

struct PJRT_Clear_Xla_Transform_Args {
  std::size_t struct_size = 41;
  PJRT_XlaTransform_PipelineStage stage{};
  const char* name = nullptr;
  std::size_t name_size = 0;
  PJRT_XlaTransform_Callbacks* callbacks = nullptr;
  bool cleared = false;
};

struct PJRT_HloPassPipelineTrace {
  const char* serialized_trace = nullptr;
  std::size_t serialized_trace_size = 0;
};

struct PJRT_Xla_Transform_Get_Hlo_Pass_Pipeline_Trace_Args {
  std::size_t struct_size = 40;
  PJRT_XlaTransform_string hlo_module{};
  PJRT_HloPassPipelineTrace trace{};
};

struct PJRT_Xla_Transform_Destroy_Hlo_Pass_Pipeline_Trace_Args {
  std::size_t struct_size = 16;
  PJRT_HloPassPipelineTrace* trace = nullptr;
};

struct PJRT_Xla_Transform_Extension {
  PJRT_Extension_Base base = {.struct_size = 56, .type = PJRT_Extension_Type_XlaTransform};
  PJRT_Register_Xla_Transform_Fn register_xla_transform = nullptr;
  PJRT_Clear_Xla_Transform_Fn clear_xla_transform = nullptr;  // 0.111
  PJRT_Xla_Transform_Get_Hlo_Pass_Pipeline_Trace_Fn get_hlo_pass_pipeline_trace = nullptr;  // 0.114
  PJRT_Xla_Transform_Destroy_Hlo_Pass_Pipeline_Trace_Fn destroy_hlo_pass_pipeline_trace = nullptr;  // 0.114
};

struct PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args {
  std::size_t struct_size = 88;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  std::size_t num_buffers = 0;
  PJRT_Buffer** buffers = nullptr;
  const void* dst_global_device_ids = nullptr;
  const void* transfer_keys = nullptr;
  PJRT_Event** send_events = nullptr;
  std::size_t num_tasks = 0;  // 0.117
  const int* task_ids = nullptr;  // 0.117
  const std::int64_t* incarnation_ids = nullptr;  // 0.117
};

struct PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args {
  std::size_t struct_size = 120;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  std::size_t num_shapes = 0;
  std::size_t* shape_num_dims = nullptr;
  const std::int64_t** num_dims = nullptr;
  PJRT_Buffer_Type* element_types = nullptr;
  PJRT_Buffer_MemoryLayout** layouts = nullptr;
  PJRT_Device* device = nullptr;
  const void* src_global_device_ids = nullptr;
  const void* transfer_keys = nullptr;
  PJRT_Buffer** buffers = nullptr;
  std::size_t num_tasks = 0;  // 0.117
  const int* task_ids = nullptr;  // 0.117
  const std::int64_t* incarnation_ids = nullptr;  // 0.117
};

struct PJRT_Transfers_CrossHostRecvNotifierInfo {
  void* user_arg = nullptr;
  PJRT_Transfers_CrossHostRecvNotifier notifier = nullptr;
};

struct PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args {
  std::size_t struct_size = 105;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  std::size_t num_shapes = 0;
  std::size_t* shape_num_dims = nullptr;
  const std::int64_t** num_dims = nullptr;
  PJRT_Buffer_Type* element_types = nullptr;
  PJRT_Buffer_MemoryLayout** layouts = nullptr;
  PJRT_Device* device = nullptr;
  PJRT_Transfers_CrossHostRecvNotifierInfo notifier{};
  PJRT_Buffer** buffers = nullptr;
  std::size_t num_buffers = 0;
  bool allow_cancel_notifier = false;  // 0.116
};

struct PJRT_Transfers_CrossHostRemoteSendCallbackInfo {
  void* user_arg = nullptr;
  PJRT_Transfers_CrossHostRemoteSendCallback on_done = nullptr;
};

struct PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args {
  std::size_t struct_size = 72;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer = nullptr;
  PJRT_Event* event = nullptr;
  char** serialized_descriptor = nullptr;
  std::size_t* serialized_descriptor_size = nullptr;  // 0.90
  PJRT_Transfers_CrossHostRemoteSendCallbackInfo on_done{};  // 0.90
  PJRT_Transfers_DescriptorDestructor descriptor_destructor = nullptr;  // 0.104
};

struct PJRT_CrossHostTransfers_Extension {
  PJRT_Extension_Base base = {.struct_size = 56, .type = PJRT_Extension_Type_CrossHostTransfers};
  PJRT_Error* (*PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers)(
      PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args*) = nullptr;
  void (*PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice)(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args*) = nullptr;
  PJRT_Error* (*PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers)(
      PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args*) = nullptr;  // 0.81
  PJRT_Error* (*PJRT_Transfers_PJRT_Client_CrossHostSendBuffers)(
      PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args*) = nullptr;  // 0.81
};

struct PJRT_ExecutableMetadata {
  const char* serialized_metadata = nullptr;
  std::size_t serialized_metadata_size = 0;
};

struct PJRT_ExecutableMetadata_GetExecutableMetadata_Args {
  PJRT_Executable* executable = nullptr;
  PJRT_ExecutableMetadata* metadata = nullptr;
};

struct PJRT_ExecutableMetadata_DestroySerializedMetadata_Args {
  PJRT_ExecutableMetadata* metadata = nullptr;
};

struct PJRT_ExecutableMetadata_Extension {
  PJRT_Extension_Base base = {.struct_size = 40, .type = PJRT_Extension_Type_ExecutableMetadata};
  PJRT_ExecutableMetadata_GetExecutableMetadata get_executable_metadata = nullptr;
  PJRT_ExecutableMetadata_DestroySerializedMetadata destroy_serialized_metadata = nullptr;
};

struct PJRT_HostMemoryAllocator_Allocate_Args {
  std::size_t struct_size = 64;
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client = nullptr;
  std::size_t size = 0;
  int numa_node = 0;
  std::uint8_t* ptr = nullptr;
  void (*deleter)(void*, void*) = nullptr;
  void* deleter_arg = nullptr;
};

struct PJRT_HostMemoryAllocator_Extension {
  PJRT_Extension_Base base = {.struct_size = 32, .type = PJRT_Extension_Type_HostMemoryAllocator};
  PJRT_HostMemoryAllocator_Allocate allocate = nullptr;
};

}  // namespace pier::abi
