#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include <unistd.h>

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

pier::Array matrix_of(const pier::Shape& shape) {
  const pier::Array source = ramp(pier::num_elements(shape));
  return pier::Array::view(source.data(), pier::DType::float32, shape, source.owner());
}

std::vector<float> values_of(const pier::Array& array) { return {array.values<float>().begin(), array.values<float>().end()}; }

// Adds an array that is not the same in any two places, so that a wrong order shows.
pier::Module add_ramp(const std::string& argument, const std::string& result, const std::string& module_attributes = "") {
  const auto layout = [](const std::string& mode) { return mode.empty() ? "" : " {mhlo.layout_mode = \"" + mode + "\"}"; };
  return pier::Module::from_bytes("module @add_ramp " + module_attributes + " { func.func public @main(%x: tensor<2x3x4xf32>" + layout(argument) +
                                  ") -> (tensor<2x3x4xf32>" + layout(result) +
                                  ") { %r = stablehlo.iota dim = 1 : tensor<2x3x4xf32>"
                                  " %0 = stablehlo.add %x, %r : tensor<2x3x4xf32> return %0 : tensor<2x3x4xf32> } }");
}

TEST(RealPlugin, GivesEveryProgramItsArgumentsInTheOrderThatItWants) {
  const pier::Array source = matrix_of({2, 3, 4});
  std::vector<float> once = values_of(source);
  for (std::size_t i = 0; i < once.size(); ++i) once[i] += static_cast<float>(i / 4 % 3);
  std::vector<float> twice = once;
  for (std::size_t i = 0; i < twice.size(); ++i) twice[i] += static_cast<float>(i / 4 % 3);
  for (const std::string order : {"{2,1,0}", "{0,1,2}", "{1,0,2}", "{0,2,1}"}) {
    const pier::Executable in = client().compile(add_ramp(order, ""));
    EXPECT_EQ(values_of(in(client().put(source)).to_array()), once) << order;
    const pier::Executable out = client().compile(add_ramp("", order));
    const pier::Executable rows = client().compile(add_ramp("", ""));
    const pier::Executable other = client().compile(add_ramp("{1,2,0}", "{2,0,1}"));
    EXPECT_EQ(values_of(rows(out(client().put(source))).to_array()), twice) << order;
    EXPECT_EQ(values_of(in(out(client().put(source))).to_array()), twice) << order;
    EXPECT_EQ(values_of(other(out(client().put(source))).to_array()), twice) << order;
  }
}

TEST(RealPlugin, GivesAProgramItsArgumentsInTheOrderThatItsModuleStates) {
  const pier::Executable program = client().compile(add_ramp(
      "", "", "attributes {mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1, 2]> : tensor<3xindex>]}"));
  std::vector<float> once = values_of(ramp(24));
  for (std::size_t i = 0; i < once.size(); ++i) once[i] += static_cast<float>(i / 4 % 3);
  EXPECT_EQ(values_of(program(client().put(matrix_of({2, 3, 4}))).to_array()), once);
}

TEST(RealPlugin, RunsSerializedHloThatStatesAnOrder) {
  const pier::Module plain = pier::Module::from_file(e2e::programs / "two_to_three.hlo.pb");
  // Every float32[2,3] of the module, its first argument too, from the order {1,0} to {0,1}.
  std::string bytes(plain.bytes());
  const std::string rows("\x1a\x02\x02\x03\x2a\x07\x0a\x02\x01\x00", 10);
  const std::string columns("\x1a\x02\x02\x03\x2a\x07\x0a\x02\x00\x01", 10);
  int changed = 0;
  for (std::size_t at = 0; (at = bytes.find(rows, at)) != bytes.npos; ++changed) bytes.replace(at, rows.size(), columns);
  ASSERT_GE(changed, 2);
  const auto run = [](const pier::Module& module) {
    return client().compile(module)(client().put(matrix_of({2, 3})), client().put(matrix_of({3, 4})))[0].to_array();
  };
  EXPECT_EQ(values_of(run(pier::Module::from_bytes(bytes))), values_of(run(plain)));
}

TEST(RealPlugin, LeavesADonatedArgumentDeletedThatHadToBeReordered) {
  const pier::Executable program = client().compile(pier::Module::from_bytes(
      "module { func.func public @main(%x: tensor<8x16xf32> {mhlo.layout_mode = \"{0,1}\", tf.aliasing_output = 0 : i32}) -> "
      "(tensor<8x16xf32> {mhlo.layout_mode = \"{0,1}\"}) { %0 = stablehlo.add %x, %x : tensor<8x16xf32> return %0 : tensor<8x16xf32> } }"));
  const pier::Buffer x = client().put(matrix_of({8, 16}), pier::HostSemantics::copy);
  EXPECT_EQ(values_of(program(x).to_array())[127], 254.0f);
  EXPECT_TRUE(x.is_deleted());
}

TEST(RealPlugin, DoesNotWriteIntoSharedMemoryThatIsDonated) {
  const pier::Executable program = client().compile(pier::Module::from_file(e2e::programs / "donated.mlir"));
  const pier::Array source = ramp(64);
  const pier::Buffer x = client().put(source);
  EXPECT_EQ(program(x).to_array().values<float>()[63], 64.0f);
  EXPECT_EQ(source.values<float>()[63], 63.0f);
  // The memory of a mapped file cannot be written at all.
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / ("donated-" + std::to_string(getpid()) + ".npy");
  pier::save_npy(file, source);
  {
    const pier::Buffer mapped = client().put(pier::load_npy(file));
    EXPECT_EQ(program(mapped).to_array().values<float>()[63], 64.0f);
  }
  EXPECT_EQ(pier::load_npy(file).values<float>()[63], 63.0f);
  std::filesystem::remove(file);
}

TEST(RealPlugin, LeavesAClientInAStaticVariableAloneAtTheEnd) {
  EXPECT_EQ(std::system((STATIC_CLIENT " '" + client().plugin().path() + "'").c_str()), 0);
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

TEST(RealPlugin, RefusesAWrongNumberOfArguments) {
  const pier::Executable program = client().compile(add_one());
  const pier::Buffer x = client().put(ramp(1024));
  try {
    program(x, x);
    FAIL() << "ran with two arguments";
  } catch (const pier::Error& error) {
    EXPECT_EQ(error.code(), pier::ErrorCode::invalid_argument);
    EXPECT_EQ(error.message(), program.name() + " takes 1 arguments, 2 were given");
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
