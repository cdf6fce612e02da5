#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// The profiler table that the Profiler extension points to.
// PJRT 0.117; a number behind a member is the minor version that brought it, where that came after its struct and
// after 0.40.

#include <cstddef>
#include <cstdint>

namespace pier::abi {

struct PLUGIN_Profiler;
struct PLUGIN_Profiler_Api;
struct PLUGIN_Profiler_CollectData_Args;
struct PLUGIN_Profiler_ConsumeResult;
struct PLUGIN_Profiler_ConsumeResult_Destroy_Args;
struct PLUGIN_Profiler_Consume_Args;
struct PLUGIN_Profiler_Create_Args;
struct PLUGIN_Profiler_Destroy_Args;
struct PLUGIN_Profiler_Error;
struct PLUGIN_Profiler_Error_Destroy_Args;
struct PLUGIN_Profiler_Error_GetCode_Args;
struct PLUGIN_Profiler_Error_Message_Args;
struct PLUGIN_Profiler_Serialize_Args;
struct PLUGIN_Profiler_Start_Args;
struct PLUGIN_Profiler_Stop_Args;

struct PLUGIN_Profiler_Error_Destroy_Args {
  std::size_t struct_size = 24;
  void* priv = nullptr;
  PLUGIN_Profiler_Error* error = nullptr;
};

struct PLUGIN_Profiler_Error_Message_Args {
  std::size_t struct_size = 40;
  void* priv = nullptr;
  const PLUGIN_Profiler_Error* error = nullptr;
  const char* message = nullptr;
  std::size_t message_size = 0;
};

struct PLUGIN_Profiler_Error_GetCode_Args {
  std::size_t struct_size = 28;
  void* priv = nullptr;
  const PLUGIN_Profiler_Error* error = nullptr;
  int code = 0;
};

struct PLUGIN_Profiler_Create_Args {
  std::size_t struct_size = 32;
  const char* options = nullptr;
  std::size_t options_size = 0;
  PLUGIN_Profiler* profiler = nullptr;
};

struct PLUGIN_Profiler_Destroy_Args {
  std::size_t struct_size = 16;
  PLUGIN_Profiler* profiler = nullptr;
};

struct PLUGIN_Profiler_Start_Args {
  std::size_t struct_size = 16;
  PLUGIN_Profiler* profiler = nullptr;
};

struct PLUGIN_Profiler_Stop_Args {
  std::size_t struct_size = 16;
  PLUGIN_Profiler* profiler = nullptr;
};

struct PLUGIN_Profiler_CollectData_Args {
  std::size_t struct_size = 32;
  PLUGIN_Profiler* profiler = nullptr;
  std::uint8_t* buffer = nullptr;
  std::size_t buffer_size_in_bytes = 0;
};

struct PLUGIN_Profiler_Consume_Args {
  std::size_t struct_size = 24;
  PLUGIN_Profiler* profiler = nullptr;
  PLUGIN_Profiler_ConsumeResult* result = nullptr;
};

struct PLUGIN_Profiler_ConsumeResult_Destroy_Args {
  std::size_t struct_size = 16;
  PLUGIN_Profiler_ConsumeResult* consume_result = nullptr;
};

struct PLUGIN_Profiler_Serialize_Args {
  std::size_t struct_size = 40;
  PLUGIN_Profiler* profiler = nullptr;
  PLUGIN_Profiler_ConsumeResult* consume_result = nullptr;
  const std::uint8_t* serialized_bytes = nullptr;
  std::size_t serialized_size = 0;
};

struct PLUGIN_Profiler_Api {
  std::size_t struct_size = 104;
  void* priv = nullptr;
  void (*error_destroy)(PLUGIN_Profiler_Error_Destroy_Args*) = nullptr;
  void (*error_message)(PLUGIN_Profiler_Error_Message_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*error_get_code)(PLUGIN_Profiler_Error_GetCode_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*create)(PLUGIN_Profiler_Create_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*destroy)(PLUGIN_Profiler_Destroy_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*start)(PLUGIN_Profiler_Start_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*stop)(PLUGIN_Profiler_Stop_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*collect_data)(PLUGIN_Profiler_CollectData_Args*) = nullptr;
  PLUGIN_Profiler_Error* (*consume)(PLUGIN_Profiler_Consume_Args*) = nullptr;  // 0.113
  void (*consume_result_destroy)(PLUGIN_Profiler_ConsumeResult_Destroy_Args*) = nullptr;  // 0.113
  PLUGIN_Profiler_Error* (*serialize)(PLUGIN_Profiler_Serialize_Args*) = nullptr;  // 0.113
};

}  // namespace pier::abi
