// Written by abi/generate.py from abi/pjrt.json; edit that.
// What the compiler makes of the declarations must be what plugins were built with.
#include "abi/profiler.h"

namespace pier::abi {

static_assert(sizeof(PLUGIN_Profiler_Error_Destroy_Args) == 24);
static_assert(offsetof(PLUGIN_Profiler_Error_Destroy_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Error_Destroy_Args, priv) == 8);
static_assert(offsetof(PLUGIN_Profiler_Error_Destroy_Args, error) == 16);
static_assert(sizeof(PLUGIN_Profiler_Error_Message_Args) == 40);
static_assert(offsetof(PLUGIN_Profiler_Error_Message_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Error_Message_Args, priv) == 8);
static_assert(offsetof(PLUGIN_Profiler_Error_Message_Args, error) == 16);
static_assert(offsetof(PLUGIN_Profiler_Error_Message_Args, message) == 24);
static_assert(offsetof(PLUGIN_Profiler_Error_Message_Args, message_size) == 32);
static_assert(sizeof(PLUGIN_Profiler_Error_GetCode_Args) == 32);
static_assert(offsetof(PLUGIN_Profiler_Error_GetCode_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Error_GetCode_Args, priv) == 8);
static_assert(offsetof(PLUGIN_Profiler_Error_GetCode_Args, error) == 16);
static_assert(offsetof(PLUGIN_Profiler_Error_GetCode_Args, code) == 24);
static_assert(sizeof(PLUGIN_Profiler_Create_Args) == 32);
static_assert(offsetof(PLUGIN_Profiler_Create_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Create_Args, options) == 8);
static_assert(offsetof(PLUGIN_Profiler_Create_Args, options_size) == 16);
static_assert(offsetof(PLUGIN_Profiler_Create_Args, profiler) == 24);
static_assert(sizeof(PLUGIN_Profiler_Destroy_Args) == 16);
static_assert(offsetof(PLUGIN_Profiler_Destroy_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Destroy_Args, profiler) == 8);
static_assert(sizeof(PLUGIN_Profiler_Start_Args) == 16);
static_assert(offsetof(PLUGIN_Profiler_Start_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Start_Args, profiler) == 8);
static_assert(sizeof(PLUGIN_Profiler_Stop_Args) == 16);
static_assert(offsetof(PLUGIN_Profiler_Stop_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Stop_Args, profiler) == 8);
static_assert(sizeof(PLUGIN_Profiler_CollectData_Args) == 32);
static_assert(offsetof(PLUGIN_Profiler_CollectData_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_CollectData_Args, profiler) == 8);
static_assert(offsetof(PLUGIN_Profiler_CollectData_Args, buffer) == 16);
static_assert(offsetof(PLUGIN_Profiler_CollectData_Args, buffer_size_in_bytes) == 24);
static_assert(sizeof(PLUGIN_Profiler_Consume_Args) == 24);
static_assert(offsetof(PLUGIN_Profiler_Consume_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Consume_Args, profiler) == 8);
static_assert(offsetof(PLUGIN_Profiler_Consume_Args, result) == 16);
static_assert(sizeof(PLUGIN_Profiler_ConsumeResult_Destroy_Args) == 16);
static_assert(offsetof(PLUGIN_Profiler_ConsumeResult_Destroy_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_ConsumeResult_Destroy_Args, consume_result) == 8);
static_assert(sizeof(PLUGIN_Profiler_Serialize_Args) == 40);
static_assert(offsetof(PLUGIN_Profiler_Serialize_Args, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Serialize_Args, profiler) == 8);
static_assert(offsetof(PLUGIN_Profiler_Serialize_Args, consume_result) == 16);
static_assert(offsetof(PLUGIN_Profiler_Serialize_Args, serialized_bytes) == 24);
static_assert(offsetof(PLUGIN_Profiler_Serialize_Args, serialized_size) == 32);
static_assert(sizeof(PLUGIN_Profiler_Api) == 104);
static_assert(offsetof(PLUGIN_Profiler_Api, struct_size) == 0);
static_assert(offsetof(PLUGIN_Profiler_Api, priv) == 8);
static_assert(offsetof(PLUGIN_Profiler_Api, error_destroy) == 16);
static_assert(offsetof(PLUGIN_Profiler_Api, error_message) == 24);
static_assert(offsetof(PLUGIN_Profiler_Api, error_get_code) == 32);
static_assert(offsetof(PLUGIN_Profiler_Api, create) == 40);
static_assert(offsetof(PLUGIN_Profiler_Api, destroy) == 48);
static_assert(offsetof(PLUGIN_Profiler_Api, start) == 56);
static_assert(offsetof(PLUGIN_Profiler_Api, stop) == 64);
static_assert(offsetof(PLUGIN_Profiler_Api, collect_data) == 72);
static_assert(offsetof(PLUGIN_Profiler_Api, consume) == 80);
static_assert(offsetof(PLUGIN_Profiler_Api, consume_result_destroy) == 88);
static_assert(offsetof(PLUGIN_Profiler_Api, serialize) == 96);

}  // namespace pier::abi
