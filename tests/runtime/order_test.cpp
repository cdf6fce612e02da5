// Programs that take or give arrays in another order than row-major. The fake reads its arguments in the order that the program
// was compiled for, as real plugins do, and so shows every argument that was given in another one.

#include "runtime/fake_test.h"
#include "runtime/layout.h"

namespace pier {
namespace {

using test::error_of;
using test::FakeTest;
using test::floats;
using test::program;
using test::ramp;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* columns_in = "fake.add_one fake.column_major_arguments fake.signature=f32[2,3]->f32[2,3]";
constexpr const char* columns_out = "fake.add_one fake.column_major fake.signature=f32[2,3]->f32[2,3]";
constexpr const char* columns_both = "fake.add_one fake.column_major fake.column_major_arguments fake.signature=f32[2,3]->f32[2,3]";
constexpr const char* rows = "fake.add_one fake.signature=f32[2,3]->f32[2,3]";

Array matrix() {
  const Array values = ramp(6);
  return Array::view(values.data(), DType::float32, {2, 3}, values.owner());
}

// With a stated layout, as a text for a plugin that tells none by itself.
Module stated(const std::string& words, const std::string& argument) {
  return Module::from_bytes("module { // " + words + "\nfunc.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"" + argument +
                            "\"}) -> tensor<2x3xf32> { %y = fake %x return %y : tensor<2x3xf32> } }");
}

class Orders : public FakeTest {
 protected:
  Executable compile(const std::string& words) { return client.compile(program(words)); }
  std::uint64_t compiled() const { return fake->calls("PJRT_Client_Compile"); }
  Client client = connect();
};

TEST_F(Orders, OfArgumentsAreWhatTheProgramWants) {
  const Executable add = compile(columns_in);
  const Buffer x = client.put(matrix());
  EXPECT_THAT(floats(add(x).to_array()), ElementsAre(1, 2, 3, 4, 5, 6));
  const std::vector<const Buffer*> arguments = {&x};
  std::vector<Buffer> results(1);
  add.run_into(arguments, results);
  EXPECT_THAT(floats(results[0].to_array()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(compiled(), 2u) << "one program reorders all of a kind";
  EXPECT_THAT(floats(x.to_array()), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Orders, OfResultsAreTurnedWhereTheNextProgramWantsAnother) {
  const Executable out = compile(columns_out);
  const Executable add = compile(rows);
  EXPECT_THAT(floats(add(out(client.put(matrix()))).to_array()), ElementsAre(2, 3, 4, 5, 6, 7));
  EXPECT_EQ(compiled(), 3u);
}

TEST_F(Orders, OfResultsStayWhereTheNextProgramWantsTheSame) {
  const Executable both = compile(columns_both);
  const Results once = both(client.put(matrix()));
  EXPECT_EQ(compiled(), 2u);
  const Results twice = both(once);
  EXPECT_THAT(floats(both(twice).to_array()), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_EQ(compiled(), 2u);
}

TEST_F(Orders, AreFoundInTheCompiledProgramOfAnOlderPlugin) {
  FakePose pose;
  for (const int minor : {81, 54}) {
    pose.minor = minor;
    fake->pose(&pose);
    client = connect();
    const Executable add = client.compile(stated("fake.add_one", "{0,1}"));
    EXPECT_THAT(floats(add(client.put(matrix())).to_array()), ElementsAre(1, 2, 3, 4, 5, 6)) << minor;
  }
}

TEST_F(Orders, OfOrdinaryProgramsCostNothing) {
  for (const int minor : {117, 81}) {
    FakePose pose;
    pose.minor = minor;
    fake->pose(&pose);
    client = connect();
    const Buffer x = client.put(matrix());
    client.compile(program(rows))(x);
    client.compile(stated("fake.add_one", "default"))(x);
    EXPECT_EQ(fake->calls("PJRT_Buffer_GetMemoryLayout"), 0u);
    EXPECT_EQ(fake->calls("PJRT_Buffer_Dimensions"), 0u);
    EXPECT_EQ(fake->calls("PJRT_Executable_OptimizedProgram"), minor == 81 ? 2u : 0u) << "asked only where the module speaks of layouts";
    fake->reset();
  }
}

TEST_F(Orders, ThatNobodyTellsAreSaidToBeUnknown) {
  FakePose pose;
  pose.minor = 54;
  fake->pose(&pose);
  client = connect();
  script("unimplemented=PJRT_Executable_OptimizedProgram");
  const Executable add = client.compile(stated("fake.add_one", "{0,1}"));
  ASSERT_EQ(logged.size(), 1u);
  EXPECT_THAT(logged[0], HasSubstr("module speaks of layouts, and the plugin does not tell what it made of them"));
  logged.clear();
}

TEST_F(Orders, LeaveADonatedArgumentDeleted) {
  const Executable add = compile(std::string(columns_both) + " fake.donate");
  Buffer x = client.put(matrix(), HostSemantics::copy);
  EXPECT_THAT(floats(add(x).to_array()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(x.is_deleted());
  std::vector<Buffer> state(1);
  state[0] = client.put(matrix(), HostSemantics::copy);
  const std::vector<const Buffer*> arguments = {&state[0]};
  for (int i = 0; i < 3; ++i) add.run_into(arguments, state);
  EXPECT_THAT(floats(state[0].to_array()), ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST_F(Orders, ThatCannotBeMadeAreRefusedByNameAndOrder) {
  const Executable add = compile(std::string(columns_in) + " fake.name=model");
  const Buffer x = client.put(matrix());
  fail("PJRT_Client_Compile", 3, "cannot");
  const Error failed = error_of([&] { add(x); });
  EXPECT_EQ(failed.message(), "cannot");
  EXPECT_THAT(failed.what(), HasSubstr("argument 0 of model lies in the order {1,0} on the device, the program wants {0,1}"));
  EXPECT_THAT(floats(add(x).to_array()), ElementsAre(1, 2, 3, 4, 5, 6)) << "the next one may try again";

  const Executable bits = compile("fake.identity fake.column_major_arguments fake.signature=s1[2,3]->s1[2,3]");
  const Error type = error_of([&] { bits(client.put(Array::zeros(DType::int1, {2, 3}))); });
  EXPECT_EQ(type.code(), ErrorCode::failed_precondition);
  EXPECT_THAT(type.what(), HasSubstr("argument 0 of fake_identity lies in the order {1,0} on the device, the program wants {0,1}"));
  EXPECT_THAT(type.what(), HasSubstr("no program can reorder int1"));
  EXPECT_THAT(type.what(), HasSubstr("compile the program without layouts of its own"));

  script("unimplemented=PJRT_Buffer_GetMemoryLayout,PJRT_Layouts_PJRT_Buffer_MemoryLayout");
  const Error unknown = error_of([&] { add(x); });
  EXPECT_EQ(unknown.code(), ErrorCode::failed_precondition);
  EXPECT_THAT(unknown.message(), HasSubstr("the plugin does not tell"));
}

TEST_F(Orders, AreRefusedWhereThePluginDropsWhatTheReorderingProgramStates) {
  // It reads the order that is wanted, but gives all results as row-major.
  const Client forgetful = Client::create(Plugin::from_api(
      test::Lie<&abi::Api::PJRT_Buffer_GetMemoryLayout>::told_to(fake.api(), [](auto& args) {
        static constexpr std::int64_t order[] = {1, 0};
        args.layout.tiled.minor_to_major = order;
      }), "forgetful"));
  const Executable add = forgetful.compile(program(columns_in));
  const Error error = error_of([&] { add(forgetful.put(matrix())); });
  EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
  EXPECT_THAT(error.what(), HasSubstr("the plugin compiles no program that gives the order it wants"));
}

TEST_F(Orders, OfBuffersAreReadFromTheExtensionWhereTheOlderFunctionIsGone) {
  script("unimplemented=PJRT_Buffer_GetMemoryLayout");
  EXPECT_TRUE(client.put(matrix()).host_span());
  Results results = compile(columns_out)(client.put(matrix()));
  EXPECT_FALSE(results.only().host_span());
  EXPECT_THAT(floats(results.to_array()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_GT(fake->calls("PJRT_Layouts_PJRT_Buffer_MemoryLayout"), 0u);
}

TEST_F(Orders, ThatAProgramDoesNotTellLeaveItUsable) {
  for (const char* function : {"PJRT_Layouts_PJRT_Executable_GetParameterLayouts", "PJRT_Layouts_PJRT_Executable_GetOutputLayouts",
                               "PJRT_Layouts_MemoryLayout_Serialize"}) {
    fail(function, 13, "no idea", fake_every_call);
    EXPECT_THAT(floats(client.compile(program(rows))(client.put(matrix())).to_array()), ElementsAre(1, 2, 3, 4, 5, 6)) << function;
    fake->reset();
  }
}

TEST_F(Orders, ComeWithTheNumberOfArguments) {
  const Executable add = compile(std::string(rows) + " fake.name=model");
  const Buffer x = client.put(matrix());
  EXPECT_EQ(error_of([&] { add(x, x); }).message(), "model takes 1 arguments, 2 were given");
  EXPECT_EQ(error_of([&] { add(); }).message(), "model takes 1 arguments, 0 were given");
  EXPECT_EQ(fake->calls("PJRT_LoadedExecutable_Execute"), 0u);
  // An older plugin does not tell; the module may.
  FakePose pose;
  pose.minor = 81;
  fake->pose(&pose);
  client = connect();
  const Executable old = client.compile(stated("fake.add_one", "default"));
  EXPECT_THAT(error_of([&] { old(); }).message(), HasSubstr("takes 1 arguments, 0 were given"));
}

TEST(LayoutText, IsReadAsXlaSpellsIt) {
  using runtime::Order;
  using runtime::parse_layout;
  EXPECT_EQ(parse_layout("{}").order, Order());
  EXPECT_EQ(parse_layout("{0}").order, Order({0}));
  EXPECT_EQ(parse_layout("{1,0}").order, Order({1, 0}));
  EXPECT_EQ(parse_layout("{0,2,1:E(4)}").order, Order({0, 2, 1}));
  EXPECT_FALSE(parse_layout("{0,2,1:E(4)S(5)}").tiled);
  EXPECT_EQ(parse_layout("{1,0:T(8,128)(2,1)}").order, Order({1, 0}));
  EXPECT_TRUE(parse_layout("{1,0:T(8,128)(2,1)}").tiled);
  for (const char* wrong : {"", "{", "1,0", "{1}", "{0,0}", "{-1,0}", "{0,1", "{0;1}", "{,}", "{0,99999999999999999999}", "{a}"})
    EXPECT_FALSE(parse_layout(wrong).order) << wrong;
}

}  // namespace
}  // namespace pier
