#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "abi/fake_table.h"
#include "abi/table.h"

namespace {

// Counts allocations of this program, to show that a call makes none.
std::size_t allocations = 0;

}  // namespace

// Not inlined: GCC would take the pair for a mismatch of new and free.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace pier::abi {
namespace {

using fake::ErrorCount;
using fake::Failure;
using fake::make_error;
using fake::PluginTable;
using ::testing::HasSubstr;
using ::testing::Not;

// What the fake functions saw and what they answer.
struct Seen {
  std::size_t struct_size = 0;
  std::size_t options_size = 0;
  bool slack_is_zero = false;
  int calls = 0;
  Failure failure;
  std::size_t wanted_size = 0;
};
Seen seen;

template <class Args>
bool slack_is_zero(const Args* args) {
  const auto* slack = reinterpret_cast<const std::byte*>(args) + sizeof(Args);
  return std::all_of(slack, slack + slack_bytes, [](std::byte b) { return b == std::byte{0}; });
}

PJRT_Client* const client = reinterpret_cast<PJRT_Client*>(0x1230);

PJRT_Error* create(PJRT_Client_Create_Args* args) {
  ++seen.calls;
  seen.struct_size = args->struct_size;
  seen.slack_is_zero = slack_is_zero(args);
  args->client = client;
  return nullptr;
}

PJRT_Error* fail(PJRT_Client_Create_Args*) {
  ++seen.calls;
  return make_error(seen.failure);
}

// Takes one size only, as plugins did that were not made from the XLA wrapper.
PJRT_Error* strict(PJRT_Client_Create_Args* args) {
  ++seen.calls;
  seen.struct_size = args->struct_size;
  if (args->struct_size == seen.wanted_size) {
    args->client = client;
    return nullptr;
  }
  return make_error({PJRT_Error_Code_INVALID_ARGUMENT,
                     "Unexpected PJRT_Client_Create_Args size: expected " + std::to_string(seen.wanted_size) + ", got " +
                         std::to_string(args->struct_size) + ". Check installed software versions.",
                     {}});
}

PJRT_Error* strict_options(PJRT_LoadedExecutable_Execute_Args* args) {
  ++seen.calls;
  seen.struct_size = args->struct_size;
  seen.options_size = args->options->struct_size;
  if (args->options->struct_size == seen.wanted_size) return nullptr;
  return make_error({PJRT_Error_Code_INVALID_ARGUMENT, "Unexpected PJRT_ExecuteOptions size: expected 72, got 160.", {}});
}

template <class Action>
std::string failure_text(Action action, ErrorCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(dynamic_cast<const Unsupported*>(&error) != nullptr, code == ErrorCode::unsupported);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

class Call : public ::testing::Test {
 protected:
  void SetUp() override { seen = {}; }
  ErrorCount errors;
};

TEST_F(Call, SendsTheNewestSizeWithZeroedSlackAndReturnsTheOutputs) {
  PluginTable plugin(81);
  plugin.api.PJRT_Client_Create = create;
  const Table table(plugin.get(), "libx.so");
  EXPECT_EQ(table.call<&Api::PJRT_Client_Create>({.num_options = 0}).client, client);
  EXPECT_EQ(seen.struct_size, sizeof(PJRT_Client_Create_Args));
  EXPECT_TRUE(seen.slack_is_zero);
}

TEST_F(Call, SendsTheNewestSizeWhateverTheCallerWroteThere) {
  PluginTable plugin(81);
  plugin.api.PJRT_Client_Create = create;
  const Table table(plugin.get(), "libx.so");
  table.call<&Api::PJRT_Client_Create>({.struct_size = 3});
  EXPECT_EQ(seen.struct_size, sizeof(PJRT_Client_Create_Args));
}

TEST_F(Call, SendsStructSizeNotSizeofWhereTheyDiffer) {
  EXPECT_EQ(newest_size<PJRT_Event_IsReady_Args>, 25u);
  EXPECT_EQ(newest_size<PJRT_Error_GetCode_Args>, 28u);
  EXPECT_EQ(newest_size<PJRT_Device_MemoryStats_Args>, 201u);
  EXPECT_EQ(newest_size<PJRT_Buffer_MemoryLayout>, 76u);
}

TEST_F(Call, AllocatesNothing) {
  PluginTable plugin(81);
  plugin.api.PJRT_Client_Create = create;
  const Table table(plugin.get(), "libx.so");
  Block<PJRT_Client_Create_Args> block;
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) {
    table.call<&Api::PJRT_Client_Create>({});
    table.call_into<&Api::PJRT_Client_Create>(block);
  }
  EXPECT_EQ(allocations, before);
}

TEST_F(Call, RefusesAFunctionOfALaterVersionByNameAndVersions) {
  PluginTable plugin(54);
  const Table table(plugin.get(), "/opt/libcuda.so");
  const std::string what =
      failure_text([&] { table.call<&Api::PJRT_Buffer_Bitcast>({}); }, ErrorCode::unsupported);
  EXPECT_THAT(what, HasSubstr("PJRT_Buffer_Bitcast needs PJRT 0.98, this plugin has 0.54"));
  EXPECT_THAT(what, HasSubstr("/opt/libcuda.so (PJRT 0.54)"));
}

TEST_F(Call, RefusesAnEmptySlotWithoutBlamingTheVersion) {
  PluginTable plugin(115);
  plugin.api.PJRT_Buffer_Bitcast = nullptr;
  const Table table(plugin.get(), "libx.so");
  const std::string what =
      failure_text([&] { table.call<&Api::PJRT_Buffer_Bitcast>({}); }, ErrorCode::unsupported);
  EXPECT_THAT(what, HasSubstr("PJRT_Buffer_Bitcast is missing from this plugin"));
  EXPECT_THAT(what, Not(HasSubstr("needs PJRT")));
}

TEST_F(Call, RefusesEachFunctionWhoseSlotIsEmpty) {
  for (const FunctionFact& fact : functions()) {
    PluginTable plugin(117);
    void* null = nullptr;
    std::memcpy(reinterpret_cast<std::byte*>(&plugin.api) + fact.offset, &null, sizeof null);
    const Table table(plugin.get(), "libx.so");
    ASSERT_EQ(table.absent().size(), 1u);
    EXPECT_EQ(table.absent()[0].name, fact.name);
  }
}

TEST_F(Call, KeepsCodeMessageFunctionAndPlugin) {
  PluginTable plugin(81);
  plugin.api.PJRT_Client_Create = fail;
  const Table table(plugin.get(), "/opt/libx.so");
  seen.failure = {PJRT_Error_Code_RESOURCE_EXHAUSTED, std::string(100000, 'm') + " \xc3\xa9nd", {}};
  try {
    table.call<&Api::PJRT_Client_Create>({});
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
    EXPECT_EQ(error.message(), seen.failure.message);
    EXPECT_EQ(error.function(), "PJRT_Client_Create");
    EXPECT_EQ(error.plugin(), "/opt/libx.so (PJRT 0.81)");
  }
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, MapsEveryCode) {
  PluginTable plugin(81);
  plugin.api.PJRT_Client_Create = fail;
  const Table table(plugin.get(), "libx.so");
  for (int code = 1; code <= 16; ++code) {
    seen.failure = {code, "m", {}};
    failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, static_cast<ErrorCode>(code));
  }
  for (const int code : {0, 17, -5, 100, 4711}) {
    seen.failure = {code, "m", {}};
    const std::string what =
        failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::unknown);
    EXPECT_THAT(what, HasSubstr(std::to_string(code)));
  }
  EXPECT_TRUE(errors.clean());
}

// The message ends where its size says, with no zero behind it.
void unterminated(PJRT_Error_Message_Args* args) {
  static const char text[] = {'o', 'o', 'p', 's', 'X', 'X'};
  args->message = text;
  args->message_size = 4;
}
void empty_message(PJRT_Error_Message_Args* args) { args->message = nullptr, args->message_size = 0; }
void endless_message(PJRT_Error_Message_Args* args) { args->message = "x", args->message_size = SIZE_MAX; }
void null_message(PJRT_Error_Message_Args* args) { args->message = nullptr, args->message_size = 12; }

TEST_F(Call, ReadsAMessageThatNoZeroEnds) {
  PluginTable plugin(81);
  plugin.api.PJRT_Client_Create = fail;
  plugin.api.PJRT_Error_Message = unterminated;
  const Table table(plugin.get(), "libx.so");
  try {
    table.call<&Api::PJRT_Client_Create>({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "oops");
  }
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, SaysSomethingWhenThePluginDoesNot) {
  for (const auto message : {empty_message, endless_message, null_message, static_cast<decltype(&empty_message)>(nullptr)}) {
    PluginTable plugin(81);
    plugin.api.PJRT_Client_Create = fail;
    plugin.api.PJRT_Error_Message = message;
    const Table table(plugin.get(), "libx.so");
    const std::string what = failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::internal);
    EXPECT_THAT(what, HasSubstr("the plugin failed with internal and gave no message"));
  }
  EXPECT_TRUE(errors.clean());
}

PJRT_Error* failing_code(PJRT_Error_GetCode_Args*) { return make_error({PJRT_Error_Code_INTERNAL, "second", {}}); }

TEST_F(Call, SurvivesErrorsThatCannotTellTheirCode) {
  for (const auto code : {failing_code, static_cast<decltype(&failing_code)>(nullptr)}) {
    PluginTable plugin(81);
    plugin.api.PJRT_Client_Create = fail;
    plugin.api.PJRT_Error_GetCode = code;
    const Table table(plugin.get(), "libx.so");
    seen.failure.message = "the cause";
    const std::string what = failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::unknown);
    EXPECT_THAT(what, HasSubstr("the cause"));
  }
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, KeepsPayloadsAsNotes) {
  PluginTable plugin(106);
  plugin.api.PJRT_Client_Create = fail;
  const Table table(plugin.get(), "libx.so");
  seen.failure.payloads = {{"where", "core 3"}, {"raw", std::string("\0\xff", 2)}};
  const std::string what = failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::internal);
  EXPECT_THAT(what, HasSubstr("where: core 3"));
  EXPECT_THAT(what, HasSubstr("raw: 0x00ff"));
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, AsksForNoPayloadsBeforeTheVersionThatHasThem) {
  PluginTable plugin(98);
  plugin.api.PJRT_Client_Create = fail;
  const Table table(plugin.get(), "libx.so");
  seen.failure.payloads = {{"where", "core 3"}};
  const std::string what = failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::internal);
  EXPECT_THAT(what, Not(HasSubstr("core 3")));
}

TEST_F(Call, TriesAgainWithThePluginsOwnSize) {
  PluginTable plugin(54);
  plugin.api.PJRT_Client_Create = strict;
  const Table table(plugin.get(), "libx.so");
  seen.wanted_size = 72;
  EXPECT_EQ(table.call<&Api::PJRT_Client_Create>({}).client, client);
  EXPECT_EQ(seen.calls, 2);
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, TriesAgainWithThePluginsOwnSizeOfTheOptions) {
  PluginTable plugin(54);
  plugin.api.PJRT_LoadedExecutable_Execute = strict_options;
  const Table table(plugin.get(), "libx.so");
  seen.wanted_size = 72;
  PJRT_ExecuteOptions options;
  table.call<&Api::PJRT_LoadedExecutable_Execute>({.options = &options});
  EXPECT_EQ(seen.calls, 2);
  EXPECT_EQ(seen.struct_size, newest_size<PJRT_LoadedExecutable_Execute_Args>);
  EXPECT_EQ(options.struct_size, newest_size<PJRT_ExecuteOptions>);
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, TriesAgainOnceOnly) {
  PluginTable plugin(54);
  plugin.api.PJRT_Client_Create = strict;
  const Table table(plugin.get(), "libx.so");
  seen.wanted_size = 5;
  const std::string what =
      failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::invalid_argument);
  EXPECT_EQ(seen.calls, 2);
  EXPECT_THAT(what, HasSubstr("expected 5, got 72"));
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, DoesNotTryAgainWhenTheSizeIsTheSame) {
  PluginTable plugin(115);
  plugin.api.PJRT_Client_Create = strict;
  const Table table(plugin.get(), "libx.so");
  seen.wanted_size = 96;
  failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, ErrorCode::invalid_argument);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, DoesNotTryAgainForOtherErrors) {
  PluginTable plugin(54);
  plugin.api.PJRT_Client_Create = fail;
  const Table table(plugin.get(), "libx.so");
  const Failure others[] = {{PJRT_Error_Code_INTERNAL, "Unexpected PJRT_Client_Create_Args size: expected 72, got 88.", {}},
                            {PJRT_Error_Code_INVALID_ARGUMENT, "Unexpected shape of the input, size 3", {}},
                            {PJRT_Error_Code_INVALID_ARGUMENT, "bad size", {}}};
  for (const Failure& other : others) {
    seen.calls = 0;
    seen.failure = other;
    failure_text([&] { table.call<&Api::PJRT_Client_Create>({}); }, static_cast<ErrorCode>(other.code));
    EXPECT_EQ(seen.calls, 1) << other.message;
  }
  EXPECT_TRUE(errors.clean());
}

TEST_F(Call, MakesAnExceptionOfAnErrorFromElsewhere) {
  PluginTable plugin(81);
  const Table table(plugin.get(), "libx.so");
  const Error error = table.take_error(make_error({PJRT_Error_Code_ABORTED, "stopped", {}}), "PJRT_Event_Await");
  EXPECT_EQ(error.code(), ErrorCode::aborted);
  EXPECT_EQ(error.function(), "PJRT_Event_Await");
  EXPECT_TRUE(errors.clean());
  EXPECT_EQ(table.take_error(nullptr, "PJRT_Event_Await").code(), ErrorCode::internal);
}

}  // namespace
}  // namespace pier::abi
