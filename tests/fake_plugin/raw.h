#pragma once

// The plugin's table as a test calls it: argument structs in, code and message out.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/pjrt.h"
#include "fake_plugin/loader.h"

namespace fake::raw {

namespace abi = pier::abi;
using abi::Api;

struct Outcome {
  int code = 0;
  std::string message;
  explicit operator bool() const { return code == 0; }
};
inline std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << "code " << outcome.code << ": " << outcome.message;
}

/// A plugin with an initialised table, a client and its first device. Checks the books when the test ends.
class FakePluginTest : public testing::Test {
 protected:
  void SetUp() override { use_new_table(); }

  void TearDown() override {
    if (client != nullptr) {
      EXPECT_TRUE(call<&Api::PJRT_Client_Destroy>({.client = client}));
    }
    const FakeLive live = plugin->live();
    EXPECT_EQ(live.total, 0) << "clients " << live.clients << ", buffers " << live.buffers << ", events " << live.events
                             << ", executables " << live.executables << ", loaded " << live.loaded_executables
                             << ", errors " << live.errors << ", holders " << live.holders;
    if (!expects_violations) {
      EXPECT_EQ(plugin->violations(), 0u) << plugin->violation_report();
    }
    plugin->reset();
  }

  void script(const std::string& text) { ASSERT_EQ(plugin->script(text.c_str()), nullptr); }

  /// After the pose or the slots have changed.
  void use_new_table() {
    api = static_cast<const Api*>(plugin.api());
    if (api->PJRT_Plugin_Initialize != nullptr) {
      ASSERT_TRUE(call<&Api::PJRT_Plugin_Initialize>({}));
    }
  }

  template <auto Slot>
  struct ArgsOf;
  template <class Args, abi::PJRT_Error* (*Api::*Slot)(Args*)>
  struct ArgsOf<Slot> {
    using type = Args;
  };

  template <auto Slot>
  Outcome call(typename ArgsOf<Slot>::type&& args) {
    return take((api->*Slot)(&args));
  }
  template <auto Slot>
  Outcome call(typename ArgsOf<Slot>::type& args) {
    return take((api->*Slot)(&args));
  }

  /// Reads and frees an error.
  Outcome take(abi::PJRT_Error* error) {
    if (error == nullptr) return {};
    abi::PJRT_Error_Message_Args message{.error = error};
    api->PJRT_Error_Message(&message);
    abi::PJRT_Error_GetCode_Args code{.error = error};
    EXPECT_EQ(api->PJRT_Error_GetCode(&code), nullptr);
    Outcome outcome{code.code, std::string(message.message == nullptr ? "" : message.message, message.message_size)};
    abi::PJRT_Error_Destroy_Args destroy{.error = error};
    api->PJRT_Error_Destroy(&destroy);
    return outcome;
  }

  abi::PJRT_Client* create_client() {
    abi::PJRT_Client_Create_Args args;
    const Outcome outcome = call<&Api::PJRT_Client_Create>(args);
    EXPECT_TRUE(outcome) << outcome;
    client = args.client;
    return client;
  }

  abi::PJRT_Device* device(std::size_t index = 0) {
    abi::PJRT_Client_AddressableDevices_Args args{.client = client};
    EXPECT_TRUE(call<&Api::PJRT_Client_AddressableDevices>(args));
    return args.addressable_devices[index];
  }

  template <class Value>
  abi::PJRT_Client_BufferFromHostBuffer_Args host_args(const std::vector<Value>& values, const std::vector<std::int64_t>& dims,
                                                       abi::PJRT_Buffer_Type type) {
    return {.client = client, .data = values.data(), .type = type, .dims = dims.data(), .num_dims = dims.size(),
            .device = device()};
  }

  void destroy(abi::PJRT_Buffer* buffer) { EXPECT_TRUE(call<&Api::PJRT_Buffer_Destroy>({.buffer = buffer})); }
  void destroy(abi::PJRT_Event* event) { EXPECT_TRUE(call<&Api::PJRT_Event_Destroy>({.event = event})); }
  void destroy(abi::PJRT_LoadedExecutable* executable) {
    EXPECT_TRUE(call<&Api::PJRT_LoadedExecutable_Destroy>({.executable = executable}));
  }
  void destroy(abi::PJRT_Executable* executable) {
    EXPECT_TRUE(call<&Api::PJRT_Executable_Destroy>({.executable = executable}));
  }

  bool is_ready(abi::PJRT_Event* event) {
    abi::PJRT_Event_IsReady_Args args{.event = event};
    EXPECT_TRUE(call<&Api::PJRT_Event_IsReady>(args));
    return args.is_ready;
  }
  /// Waits, destroys, and gives what the event carried.
  Outcome finish(abi::PJRT_Event* event) {
    Outcome outcome = call<&Api::PJRT_Event_Await>({.event = event});
    destroy(event);
    return outcome;
  }
  Outcome ready_outcome(abi::PJRT_Buffer* buffer) {
    abi::PJRT_Buffer_ReadyEvent_Args args{.buffer = buffer};
    EXPECT_TRUE(call<&Api::PJRT_Buffer_ReadyEvent>(args));
    return finish(args.event);
  }

  abi::PJRT_Buffer* put(const std::vector<float>& values, std::vector<std::int64_t> dims) {
    auto args = host_args(values, dims, abi::PJRT_Buffer_Type_F32);
    const Outcome outcome = call<&Api::PJRT_Client_BufferFromHostBuffer>(args);
    EXPECT_TRUE(outcome) << outcome;
    EXPECT_TRUE(finish(args.done_with_host_buffer));
    return args.buffer;
  }

  template <class Value = float>
  std::vector<Value> get(abi::PJRT_Buffer* buffer) {
    abi::PJRT_Buffer_ToHostBuffer_Args args{.src = buffer};
    EXPECT_TRUE(call<&Api::PJRT_Buffer_ToHostBuffer>(args));
    std::vector<Value> values(args.dst_size / sizeof(Value));
    args.dst = values.data();
    const Outcome outcome = call<&Api::PJRT_Buffer_ToHostBuffer>(args);
    EXPECT_TRUE(outcome) << outcome;
    if (args.event != nullptr) {
      EXPECT_TRUE(finish(args.event));
    }
    return values;
  }

  Outcome compile(std::string code, abi::PJRT_LoadedExecutable*& executable, std::string_view format = "mlir",
                  std::string_view options = {}) {
    const abi::PJRT_Program program{.code = code.data(), .code_size = code.size(), .format = format.data(),
                                    .format_size = format.size()};
    abi::PJRT_Client_Compile_Args args{.client = client, .program = &program, .compile_options = options.data(),
                                       .compile_options_size = options.size()};
    Outcome outcome = call<&Api::PJRT_Client_Compile>(args);
    executable = args.executable;
    return outcome;
  }
  abi::PJRT_LoadedExecutable* compile(const std::string& code) {
    abi::PJRT_LoadedExecutable* executable = nullptr;
    const Outcome outcome = compile(code, executable);
    EXPECT_TRUE(outcome) << outcome;
    return executable;
  }
  abi::PJRT_Executable* plain(abi::PJRT_LoadedExecutable* loaded) {
    abi::PJRT_LoadedExecutable_GetExecutable_Args args{.loaded_executable = loaded};
    EXPECT_TRUE(call<&Api::PJRT_LoadedExecutable_GetExecutable>(args));
    return args.executable;
  }

  struct Run {
    Outcome outcome;
    std::vector<abi::PJRT_Buffer*> results;
    abi::PJRT_Event* done = nullptr;
  };
  Run execute(abi::PJRT_LoadedExecutable* executable, const std::vector<abi::PJRT_Buffer*>& arguments,
              std::size_t outputs, abi::PJRT_ExecuteOptions options = {}) {
    Run run;
    run.results.assign(outputs, nullptr);
    abi::PJRT_Buffer* const* list = arguments.data();
    abi::PJRT_Buffer** results = run.results.data();
    abi::PJRT_LoadedExecutable_Execute_Args args{.executable = executable, .options = &options, .argument_lists = &list,
                                                 .num_devices = 1, .num_args = arguments.size(),
                                                 .output_lists = &results, .device_complete_events = &run.done};
    run.outcome = call<&Api::PJRT_LoadedExecutable_Execute>(args);
    return run;
  }

  fake::Library& plugin = fake::Library::shared();
  const Api* api = nullptr;
  abi::PJRT_Client* client = nullptr;
  bool expects_violations = false;
};

}  // namespace fake::raw
