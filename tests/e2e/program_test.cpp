#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "e2e/support.h"

namespace {

using e2e::client;

const pier::Module& add_one() {
  static const pier::Module module = pier::Module::from_bytes(
      "module @add_one { func.func public @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {"
      " %one = stablehlo.constant dense<1.0> : tensor<1024xf32>"
      " %0 = stablehlo.add %x, %one : tensor<1024xf32> return %0 : tensor<1024xf32> } }");
  return module;
}

pier::Array ramp(std::int64_t n) {
  pier::Array array = pier::Array::uninitialized(pier::DType::float32, {n});
  float next = 0;
  for (float& value : array.mutable_values<float>()) value = next++;
  return array;
}

TEST(RealPlugin, RunsOnTheDeviceThatWasChosen) {
  const auto devices = client().addressable_devices();
  ASSERT_GE(devices.size(), 2u);
  const pier::Executable program = client().compile(add_one(), devices[1]);
  ASSERT_EQ(program.devices().size(), 1u);
  EXPECT_EQ(program.devices()[0].id(), devices[1].id());
  const pier::Results results = program(client().put(ramp(1024), devices[1]));
  EXPECT_EQ(results.only().device().id(), devices[1].id());
  EXPECT_EQ(results.to_array().values<float>()[1023], 1024.0f);
}

TEST(RealPlugin, GivesAResultOfAnyLayoutInRowMajorOrder) {
  for (const char* layout : {"{2,1,0}", "{0,1,2}", "{1,0,2}", "{0,2,1}"}) {
    const pier::Executable program = client().compile(pier::Module::from_bytes(
        std::string("module @turned { func.func public @main(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32> {mhlo.layout_mode = \"") +
        layout + "\"}) { return %x : tensor<2x3x4xf32> } }"));
    const pier::Array source = ramp(24);
    pier::Results results = program(client().put(pier::Array::view(source.data(), pier::DType::float32, {2, 3, 4}, source.owner())));
    const std::vector<float> expected(source.values<float>().begin(), source.values<float>().end());
    const pier::Array copy = results.to_array();
    EXPECT_EQ(std::vector<float>(copy.values<float>().begin(), copy.values<float>().end()), expected) << layout;
    std::vector<float> target(24);
    results.only().to_host(std::as_writable_bytes(std::span(target))).wait();
    EXPECT_EQ(target, expected) << layout;
    const pier::Array taken = std::move(results.only()).take();
    EXPECT_EQ(std::vector<float>(taken.values<float>().begin(), taken.values<float>().end()), expected) << layout;
  }
}

TEST(RealPlugin, FeedsAResultToTheNextRunWithoutAHost) {
  const pier::Executable program = client().compile(add_one());
  pier::Buffer x = client().put(ramp(1024));
  for (int i = 0; i < 10; ++i) {
    const std::array<const pier::Buffer*, 1> arguments = {&x};
    program.run_into(arguments, {&x, 1});
  }
  EXPECT_EQ(x.to_array().values<float>()[0], 10.0f);
}

TEST(RealPlugin, LeavesADonatedArgumentDeletedAndRefusesToReadIt) {
  const pier::Executable program = client().compile(pier::Module::from_file(e2e::programs / "donated.mlir"));
  pier::Buffer x = client().put(ramp(64), pier::HostSemantics::copy);
  const pier::Array y = program(x).to_array();
  EXPECT_EQ(y.values<float>()[63], 64.0f);
  EXPECT_TRUE(x.is_deleted());
  EXPECT_THROW(x.to_array(), pier::Error);
  EXPECT_FALSE(x.host_span());
  EXPECT_THROW(program(x), pier::Error);
}

TEST(RealPlugin, RefusesAWrongNumberOfArgumentsWithItsOwnWords) {
  const pier::Executable program = client().compile(add_one());
  const pier::Buffer x = client().put(ramp(1024));
  try {
    program(x, x);
    FAIL() << "ran with two arguments";
  } catch (const pier::Error& error) {
    EXPECT_EQ(error.code(), pier::ErrorCode::invalid_argument);
    EXPECT_EQ(error.function(), "PJRT_LoadedExecutable_Execute");
    EXPECT_NE(error.message().find("expected 1"), std::string::npos) << error.what();
  }
}

TEST(RealPlugin, OutlivesEveryOrderOfDestruction) {
  pier::Array array;
  {
    std::optional<pier::Client> own = pier::Client::create(client().plugin());
    std::optional<pier::Executable> program = own->compile(add_one());
    std::optional<pier::Buffer> x = own->put(ramp(1024));
    std::optional<pier::Results> y = (*program)(*x);
    pier::Device device = own->default_device();
    pier::Event ready = y->only().ready();
    own.reset();
    program.reset();
    x.reset();
    array = std::move(y->only()).take();
    y.reset();
    ready.wait();
    EXPECT_GE(device.id(), 0);
  }
  EXPECT_EQ(array.values<float>()[5], 6.0f);
}

TEST(RealPlugin, SharesAlignedHostMemoryAndKeepsItAlive) {
  std::weak_ptr<const void> owner;
  std::optional<pier::Buffer> buffer;
  {
    const pier::Array array = ramp(1 << 16);
    owner = array.owner();
    buffer = client().put(array);
    const auto span = buffer->host_span();
    ASSERT_TRUE(span);
    EXPECT_EQ(static_cast<const void*>(span->data()), static_cast<const void*>(array.data())) << "copied";
  }
  EXPECT_FALSE(owner.expired()) << "the device still reads it";
  EXPECT_EQ(buffer->to_array().values<float>()[65535], 65535.0f);
  buffer.reset();
  for (int i = 0; i < 500 && !owner.expired(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(owner.expired()) << "kept for ever";
}

TEST(RealPlugin, IsUsedByManyThreadsAtOnce) {
  const pier::Executable program = client().compile(add_one());
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        if (program(client().put(ramp(1024))).to_array().values<float>()[7] != 8.0f) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(RealPlugin, TellsWhatItIs) {
  const pier::Plugin plugin = client().plugin();
  EXPECT_EQ(client().platform_name(), "cpu");
  EXPECT_TRUE(plugin.attributes().contains("stablehlo_current_version"));
  const auto extensions = plugin.extensions();
  EXPECT_TRUE(std::any_of(extensions.begin(), extensions.end(), [](const auto& e) { return e.name == "Layouts"; }));
  const std::size_t missing = plugin.missing_functions().size();
  EXPECT_EQ(missing, e2e::expected_minor() == 81 ? 20u : e2e::expected_minor() == 106 ? 2u : 0u);
  for (const auto& function : plugin.missing_functions()) EXPECT_GT(function.since.minor, e2e::expected_minor()) << function.name;
  const pier::Device device = client().default_device();
  EXPECT_EQ(device.kind(), "cpu");
  EXPECT_TRUE(device.is_addressable());
  EXPECT_FALSE(device.memories().empty());
  EXPECT_TRUE(device.default_memory());
  EXPECT_FALSE(device.memory_stats()) << "CPU plugins do not count memory";
}

TEST(RealPlugin, TakesCreateOptions) {
  const pier::Client two = pier::Client::create(client().plugin(), {{"cpu_device_count", std::int64_t{2}}});
  EXPECT_EQ(two.addressable_devices().size(), 2u);
}

}  // namespace
