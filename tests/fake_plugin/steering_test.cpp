#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "abi/facts.h"
#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

using Floats = std::vector<float>;
using FakePluginDeathTest = FakePluginTest;

TEST_F(FakePluginTest, FailsTheCallThatItIsToldTo) {
  create_client();
  plugin->fail("PJRT_Client_ProcessIndex", 2, 9, "not now", 7);
  abi::PJRT_Client_ProcessIndex_Args args{.client = client};
  EXPECT_TRUE(call<&Api::PJRT_Client_ProcessIndex>(args));
  const Outcome second = call<&Api::PJRT_Client_ProcessIndex>(args);
  EXPECT_EQ(second.code, 9);
  EXPECT_EQ(second.message, "not now");
  EXPECT_TRUE(call<&Api::PJRT_Client_ProcessIndex>(args));
  EXPECT_EQ(plugin->calls("PJRT_Client_ProcessIndex"), 3u);
  plugin->fail("Client_ProcessIndex", fake_every_call, 99, nullptr, 0);
  EXPECT_EQ(call<&Api::PJRT_Client_ProcessIndex>(args).code, 99);
  EXPECT_EQ(call<&Api::PJRT_Client_ProcessIndex>(args).message, "");
}

TEST_F(FakePluginTest, CarriesAnyMessageWithoutANul) {
  std::string message = "Größe zu groß \xff\xfe";
  message.append(100000, 'x');
  message += '\0';
  message += "after a NUL";
  plugin->fail("PJRT_Client_Create", 1, 8, message.data(), message.size());
  EXPECT_EQ(call<&Api::PJRT_Client_Create>({}).message, message);
}

TEST_F(FakePluginTest, FailsEveryFunctionThatReturnsErrors) {
  for (const abi::FunctionFact& function : abi::functions()) {
    const std::string name(function.name);
    if (name == "PJRT_Error_Destroy" || name == "PJRT_Error_Message" || name == "PJRT_Error_GetCode") continue;
    plugin->fail(name.c_str(), fake_every_call, 14, "told so", 7);
    // All argument blocks begin alike; a failing call reads nothing else of them.
    alignas(16) std::byte args[1024] = {};
    const std::size_t size = function.args->sizes.back().struct_size;
    std::memcpy(args, &size, sizeof size);
    abi::PJRT_Error* (*slot)(void*) = nullptr;
    std::memcpy(&slot, reinterpret_cast<const std::byte*>(api) + function.offset, sizeof slot);
    ASSERT_NE(slot, nullptr) << name;
    const bool destroys = name.ends_with("_Destroy") && name != "PJRT_CopyToDeviceStream_Destroy";
    const Outcome outcome = take(slot(args));
    EXPECT_EQ(outcome.code, destroys || !name.ends_with("_Destroy") ? 14 : 12) << name << ": " << outcome;
  }
}

TEST_F(FakePluginTest, LeavesOutputsNullAsTold) {
  create_client();
  plugin->null_output("PJRT_Client_Compile", nullptr, 1);
  abi::PJRT_LoadedExecutable* executable = nullptr;
  EXPECT_TRUE(compile("fake.identity", executable));
  EXPECT_EQ(executable, nullptr);
  const Floats values = {1};
  auto args = host_args(values, {}, abi::PJRT_Buffer_Type_F32);
  plugin->null_output("PJRT_Client_BufferFromHostBuffer", "buffer", 1);
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
  EXPECT_EQ(args.buffer, nullptr);
  ASSERT_NE(args.done_with_host_buffer, nullptr);
  EXPECT_EQ(plugin->live().buffers, 0);
  destroy(args.done_with_host_buffer);

  executable = compile("fake.identity fake.outputs=2");
  abi::PJRT_Buffer* argument = put({1}, {});
  plugin->null_output("PJRT_LoadedExecutable_Execute", "output_lists", 1);
  Run run = execute(executable, {argument}, 2);
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(run.results, (std::vector<abi::PJRT_Buffer*>{nullptr, nullptr}));
  destroy(run.done);
  plugin->null_output("PJRT_LoadedExecutable_Execute", nullptr, 1);
  run = execute(executable, {argument}, 2);
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(run.done, nullptr);
  destroy(argument);
  destroy(executable);
}

TEST_F(FakePluginTest, DeliversFailuresThroughEventsAndBuffersOnly) {
  create_client();
  abi::PJRT_LoadedExecutable* executable = compile("fake.identity");
  abi::PJRT_Buffer* argument = put({1}, {});
  plugin->fail_later("PJRT_LoadedExecutable_Execute", 1, 8, "no memory", 9);
  Run run = execute(executable, {argument}, 1);
  ASSERT_TRUE(run.outcome);
  // Ready, and failed: it is no success that the event has happened.
  EXPECT_TRUE(is_ready(run.done));
  EXPECT_EQ(call<&Api::PJRT_Event_Error>({.event = run.done}).code, 8);
  EXPECT_EQ(finish(run.done).message, "no memory");
  EXPECT_EQ(ready_outcome(run.results[0]).code, 8);
  float value = -1;
  abi::PJRT_Buffer_ToHostBuffer_Args out{.src = run.results[0], .dst = &value, .dst_size = 4};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_ToHostBuffer>(out));
  EXPECT_EQ(finish(out.event).code, 8);
  EXPECT_EQ(value, -1);
  // What is made from a failed result has failed too.
  Run next = execute(executable, {run.results[0]}, 1);
  ASSERT_TRUE(next.outcome);
  EXPECT_EQ(finish(next.done).code, 8);
  for (abi::PJRT_Buffer* buffer : {argument, run.results[0], next.results[0]}) destroy(buffer);
  destroy(executable);
}

TEST_F(FakePluginTest, DelaysTheWorkAndRunsCallbacksOnItsOwnThread) {
  create_client();
  abi::PJRT_LoadedExecutable* executable = compile("fake.add_one");
  abi::PJRT_Buffer* argument = put({1}, {});
  plugin->delay("PJRT_LoadedExecutable_Execute", 30);
  const auto start = std::chrono::steady_clock::now();
  Run run = execute(executable, {argument}, 1);
  destroy(argument);
  EXPECT_FALSE(is_ready(run.done));
  std::promise<std::thread::id> thread;
  ASSERT_TRUE(call<&Api::PJRT_Event_OnReady>(
      {.event = run.done,
       .callback = [](abi::PJRT_Error* error, void* user) {
         EXPECT_EQ(error, nullptr);
         static_cast<std::promise<std::thread::id>*>(user)->set_value(std::this_thread::get_id());
       },
       .user_arg = &thread}));
  EXPECT_NE(thread.get_future().get(), std::this_thread::get_id());
  EXPECT_TRUE(finish(run.done));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(30));
  EXPECT_EQ(get(run.results[0]), (Floats{2}));
  destroy(run.results[0]);
  destroy(executable);
}

TEST_F(FakePluginTest, NeverFinishesUntilReleased) {
  create_client();
  plugin->delay(nullptr, fake_until_released);
  const Floats values = {1};
  auto args = host_args(values, {}, abi::PJRT_Buffer_Type_F32);
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
  abi::PJRT_LoadedExecutable* executable = compile("fake.add_one");
  Run run = execute(executable, {args.buffer}, 1);
  ASSERT_TRUE(run.outcome);
  float value = 0;
  abi::PJRT_Buffer_ToHostBuffer_Args out{.src = run.results[0], .dst = &value, .dst_size = 4};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_ToHostBuffer>(out));
  EXPECT_FALSE(is_ready(out.event));
  // Only the first step is held; the others wait for it.
  EXPECT_EQ(plugin->held(), 1u);
  EXPECT_EQ(plugin->release(), 3u);
  EXPECT_TRUE(finish(out.event));
  EXPECT_EQ(value, 2);
  destroy(args.done_with_host_buffer);
  destroy(run.done);
  destroy(args.buffer);
  destroy(run.results[0]);
  destroy(executable);
}

TEST_F(FakePluginTest, HangsInACallUntilReleased) {
  plugin->hang("PJRT_Client_Create", 1);
  std::atomic<bool> done = false;
  std::thread thread([&] {
    create_client();
    done = true;
  });
  while (plugin->held() == 0) std::this_thread::yield();
  EXPECT_FALSE(done);
  EXPECT_EQ(plugin->release(), 1u);
  thread.join();
  EXPECT_NE(client, nullptr);
}

TEST_F(FakePluginTest, FailingDestroyFunctionsStillDestroy) {
  create_client();
  abi::PJRT_Buffer* buffer = put({1}, {});
  plugin->fail("PJRT_Buffer_Destroy", 1, 13, "stuck", 5);
  EXPECT_EQ(call<&Api::PJRT_Buffer_Destroy>({.buffer = buffer}).code, 13);
  EXPECT_EQ(plugin->live().buffers, 0);
}

TEST_F(FakePluginDeathTest, CrashesWhereItIsToldTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH((script("abort=PJRT_Client_Create"), call<&Api::PJRT_Client_Create>({})), "crashing in PJRT_Client_Create");
  EXPECT_DEATH((script("segv=GetPjrtApi"), plugin.api()), "crashing in GetPjrtApi");
  EXPECT_EXIT((script("exit=Client_Create@2"), create_client(), create_client()), testing::ExitedWithCode(3), "");
}

TEST_F(FakePluginDeathTest, RefusesToSteerWhatIsNotThere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(plugin->fail("PJRT_Client_Fly", 1, 1, "", 0), "no function 'PJRT_Client_Fly'");
  EXPECT_DEATH((plugin->null_output("PJRT_Client_Create", "moon", 1), create_client()), "no output of the name");
  EXPECT_DEATH((plugin->fail_later("PJRT_Client_Create", 1, 1, "", 0), create_client()), "could fail later");
}

TEST_F(FakePluginTest, CountsEveryCallAndReportsThemInOrder) {
  plugin->reset();
  create_client();
  device();
  EXPECT_STREQ(plugin->call_report(), "PJRT_Client_Create 1\nPJRT_Client_AddressableDevices 1\n");
  EXPECT_EQ(plugin->calls(nullptr), 2u);
  EXPECT_EQ(plugin->calls("PJRT_Client_Compile"), 0u);
}

TEST_F(FakePluginTest, RefusesCallsBeforeInitialize) {
  fake::Library fresh;
  api = static_cast<const Api*>(fresh.api());
  EXPECT_EQ(call<&Api::PJRT_Client_Create>({}).code, abi::PJRT_Error_Code_FAILED_PRECONDITION);
  EXPECT_EQ(fresh->violations(), 1u);
  fresh->fail("PJRT_Plugin_Initialize", 1, 14, "busy", 4);
  EXPECT_EQ(call<&Api::PJRT_Plugin_Initialize>({}).code, 14);
  EXPECT_EQ(call<&Api::PJRT_Plugin_Attributes>({}).code, abi::PJRT_Error_Code_FAILED_PRECONDITION);
  EXPECT_TRUE(call<&Api::PJRT_Plugin_Initialize>({}));
  EXPECT_TRUE(call<&Api::PJRT_Plugin_Attributes>({}));
  EXPECT_EQ(fresh->calls("PJRT_Plugin_Initialize"), 2u);
}

TEST_F(FakePluginTest, KeepsCopiesOfItselfApart) {
  fake::Library one;
  fake::Library two;
  one->fail("PJRT_Plugin_Initialize", fake_every_call, 3, "", 0);
  api = static_cast<const Api*>(two.api());
  EXPECT_TRUE(call<&Api::PJRT_Plugin_Initialize>({}));
  EXPECT_EQ(one->calls(nullptr), 0u);
  EXPECT_EQ(two->calls("PJRT_Plugin_Initialize"), 1u);
  EXPECT_NE(one.api(), two.api());
}

}  // namespace
}  // namespace fake::raw
