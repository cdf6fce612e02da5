#include "fake_plugin/program.h"

#include "abi/extensions.h"
#include "fake_plugin/raw.h"
#include "fake_plugin/wire.h"

namespace fake::raw {
namespace {

using Floats = std::vector<float>;

std::string device_options(std::int64_t id) {
  WireWriter computation;
  computation.packed(1, {id});
  WireWriter assignment;
  assignment.number(1, 1);
  assignment.number(2, 1);
  assignment.bytes(3, computation.message());
  WireWriter build;
  build.number(4, 1);
  build.number(5, 1);
  build.bytes(9, assignment.message());
  WireWriter options;
  options.bytes(3, build.message());
  return options.message();
}

TEST_F(FakePluginTest, RunsItsFewPrograms) {
  create_client();
  struct Case {
    const char* program;
    std::vector<Floats> results;
  };
  for (const Case& one : {Case{"// fake.identity fake.arguments=2", {{1, 2}, {5}}},
                          Case{"\x4d\x4c\xef\x52 fake.swap fake.arguments=2", {{5}, {1, 2}}},
                          Case{"fake.add_one fake.arguments=2 fake.outputs=3", {{2, 3}, {6}, {2, 3}}}}) {
    abi::PJRT_LoadedExecutable* executable = compile(one.program);
    std::vector<abi::PJRT_Buffer*> arguments = {put({1, 2}, {2}), put({5}, {})};
    Run run = execute(executable, arguments, one.results.size());
    ASSERT_TRUE(run.outcome) << run.outcome;
    EXPECT_TRUE(finish(run.done));
    for (std::size_t i = 0; i < run.results.size(); ++i) {
      EXPECT_EQ(get(run.results[i]), one.results[i]) << one.program;
      destroy(run.results[i]);
    }
    for (abi::PJRT_Buffer* argument : arguments) destroy(argument);
    destroy(executable);
  }
  abi::PJRT_LoadedExecutable* constants = compile("fake.constants fake.outputs=2");
  Run run = execute(constants, {}, 2);
  ASSERT_TRUE(run.outcome) << run.outcome;
  EXPECT_TRUE(finish(run.done));
  EXPECT_EQ(get(run.results[1]), (Floats{1}));
  for (abi::PJRT_Buffer* result : run.results) destroy(result);
  destroy(constants);
}

TEST_F(FakePluginTest, RefusesOtherProgramsWithTheirFirstBytes) {
  create_client();
  abi::PJRT_LoadedExecutable* executable = nullptr;
  const Outcome outcome = compile("module @real { stablehlo.add }", executable);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.message.find("module @real { stablehlo.add }"), std::string::npos);
  EXPECT_EQ(compile("fake.identity_of_something", executable).code, 3);
  EXPECT_EQ(compile("fake.identity fake.outputs=65", executable).code, 3);
  EXPECT_EQ(compile("fake.identity fake.donate=1", executable).code, 3);
  EXPECT_EQ(compile("fake.add_one fake.signature=s32[]->s32[]", executable).code, 3);
  EXPECT_EQ(compile("fake.identity", executable, "pdf").code, 3);
  script("formats=mlir");
  EXPECT_EQ(compile("fake.identity", executable, "hlo").message, "cpu only supports the formats mlir, not hlo");
}

TEST_F(FakePluginTest, ReadsTheSignatureOfMain) {
  create_client();
  abi::PJRT_LoadedExecutable* loaded = compile(
      "module @m attributes {a = \"fake.identity\"} {\n"
      "  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.sharding = \"{x)\"}, %arg1: tensor<complex<f32>> "
      "{tf.aliasing_output = 0 : i32}) -> (tensor<2x3xf32> {jax.result_info = \"\"}, tensor<complex<f32>>) {");
  abi::PJRT_Executable* executable = plain(loaded);
  abi::PJRT_Executable_NumOutputs_Args count{.executable = executable};
  ASSERT_TRUE(call<&Api::PJRT_Executable_NumOutputs>(count));
  EXPECT_EQ(count.num_outputs, 2u);
  abi::PJRT_Executable_OutputElementTypes_Args types{.executable = executable};
  ASSERT_TRUE(call<&Api::PJRT_Executable_OutputElementTypes>(types));
  ASSERT_EQ(types.num_output_types, 2u);
  EXPECT_EQ(types.output_types[1], abi::PJRT_Buffer_Type_C64);
  abi::PJRT_Executable_OutputDimensions_Args dims{.executable = executable};
  ASSERT_TRUE(call<&Api::PJRT_Executable_OutputDimensions>(dims));
  EXPECT_EQ(dims.dim_sizes[0], 2u);
  EXPECT_EQ(dims.dims[1], 3);
  EXPECT_EQ(dims.dim_sizes[1], 0u);
  abi::PJRT_Executable_Name_Args name{.executable = executable};
  ASSERT_TRUE(call<&Api::PJRT_Executable_Name>(name));
  EXPECT_EQ(std::string(name.executable_name, name.executable_name_size), "fake_identity");
  // Arguments are checked against it.
  abi::PJRT_Buffer* wrong = put({1}, {});
  const Run run = execute(loaded, {wrong, wrong}, 2);
  EXPECT_EQ(run.outcome.message, "argument 0 is f32[], the program wants f32[2,3]");
  destroy(wrong);
  destroy(executable);
  destroy(loaded);
}

TEST_F(FakePluginTest, GivesItsOptimizedProgramInTwoSteps) {
  create_client();
  abi::PJRT_LoadedExecutable* loaded = compile("fake.swap fake.signature=f32[2],s4[]->s4[],f32[2] fake.name=twins;");
  abi::PJRT_Executable* executable = plain(loaded);
  abi::PJRT_Program program;
  ASSERT_TRUE(call<&Api::PJRT_Executable_OptimizedProgram>({.executable = executable, .program = &program}));
  EXPECT_EQ(std::string(program.format, program.format_size), "hlo_with_config");
  std::string code(program.code_size, '\0');
  program.code = code.data();
  ASSERT_TRUE(call<&Api::PJRT_Executable_OptimizedProgram>({.executable = executable, .program = &program}));
  const auto outer = read_wire(code);
  ASSERT_TRUE(outer && outer->size() == 1);
  const auto module = read_wire(outer->front().bytes);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->front().bytes, "twins");
  program.code_size -= 1;
  EXPECT_EQ(call<&Api::PJRT_Executable_OptimizedProgram>({.executable = executable, .program = &program}).code, 3);
  destroy(executable);
  destroy(loaded);
}

TEST_F(FakePluginTest, SerializesAndLoadsExecutables) {
  create_client();
  abi::PJRT_LoadedExecutable* loaded = compile("fake.add_one fake.signature=f32[2]->f32[2]");
  abi::PJRT_Executable* executable = plain(loaded);
  abi::PJRT_Executable_Serialize_Args bytes{.executable = executable};
  ASSERT_TRUE(call<&Api::PJRT_Executable_Serialize>(bytes));
  abi::PJRT_Executable_DeserializeAndLoad_Args again{.client = client, .serialized_executable = bytes.serialized_bytes,
                                                     .serialized_executable_size = bytes.serialized_bytes_size};
  ASSERT_TRUE(call<&Api::PJRT_Executable_DeserializeAndLoad>(again));
  bytes.serialized_executable_deleter(bytes.serialized_executable);
  destroy(executable);
  destroy(loaded);
  abi::PJRT_Buffer* argument = put({1, 2}, {2});
  Run run = execute(again.loaded_executable, {argument}, 1);
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(get(run.results[0]), (Floats{2, 3}));
  again.serialized_executable = "nonsense";
  again.serialized_executable_size = 8;
  destroy(run.done);
  destroy(run.results[0]);
  destroy(argument);
  destroy(again.loaded_executable);
  EXPECT_EQ(call<&Api::PJRT_Executable_DeserializeAndLoad>(again).code, 3);
}

TEST_F(FakePluginTest, RunsOnTheDeviceThatTheOptionsName) {
  script("devices=3;first_device_id=5");
  create_client();
  abi::PJRT_LoadedExecutable* loaded = nullptr;
  ASSERT_TRUE(compile("fake.identity", loaded, "mlir", device_options(7)));
  abi::PJRT_LoadedExecutable_AddressableDevices_Args devices{.executable = loaded};
  ASSERT_TRUE(call<&Api::PJRT_LoadedExecutable_AddressableDevices>(devices));
  ASSERT_EQ(devices.num_addressable_devices, 1u);
  EXPECT_EQ(devices.addressable_devices[0], device(2));
  abi::PJRT_Buffer* elsewhere = put({1}, {});
  EXPECT_EQ(execute(loaded, {elsewhere}, 1).outcome.message, "argument 0 is on device 5, the program runs on device 7");
  destroy(elsewhere);
  destroy(loaded);
  EXPECT_EQ(compile("fake.identity", loaded, "mlir", device_options(8)).code, 3);
  EXPECT_EQ(compile("fake.identity", loaded, "mlir", "\xff\xff").code, 3);
}

TEST_F(FakePluginTest, RunsOneProgramOnSeveralDevices) {
  script("devices=2");
  create_client();
  WireWriter build;
  build.number(4, 2);
  WireWriter options;
  options.bytes(3, build.message());
  abi::PJRT_LoadedExecutable* loaded = nullptr;
  ASSERT_TRUE(compile("fake.add_one", loaded, "mlir", options.message()));
  abi::PJRT_Buffer* first = put({1}, {});
  abi::PJRT_Buffer_CopyToDevice_Args second{.buffer = first, .dst_device = device(1)};
  ASSERT_TRUE(call<&Api::PJRT_Buffer_CopyToDevice>(second));
  abi::PJRT_Buffer* const* lists[] = {&first, &second.dst_buffer};
  abi::PJRT_Buffer* results[2] = {};
  abi::PJRT_Buffer** outputs[] = {&results[0], &results[1]};
  abi::PJRT_Event* events[2] = {};
  abi::PJRT_ExecuteOptions execute_options;
  ASSERT_TRUE(call<&Api::PJRT_LoadedExecutable_Execute>({.executable = loaded, .options = &execute_options,
                                                         .argument_lists = lists, .num_devices = 2, .num_args = 1,
                                                         .output_lists = outputs, .device_complete_events = events}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(get(results[i]), (Floats{2}));
    EXPECT_TRUE(finish(events[i]));
    destroy(results[i]);
  }
  destroy(first);
  destroy(second.dst_buffer);
  destroy(loaded);
}

TEST_F(FakePluginTest, DonatesWhatTheProgramSays) {
  create_client();
  abi::PJRT_LoadedExecutable* loaded = compile("fake.identity fake.arguments=2 fake.donate=1");
  abi::PJRT_Buffer* kept = put({1}, {});
  abi::PJRT_Buffer* given = put({2}, {});
  EXPECT_EQ(execute(loaded, {given, given}, 2).outcome.code, 3);
  const std::int64_t keep[] = {1};
  Run first = execute(loaded, {kept, given}, 2,
                      {.non_donatable_input_indices = keep, .num_non_donatable_input_indices = 1});
  ASSERT_TRUE(first.outcome);
  Run second = execute(loaded, {kept, given}, 2);
  ASSERT_TRUE(second.outcome);
  EXPECT_NE(execute(loaded, {kept, given}, 2).outcome.message.find("deleted or donated"), std::string::npos);
  EXPECT_EQ(get(kept), (Floats{1}));
  EXPECT_EQ(get(second.results[1]), (Floats{2}));
  for (const Run& run : {first, second}) {
    destroy(run.done);
    for (abi::PJRT_Buffer* result : run.results) destroy(result);
  }
  destroy(kept);
  destroy(given);
  destroy(loaded);
}

TEST_F(FakePluginTest, CompilesAheadOfTimeAndLoadsLater) {
  create_client();
  abi::PJRT_TopologyDescription_Create_Args topology;
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Create>(topology));
  std::string code = "fake.identity";
  const abi::PJRT_Program program{.code = code.data(), .code_size = code.size(), .format = "mlir", .format_size = 4};
  abi::PJRT_Compile_Args compiled{.topology = topology.topology, .program = &program};
  ASSERT_TRUE(call<&Api::PJRT_Compile>(compiled));
  abi::PJRT_Client_Load_Args loaded{.client = client, .executable = compiled.executable};
  ASSERT_TRUE(call<&Api::PJRT_Client_Load>(loaded));
  destroy(compiled.executable);
  ASSERT_TRUE(call<&Api::PJRT_TopologyDescription_Destroy>({.topology = topology.topology}));
  destroy(loaded.loaded_executable);
}

TEST_F(FakePluginTest, TellsLayoutsThroughTheExtension) {
  create_client();
  const auto* layouts = reinterpret_cast<const abi::PJRT_Layouts_Extension*>(api->extension_start);
  ASSERT_NE(layouts, nullptr);
  ASSERT_EQ(layouts->base.type, abi::PJRT_Extension_Type_Layouts);
  abi::PJRT_Buffer* buffer = put({1, 2, 3, 4}, {2, 2});
  abi::PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args of_buffer{.buffer = buffer};
  ASSERT_TRUE(take(layouts->PJRT_Layouts_PJRT_Buffer_MemoryLayout(&of_buffer)));
  abi::PJRT_Layouts_MemoryLayout_Serialize_Args bytes{.layout = of_buffer.layout};
  ASSERT_TRUE(take(layouts->PJRT_Layouts_MemoryLayout_Serialize(&bytes)));
  EXPECT_EQ(std::string(bytes.serialized_bytes, bytes.serialized_bytes_size), "{1,0}");
  bytes.serialized_layout_deleter(bytes.serialized_layout);
  abi::PJRT_Layouts_MemoryLayout_Destroy_Args destroy_layout{.layout = of_buffer.layout};
  EXPECT_TRUE(take(layouts->PJRT_Layouts_MemoryLayout_Destroy(&destroy_layout)));
  EXPECT_EQ(plugin->calls("Layouts_MemoryLayout_Serialize"), 1u);
  destroy(buffer);
}

TEST_F(FakePluginTest, ReadsArgumentsInTheOrderOfTheProgramAndKeepsItsLayoutsForItself) {
  create_client();
  const auto* layouts = reinterpret_cast<const abi::PJRT_Layouts_Extension*>(api->extension_start);
  abi::PJRT_LoadedExecutable* loaded =
      compile("func.func @main(%x: tensor<2x2xf32> {mhlo.layout_mode = \"{0,1}\"}) -> tensor<2x2xf32> { return %x : tensor<2x2xf32> }");
  ASSERT_NE(loaded, nullptr);
  abi::PJRT_LoadedExecutable_GetExecutable_Args plain{.loaded_executable = loaded};
  ASSERT_TRUE(call<&Api::PJRT_LoadedExecutable_GetExecutable>(plain));
  abi::PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args told{.executable = plain.executable};
  ASSERT_TRUE(take(layouts->PJRT_Layouts_PJRT_Executable_GetParameterLayouts(&told)));
  ASSERT_EQ(told.num_parameters, 1u);
  abi::PJRT_Layouts_MemoryLayout_Serialize_Args bytes{.layout = told.layouts[0]};
  ASSERT_TRUE(take(layouts->PJRT_Layouts_MemoryLayout_Serialize(&bytes)));
  EXPECT_EQ(std::string(bytes.serialized_bytes, bytes.serialized_bytes_size), "{0,1}");
  bytes.serialized_layout_deleter(bytes.serialized_layout);

  abi::PJRT_Buffer* buffer = put({1, 2, 3, 4}, {2, 2});
  Run run = execute(loaded, {buffer}, 1);
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(get(run.results[0]), (std::vector<float>{1, 3, 2, 4}));
  destroy(run.done);
  destroy(run.results[0]);
  destroy(buffer);

  abi::PJRT_Layouts_MemoryLayout_Destroy_Args wrong{.layout = told.layouts[0]};
  EXPECT_FALSE(take(layouts->PJRT_Layouts_MemoryLayout_Destroy(&wrong)));
  EXPECT_EQ(plugin->violations(), 1u);
  plugin->reset();
  destroy(plain.executable);
  destroy(loaded);
}

}  // namespace
}  // namespace fake::raw
