#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/fake_test.h"

namespace pier {
namespace {

using namespace std::chrono_literals;
using test::error_of;
using test::FakeTest;
using test::floats;
using test::program;
using test::ramp;
using testing::ElementsAre;
using testing::HasSubstr;

class Runs : public FakeTest {
 protected:
  Executable compile(const std::string& words) const { return client.compile(program(words)); }
  Client client = connect();
};

TEST_F(Runs, GiveTheResultsInOrder) {
  const Executable swap = compile("fake.swap fake.arguments=3");
  EXPECT_EQ(swap.num_outputs(), 3u);
  EXPECT_EQ(swap.name(), "fake_swap");
  const Buffer a = client.put(ramp(1, 1));
  const Buffer b = client.put(ramp(1, 2));
  const Buffer c = client.put(ramp(1, 3));
  Results results = swap(a, b, c);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_THAT(floats(results[0].to_array()), ElementsAre(3));
  EXPECT_THAT(floats(results[2].to_array()), ElementsAre(1));
  EXPECT_EQ(error_of([&] { results[3]; }).message(), "result 3 of a program with 3");
  EXPECT_EQ(error_of([&] { results.only(); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(std::distance(results.begin(), results.end()), 3);
}

TEST_F(Runs, TakeAnyNumberOfArgumentsAndResults) {
  for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 63u, 64u, 65u, 200u}) {
    std::string types;
    for (std::size_t i = 0; i < count; ++i) types += i ? ",f32[1]" : "f32[1]";
    const Executable program =
        count == 0 ? compile("fake.constants fake.outputs=0") : compile("fake.identity fake.signature=" + types + "->" + types);
    std::vector<Buffer> inputs;
    for (std::size_t i = 0; i < count; ++i) inputs.push_back(client.put(ramp(1, static_cast<float>(i))));
    const Results results = program.run(inputs);
    ASSERT_EQ(results.size(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_THAT(floats(results[i].to_array()), ElementsAre(static_cast<float>(i)));
  }
}

TEST_F(Runs, FeedResultsToTheNextProgram) {
  const Executable add = compile("fake.add_one");
  EXPECT_THAT(floats(add(add(add(client.put(ramp(2))))).to_array()), ElementsAre(3, 4));
}

TEST_F(Runs, FillBuffersThatTheCallerKeepsEvenIfTheyAreArguments) {
  const Executable add = compile("fake.add_one");
  std::vector<Buffer> state(1);
  state[0] = client.put(ramp(2));
  const std::vector<const Buffer*> arguments = {&state[0]};
  for (int i = 0; i < 5; ++i) add.run_into(arguments, state);
  EXPECT_THAT(floats(state[0].to_array()), ElementsAre(5, 6));
  EXPECT_EQ(fake->live().buffers, 1);
}

TEST_F(Runs, LeaveTheCallersBuffersWhenTheyFail) {
  const Executable add = compile("fake.add_one");
  std::vector<Buffer> state(1);
  state[0] = client.put(ramp(2));
  const std::vector<const Buffer*> arguments = {&state[0]};
  fail("PJRT_LoadedExecutable_Execute", 8, "full");
  EXPECT_EQ(error_of([&] { add.run_into(arguments, state); }).code(), ErrorCode::resource_exhausted);
  EXPECT_THAT(floats(state[0].to_array()), ElementsAre(0, 1));
}

TEST_F(Runs, TellWhenAllIsDone) {
  const Executable add = compile("fake.add_one");
  fake->delay("PJRT_LoadedExecutable_Execute", fake_until_released);
  const Buffer input = client.put(ramp(2));
  std::vector<Buffer> results(1);
  const std::vector<const Buffer*> arguments = {&input};
  Event done;
  EXPECT_TRUE(done.ready());
  add.run_into(arguments, results, &done);
  EXPECT_FALSE(done.ready());
  EXPECT_FALSE(results[0].ready().ready());
  fake->release();
  done.wait();
  EXPECT_TRUE(done.ready());
  EXPECT_THAT(floats(results[0].to_array()), ElementsAre(1, 2));
}

TEST_F(Runs, RefuseWrongNumbersBeforeThePluginIsCalled) {
  const Executable add = compile("fake.add_one fake.name=model");
  const Buffer input = client.put(ramp(2));
  const std::vector<const Buffer*> arguments = {&input};
  std::vector<Buffer> two(2);
  EXPECT_EQ(error_of([&] { add.run_into(arguments, two); }).message(), "model has 1 results, room was given for 2");
  std::vector<Buffer> one(1);
  const std::vector<const Buffer*> null = {nullptr};
  EXPECT_EQ(error_of([&] { add.run_into(null, one); }).message(), "argument 0 of model holds nothing; it was moved from or never filled");
  const Buffer empty;
  EXPECT_EQ(error_of([&] { add(empty); }).code(), ErrorCode::failed_precondition);
  // The reason is told even when the name cannot be had.
  fail("PJRT_Executable_Name", 13);
  EXPECT_EQ(error_of([&] { add.run_into(arguments, two); }).message(), "the program has 1 results, room was given for 2");
  EXPECT_EQ(fake->calls("PJRT_LoadedExecutable_Execute"), 0u);
  EXPECT_EQ(error_of([&] { add(input, input); }).function(), "PJRT_LoadedExecutable_Execute");
}

TEST_F(Runs, RefuseAProgramForSeveralDevices) {
  script("devices=2");
  const Client two = connect();
  CompileOptions options;
  options.num_replicas = 2;
  const Executable replicated = two.compile(program("fake.identity"), options);
  EXPECT_EQ(replicated.devices().size(), 2u);
  EXPECT_THAT(error_of([&] { replicated(two.put(ramp(1))); }).message(), HasSubstr("runs on 2 devices"));
}

TEST_F(Runs, LeaveADonatedArgumentDeleted) {
  const Executable add = compile("fake.add_one fake.donate");
  Buffer input = client.put(ramp(2), HostSemantics::copy);
  const Results results = add(input);
  EXPECT_TRUE(input.is_deleted());
  const Error error = error_of([&] { input.to_array(); });
  EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
  EXPECT_THAT(error.message(), HasSubstr("given to a program that it was donated to"));
  EXPECT_FALSE(input.host_span());
  EXPECT_EQ(error_of([&] { std::move(input).take(); }).code(), ErrorCode::failed_precondition);
  EXPECT_EQ(error_of([&] { add(input); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([&] { input.copy_to(client.default_device()); }).code(), ErrorCode::invalid_argument);
  EXPECT_THAT(floats(results.to_array()), ElementsAre(1, 2));
}

TEST_F(Runs, ReplaceADonatedStateInPlace) {
  const Executable step = compile("fake.add_one fake.donate");
  std::vector<Buffer> state(1);
  state[0] = client.put(ramp(2), HostSemantics::copy);
  const std::vector<const Buffer*> arguments = {&state[0]};
  for (int i = 0; i < 10; ++i) step.run_into(arguments, state);
  EXPECT_THAT(floats(state[0].to_array()), ElementsAre(10, 11));
}

TEST_F(Runs, DonateSharedMemoryWithoutTouchingTheSource) {
  const Executable add = compile("fake.add_one fake.donate");
  const Array source = ramp(64);
  const Buffer input = client.put(source);
  EXPECT_EQ(floats(add(input).to_array())[63], 64);
  EXPECT_EQ(source.values<float>()[63], 63);
}

TEST_F(Runs, TellTheTypesOfTheirSignature) {
  const Executable typed = compile("fake.identity fake.signature=f32[2,3],s32[]->f32[2,3],s32[]");
  const auto outputs = typed.output_types();
  ASSERT_TRUE(outputs);
  EXPECT_THAT(*outputs, ElementsAre(TensorType{DType::float32, {2, 3}}, TensorType{DType::int32, {}}));
  const auto signature = typed.signature();
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->arguments, *outputs);
  EXPECT_EQ(signature->results, *outputs);
  const Executable untyped = compile("fake.identity");
  EXPECT_FALSE(untyped.output_types());
  EXPECT_FALSE(untyped.signature());
}

TEST_F(Runs, SurfaceAFailureOfTheDeviceWhereTheResultIsRead) {
  const Executable add = compile("fake.add_one");
  const std::string message = test::long_message();
  fail_later("PJRT_LoadedExecutable_Execute", 13, message, fake_every_call);
  const Buffer input = client.put(ramp(2));
  const auto check = [&](const auto& work) {
    const Error error = error_of(work);
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.message(), message);
  };
  Results results = add(input);
  check([&] { results.to_array(); });
  check([&] { results.only().host_span(); });
  check([&] { results.only().ready().wait(); });
  check([&] { results.only().ready().wait_for(1s); });
  check([&] { results.only().copy_to(client.default_device()).to_array(); });
  check([&] { add(results).to_array(); });
  check([&] { std::move(results.only()).take(); });
  std::vector<Buffer> kept(1);
  const std::vector<const Buffer*> arguments = {&input};
  Event done;
  add.run_into(arguments, kept, &done);
  check([&] { done.wait(); });
  check([&] { done.wait(); });
  check([&] { done.wait_for(0s); });
}

TEST_F(Runs, SurfaceFailuresOfTransfersWhereTheyAreRead) {
  fail_later("PJRT_Buffer_ToHostBuffer", 15, "lost", 1);
  const Buffer buffer = client.put(ramp(2));
  EXPECT_EQ(error_of([&] { buffer.to_array(); }).code(), ErrorCode::data_loss);
  EXPECT_THAT(floats(buffer.to_array()), ElementsAre(0, 1));
  fail_later("PJRT_Client_BufferFromHostBuffer", 8, "full", 1);
  EXPECT_EQ(error_of([&] { client.put(ramp(2)).to_array(); }).code(), ErrorCode::resource_exhausted);
  fail_later("PJRT_Client_BufferFromHostBuffer", 8, "full", 1);
  EXPECT_EQ(error_of([&] { client.put(ramp(2), HostSemantics::copy); }).code(), ErrorCode::resource_exhausted);
  fail_later("PJRT_Buffer_CopyToDevice", 14, "cable", 1);
  EXPECT_EQ(error_of([&] { buffer.copy_to(client.default_device()).to_array(); }).code(), ErrorCode::unavailable);
}

TEST_F(Runs, NoticeAFailureThatAwaitKeepsToItself) {
  // A plugin whose wait answers with success for an event that has failed.
  const Client forgetful = Client::create(Plugin::from_api(
      [&] {
        auto* const table = new abi::Api(*static_cast<const abi::Api*>(fake.api()));
        table->PJRT_Event_Await = [](abi::PJRT_Event_Await_Args*) -> abi::PJRT_Error* { return nullptr; };
        static const std::unique_ptr<abi::Api> kept(table);
        return static_cast<const void*>(table);
      }(), "forgetful"));
  fail_later("PJRT_LoadedExecutable_Execute", 13, "it failed");
  const Results results = forgetful.compile(program("fake.add_one"))(forgetful.put(ramp(2)));
  EXPECT_EQ(error_of([&] { results.to_array(); }).message(), "it failed");
}

class Waits : public Runs {
 protected:
  void SetUp() override { fake->delay("PJRT_LoadedExecutable_Execute", fake_until_released); }
  Event start() {
    results = client.compile(program("fake.add_one"))(input);
    return results.only().ready();
  }
  Buffer input = client.put(ramp(2), HostSemantics::copy);
  Results results{0};
};

TEST_F(Waits, EndWhenTheirTimeIsUpAndWhenTheEventHappens) {
  const Event event = start();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(event.wait_for(30ms));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 30ms);
  EXPECT_FALSE(event.wait_for(0s));
  EXPECT_FALSE(event.wait_for(-1s));
  std::thread later([&] {
    std::this_thread::sleep_for(30ms);
    fake->release();
  });
  EXPECT_TRUE(event.wait_for(std::chrono::nanoseconds::max()));
  later.join();
  EXPECT_TRUE(event.wait_for(0s));
  event.wait();
}

TEST_F(Waits, MayEndWithTheEventDestroyedBeforeItHappens) {
  {
    Event event = start();
    EXPECT_FALSE(event.wait_for(1ms));
    Event other = start();
    EXPECT_FALSE(other.wait_for(1ms));
    other = std::move(event);
  }
  fake->release();
  EXPECT_EQ(fake->live().events, 0);
}

TEST_F(Waits, MayEndWithEverythingDestroyedBeforeTheEventHappens) {
  std::thread later([&] {
    std::this_thread::sleep_for(50ms);
    fake->release();
  });
  {
    Event event = start();
    EXPECT_FALSE(event.wait_for(1ms));
    results = Results(0);
    input = Buffer();
    client = connect();
    fake->delay("PJRT_LoadedExecutable_Execute", 0);
  }
  later.join();
  EXPECT_EQ(fake->live().events, 0);
}

TEST_F(Waits, MayComeFromManyThreads) {
  const Event event = start();
  std::atomic<int> seen = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      if (i % 2) event.wait();
      else EXPECT_TRUE(event.wait_for(60s));
      ++seen;
    });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(seen, 0);
  fake->release();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, 8);
}

TEST_F(Waits, CanBeTriedAgainWhenThePluginRefusesTheTask) {
  const Event event = start();
  fail("PJRT_Event_OnReady", 8, "too many");
  EXPECT_EQ(error_of([&] { event.wait_for(1ms); }).code(), ErrorCode::resource_exhausted);
  EXPECT_FALSE(event.wait_for(1ms));
  fake->release();
  EXPECT_TRUE(event.wait_for(60s));
}

TEST_F(Waits, SettleOnceWhenThePluginTakesTheTaskAndSaysThatItFailed) {
  const Event event = start();
  fail_later("PJRT_Event_OnReady", 8, "too many");
  EXPECT_EQ(error_of([&] { event.wait_for(1ms); }).message(), "too many");
  fake->release();
  EXPECT_TRUE(event.wait_for(60s));
  const auto begin = std::chrono::steady_clock::now();
  results = Results(0);
  input = Buffer();
  client = connect();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

TEST_F(Waits, RaceWithTheirEventsEnd) {
  fake->delay("PJRT_LoadedExecutable_Execute", 1);
  for (int i = 0; i < 100; ++i) {
    const Event event = start();
    event.wait_for(std::chrono::microseconds(900 + i * 2));
  }
}

}  // namespace
}  // namespace pier
