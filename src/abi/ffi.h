#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// The foreign function interface: what custom call handlers are given.
// PJRT 0.117; a number behind a member is the minor version that brought it, where that came after its struct and
// after 0.40.

#include <cstddef>
#include <cstdint>

namespace pier::abi {

using XLA_FFI_Handler_Traits = std::uint32_t;

enum XLA_FFI_Error_Code : int {
  XLA_FFI_Error_Code_OK = 0,
  XLA_FFI_Error_Code_CANCELLED = 1,
  XLA_FFI_Error_Code_UNKNOWN = 2,
  XLA_FFI_Error_Code_INVALID_ARGUMENT = 3,
  XLA_FFI_Error_Code_DEADLINE_EXCEEDED = 4,
  XLA_FFI_Error_Code_NOT_FOUND = 5,
  XLA_FFI_Error_Code_ALREADY_EXISTS = 6,
  XLA_FFI_Error_Code_PERMISSION_DENIED = 7,
  XLA_FFI_Error_Code_RESOURCE_EXHAUSTED = 8,
  XLA_FFI_Error_Code_FAILED_PRECONDITION = 9,
  XLA_FFI_Error_Code_ABORTED = 10,
  XLA_FFI_Error_Code_OUT_OF_RANGE = 11,
  XLA_FFI_Error_Code_UNIMPLEMENTED = 12,
  XLA_FFI_Error_Code_INTERNAL = 13,
  XLA_FFI_Error_Code_UNAVAILABLE = 14,
  XLA_FFI_Error_Code_DATA_LOSS = 15,
  XLA_FFI_Error_Code_UNAUTHENTICATED = 16,
};

enum XLA_FFI_DataType : int {
  XLA_FFI_DataType_INVALID = 0,
  XLA_FFI_DataType_PRED = 1,
  XLA_FFI_DataType_S8 = 2,
  XLA_FFI_DataType_S16 = 3,
  XLA_FFI_DataType_S32 = 4,
  XLA_FFI_DataType_S64 = 5,
  XLA_FFI_DataType_U8 = 6,
  XLA_FFI_DataType_U16 = 7,
  XLA_FFI_DataType_U32 = 8,
  XLA_FFI_DataType_U64 = 9,
  XLA_FFI_DataType_F16 = 10,
  XLA_FFI_DataType_F32 = 11,
  XLA_FFI_DataType_F64 = 12,
  XLA_FFI_DataType_C64 = 15,  // 0.50
  XLA_FFI_DataType_BF16 = 16,
  XLA_FFI_DataType_TOKEN = 17,  // 0.51
  XLA_FFI_DataType_C128 = 18,  // 0.50
  XLA_FFI_DataType_F8E5M2 = 19,  // 0.54
  XLA_FFI_DataType_F8E4M3FN = 20,  // 0.54
  XLA_FFI_DataType_S4 = 21,  // 0.67
  XLA_FFI_DataType_U4 = 22,  // 0.67
  XLA_FFI_DataType_F8E4M3B11FNUZ = 23,  // 0.54
  XLA_FFI_DataType_F8E5M2FNUZ = 24,  // 0.54
  XLA_FFI_DataType_F8E4M3FNUZ = 25,  // 0.54
  XLA_FFI_DataType_S2 = 26,  // 0.67
  XLA_FFI_DataType_U2 = 27,  // 0.67
  XLA_FFI_DataType_F8E4M3 = 28,  // 0.55
  XLA_FFI_DataType_F8E3M4 = 29,  // 0.55
  XLA_FFI_DataType_S1 = 30,  // 0.67
  XLA_FFI_DataType_U1 = 31,  // 0.67
  XLA_FFI_DataType_F4E2M1FN = 32,  // 0.63
  XLA_FFI_DataType_F8E8M0FNU = 33,  // 0.63
};

enum XLA_FFI_ArgType : int {
  XLA_FFI_ArgType_BUFFER = 1,
};

enum XLA_FFI_AttrType : int {
  XLA_FFI_AttrType_ARRAY = 1,  // 0.46
  XLA_FFI_AttrType_DICTIONARY = 2,  // 0.46
  XLA_FFI_AttrType_SCALAR = 3,  // 0.46
  XLA_FFI_AttrType_STRING = 4,
};

enum XLA_FFI_Handler_TraitsBits : int {
  XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1,
};

enum XLA_FFI_RetType : int {
  XLA_FFI_RetType_BUFFER = 1,
};

enum XLA_FFI_ExecutionStage : int {
  XLA_FFI_ExecutionStage_INSTANTIATE = 0,  // 0.54
  XLA_FFI_ExecutionStage_PREPARE = 1,  // 0.54
  XLA_FFI_ExecutionStage_INITIALIZE = 2,  // 0.54
  XLA_FFI_ExecutionStage_EXECUTE = 3,  // 0.54
  XLA_FFI_ExecutionStage_RECORD = 4,  // 0.114
};

enum XLA_FFI_InternalExtension_Type : int {
  XLA_FFI_Extension_Metadata = 1,
};

struct XLA_FFI_Api;
struct XLA_FFI_Api_Version;
struct XLA_FFI_Args;
struct XLA_FFI_Array;
struct XLA_FFI_Attrs;
struct XLA_FFI_Buffer;
struct XLA_FFI_ByteSpan;
struct XLA_FFI_CallFrame;
struct XLA_FFI_CustomOptions_Get_Args;
struct XLA_FFI_DeviceMemory_Allocate_Args;
struct XLA_FFI_DeviceMemory_Free_Args;
struct XLA_FFI_DeviceOrdinal_Get_Args;
struct XLA_FFI_Error;
struct XLA_FFI_Error_Create_Args;
struct XLA_FFI_Error_Destroy_Args;
struct XLA_FFI_Error_GetDetails_Args;
struct XLA_FFI_Extension;
struct XLA_FFI_ExtensionId;
struct XLA_FFI_Future;
struct XLA_FFI_Future_Create_Args;
struct XLA_FFI_Future_SetAvailable_Args;
struct XLA_FFI_Future_SetError_Args;
struct XLA_FFI_Handler_Bundle;
struct XLA_FFI_Handler_Register_Args;
struct XLA_FFI_InternalApi;
struct XLA_FFI_InternalExtension;
struct XLA_FFI_InvokeContext;
struct XLA_FFI_InvokeContext_FindExtension_Args;
struct XLA_FFI_InvokeContext_Get_Args;
struct XLA_FFI_Metadata;
struct XLA_FFI_Metadata_Extension;
struct XLA_FFI_Rets;
struct XLA_FFI_RunId_Get_Args;
struct XLA_FFI_Scalar;
struct XLA_FFI_State_Get_Args;
struct XLA_FFI_State_Set_Args;
struct XLA_FFI_Stream_Get_Args;
struct XLA_FFI_ThreadPool_NumThreads_Args;
struct XLA_FFI_ThreadPool_Schedule_Args;
struct XLA_FFI_TypeId;
struct XLA_FFI_TypeInfo;
struct XLA_FFI_Type_Register_Args;

using XLA_FFI_Handler = XLA_FFI_Error*(XLA_FFI_CallFrame*);
using XLA_FFI_Task = void(void*);

struct XLA_FFI_InternalExtension {
  std::size_t struct_size = 24;
  XLA_FFI_InternalExtension_Type type{};
  XLA_FFI_InternalExtension* next = nullptr;
};

struct XLA_FFI_ExtensionId {
  std::int64_t extension_type = 0;
  std::int32_t major_version = 0;
  std::int32_t minor_version = 0;
};

struct XLA_FFI_Extension {
  std::size_t struct_size = 32;
  XLA_FFI_ExtensionId id{};
  const XLA_FFI_Extension* next = nullptr;
};

struct XLA_FFI_Api_Version {
  std::size_t struct_size = 24;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  int major_version = 0;
  int minor_version = 0;
};

struct XLA_FFI_Error_Create_Args {
  std::size_t struct_size = 28;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  const char* message = nullptr;
  XLA_FFI_Error_Code errc{};
};

struct XLA_FFI_Error_GetDetails_Args {
  std::size_t struct_size = 36;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_Error* error = nullptr;
  const char* message = nullptr;
  XLA_FFI_Error_Code errc{};
};

struct XLA_FFI_Error_Destroy_Args {
  std::size_t struct_size = 24;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_Error* error = nullptr;
};

struct XLA_FFI_Buffer {
  std::size_t struct_size = 48;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_DataType dtype{};
  void* data = nullptr;
  std::int64_t rank = 0;
  std::int64_t* dims = nullptr;
};

struct XLA_FFI_ByteSpan {
  const char* ptr = nullptr;
  std::size_t len = 0;
};

struct XLA_FFI_Scalar {
  XLA_FFI_DataType dtype{};  // 0.51
  void* value = nullptr;
};

struct XLA_FFI_Array {
  XLA_FFI_DataType dtype{};  // 0.51
  std::size_t size = 0;
  void* data = nullptr;  // 0.51
};

struct XLA_FFI_TypeId {
  std::int64_t type_id = 0;
};

struct XLA_FFI_TypeInfo {
  std::size_t struct_size = 24;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  void (*deleter)(void*) = nullptr;
};

struct XLA_FFI_Future_Create_Args {
  std::size_t struct_size = 24;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_Future* future = nullptr;
};

struct XLA_FFI_Future_SetAvailable_Args {
  std::size_t struct_size = 24;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_Future* future = nullptr;
};

struct XLA_FFI_Future_SetError_Args {
  std::size_t struct_size = 32;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_Future* future = nullptr;
  XLA_FFI_Error* error = nullptr;
};

struct XLA_FFI_Args {
  std::size_t struct_size = 40;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  std::int64_t size = 0;
  XLA_FFI_ArgType* types = nullptr;
  void** args = nullptr;
};

struct XLA_FFI_Rets {
  std::size_t struct_size = 40;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  std::int64_t size = 0;
  XLA_FFI_RetType* types = nullptr;
  void** rets = nullptr;
};

struct XLA_FFI_Attrs {
  std::size_t struct_size = 48;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  std::int64_t size = 0;
  XLA_FFI_AttrType* types = nullptr;
  XLA_FFI_ByteSpan** names = nullptr;
  void** attrs = nullptr;
};

struct XLA_FFI_CallFrame {
  std::size_t struct_size = 176;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  const XLA_FFI_Api* api = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  XLA_FFI_ExecutionStage stage{};  // 0.53
  XLA_FFI_Args args{};  // 0.53
  XLA_FFI_Rets rets{};  // 0.53
  XLA_FFI_Attrs attrs{};  // 0.53
  XLA_FFI_Future* future = nullptr;  // 0.54
};

struct XLA_FFI_Handler_Bundle {
  XLA_FFI_Handler* instantiate = nullptr;
  XLA_FFI_Handler* prepare = nullptr;
  XLA_FFI_Handler* initialize = nullptr;
  XLA_FFI_Handler* execute = nullptr;  // 0.54
  XLA_FFI_Handler* record = nullptr;  // 0.114
};

struct XLA_FFI_Handler_Register_Args {
  std::size_t struct_size = 92;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_ByteSpan name{};  // 0.51
  XLA_FFI_ByteSpan platform{};  // 0.51
  XLA_FFI_Handler_Bundle bundle{};  // 0.114
  XLA_FFI_Handler_Traits traits = 0;  // 0.114
};

struct XLA_FFI_Type_Register_Args {
  std::size_t struct_size = 48;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_ByteSpan name{};
  XLA_FFI_TypeId* type_id = nullptr;
  const XLA_FFI_TypeInfo* type_info = nullptr;
};

struct XLA_FFI_InvokeContext_FindExtension_Args {
  std::size_t struct_size = 40;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  std::int64_t extension_type = 0;
  const XLA_FFI_Extension* extension = nullptr;
};

struct XLA_FFI_InvokeContext_Get_Args {
  std::size_t struct_size = 40;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  XLA_FFI_TypeId* type_id = nullptr;
  void* data = nullptr;
};

struct XLA_FFI_CustomOptions_Get_Args {
  std::size_t struct_size = 32;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  const XLA_FFI_Attrs* attrs = nullptr;
};

struct XLA_FFI_State_Set_Args {
  std::size_t struct_size = 48;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  XLA_FFI_ExecutionStage stage{};  // 0.92
  XLA_FFI_TypeId* type_id = nullptr;
  void* state = nullptr;  // 0.92
};

struct XLA_FFI_State_Get_Args {
  std::size_t struct_size = 48;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  XLA_FFI_ExecutionStage stage{};  // 0.92
  XLA_FFI_TypeId* type_id = nullptr;
  void* state = nullptr;  // 0.92
};

struct XLA_FFI_Stream_Get_Args {
  std::size_t struct_size = 32;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  void* stream = nullptr;
};

struct XLA_FFI_DeviceMemory_Allocate_Args {
  std::size_t struct_size = 48;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  std::size_t size = 0;
  std::size_t alignment = 0;
  void* data = nullptr;
};

struct XLA_FFI_DeviceMemory_Free_Args {
  std::size_t struct_size = 40;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  std::size_t size = 0;
  void* data = nullptr;
};

struct XLA_FFI_ThreadPool_Schedule_Args {
  std::size_t struct_size = 40;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  XLA_FFI_Task* task = nullptr;
  void* data = nullptr;
};

struct XLA_FFI_ThreadPool_NumThreads_Args {
  std::size_t struct_size = 32;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  std::int64_t* num_threads = nullptr;
};

struct XLA_FFI_RunId_Get_Args {
  std::size_t struct_size = 32;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  std::int64_t run_id = 0;
};

struct XLA_FFI_DeviceOrdinal_Get_Args {
  std::size_t struct_size = 28;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_InvokeContext* ctx = nullptr;
  std::int32_t device_ordinal = 0;
};

struct XLA_FFI_Metadata {
  std::size_t struct_size = 48;
  XLA_FFI_Api_Version api_version{};
  XLA_FFI_Handler_Traits traits = 0;
  XLA_FFI_TypeId state_type_id{};  // 0.80
};

struct XLA_FFI_Metadata_Extension {
  XLA_FFI_InternalExtension extension_base{};
  XLA_FFI_Metadata* metadata = nullptr;
};

struct XLA_FFI_Api {
  std::size_t struct_size = 208;
  XLA_FFI_InternalExtension* extension_start = nullptr;
  XLA_FFI_Api_Version api_version{};  // 0.54
  const XLA_FFI_InternalApi* internal_api = nullptr;
  XLA_FFI_Error* (*XLA_FFI_Error_Create)(XLA_FFI_Error_Create_Args*) = nullptr;
  void (*XLA_FFI_Error_GetDetails)(XLA_FFI_Error_GetDetails_Args*) = nullptr;
  void (*XLA_FFI_Error_Destroy)(XLA_FFI_Error_Destroy_Args*) = nullptr;  // 0.51
  XLA_FFI_Error* (*XLA_FFI_Handler_Register)(XLA_FFI_Handler_Register_Args*) = nullptr;  // 0.51
  XLA_FFI_Error* (*XLA_FFI_Stream_Get)(XLA_FFI_Stream_Get_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_Type_Register)(XLA_FFI_Type_Register_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_InvokeContext_Get)(XLA_FFI_InvokeContext_Get_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_State_Set)(XLA_FFI_State_Set_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_State_Get)(XLA_FFI_State_Get_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_DeviceMemory_Allocate)(XLA_FFI_DeviceMemory_Allocate_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_DeviceMemory_Free)(XLA_FFI_DeviceMemory_Free_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_ThreadPool_Schedule)(XLA_FFI_ThreadPool_Schedule_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_ThreadPool_NumThreads)(XLA_FFI_ThreadPool_NumThreads_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_Future_Create)(XLA_FFI_Future_Create_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_Future_SetAvailable)(XLA_FFI_Future_SetAvailable_Args*) = nullptr;  // 0.54
  XLA_FFI_Error* (*XLA_FFI_Future_SetError)(XLA_FFI_Future_SetError_Args*) = nullptr;  // 0.57
  XLA_FFI_Error* (*XLA_FFI_RunId_Get)(XLA_FFI_RunId_Get_Args*) = nullptr;  // 0.67
  XLA_FFI_Error* (*XLA_FFI_DeviceOrdinal_Get)(XLA_FFI_DeviceOrdinal_Get_Args*) = nullptr;  // 0.67
  XLA_FFI_Error* (*XLA_FFI_InvokeContext_FindExtension)(XLA_FFI_InvokeContext_FindExtension_Args*) = nullptr;  // 0.114
  XLA_FFI_Error* (*XLA_FFI_CustomOptions_Get)(XLA_FFI_CustomOptions_Get_Args*) = nullptr;  // 0.116
};

}  // namespace pier::abi
