#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// The members of argument structs that came after their struct. table.require(since::...) refuses them by name and
// version; older plugins drop what they do not know without a word.

#include "abi/facts.h"

namespace pier::abi::since {

inline constexpr FieldFact PJRT_Client_Create_Args_kv_try_get_callback{
    "PJRT_Client_Create_Args.kv_try_get_callback", 61};
inline constexpr FieldFact PJRT_Client_Create_Args_kv_try_get_user_arg{
    "PJRT_Client_Create_Args.kv_try_get_user_arg", 61};
inline constexpr FieldFact PJRT_ProcessInfo_struct_size{
    "PJRT_ProcessInfo.struct_size", 75};
inline constexpr FieldFact PJRT_ProcessInfo_task_id{
    "PJRT_ProcessInfo.task_id", 75};
inline constexpr FieldFact PJRT_ProcessInfo_incarnation_id{
    "PJRT_ProcessInfo.incarnation_id", 75};
inline constexpr FieldFact PJRT_ProcessInfo_state{
    "PJRT_ProcessInfo.state", 75};
inline constexpr FieldFact PJRT_ProcessInfo_error_code{
    "PJRT_ProcessInfo.error_code", 75};
inline constexpr FieldFact PJRT_ProcessInfo_error_message_size{
    "PJRT_ProcessInfo.error_message_size", 75};
inline constexpr FieldFact PJRT_Client_CreateErrorBuffer_Args_payload{
    "PJRT_Client_CreateErrorBuffer_Args.payload", 103};
inline constexpr FieldFact PJRT_Client_CreateErrorBuffer_Args_num_payload{
    "PJRT_Client_CreateErrorBuffer_Args.num_payload", 103};
inline constexpr FieldFact PJRT_Client_CreateErrorBuffer_Args_device_layout{
    "PJRT_Client_CreateErrorBuffer_Args.device_layout", 117};
inline constexpr FieldFact PJRT_Client_CreateViewOfDeviceBuffer_Args_memory{
    "PJRT_Client_CreateViewOfDeviceBuffer_Args.memory", 66};
inline constexpr FieldFact PJRT_Device_MemoryStats_Args_peak_allocated_bytes{
    "PJRT_Device_MemoryStats_Args.peak_allocated_bytes", 113};
inline constexpr FieldFact PJRT_Device_MemoryStats_Args_peak_allocated_bytes_is_set{
    "PJRT_Device_MemoryStats_Args.peak_allocated_bytes_is_set", 113};
inline constexpr FieldFact PJRT_Device_PoisonExecution_Args_payload{
    "PJRT_Device_PoisonExecution_Args.payload", 100};
inline constexpr FieldFact PJRT_Device_PoisonExecution_Args_num_payload{
    "PJRT_Device_PoisonExecution_Args.num_payload", 100};
inline constexpr FieldFact PJRT_ExecuteOptions_context{
    "PJRT_ExecuteOptions.context", 64};
inline constexpr FieldFact PJRT_ExecuteOptions_call_location{
    "PJRT_ExecuteOptions.call_location", 76};
inline constexpr FieldFact PJRT_ExecuteOptions_num_tasks{
    "PJRT_ExecuteOptions.num_tasks", 78};
inline constexpr FieldFact PJRT_ExecuteOptions_task_ids{
    "PJRT_ExecuteOptions.task_ids", 78};
inline constexpr FieldFact PJRT_ExecuteOptions_incarnation_ids{
    "PJRT_ExecuteOptions.incarnation_ids", 78};
inline constexpr FieldFact PJRT_ExecuteOptions_multi_slice_config{
    "PJRT_ExecuteOptions.multi_slice_config", 97};
inline constexpr FieldFact PJRT_ExecuteOptions_use_major_to_minor_data_layout_for_callbacks{
    "PJRT_ExecuteOptions.use_major_to_minor_data_layout_for_callbacks", 108};
inline constexpr FieldFact PJRT_ExecuteOptions_hlo_output_callbacks{
    "PJRT_ExecuteOptions.hlo_output_callbacks", 112};
inline constexpr FieldFact PJRT_ExecuteOptions_num_hlo_output_callbacks{
    "PJRT_ExecuteOptions.num_hlo_output_callbacks", 112};
inline constexpr FieldFact PJRT_ExecuteOptions_custom_options{
    "PJRT_ExecuteOptions.custom_options", 116};
inline constexpr FieldFact PJRT_ExecuteOptions_num_custom_options{
    "PJRT_ExecuteOptions.num_custom_options", 116};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_host_generated_code_size_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.host_generated_code_size_in_bytes", 43};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_host_argument_size_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.host_argument_size_in_bytes", 43};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_host_output_size_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.host_output_size_in_bytes", 43};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_host_alias_size_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.host_alias_size_in_bytes", 43};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_host_temp_size_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.host_temp_size_in_bytes", 43};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_peak_memory_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.peak_memory_in_bytes", 72};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_total_size_in_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.total_size_in_bytes", 90};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_total_allocation_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.total_allocation_bytes", 104};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_indefinite_allocations{
    "PJRT_Executable_GetCompiledMemoryStats_Args.indefinite_allocations", 104};
inline constexpr FieldFact PJRT_Executable_GetCompiledMemoryStats_Args_peak_unpadded_heap_bytes{
    "PJRT_Executable_GetCompiledMemoryStats_Args.peak_unpadded_heap_bytes", 104};
inline constexpr FieldFact PJRT_Executable_DeserializeAndLoad_Args_overridden_serialized_compile_options{
    "PJRT_Executable_DeserializeAndLoad_Args.overridden_serialized_compile_options", 71};
inline constexpr FieldFact PJRT_Executable_DeserializeAndLoad_Args_overridden_serialized_compile_options_size{
    "PJRT_Executable_DeserializeAndLoad_Args.overridden_serialized_compile_options_size", 71};
inline constexpr FieldFact PJRT_Executable_DeserializeAndLoad_Args_load_options{
    "PJRT_Executable_DeserializeAndLoad_Args.load_options", 111};

}  // namespace pier::abi::since
