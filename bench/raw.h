#pragma once

// The floor: a client as it would be written in C against the table, with no check that the call does not need. Uses the
// declarations of the ABI and nothing else of pier.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include "abi/pjrt.h"

namespace raw {

using namespace pier::abi;

struct Session {
  const Api* api = nullptr;
  PJRT_Client* client = nullptr;
  PJRT_Device* device = nullptr;
};

inline void check(const Api* api, PJRT_Error* error, const char* what) {
  if (!error) return;
  PJRT_Error_Message_Args message{.error = error};
  api->PJRT_Error_Message(&message);
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(message.message_size), message.message);
  std::exit(1);
}

inline Session open(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  Session session;
  session.api = reinterpret_cast<const Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  PJRT_Plugin_Initialize_Args initialize;
  check(session.api, session.api->PJRT_Plugin_Initialize(&initialize), "PJRT_Plugin_Initialize");
  PJRT_Client_Create_Args create;
  check(session.api, session.api->PJRT_Client_Create(&create), "PJRT_Client_Create");
  session.client = create.client;
  PJRT_Client_AddressableDevices_Args devices{.client = session.client};
  check(session.api, session.api->PJRT_Client_AddressableDevices(&devices), "PJRT_Client_AddressableDevices");
  session.device = devices.addressable_devices[0];
  return session;
}

inline PJRT_LoadedExecutable* compile(const Session& session, std::string_view code) {
  // xla.CompileOptionsProto with one replica, one partition and device 0, as pier sends it.
  static constexpr std::string_view options("\x1a\x04\x20\x01\x28\x01", 6);
  PJRT_Program program;
  program.code = const_cast<char*>(code.data());
  program.code_size = code.size();
  program.format = "mlir";
  program.format_size = 4;
  PJRT_Client_Compile_Args args{.client = session.client,
                                .program = &program,
                                .compile_options = options.data(),
                                .compile_options_size = options.size()};
  check(session.api, session.api->PJRT_Client_Compile(&args), "PJRT_Client_Compile");
  return args.executable;
}

inline void destroy(const Session& session, PJRT_LoadedExecutable* executable) {
  PJRT_LoadedExecutable_Destroy_Args args{.executable = executable};
  check(session.api, session.api->PJRT_LoadedExecutable_Destroy(&args), "PJRT_LoadedExecutable_Destroy");
}

inline void await(const Session& session, PJRT_Event* event) {
  PJRT_Event_Await_Args args{.event = event};
  check(session.api, session.api->PJRT_Event_Await(&args), "PJRT_Event_Await");
}

inline void destroy(const Session& session, PJRT_Event* event) {
  PJRT_Event_Destroy_Args args{.event = event};
  check(session.api, session.api->PJRT_Event_Destroy(&args), "PJRT_Event_Destroy");
}

inline void destroy(const Session& session, PJRT_Buffer* buffer) {
  PJRT_Buffer_Destroy_Args args{.buffer = buffer};
  check(session.api, session.api->PJRT_Buffer_Destroy(&args), "PJRT_Buffer_Destroy");
}

inline PJRT_Buffer* put(const Session& session, const float* data, const std::vector<std::int64_t>& shape,
                        PJRT_HostBufferSemantics semantics) {
  PJRT_Client_BufferFromHostBuffer_Args args{.client = session.client,
                                             .data = data,
                                             .type = PJRT_Buffer_Type_F32,
                                             .dims = shape.data(),
                                             .num_dims = shape.size(),
                                             .host_buffer_semantics = semantics,
                                             .device = session.device};
  check(session.api, session.api->PJRT_Client_BufferFromHostBuffer(&args), "PJRT_Client_BufferFromHostBuffer");
  if (args.done_with_host_buffer) {
    if (semantics == PJRT_HostBufferSemantics_kImmutableOnlyDuringCall) await(session, args.done_with_host_buffer);
    destroy(session, args.done_with_host_buffer);
  }
  return args.buffer;
}

inline void execute(const Session& session, PJRT_LoadedExecutable* executable, PJRT_Buffer* const* inputs,
                    std::size_t num_inputs, PJRT_Buffer** outputs) {
  PJRT_ExecuteOptions options;
  PJRT_Buffer* const* const input_list = inputs;
  PJRT_Buffer** const output_list = outputs;
  PJRT_LoadedExecutable_Execute_Args args{.executable = executable,
                                          .options = &options,
                                          .argument_lists = &input_list,
                                          .num_devices = 1,
                                          .num_args = num_inputs,
                                          .output_lists = &output_list};
  check(session.api, session.api->PJRT_LoadedExecutable_Execute(&args), "PJRT_LoadedExecutable_Execute");
}

inline const void* host_pointer(const Session& session, PJRT_Buffer* buffer) {
  PJRT_Buffer_ReadyEvent_Args ready{.buffer = buffer};
  check(session.api, session.api->PJRT_Buffer_ReadyEvent(&ready), "PJRT_Buffer_ReadyEvent");
  await(session, ready.event);
  destroy(session, ready.event);
  PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args args{.buffer = buffer};
  check(session.api, session.api->PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&args), "PJRT_Buffer_OpaqueDeviceMemoryDataPointer");
  return args.device_memory_ptr;
}

}  // namespace raw
