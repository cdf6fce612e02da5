#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// The extensions of TPU plugins and of runs over several slices and hosts.
// PJRT 0.117; a number behind a member is the minor version that brought it, where that came after its struct and
// after 0.40.

#include <cstddef>
#include <cstdint>

#include "abi/pjrt.h"

namespace pier::abi {

enum PJRT_Collectives_ReductionKind : int {
  PJRT_COLLECTIVES_REDUCTION_SUM = 0,
  PJRT_COLLECTIVES_REDUCTION_PRODUCT = 1,
  PJRT_COLLECTIVES_REDUCTION_MIN = 2,
  PJRT_COLLECTIVES_REDUCTION_MAX = 3,
};

enum PJRT_Collectives_CollectiveOpKind : int {
  PJRT_COLLECTIVES_COLLECTIVE_OP_KIND_CROSS_MODULE = 0,
  PJRT_COLLECTIVES_COLLECTIVE_OP_KIND_CROSS_REPLICA = 1,
};

struct PJRT_Client;
struct PJRT_Collectives;
struct PJRT_Collectives_Communicator;
struct PJRT_Collectives_Communicator_AllGather_Args;
struct PJRT_Collectives_Communicator_AllReduce_Args;
struct PJRT_Collectives_Communicator_AllToAll_Args;
struct PJRT_Collectives_Communicator_CollectivePermute_Args;
struct PJRT_Collectives_Communicator_Destroy_Args;
struct PJRT_Collectives_Communicator_ReduceScatter_Args;
struct PJRT_Collectives_Communicator_ToString_Args;
struct PJRT_Collectives_Communicators;
struct PJRT_Collectives_CpuExecutor;
struct PJRT_Collectives_CreateCommunicators_Args;
struct PJRT_Collectives_Destroy_Args;
struct PJRT_Collectives_Extension;
struct PJRT_Collectives_ToString_Holder;
struct PJRT_Error;
struct PJRT_Event;
struct PJRT_Extension_Base;
struct PJRT_Megascale_ClientContext;
struct PJRT_Megascale_ClientContext_Initialize_Args;
struct PJRT_Megascale_ClientContext_MegascalePort_Args;
struct PJRT_Megascale_ClientContext_UnblockPendingWork_Args;
struct PJRT_Megascale_CreateAoTConfig_Args;
struct PJRT_Megascale_CreateClientContextFromPjRtClient_Args;
struct PJRT_Megascale_CreateDefaultClientContext_Args;
struct PJRT_Megascale_CreateMegascaleCollectives_Args;
struct PJRT_Megascale_CreateMultiSliceConfig_Args;
struct PJRT_Megascale_DeleteClientContext_Args;
struct PJRT_Megascale_DeviceId_To_MegascaleId_Args;
struct PJRT_Megascale_ErrorAggregator;
struct PJRT_Megascale_ErrorAggregator_Active_Args;
struct PJRT_Megascale_ErrorAggregator_AddError_Args;
struct PJRT_Megascale_ErrorAggregator_Create_Args;
struct PJRT_Megascale_ErrorAggregator_Delete_Args;
struct PJRT_Megascale_ErrorAggregator_LogErrorDigest_Args;
struct PJRT_Megascale_ErrorAggregator_ProcessAndShutdown_Args;
struct PJRT_Megascale_ErrorAggregator_Size_Args;
struct PJRT_Megascale_ErrorDigest;
struct PJRT_Megascale_ErrorDigest_Delete_Args;
struct PJRT_Megascale_Extension;
struct PJRT_Megascale_GetInterfaceAddressesHelper_Args;
struct PJRT_Megascale_GetOrCreateRuntimeError_Args;
struct PJRT_Megascale_MegascaleId_To_DeviceId_Args;
struct PJRT_Megascale_ProcessesInfo;
struct PJRT_Megascale_RegisterErrorHandler_Args;
struct PJRT_Megascale_SerializedAddresses;
struct PJRT_Megascale_SerializedError;
struct PJRT_Megascale_UnregisterErrorHandler_Args;
struct PJRT_MultiSlice_Config;
struct PJRT_MultiSlice_Config_Destroy_Args;
struct PJRT_MultiSlice_Config_NumDevicesPerSlice_Args;
struct PJRT_MultiSlice_Config_NumSlices_Args;
struct PJRT_MultiSlice_Config_Serialize_Args;
struct PJRT_MultiSlice_Config_SliceId_Args;
struct PJRT_MultiSlice_Extension;
struct PJRT_MultiSlice_NumDevicesPerSlice;
struct PJRT_MultiSlice_SerializedConfig;
struct PJRT_NamedValue;
struct PJRT_TopologyDescription;
struct PJRT_TpuExecutable_CompilationEnvironments;
struct PJRT_TpuExecutable_CompiledMemoryStats;
struct PJRT_TpuExecutable_CostAnalysisResult;
struct PJRT_TpuExecutable_Extension;
struct PJRT_TpuExecutable_FieldValue;
struct PJRT_TpuExecutable_GetCompiledMemoryStats_Args;
struct PJRT_TpuExecutable_GetHloModuleWithConfig_Args;
struct PJRT_TpuExecutable_GetTargetArguments_Args;
struct PJRT_TpuExecutable_GetTpuCompilationEnvFieldAsString_Args;
struct PJRT_TpuExecutable_HloModuleWithConfig;
struct PJRT_TpuExecutable_IsTpuPredeterminedError_Args;
struct PJRT_TpuExecutable_RunHloCostAnalysis_Args;
struct PJRT_TpuExecutable_SetTpuCompilationEnv_Args;
struct PJRT_TpuExecutable_TargetArguments;
struct PJRT_TpuTopology_ChipBounds_Args;
struct PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args;
struct PJRT_TpuTopology_ChipCount_Args;
struct PJRT_TpuTopology_ChipIdFromCoord_Args;
struct PJRT_TpuTopology_ChipsPerProcessBounds_Args;
struct PJRT_TpuTopology_ChipsPerProcess_Args;
struct PJRT_TpuTopology_CoreCountPerChip_Args;
struct PJRT_TpuTopology_CoreCountPerProcess_Args;
struct PJRT_TpuTopology_CoreCount_Args;
struct PJRT_TpuTopology_Extension;
struct PJRT_TpuTopology_GetDefaultPlatformConfig_Args;
struct PJRT_TpuTopology_GetRoutingStrategy_Args;
struct PJRT_TpuTopology_GetSliceConfig_Args;
struct PJRT_TpuTopology_GetSliceConfigs_Args;
struct PJRT_TpuTopology_HasLimitedIciConnectivity_Args;
struct PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args;
struct PJRT_TpuTopology_IsReachableOverLimitedIci_Args;
struct PJRT_TpuTopology_IsSubsliceTopology_Args;
struct PJRT_TpuTopology_LogiDeviceCountPerChip_Args;
struct PJRT_TpuTopology_LogiDeviceCountPerProcess_Args;
struct PJRT_TpuTopology_LogiDeviceCount_Args;
struct PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args;
struct PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args;
struct PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args;
struct PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args;
struct PJRT_TpuTopology_ProcessBounds_Args;
struct PJRT_TpuTopology_ProcessCoordFromId_Args;
struct PJRT_TpuTopology_ProcessCount_Args;
struct PJRT_TpuTopology_ProcessIds_Args;
struct PJRT_TpuTopology_ReplaceHostBounds_Args;
struct PJRT_TpuTopology_SliceConfig;
struct PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args;
struct PJRT_TpuTopology_Subslice_Args;

using PJRT_Megascale_ErrorHandler = void (*)(const char*, std::size_t, void*);

struct PJRT_Collectives_Destroy_Args {
  std::size_t struct_size = 16;
  PJRT_Collectives* collectives = nullptr;
};

struct PJRT_Collectives_CreateCommunicators_Args {
  std::size_t struct_size = 104;
  PJRT_Collectives* collectives = nullptr;
  const std::int64_t* device_ids = nullptr;
  std::size_t num_device_ids = 0;
  const char** clique_ids = nullptr;
  const std::size_t* clique_id_sizes = nullptr;
  std::size_t num_clique_ids = 0;
  std::int64_t* rank_ids = nullptr;
  std::size_t num_device_ranks = 0;
  PJRT_Collectives_Communicator** communicators = nullptr;
  std::size_t num_communicators = 0;
  PJRT_Collectives_Communicators* communicators_holder = nullptr;
  void (*communicators_holder_deleter)(PJRT_Collectives_Communicators*) = nullptr;
};

struct PJRT_Collectives_Communicator_Destroy_Args {
  std::size_t struct_size = 16;
  PJRT_Collectives_Communicator* communicator = nullptr;
};

struct PJRT_Collectives_CpuExecutor {
  std::int64_t run_id = 0;
  std::int64_t* global_device_ids = nullptr;
  std::size_t num_global_device_ids = 0;
  std::int32_t num_local_participants = 0;
  PJRT_Collectives_CollectiveOpKind collective_op_kind{};
  std::int64_t op_id = 0;
  std::int64_t timeout_in_ns = 0;
};

struct PJRT_Collectives_Communicator_AllReduce_Args {
  std::size_t struct_size = 88;
  PJRT_Collectives_Communicator* communicator = nullptr;
  void* send_buffer_ptr = nullptr;
  std::size_t send_buffer_size = 0;
  void* recv_buffer_ptr = nullptr;
  std::size_t recv_buffer_size = 0;
  PJRT_Buffer_Type primitive_type{};
  std::size_t count = 0;
  PJRT_Collectives_ReductionKind reduction_kind{};
  PJRT_Collectives_CpuExecutor* cpu_executor = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Collectives_Communicator_ReduceScatter_Args {
  std::size_t struct_size = 88;
  PJRT_Collectives_Communicator* communicator = nullptr;
  void* send_buffer_ptr = nullptr;
  std::size_t send_buffer_size = 0;
  void* recv_buffer_ptr = nullptr;
  std::size_t recv_buffer_size = 0;
  PJRT_Buffer_Type primitive_type{};
  std::size_t count = 0;
  PJRT_Collectives_ReductionKind reduction_kind{};
  PJRT_Collectives_CpuExecutor* cpu_executor = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Collectives_Communicator_AllGather_Args {
  std::size_t struct_size = 80;
  PJRT_Collectives_Communicator* communicator = nullptr;
  void* send_buffer_ptr = nullptr;
  std::size_t send_buffer_size = 0;
  void* recv_buffer_ptr = nullptr;
  std::size_t recv_buffer_size = 0;
  PJRT_Buffer_Type primitive_type{};
  std::size_t count = 0;
  PJRT_Collectives_CpuExecutor* cpu_executor = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Collectives_Communicator_CollectivePermute_Args {
  std::size_t struct_size = 112;
  PJRT_Collectives_Communicator* communicator = nullptr;
  void* send_buffer_ptr = nullptr;
  std::size_t send_buffer_size = 0;
  void* recv_buffer_ptr = nullptr;
  std::size_t recv_buffer_size = 0;
  PJRT_Buffer_Type primitive_type{};
  std::size_t count = 0;
  bool has_source_rank = false;
  std::int64_t source_rank = 0;
  std::int64_t* target_ranks = nullptr;
  std::size_t num_target_ranks = 0;
  PJRT_Collectives_CpuExecutor* cpu_executor = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Collectives_Communicator_AllToAll_Args {
  std::size_t struct_size = 96;
  PJRT_Collectives_Communicator* communicator = nullptr;
  void** send_buffers_ptrs = nullptr;
  const std::size_t* send_buffers_sizes = nullptr;
  std::size_t num_send_buffers = 0;
  void** recv_buffers_ptrs = nullptr;
  const std::size_t* recv_buffers_sizes = nullptr;
  std::size_t num_recv_buffers = 0;
  PJRT_Buffer_Type primitive_type{};
  std::size_t count = 0;
  PJRT_Collectives_CpuExecutor* cpu_executor = nullptr;
  PJRT_Event* event = nullptr;
};

struct PJRT_Collectives_Communicator_ToString_Args {
  std::size_t struct_size = 48;
  PJRT_Collectives_Communicator* communicator = nullptr;
  const char* str = nullptr;
  std::size_t str_size = 0;
  PJRT_Collectives_ToString_Holder* str_holder = nullptr;
  void (*str_holder_deleter)(PJRT_Collectives_ToString_Holder*) = nullptr;
};

struct PJRT_Collectives_Extension {
  PJRT_Extension_Base base = {.struct_size = 96, .type = PJRT_Extension_Type_Collectives};
  PJRT_Error* (*collectives_destroy)(PJRT_Collectives_Destroy_Args*) = nullptr;
  PJRT_Error* (*collectives_create_communicators)(PJRT_Collectives_CreateCommunicators_Args*) = nullptr;
  PJRT_Error* (*communicator_destroy)(PJRT_Collectives_Communicator_Destroy_Args*) = nullptr;
  PJRT_Error* (*communicator_all_reduce)(PJRT_Collectives_Communicator_AllReduce_Args*) = nullptr;
  PJRT_Error* (*communicator_reduce_scatter)(PJRT_Collectives_Communicator_ReduceScatter_Args*) = nullptr;
  PJRT_Error* (*communicator_all_gather)(PJRT_Collectives_Communicator_AllGather_Args*) = nullptr;
  PJRT_Error* (*communicator_collective_permute)(PJRT_Collectives_Communicator_CollectivePermute_Args*) = nullptr;
  PJRT_Error* (*communicator_all_to_all)(PJRT_Collectives_Communicator_AllToAll_Args*) = nullptr;
  PJRT_Error* (*communicator_to_string)(PJRT_Collectives_Communicator_ToString_Args*) = nullptr;
};

struct PJRT_MultiSlice_Config_Destroy_Args {
  std::size_t struct_size = 16;
  PJRT_MultiSlice_Config* config = nullptr;
};

struct PJRT_MultiSlice_Config_NumSlices_Args {
  std::size_t struct_size = 20;
  PJRT_MultiSlice_Config* config = nullptr;
  std::int32_t num_slices = 0;
};

struct PJRT_MultiSlice_Config_SliceId_Args {
  std::size_t struct_size = 20;
  PJRT_MultiSlice_Config* config = nullptr;
  std::int32_t slice_id = 0;
};

struct PJRT_MultiSlice_Config_NumDevicesPerSlice_Args {
  std::size_t struct_size = 56;
  PJRT_MultiSlice_Config* config = nullptr;
  std::size_t num_devices_per_slice_map = 0;
  const std::int32_t* slice_ids = nullptr;
  const std::int32_t* num_devices = nullptr;
  PJRT_MultiSlice_NumDevicesPerSlice* devices_per_slice_map = nullptr;
  void (*devices_per_slice_map_deleter)(PJRT_MultiSlice_NumDevicesPerSlice*) = nullptr;
};

struct PJRT_MultiSlice_Config_Serialize_Args {
  std::size_t struct_size = 48;
  PJRT_MultiSlice_Config* config = nullptr;
  const char* serialized = nullptr;
  std::size_t size = 0;
  PJRT_MultiSlice_SerializedConfig* serialized_config = nullptr;
  void (*serialized_config_deleter)(PJRT_MultiSlice_SerializedConfig*) = nullptr;
};

struct PJRT_MultiSlice_Extension {
  PJRT_Extension_Base base = {.struct_size = 64, .type = PJRT_Extension_Type_MultiSlice};
  PJRT_Error* (*config_destroy)(PJRT_MultiSlice_Config_Destroy_Args*) = nullptr;
  PJRT_Error* (*config_num_slices)(PJRT_MultiSlice_Config_NumSlices_Args*) = nullptr;
  PJRT_Error* (*config_slice_id)(PJRT_MultiSlice_Config_SliceId_Args*) = nullptr;
  PJRT_Error* (*config_num_devices_per_slice)(PJRT_MultiSlice_Config_NumDevicesPerSlice_Args*) = nullptr;
  PJRT_Error* (*config_serialize)(PJRT_MultiSlice_Config_Serialize_Args*) = nullptr;
};

struct PJRT_Megascale_CreateClientContextFromPjRtClient_Args {
  std::size_t struct_size = 24;
  PJRT_Client* client = nullptr;
  PJRT_Megascale_ClientContext* client_context = nullptr;
};

struct PJRT_Megascale_CreateDefaultClientContext_Args {
  std::size_t struct_size = 16;
  PJRT_Megascale_ClientContext* client_context = nullptr;
};

struct PJRT_Megascale_DeleteClientContext_Args {
  std::size_t struct_size = 16;
  PJRT_Megascale_ClientContext* client_context = nullptr;
};

struct PJRT_Megascale_CreateAoTConfig_Args {
  std::size_t struct_size = 32;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t num_slices = 0;
  PJRT_MultiSlice_Config* multi_slice_config = nullptr;
};

struct PJRT_Megascale_CreateMultiSliceConfig_Args {
  std::size_t struct_size = 80;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t num_slices = 0;
  std::int32_t local_slice_id = 0;
  std::int32_t local_host_id = 0;
  const char* endpoint_addresses = nullptr;
  std::int32_t endpoint_addresses_size = 0;
  const char* dcn_topology = nullptr;
  std::int32_t dcn_topology_size = 0;
  PJRT_Megascale_ClientContext* client_context = nullptr;
  PJRT_MultiSlice_Config* multi_slice_config = nullptr;
};

struct PJRT_Megascale_ClientContext_Initialize_Args {
  std::size_t struct_size = 16;
  PJRT_Megascale_ClientContext* client_context = nullptr;
};

struct PJRT_Megascale_ClientContext_UnblockPendingWork_Args {
  std::size_t struct_size = 32;
  PJRT_Megascale_ClientContext* client_context = nullptr;
  std::int32_t launch_id = 0;
  std::int64_t expire_after_ms = 0;
};

struct PJRT_Megascale_ClientContext_MegascalePort_Args {
  std::size_t struct_size = 20;
  PJRT_Megascale_ClientContext* client_context = nullptr;
  std::int32_t port = 0;
};

struct PJRT_Megascale_ProcessesInfo {
  const char** addresses = nullptr;
  std::size_t* address_sizes = nullptr;
  std::size_t num_addresses = 0;
  std::int32_t* slice_indexes = nullptr;
  std::size_t num_slice_indexes = 0;
  std::int32_t* per_slice_indexes = nullptr;
  std::size_t num_per_slice_indexes = 0;
  std::int32_t num_devices_per_process = 0;
};

struct PJRT_Megascale_CreateMegascaleCollectives_Args {
  std::size_t struct_size = 48;
  PJRT_Megascale_ClientContext* client_context = nullptr;
  PJRT_Megascale_ProcessesInfo* processes_info = nullptr;
  const char* dcn_topology = nullptr;
  std::size_t dcn_topology_size = 0;
  PJRT_Collectives* collectives = nullptr;
};

struct PJRT_Megascale_DeviceId_To_MegascaleId_Args {
  std::size_t struct_size = 24;
  std::int32_t slice_id = 0;
  std::int32_t per_slice_device_id = 0;
  std::int64_t megascale_id = 0;
};

struct PJRT_Megascale_MegascaleId_To_DeviceId_Args {
  std::size_t struct_size = 24;
  std::int64_t megascale_id = 0;
  std::int32_t slice_id = 0;
  std::int32_t per_slice_device_id = 0;
};

struct PJRT_Megascale_RegisterErrorHandler_Args {
  std::size_t struct_size = 40;
  const char* handler_name = nullptr;
  std::size_t handler_name_size = 0;
  PJRT_Megascale_ErrorHandler handler = nullptr;
  void* user_data = nullptr;
};

struct PJRT_Megascale_UnregisterErrorHandler_Args {
  std::size_t struct_size = 24;
  const char* handler_name = nullptr;
  std::size_t handler_name_size = 0;
};

struct PJRT_Megascale_ErrorAggregator_Create_Args {
  std::size_t struct_size = 32;
  const char* app_type = nullptr;
  std::size_t app_type_size = 0;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
};

struct PJRT_Megascale_ErrorAggregator_Delete_Args {
  std::size_t struct_size = 16;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
};

struct PJRT_Megascale_ErrorDigest_Delete_Args {
  std::size_t struct_size = 16;
  PJRT_Megascale_ErrorDigest* digest = nullptr;
};

struct PJRT_Megascale_ErrorAggregator_AddError_Args {
  std::size_t struct_size = 48;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
  const char* worker_id = nullptr;
  std::size_t worker_id_size = 0;
  const char* serialized_error = nullptr;
  std::size_t serialized_error_size = 0;
};

struct PJRT_Megascale_ErrorAggregator_ProcessAndShutdown_Args {
  std::size_t struct_size = 24;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
  PJRT_Megascale_ErrorDigest* digest = nullptr;
};

struct PJRT_Megascale_ErrorAggregator_LogErrorDigest_Args {
  std::size_t struct_size = 24;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
  PJRT_Megascale_ErrorDigest* digest = nullptr;
};

struct PJRT_Megascale_ErrorAggregator_Size_Args {
  std::size_t struct_size = 24;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
  std::size_t size = 0;
};

struct PJRT_Megascale_ErrorAggregator_Active_Args {
  std::size_t struct_size = 17;
  PJRT_Megascale_ErrorAggregator* aggregator = nullptr;
  bool active = false;
};

struct PJRT_Megascale_GetInterfaceAddressesHelper_Args {
  std::size_t struct_size = 104;
  const char* megascale_port_name = nullptr;
  std::size_t megascale_port_name_size = 0;
  std::int32_t megascale_port = 0;
  const char** interface_prefixes = nullptr;
  const std::size_t* interface_prefixes_sizes = nullptr;
  std::size_t num_interface_prefixes = 0;
  bool use_all_interfaces = false;
  bool limit_to_process_numa_local_interfaces = false;
  const char** serialized_addresses = nullptr;
  std::size_t* serialized_addresses_sizes = nullptr;
  std::size_t num_addresses = 0;
  PJRT_Megascale_SerializedAddresses* addresses = nullptr;
  void (*addresses_deleter)(PJRT_Megascale_SerializedAddresses*) = nullptr;
};

struct PJRT_Megascale_GetOrCreateRuntimeError_Args {
  std::size_t struct_size = 104;
  std::int32_t error_type = 0;
  std::int64_t start_time_nanos = 0;
  std::int32_t status_code = 0;
  const char* status_message = nullptr;
  std::size_t status_message_size = 0;
  std::int32_t launch_id = 0;
  bool has_unrecoverable_error_type = false;
  std::int32_t unrecoverable_error_type = 0;
  const char* serialized_error = nullptr;
  std::size_t serialized_error_size = 0;
  bool is_new_error = false;
  PJRT_Megascale_SerializedError* error = nullptr;
  void (*error_deleter)(PJRT_Megascale_SerializedError*) = nullptr;
};

struct PJRT_Megascale_Extension {
  PJRT_Extension_Base base = {.struct_size = 248, .type = PJRT_Extension_Type_Megascale};
  PJRT_Error* (*create_client_context_from_pjrt_client)(PJRT_Megascale_CreateClientContextFromPjRtClient_Args*) = nullptr;
  PJRT_Error* (*create_default_client_context)(PJRT_Megascale_CreateDefaultClientContext_Args*) = nullptr;
  PJRT_Error* (*delete_client_context)(PJRT_Megascale_DeleteClientContext_Args*) = nullptr;
  PJRT_Error* (*create_aot_config)(PJRT_Megascale_CreateAoTConfig_Args*) = nullptr;
  PJRT_Error* (*create_multi_slice_config)(PJRT_Megascale_CreateMultiSliceConfig_Args*) = nullptr;
  void* delete_multi_slice_config = nullptr;
  void* multi_slice_config_num_slices = nullptr;
  void* multi_slice_config_slice_id = nullptr;
  void* multi_slice_config_get_num_devices_per_slice = nullptr;
  void* multi_slice_config_serialize = nullptr;
  PJRT_Error* (*client_context_initialize)(PJRT_Megascale_ClientContext_Initialize_Args*) = nullptr;
  PJRT_Error* (*client_context_unblock_pending_work)(PJRT_Megascale_ClientContext_UnblockPendingWork_Args*) = nullptr;
  PJRT_Error* (*client_context_megascale_port)(PJRT_Megascale_ClientContext_MegascalePort_Args*) = nullptr;
  PJRT_Error* (*create_megascale_collectives)(PJRT_Megascale_CreateMegascaleCollectives_Args*) = nullptr;  // 0.94
  PJRT_Error* (*device_id_to_megascale_id)(PJRT_Megascale_DeviceId_To_MegascaleId_Args*) = nullptr;  // 0.98
  PJRT_Error* (*megascale_id_to_device_id)(PJRT_Megascale_MegascaleId_To_DeviceId_Args*) = nullptr;  // 0.98
  PJRT_Error* (*register_megascale_error_handler)(PJRT_Megascale_RegisterErrorHandler_Args*) = nullptr;  // 0.98
  PJRT_Error* (*unregister_megascale_error_handler)(PJRT_Megascale_UnregisterErrorHandler_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_create)(PJRT_Megascale_ErrorAggregator_Create_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_delete)(PJRT_Megascale_ErrorAggregator_Delete_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_digest_delete)(PJRT_Megascale_ErrorDigest_Delete_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_add_error)(PJRT_Megascale_ErrorAggregator_AddError_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_process_and_shutdown)(
      PJRT_Megascale_ErrorAggregator_ProcessAndShutdown_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_log_error_digest)(PJRT_Megascale_ErrorAggregator_LogErrorDigest_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_size)(PJRT_Megascale_ErrorAggregator_Size_Args*) = nullptr;  // 0.98
  PJRT_Error* (*error_aggregator_active)(PJRT_Megascale_ErrorAggregator_Active_Args*) = nullptr;  // 0.98
  PJRT_Error* (*get_interface_addresses_helper)(PJRT_Megascale_GetInterfaceAddressesHelper_Args*) = nullptr;  // 0.101
  PJRT_Error* (*get_or_create_runtime_error)(PJRT_Megascale_GetOrCreateRuntimeError_Args*) = nullptr;  // 0.103
};

struct PJRT_TpuExecutable_GetTargetArguments_Args {
  std::size_t struct_size = 56;
  const char* serialized_executable = nullptr;
  std::size_t serialized_executable_size = 0;
  const char* target_arguments = nullptr;
  std::size_t target_arguments_size = 0;
  PJRT_TpuExecutable_TargetArguments* target_arguments_ptr = nullptr;
  void (*target_arguments_deleter)(PJRT_TpuExecutable_TargetArguments*) = nullptr;
};

struct PJRT_TpuExecutable_GetHloModuleWithConfig_Args {
  std::size_t struct_size = 56;
  const char* serialized_executable = nullptr;
  std::size_t serialized_executable_size = 0;
  const char* hlo_module_with_config = nullptr;
  std::size_t hlo_module_with_config_size = 0;
  PJRT_TpuExecutable_HloModuleWithConfig* hlo_module_with_config_ptr = nullptr;
  void (*hlo_module_with_config_deleter)(PJRT_TpuExecutable_HloModuleWithConfig*) = nullptr;
};

struct PJRT_TpuExecutable_RunHloCostAnalysis_Args {
  std::size_t struct_size = 80;
  const char* target_arguments = nullptr;
  std::size_t target_arguments_size = 0;
  const char** hlo_module = nullptr;
  std::size_t* hlo_module_size = nullptr;
  std::size_t num_hlo_modules = 0;
  const PJRT_NamedValue* analysis_results = nullptr;
  std::size_t num_analysis_results = 0;
  PJRT_TpuExecutable_CostAnalysisResult* analysis_results_ptr = nullptr;
  void (*analysis_results_deleter)(PJRT_TpuExecutable_CostAnalysisResult*) = nullptr;
};

struct PJRT_TpuExecutable_GetCompiledMemoryStats_Args {
  std::size_t struct_size = 56;
  const char* serialized_executable = nullptr;
  std::size_t serialized_executable_size = 0;
  const char* compiled_memory_stats = nullptr;
  std::size_t compiled_memory_stats_size = 0;
  PJRT_TpuExecutable_CompiledMemoryStats* compiled_memory_stats_ptr = nullptr;
  void (*compiled_memory_stats_deleter)(PJRT_TpuExecutable_CompiledMemoryStats*) = nullptr;
};

struct PJRT_TpuExecutable_SetTpuCompilationEnv_Args {
  std::size_t struct_size = 56;
  const char* serialized_compilation_environments = nullptr;
  std::size_t serialized_compilation_environments_size = 0;
  const char* result_compilation_environments = nullptr;
  std::size_t result_compilation_environments_size = 0;
  PJRT_TpuExecutable_CompilationEnvironments* result_compilation_environments_ptr = nullptr;
  void (*result_compilation_environments_deleter)(PJRT_TpuExecutable_CompilationEnvironments*) = nullptr;
};

struct PJRT_TpuExecutable_GetTpuCompilationEnvFieldAsString_Args {
  std::size_t struct_size = 72;
  const char* serialized_compilation_environments = nullptr;
  std::size_t serialized_compilation_environments_size = 0;
  const char* field_name = nullptr;
  std::size_t field_name_size = 0;
  const char* field_value = nullptr;
  std::size_t field_value_size = 0;
  PJRT_TpuExecutable_FieldValue* field_value_ptr = nullptr;
  void (*field_value_deleter)(PJRT_TpuExecutable_FieldValue*) = nullptr;
};

struct PJRT_TpuExecutable_IsTpuPredeterminedError_Args {
  std::size_t struct_size = 25;
  const char* serialized_status = nullptr;
  std::size_t serialized_status_size = 0;
  bool is_predetermined = false;
};

struct PJRT_TpuExecutable_Extension {
  PJRT_Extension_Base base = {.struct_size = 88, .type = PJRT_Extension_Type_TpuExecutable};
  PJRT_Error* (*get_target_arguments)(PJRT_TpuExecutable_GetTargetArguments_Args*) = nullptr;
  PJRT_Error* (*get_hlo_module_with_config)(PJRT_TpuExecutable_GetHloModuleWithConfig_Args*) = nullptr;
  void* get_core_program_abi_version = nullptr;
  PJRT_Error* (*get_compiled_memory_stats)(PJRT_TpuExecutable_GetCompiledMemoryStats_Args*) = nullptr;  // 0.97
  PJRT_Error* (*run_hlo_cost_analysis)(PJRT_TpuExecutable_RunHloCostAnalysis_Args*) = nullptr;  // 0.97
  PJRT_Error* (*set_tpu_compilation_env)(PJRT_TpuExecutable_SetTpuCompilationEnv_Args*) = nullptr;  // 0.97
  PJRT_Error* (*get_tpu_compilation_env_field_as_string)(
      PJRT_TpuExecutable_GetTpuCompilationEnvFieldAsString_Args*) = nullptr;  // 0.97
  PJRT_Error* (*is_tpu_predetermined_error)(PJRT_TpuExecutable_IsTpuPredeterminedError_Args*) = nullptr;  // 0.98
};

struct PJRT_TpuTopology_Subslice_Args {
  std::size_t struct_size = 56;
  const PJRT_TopologyDescription* topology = nullptr;
  const std::int32_t* chips_per_host_bounds = nullptr;
  std::size_t chips_per_host_bounds_num_dims = 0;
  const std::int32_t* host_bounds = nullptr;
  std::size_t host_bounds_num_dims = 0;
  PJRT_TopologyDescription* subslice_topology = nullptr;
};

struct PJRT_TpuTopology_IsSubsliceTopology_Args {
  std::size_t struct_size = 17;
  const PJRT_TopologyDescription* topology = nullptr;
  bool is_subslice_topology = false;
};

struct PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args {
  std::size_t struct_size = 48;
  const PJRT_TopologyDescription* client_topology = nullptr;
  const PJRT_TopologyDescription* subslice_topology = nullptr;
  const std::int32_t* subslice_origin = nullptr;
  std::size_t subslice_origin_dim_num = 0;
  std::int32_t full_device_id = 0;
  std::int32_t subslice_device_id = 0;
};

struct PJRT_TpuTopology_ReplaceHostBounds_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  const std::int32_t* host_bounds = nullptr;
  std::size_t host_bounds_dim_num = 0;
  PJRT_TopologyDescription* new_topology = nullptr;
};

struct PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args {
  std::size_t struct_size = 17;
  const PJRT_TopologyDescription* topology = nullptr;
  bool is_enhanced_barrier_enabled = false;
};

struct PJRT_TpuTopology_HasLimitedIciConnectivity_Args {
  std::size_t struct_size = 17;
  const PJRT_TopologyDescription* topology = nullptr;
  bool has_limited_ici_connectivity = false;
};

struct PJRT_TpuTopology_IsReachableOverLimitedIci_Args {
  std::size_t struct_size = 25;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t source_chip_id = 0;
  std::int32_t dest_chip_id = 0;
  bool is_reachable_over_limited_ici = false;
};

struct PJRT_TpuTopology_ProcessCount_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t process_count = 0;
};

struct PJRT_TpuTopology_ChipsPerProcess_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t chips_per_process = 0;
};

struct PJRT_TpuTopology_CoreCountPerChip_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t core_count_of_default_type_per_chip = 0;
};

struct PJRT_TpuTopology_ChipCount_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t chip_count = 0;
};

struct PJRT_TpuTopology_CoreCount_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t core_count_of_default_type = 0;
};

struct PJRT_TpuTopology_LogiDeviceCount_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t logical_device_count_of_default_type = 0;
};

struct PJRT_TpuTopology_LogiDeviceCountPerProcess_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t logical_device_count_of_default_type_per_process = 0;
};

struct PJRT_TpuTopology_LogiDeviceCountPerChip_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t logical_device_count_of_default_type_per_chip = 0;
};

struct PJRT_TpuTopology_CoreCountPerProcess_Args {
  std::size_t struct_size = 20;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t core_count_of_default_type_per_process = 0;
};

struct PJRT_TpuTopology_ProcessIds_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t max_process_ids = 0;
  std::int32_t* process_ids = nullptr;
  std::size_t num_process_ids = 0;
};

struct PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t process_id = 0;
  std::int32_t max_logical_device_ids = 0;
  std::int32_t* logical_device_of_default_type_ids = nullptr;
  std::size_t num_logical_device_ids = 0;
};

struct PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args {
  std::size_t struct_size = 28;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t chip_id = 0;
  std::int32_t process_id = 0;
  std::int32_t index_on_process = 0;
};

struct PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args {
  std::size_t struct_size = 28;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t device_id = 0;
  std::int32_t process_id = 0;
  std::int32_t index_on_process = 0;
};

struct PJRT_TpuTopology_ProcessCoordFromId_Args {
  std::size_t struct_size = 48;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t process_id = 0;
  std::size_t coords_max_dims = 0;
  std::int32_t* coords = nullptr;
  std::size_t coords_num_dims = 0;
};

struct PJRT_TpuTopology_ChipIdFromCoord_Args {
  std::size_t struct_size = 36;
  const PJRT_TopologyDescription* topology = nullptr;
  const std::int32_t* coords = nullptr;
  std::size_t coords_num_dims = 0;
  std::int32_t chip_id = 0;
};

struct PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  const std::int32_t* chip_coords = nullptr;
  std::size_t chip_coords_num_dims = 0;
  std::int32_t logical_device_index_on_chip = 0;
  std::int32_t logical_device_of_default_type_id = 0;
};

struct PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args {
  std::size_t struct_size = 52;
  const PJRT_TopologyDescription* topology = nullptr;
  std::int32_t device_id = 0;
  std::size_t chip_coords_max_dims = 0;
  std::int32_t* chip_coords = nullptr;
  std::size_t chip_coords_num_dims = 0;
  std::int32_t device_index_on_chip = 0;
};

struct PJRT_TpuTopology_ChipsPerProcessBounds_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  std::size_t chip_per_process_bounds_max_dims = 0;
  std::int32_t* chip_per_process_bounds = nullptr;
  std::size_t chip_per_process_bounds_num_dims = 0;
};

struct PJRT_TpuTopology_ChipBounds_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  std::size_t chip_bounds_max_dims = 0;
  std::int32_t* chip_bounds = nullptr;
  std::size_t chip_bounds_num_dims = 0;
};

struct PJRT_TpuTopology_ProcessBounds_Args {
  std::size_t struct_size = 40;
  const PJRT_TopologyDescription* topology = nullptr;
  std::size_t process_bounds_max_dims = 0;
  std::int32_t* process_bounds = nullptr;
  std::size_t process_bounds_num_dims = 0;
};

struct PJRT_TpuTopology_GetRoutingStrategy_Args {
  std::size_t struct_size = 32;
  const PJRT_TopologyDescription* topology = nullptr;
  char* routing_strategy = nullptr;
  std::size_t routing_strategy_len = 0;
};

struct PJRT_TpuTopology_SliceConfig {
  std::size_t dim_size = 0;
  std::int32_t dimensions[4] = {};
  bool wrap[4] = {};
  bool twist = false;
};

struct PJRT_TpuTopology_GetSliceConfig_Args {
  std::size_t struct_size = 48;
  const char* platform_type_name = nullptr;
  std::size_t platform_type_name_len = 0;
  const char* slice_name = nullptr;
  std::size_t slice_name_len = 0;
  PJRT_TpuTopology_SliceConfig* slice_config = nullptr;
};

struct PJRT_TpuTopology_GetSliceConfigs_Args {
  std::size_t struct_size = 48;
  const char* platform_type_name = nullptr;
  std::size_t platform_type_name_len = 0;
  PJRT_TpuTopology_SliceConfig* slice_configs = nullptr;
  std::size_t max_slice_configs = 0;
  std::size_t num_slice_configs = 0;
};

struct PJRT_TpuTopology_GetDefaultPlatformConfig_Args {
  std::size_t struct_size = 40;
  const char* platform_type_name = nullptr;
  std::size_t platform_type_name_len = 0;
  std::int64_t num_chips_per_tray = 0;
  std::int64_t num_trays = 0;
};

struct PJRT_TpuTopology_Extension {
  PJRT_Extension_Base base = {.struct_size = 272, .type = PJRT_Extension_Type_TpuTopology};
  PJRT_Error* (*subslice)(PJRT_TpuTopology_Subslice_Args*) = nullptr;
  PJRT_Error* (*is_subslice_topology)(PJRT_TpuTopology_IsSubsliceTopology_Args*) = nullptr;
  PJRT_Error* (*subslice_device_id_from_full_device_id)(PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args*) = nullptr;
  PJRT_Error* (*replace_host_bounds)(PJRT_TpuTopology_ReplaceHostBounds_Args*) = nullptr;
  PJRT_Error* (*is_enhanced_barrier_enabled)(PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args*) = nullptr;
  PJRT_Error* (*has_limited_ici_connectivity)(PJRT_TpuTopology_HasLimitedIciConnectivity_Args*) = nullptr;
  PJRT_Error* (*is_reachable_over_limited_ici)(PJRT_TpuTopology_IsReachableOverLimitedIci_Args*) = nullptr;
  PJRT_Error* (*process_count)(PJRT_TpuTopology_ProcessCount_Args*) = nullptr;
  PJRT_Error* (*chips_per_process)(PJRT_TpuTopology_ChipsPerProcess_Args*) = nullptr;
  PJRT_Error* (*core_count_per_chip)(PJRT_TpuTopology_CoreCountPerChip_Args*) = nullptr;
  PJRT_Error* (*chip_count)(PJRT_TpuTopology_ChipCount_Args*) = nullptr;
  PJRT_Error* (*core_count)(PJRT_TpuTopology_CoreCount_Args*) = nullptr;
  PJRT_Error* (*logical_device_count_per_process)(PJRT_TpuTopology_LogiDeviceCountPerProcess_Args*) = nullptr;
  PJRT_Error* (*logical_device_count)(PJRT_TpuTopology_LogiDeviceCount_Args*) = nullptr;
  PJRT_Error* (*logical_device_count_per_chip)(PJRT_TpuTopology_LogiDeviceCountPerChip_Args*) = nullptr;
  PJRT_Error* (*core_count_per_process)(PJRT_TpuTopology_CoreCountPerProcess_Args*) = nullptr;
  PJRT_Error* (*process_ids)(PJRT_TpuTopology_ProcessIds_Args*) = nullptr;
  PJRT_Error* (*logical_device_ids_on_process)(PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args*) = nullptr;
  PJRT_Error* (*proc_id_and_idx_on_proc_for_chip)(PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args*) = nullptr;
  PJRT_Error* (*proc_id_and_idx_on_proc_for_logi_device)(PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args*) = nullptr;
  PJRT_Error* (*process_coord_from_id)(PJRT_TpuTopology_ProcessCoordFromId_Args*) = nullptr;
  PJRT_Error* (*chip_id_from_coord)(PJRT_TpuTopology_ChipIdFromCoord_Args*) = nullptr;
  PJRT_Error* (*logical_device_id_from_chip_coord_and_idx)(PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args*) = nullptr;
  PJRT_Error* (*chip_coord_and_idx_for_logi_device)(PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args*) = nullptr;
  PJRT_Error* (*chips_per_process_bounds)(PJRT_TpuTopology_ChipsPerProcessBounds_Args*) = nullptr;
  PJRT_Error* (*chip_bounds)(PJRT_TpuTopology_ChipBounds_Args*) = nullptr;
  PJRT_Error* (*process_bounds)(PJRT_TpuTopology_ProcessBounds_Args*) = nullptr;
  PJRT_Error* (*get_routing_strategy)(PJRT_TpuTopology_GetRoutingStrategy_Args*) = nullptr;  // 0.90
  PJRT_Error* (*get_slice_config)(PJRT_TpuTopology_GetSliceConfig_Args*) = nullptr;  // 0.90
  PJRT_Error* (*get_slice_configs)(PJRT_TpuTopology_GetSliceConfigs_Args*) = nullptr;  // 0.90
  PJRT_Error* (*get_default_platform_config)(PJRT_TpuTopology_GetDefaultPlatformConfig_Args*) = nullptr;  // 0.90
};

}  // namespace pier::abi
