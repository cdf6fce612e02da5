#include "abi/facts.h"
#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

/// Tests of misuse: each says how many violations it commits.
class LedgerTest : public FakePluginTest {
 protected:
  void SetUp() override {
    FakePluginTest::SetUp();
    expects_violations = true;
    create_client();
  }
  void expect_violation(const std::string& words) {
    ++expected_;
    EXPECT_EQ(plugin->violations(), expected_) << plugin->violation_report();
    EXPECT_NE(std::string(plugin->violation_report()).find(words), std::string::npos) << plugin->violation_report();
  }

 private:
  std::size_t expected_ = 0;
};

TEST_F(LedgerTest, SeesDoubleDestroyAndUseAfterDestroy) {
  abi::PJRT_Buffer* buffer = put({1}, {});
  destroy(buffer);
  EXPECT_EQ(call<&Api::PJRT_Buffer_Destroy>({.buffer = buffer}).code, 3);
  expect_violation("PJRT_Buffer_Destroy: use of a destroyed buffer");
  EXPECT_EQ(call<&Api::PJRT_Buffer_Dimensions>({.buffer = buffer}).code, 3);
  expect_violation("PJRT_Buffer_Dimensions: use of a destroyed buffer");
}

TEST_F(LedgerTest, SeesNullUnknownAndMistakenHandles) {
  EXPECT_EQ(call<&Api::PJRT_Buffer_Dimensions>({}).code, 3);
  expect_violation("a null buffer");
  int something = 0;
  EXPECT_EQ(call<&Api::PJRT_Buffer_Dimensions>({.buffer = reinterpret_cast<abi::PJRT_Buffer*>(&something)}).code, 3);
  expect_violation("never given out");
  EXPECT_EQ(call<&Api::PJRT_Buffer_Dimensions>({.buffer = reinterpret_cast<abi::PJRT_Buffer*>(client)}).code, 3);
  expect_violation("a client in the place of a buffer");
  // A null handle may be destroyed.
  EXPECT_TRUE(call<&Api::PJRT_Buffer_Destroy>({}));
  EXPECT_EQ(plugin->violations(), 3u);
}

TEST_F(LedgerTest, SeesAClientThatGoesBeforeWhatIsItsOwn) {
  abi::PJRT_Buffer* buffer = put({1}, {});
  abi::PJRT_LoadedExecutable* executable = compile("fake.identity");
  ASSERT_TRUE(call<&Api::PJRT_Client_Destroy>({.client = client}));
  client = nullptr;
  expect_violation("a client destroyed before its 1 buffer, 1 loaded executable");
  destroy(buffer);
  destroy(executable);
}

TEST_F(LedgerTest, SeesAnExecutableThatOutlivesItsLoadedOne) {
  abi::PJRT_LoadedExecutable* loaded = compile("fake.identity");
  abi::PJRT_Executable* executable = plain(loaded);
  destroy(loaded);
  EXPECT_EQ(call<&Api::PJRT_Executable_Name>({.executable = executable}).code, 3);
  expect_violation("used after its loaded executable");
  destroy(executable);
  expect_violation("destroyed after its loaded executable");
}

TEST_F(LedgerTest, SeesEventsThatAreAskedTooEarlyOrGoTooSoon) {
  plugin->delay(nullptr, fake_until_released);
  abi::PJRT_Buffer* buffer = nullptr;
  const std::vector<float> values = {1};
  auto args = host_args(values, {}, abi::PJRT_Buffer_Type_F32);
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
  buffer = args.buffer;
  EXPECT_EQ(call<&Api::PJRT_Event_Error>({.event = args.done_with_host_buffer}).code, 3);
  expect_violation("the event has not happened");
  int called = 0;
  ASSERT_TRUE(call<&Api::PJRT_Event_OnReady>({.event = args.done_with_host_buffer,
                                              .callback = [](abi::PJRT_Error*, void* count) { ++*static_cast<int*>(count); },
                                              .user_arg = &called}));
  destroy(args.done_with_host_buffer);
  expect_violation("while 1 callbacks wait on it");
  plugin->release();
  EXPECT_EQ(called, 0);
  destroy(buffer);
}

TEST_F(LedgerTest, SeesEventsThatAreSetTwice) {
  abi::PJRT_Event_Create_Args made;
  ASSERT_TRUE(call<&Api::PJRT_Event_Create>(made));
  EXPECT_FALSE(is_ready(made.event));
  ASSERT_TRUE(call<&Api::PJRT_Event_Set>(
      {.event = made.event, .error_code = abi::PJRT_Error_Code_ABORTED, .error_message = "by hand", .error_message_size = 7}));
  EXPECT_EQ(call<&Api::PJRT_Event_Set>({.event = made.event}).code, 3);
  expect_violation("the event was set before");
  EXPECT_EQ(finish(made.event).message, "by hand");
}

TEST_F(LedgerTest, SeesUnbalancedReferences) {
  abi::PJRT_Buffer* buffer = put({1}, {});
  EXPECT_EQ(call<&Api::PJRT_Buffer_DecreaseExternalReferenceCount>({.buffer = buffer}).code, 3);
  expect_violation("more decreases than increases");
  ASSERT_TRUE(call<&Api::PJRT_Buffer_IncreaseExternalReferenceCount>({.buffer = buffer}));
  destroy(buffer);
  expect_violation("destroyed with 1 external references");
}

TEST_F(LedgerTest, SeesErrorsThatLeakAndDeletersThatRunTwice) {
  abi::PJRT_Client_LookupDevice_Args lookup{.client = client, .id = 99};
  abi::PJRT_Error* error = api->PJRT_Client_LookupDevice(&lookup);
  EXPECT_EQ(plugin->live().errors, 1);
  take(error);
  abi::PJRT_Device_GetAttributes_Args attributes{.device = device()};
  ASSERT_TRUE(call<&Api::PJRT_Device_GetAttributes>(attributes));
  attributes.attributes_deleter(attributes.device_attributes);
  attributes.attributes_deleter(attributes.device_attributes);
  expect_violation("use of a destroyed holder");
}

TEST_F(LedgerTest, SeesAContextThatGoesDuringItsExecution) {
  abi::PJRT_ExecuteContext_Create_Args context;
  ASSERT_TRUE(call<&Api::PJRT_ExecuteContext_Create>(context));
  abi::PJRT_LoadedExecutable* executable = compile("fake.constants");
  plugin->delay("PJRT_LoadedExecutable_Execute", fake_until_released);
  Run run = execute(executable, {}, 1, {.context = context.context});
  ASSERT_TRUE(run.outcome);
  ASSERT_TRUE(call<&Api::PJRT_ExecuteContext_Destroy>({.context = context.context}));
  expect_violation("an execute context destroyed during its execution");
  plugin->release();
  destroy(run.done);
  destroy(run.results[0]);
  destroy(executable);
}

TEST_F(LedgerTest, SeesSizesThatNoVersionHas) {
  EXPECT_TRUE(call<&Api::PJRT_Client_Devices>({.struct_size = 4096, .client = client}));
  expect_violation("Unexpected PJRT_Client_Devices_Args size: expected 40, got 4096.");
  const Outcome small = call<&Api::PJRT_Client_Devices>({.struct_size = 39, .client = client});
  EXPECT_EQ(small.code, 3);
  EXPECT_EQ(small.message,
            "Unexpected PJRT_Client_Devices_Args size: expected 40, got 39. The plugin is likely built with a later "
            "version than the framework. This plugin is built with PJRT API version 0.117.");
  expect_violation("got 39");
  abi::PJRT_LoadedExecutable* executable = compile("fake.constants");
  EXPECT_EQ(execute(executable, {}, 1, {.struct_size = 7}).outcome.code, 3);
  expect_violation("Unexpected PJRT_ExecuteOptions size");
  destroy(executable);
}

TEST_F(LedgerTest, SeesTypesThatThePosedVersionDoesNotKnow) {
  script("minor=54");
  const std::vector<char> values = {1, 2};
  const std::vector<std::int64_t> dims = {2};
  auto args = host_args(values, dims, abi::PJRT_Buffer_Type_F8E4M3);
  EXPECT_EQ(call<&Api::PJRT_Client_BufferFromHostBuffer>(args).code, 3);
  expect_violation("element type 26 is unknown to PJRT 0.54");
  args.type = abi::PJRT_Buffer_Type_S8;
  args.host_buffer_semantics = static_cast<abi::PJRT_HostBufferSemantics>(3);
  ASSERT_TRUE(call<&Api::PJRT_Client_BufferFromHostBuffer>(args));
  destroy(args.buffer);
  destroy(args.done_with_host_buffer);
  script("minor=47");
  EXPECT_EQ(call<&Api::PJRT_Client_BufferFromHostBuffer>(args).code, 3);
  expect_violation("host buffer semantics 3 are unknown to PJRT 0.47");
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  script("abort_on_unknown_enum=1");
  args.type = static_cast<abi::PJRT_Buffer_Type>(77);
  EXPECT_DEATH(call<&Api::PJRT_Client_BufferFromHostBuffer>(args), "element type 77");
}

TEST_F(LedgerTest, AbortsAtTheFirstViolationWhenToldTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  script("abort_on_violation=1");
  EXPECT_DEATH(call<&Api::PJRT_Buffer_Dimensions>({}), "violation: PJRT_Buffer_Dimensions: a null buffer");
}

TEST_F(LedgerTest, ForgetsOnReset) {
  call<&Api::PJRT_Buffer_Dimensions>({});
  EXPECT_EQ(plugin->violations(), 1u);
  plugin->reset();
  EXPECT_EQ(plugin->violations(), 0u);
  EXPECT_STREQ(plugin->violation_report(), "");
  EXPECT_EQ(plugin->live().clients, 1);
}

}  // namespace
}  // namespace fake::raw
