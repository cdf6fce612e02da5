#include <algorithm>
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

class Transfers : public FakeTest {
 protected:
  Client client = connect();
};

// Fills memory that the test watches.
struct Watched {
  explicit Watched(std::int64_t count, bool aligned = true) {
    const Array source = Array::zeros(DType::float32, {count + 16});
    auto kept = std::make_shared<Array>(source);
    watch = kept;
    const std::byte* const data = source.data() + (aligned ? 0 : 4);
    array = Array::view(data, DType::float32, {count}, std::move(kept));
  }
  bool freed() const { return watch.expired(); }
  std::weak_ptr<const void> watch;
  Array array;
};

TEST_F(Transfers, KeepEveryElementTypeAndShape) {
  for (const DType type : all_dtypes()) {
    for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{0}, Shape{3, 0, 2}}) {
      Array array = Array::zeros(type, shape);
      std::byte raw{0};
      for (std::byte& byte : array.mutable_bytes()) {
        byte = bits(type) < 8 || type == DType::boolean ? raw : std::byte{0x11};
        raw ^= std::byte{1};
      }
      for (const HostSemantics semantics : {HostSemantics::copy, HostSemantics::zero_copy}) {
        const Buffer buffer = client.put(array, semantics);
        EXPECT_EQ(buffer.type(), array.type());
        const Array back = buffer.to_array();
        EXPECT_EQ(back.type(), array.type());
        EXPECT_EQ(preview(back), preview(array));
      }
    }
  }
}

TEST_F(Transfers, TakeArraysInAnyOrder) {
  const Array values = ramp(6);
  const Array columns = Array::view(values.data(), DType::float32, {2, 3}, values.owner(), {4, 8});
  const Array backward = Array::view(values.data() + 20, DType::float32, {6}, values.owner(), {-4});
  const Array repeated = Array::view(values.data() + 4, DType::float32, {2, 2}, values.owner(), {0, 4});
  for (const HostSemantics semantics : {HostSemantics::copy, HostSemantics::zero_copy}) {
    EXPECT_THAT(floats(client.put(columns, semantics).to_array()), ElementsAre(0, 2, 4, 1, 3, 5));
    EXPECT_THAT(floats(client.put(backward, semantics).to_array()), ElementsAre(5, 4, 3, 2, 1, 0));
    EXPECT_THAT(floats(client.put(repeated, semantics).to_array()), ElementsAre(1, 2, 1, 2));
  }
}

TEST_F(Transfers, RefuseWhatHoldsNoDataOrIsUnknownToThePluginsVersion) {
  EXPECT_EQ(error_of([&] { client.put(Array()); }).code(), ErrorCode::invalid_argument);
  FakePose pose;
  pose.minor = 54;
  fake->pose(&pose);
  const Client old = connect();
  const Error error = error_of([&] { old.put(Array::zeros(DType::float4_e2m1fn, {2})); });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("needs PJRT 0.63, this plugin has 0.54"));
  EXPECT_THROW(old.put(Array::zeros(DType::float4_e2m1fn, {2})), Unsupported);
}

TEST_F(Transfers, ReadAColumnMajorResultInRowMajorOrder) {
  const Array matrix = ramp(6);
  const Executable columns = client.compile(program("fake.identity fake.column_major"));
  Results results = columns(client.put(Array::view(matrix.data(), DType::float32, {2, 3}, matrix.owner())));
  EXPECT_THAT(floats(results.to_array()), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_FALSE(results.only().host_span());
  const Array taken = std::move(results.only()).take();
  EXPECT_THAT(floats(taken), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Transfers, AskForNoOrderWhereThePluginCannotReorderAndNeedNot) {
  const Array matrix = ramp(6);
  const Buffer buffer = client.put(Array::view(matrix.data(), DType::float32, {2, 3}, matrix.owner()));
  fail("PJRT_Buffer_ToHostBuffer", 12, "host_layout is not implemented");
  EXPECT_THAT(floats(buffer.to_array()), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(fake->calls("PJRT_Buffer_ToHostBuffer"), 2u);
  // A column-major buffer comes in the device's order then, and is put right here.
  const Executable columns = client.compile(program("fake.identity fake.column_major"));
  const Results results = columns(buffer);
  fail("PJRT_Buffer_ToHostBuffer", 12, "host_layout is not implemented");
  EXPECT_THAT(floats(results.to_array()), ElementsAre(0, 1, 2, 3, 4, 5));
  std::vector<float> target(6);
  results.only().to_host(std::as_writable_bytes(std::span(target))).wait();
  EXPECT_THAT(target, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Transfers, ReadTheDevicesOwnMemoryWithoutACopy) {
  const Array source = ramp(64);
  Buffer buffer = client.put(source);
  const auto span = buffer.host_span();
  ASSERT_TRUE(span);
  EXPECT_EQ(span->data(), source.data());
  EXPECT_EQ(span->size(), 256u);
  const Array taken = std::move(buffer).take();
  EXPECT_FALSE(buffer);
  EXPECT_EQ(taken.data(), source.data());
  EXPECT_EQ(floats(taken), floats(source));
  EXPECT_EQ(fake->calls("PJRT_Buffer_ToHostBuffer"), 0u);
}

TEST_F(Transfers, LetAnArrayOutliveEverythingItCameFrom) {
  Array array;
  {
    const Client own = connect();
    array = own.compile(program("fake.add_one"))(own.put(ramp(4))).only().to_array();
    Results results = own.compile(program("fake.add_one"))(own.put(ramp(64)));
    array = std::move(results.only()).take();
  }
  EXPECT_EQ(array.values<float>()[63], 64);
  array = Array();
}

TEST_F(Transfers, DoNotShowPackedMemoryAsElements) {
  Buffer packed = client.put(Array::zeros(DType::int4, {8}));
  EXPECT_FALSE(packed.host_span());
  EXPECT_EQ(packed.device_bytes(), 4u);
  EXPECT_EQ(std::move(packed).take().type(), (TensorType{DType::int4, {8}}));
}

TEST_F(Transfers, KeepASharedArrayUntilTheDeviceIsDone) {
  Watched source(64);
  Buffer buffer = client.put(source.array);
  source.array = Array();
  EXPECT_FALSE(source.freed());
  EXPECT_EQ(floats(buffer.to_array()).size(), 64u);
  buffer = Buffer();
  EXPECT_TRUE(source.freed());
}

TEST_F(Transfers, KeepAnArrayThatIsCopiedLateUntilItIsCopied) {
  fake->delay("PJRT_Client_BufferFromHostBuffer", fake_until_released);
  Watched source(64, false);
  Buffer buffer = client.put(source.array);
  source.array = Array();
  EXPECT_FALSE(source.freed());
  EXPECT_FALSE(buffer.ready().ready());
  fake->release();
  EXPECT_TRUE(source.freed());
  EXPECT_EQ(floats(buffer.to_array()), std::vector<float>(64, 0));
}

TEST_F(Transfers, KeepTheArrayWhenItsBufferGoesFirst) {
  fake->delay("PJRT_Client_BufferFromHostBuffer", fake_until_released);
  Watched source(64, false);
  client.put(source.array);
  source.array = Array();
  EXPECT_FALSE(source.freed());
  fake->release();
  EXPECT_TRUE(source.freed());
}

TEST_F(Transfers, KeepASharedArrayWhileAnExecutionReadsIt) {
  const Executable add = client.compile(program("fake.add_one"));
  fake->delay("PJRT_LoadedExecutable_Execute", fake_until_released);
  Watched source(64);
  Results results(0);
  {
    const Buffer input = client.put(source.array);
    results = add(input);
  }
  source.array = Array();
  EXPECT_FALSE(source.freed());
  fake->release();
  EXPECT_TRUE(source.freed());
  EXPECT_EQ(floats(results.to_array()), std::vector<float>(64, 1));
}

TEST_F(Transfers, DoNotKeepAnArrayThatIsCopied) {
  Watched source(64);
  const Buffer buffer = client.put(source.array, HostSemantics::copy);
  source.array = Array();
  EXPECT_TRUE(source.freed());
}

TEST_F(Transfers, CopyAnArrayThatNobodyOwns) {
  std::vector<float> memory(64, 1.5f);
  const Buffer buffer = client.put(Array::view(memory.data(), DType::float32, {64}, nullptr));
  memory.assign(64, 0);
  EXPECT_EQ(floats(buffer.to_array()), std::vector<float>(64, 1.5f));
}

TEST_F(Transfers, CopyWhereThePluginCannotTellWhenItIsDone) {
  script("remove=PJRT_Event_OnReady");
  const Client own = connect();
  Watched source(64);
  const Buffer buffer = own.put(source.array);
  source.array = Array();
  EXPECT_TRUE(source.freed());
  EXPECT_EQ(floats(buffer.to_array()), std::vector<float>(64, 0));
}

TEST_F(Transfers, CopyWhereThePluginGivesNoEvent) {
  fake->null_output("PJRT_Client_BufferFromHostBuffer", "done_with_host_buffer", 1);
  Watched source(64);
  const Buffer buffer = client.put(source.array);
  source.array = Array();
  EXPECT_TRUE(source.freed());
  EXPECT_EQ(floats(buffer.to_array()), std::vector<float>(64, 0));
  fake->null_output("PJRT_Client_BufferFromHostBuffer", "done_with_host_buffer", 1);
  EXPECT_THAT(floats(client.put(ramp(2), HostSemantics::copy).to_array()), ElementsAre(0, 1));
}

TEST_F(Transfers, KeepTheArrayWithTheClientWhenThePluginRefusesTheTask) {
  fail("PJRT_Event_OnReady", 13, "no callbacks today");
  Watched source(64, false);
  fake->delay("PJRT_Client_BufferFromHostBuffer", fake_until_released);
  const Error error = error_of([&] { client.put(source.array); });
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_EQ(error.function(), "PJRT_Event_OnReady");
  source.array = Array();
  // The plugin reads it still.
  EXPECT_FALSE(source.freed());
  fake->release();
  client = connect();
  EXPECT_TRUE(source.freed());
}

TEST_F(Transfers, LetGoOfTheArrayOnceWhenThePluginTakesTheTaskAndSaysThatItFailed) {
  const auto begin = std::chrono::steady_clock::now();
  for (const bool late : {false, true}) {
    Client own = connect();
    fail_later("PJRT_Event_OnReady", 13, "taken and failed");
    Watched source(64, false);
    fake->delay("PJRT_Client_BufferFromHostBuffer", late ? fake_until_released : 0);
    EXPECT_EQ(error_of([&] { own.put(source.array); }).message(), "taken and failed");
    source.array = Array();
    EXPECT_EQ(source.freed(), !late);
    fake->release();
    own = client;
    EXPECT_TRUE(source.freed());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s) << "the client waited for a callback that had come";
  // Who says that it did not take the task must bear that the event goes.
  EXPECT_EQ(std::string(fake->violation_report()), "PJRT_Event_Destroy: an event destroyed while 1 callbacks wait on it\n");
  fake->reset();
}

TEST_F(Transfers, KeepTheTargetOfAReadWhoseWaitFails) {
  const Buffer buffer = client.put(Array::zeros(DType::float32, {1 << 16}), HostSemantics::copy);
  fake->delay("PJRT_Buffer_ToHostBuffer", fake_until_released);
  fail("PJRT_Event_Await", 4, "tired of waiting");
  EXPECT_EQ(error_of([&] { buffer.to_array(); }).code(), ErrorCode::deadline_exceeded);
  // A late write must not meet memory that belongs to somebody else by now; a sanitizer would see it.
  const Array other = Array::zeros(DType::float32, {1 << 16});
  fake->release();
  EXPECT_EQ(floats(other), std::vector<float>(1 << 16, 0));
}

TEST_F(Transfers, ReadLateResultsWhole) {
  fake->delay(nullptr, 30);
  const Executable add = client.compile(program("fake.add_one"));
  const Buffer input = client.put(ramp(3));
  const Results results = add(input);
  EXPECT_THAT(floats(results.to_array()), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats(add(results).to_array()), ElementsAre(2, 3, 4));
}

TEST_F(Transfers, FillTheCallersMemory) {
  const Buffer buffer = client.put(ramp(3));
  std::vector<float> target(3);
  buffer.to_host(std::as_writable_bytes(std::span(target))).wait();
  EXPECT_THAT(target, ElementsAre(0, 1, 2));
  target.resize(4);
  const Error error = error_of([&] { buffer.to_host(std::as_writable_bytes(std::span(target))); });
  EXPECT_EQ(error.message(), "float32[3] takes 12 bytes, the target has 16");
  client.put(Array::zeros(DType::float32, {0})).to_host({}).wait();
}

TEST_F(Transfers, CopyBetweenDevices) {
  script("devices=2");
  const Client two = connect();
  const Buffer here = two.put(ramp(3), two.device(0));
  const Buffer there = here.copy_to(two.device(1));
  EXPECT_EQ(there.device().id(), 1);
  EXPECT_THAT(floats(there.to_array()), ElementsAre(0, 1, 2));
}

TEST_F(Transfers, RefuseABufferThatHoldsNothing) {
  Buffer empty;
  EXPECT_FALSE(empty);
  Buffer moved = client.put(ramp(2));
  empty = std::move(moved);
  EXPECT_TRUE(empty);
  const auto refused = [&](const auto& work) { EXPECT_EQ(error_of(work).code(), ErrorCode::failed_precondition); };
  refused([&] { moved.dtype(); });
  refused([&] { moved.shape(); });
  refused([&] { moved.type(); });
  refused([&] { moved.device_bytes(); });
  refused([&] { moved.device(); });
  refused([&] { moved.memory(); });
  refused([&] { moved.is_on_cpu(); });
  refused([&] { moved.ready(); });
  refused([&] { moved.to_array(); });
  refused([&] { moved.to_host({}); });
  refused([&] { moved.host_span(); });
  refused([&] { std::move(moved).take(); });
  refused([&] { moved.copy_to(client.default_device()); });
  refused([&] { moved.free_memory(); });
  refused([&] { moved.is_deleted(); });
}

TEST_F(Transfers, RefuseAFreedBufferByName) {
  Buffer buffer = client.put(ramp(2));
  EXPECT_FALSE(buffer.is_deleted());
  buffer.free_memory();
  buffer.free_memory();
  EXPECT_TRUE(buffer.is_deleted());
  EXPECT_EQ(buffer.shape(), Shape{2});
  EXPECT_THAT(error_of([&] { buffer.to_array(); }).message(), HasSubstr("the buffer's memory was freed"));
  EXPECT_FALSE(buffer.host_span());
}

TEST_F(Transfers, CanBeMovedOverEachOtherWithoutDestroyingTwice) {
  std::vector<Buffer> buffers;
  for (int i = 0; i < 50; ++i) buffers.push_back(client.put(ramp(1, static_cast<float>(i))));
  for (std::size_t i = 0; i < 500; ++i) {
    Buffer& target = buffers[i * 7 % 50];
    target = std::move(buffers[i * 13 % 50]);
    if (!target) target = client.put(ramp(1));
    std::swap(buffers[i % 50], buffers[(i + 1) % 50]);
  }
  EXPECT_EQ(fake->live().buffers, std::count_if(buffers.begin(), buffers.end(), [](const Buffer& buffer) { return bool(buffer); }));
}

TEST_F(Transfers, LetTheLastHoldOnAClientEndOnAThreadOfThePlugin) {
  // The array is the memory of a buffer of its own client, and goes when the plugin says that it is done with it.
  fake->delay("PJRT_LoadedExecutable_Execute", 50);
  {
    Client own = connect();
    const Executable add = own.compile(program("fake.add_one"));
    Buffer first = own.put(ramp(64));
    const Array array = std::move(first).take();
    const Buffer second = own.put(array);
    add(second);
  }
  // What is left is the client of the test's class.
  for (int i = 0; i < 500 && fake->live().total != 1; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(fake->live().total, 1);
  EXPECT_EQ(fake->live().clients, 1);
}

}  // namespace
}  // namespace pier
