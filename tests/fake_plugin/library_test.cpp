// Whole libraries, loaded as a child process would meet them.

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

struct LoadResult {
  void* library = nullptr;
  std::string message;
  const abi::Api* (*entry)() = nullptr;
};

LoadResult load(const std::string& file) {
  LoadResult result;
  result.library = ::dlopen(Library::original(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (result.library == nullptr) {
    result.message = ::dlerror();
    return result;
  }
  result.entry = reinterpret_cast<const abi::Api* (*)()>(::dlsym(result.library, "GetPjrtApi"));
  return result;
}

TEST(BrokenLibraries, AreBrokenInOneWayEach) {
  EXPECT_EQ(load("no_symbol.so").entry, nullptr);
  EXPECT_EQ(load("misspelt_symbol.so").entry, nullptr);
  ASSERT_NE(load("null_table.so").entry, nullptr);
  EXPECT_EQ(load("null_table.so").entry(), nullptr);
  EXPECT_NE(load("text_file.so").message.find("file too short"), std::string::npos) << load("text_file.so").message;
  EXPECT_NE(load("missing_needed.so").message.find("libnope.so.1"), std::string::npos);
  EXPECT_NE(load("unresolved_symbol.so").message.find("function_that_nobody_defines"), std::string::npos);
}

TEST(BrokenLibraries, SayTrueThingsAboutTheirTables) {
  const LoadResult short_one = load("short_table.so");
  ASSERT_NE(short_one.entry, nullptr);
  EXPECT_EQ(short_one.entry()->struct_size, 64u);
  EXPECT_EQ(short_one.entry()->pjrt_api_version.minor_version, 90);
  const LoadResult major = load("other_major.so");
  ASSERT_NE(major.entry, nullptr);
  EXPECT_EQ(major.entry()->pjrt_api_version.major_version, 1);
}

TEST(BrokenLibraries, VersionedSymbolIsTheSamePlugin) {
  Library plugin("versioned_symbol.so");
  const auto* api = static_cast<const abi::Api*>(plugin.api());
  ASSERT_NE(api, nullptr);
  abi::PJRT_Plugin_Initialize_Args args;
  EXPECT_EQ(api->PJRT_Plugin_Initialize(&args), nullptr);
  EXPECT_EQ(plugin->calls("PJRT_Plugin_Initialize"), 1u);
}

TEST(BrokenLibrariesDeathTest, AbortAndHangWhereTheySay) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(load("abort_in_constructor.so"), testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(
      {
        const LoadResult hangs = load("hangs_in_get_api.so");
        ::alarm(1);
        hangs.entry();
      },
      testing::KilledBySignal(SIGALRM), "");
}

/// Loads a copy with FAKE_PJRT set, in a process of its own.
void load_with(const char* script) {
  ::setenv("FAKE_PJRT", script, 1);
  Library plugin;
  const auto* api = static_cast<const abi::Api*>(plugin.api());
  abi::PJRT_Plugin_Initialize_Args initialize;
  api->PJRT_Plugin_Initialize(&initialize);
  abi::PJRT_Client_Create_Args create;
  if (api->PJRT_Client_Create(&create) == nullptr && create.client == nullptr) std::exit(5);
}

TEST(EnvironmentDeathTest, SteersThePluginWhenItIsLoaded) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(load_with("null=Client_Create"), testing::ExitedWithCode(5), "");
  EXPECT_EXIT(load_with("abort=constructor"), testing::KilledBySignal(SIGABRT), "crashing in constructor");
  EXPECT_DEATH(load_with("segv=PJRT_Client_Create"), "crashing in PJRT_Client_Create");
  EXPECT_EXIT(load_with("fly=high"), testing::KilledBySignal(SIGABRT), "FAKE_PJRT: 'fly=high': there is no such key");
}

TEST(EnvironmentDeathTest, MakesNoiseFromConstructorThreadAndCreate) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        load_with("noise=constructor,thread,create");
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      "noise from the constructor(.|\n)*noise from Client_Create(.|\n)*noise from a thread, line 5 of 5");
}

TEST(EnvironmentDeathTest, LeavesItsBooksBehind) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // The child starts this test anew and must come to the same name.
  ::setenv("FAKE_PLUGIN_BOOKS", (testing::TempDir() + "fake_plugin_books_" + std::to_string(::getpid())).c_str(), 0);
  const std::string path = std::getenv("FAKE_PLUGIN_BOOKS");
  EXPECT_EXIT(
      {
        ::setenv("FAKE_PJRT", ("report=" + path).c_str(), 1);
        const LoadResult plugin = load("fake_plugin.so");
        abi::PJRT_Plugin_Initialize_Args initialize;
        plugin.entry()->PJRT_Plugin_Initialize(&initialize);
        abi::PJRT_Client_Create_Args create;
        plugin.entry()->PJRT_Client_Create(&create);
        abi::PJRT_Buffer_Dimensions_Args nothing;
        plugin.entry()->PJRT_Buffer_Dimensions(&nothing);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  std::ifstream file(path);
  std::ostringstream books;
  books << file.rdbuf();
  EXPECT_NE(books.str().find("live.clients 1\n"), std::string::npos) << books.str();
  EXPECT_NE(books.str().find("live.errors 1\n"), std::string::npos);
  EXPECT_NE(books.str().find("violations 1\nviolation PJRT_Buffer_Dimensions: a null buffer\n"), std::string::npos);
  EXPECT_NE(books.str().find("\ncalls.PJRT_Client_Create 1\ncalls.PJRT_Buffer_Dimensions 1\n"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(Script, SaysWhatIsWrongWithIt) {
  Library& plugin = Library::shared();
  for (const char* wrong :
       {"devices", "devices=9", "devices=x", "fail=F:3", "fail=Client_Create", "fail=Client_Create:NICE", "delay=-2",
        "null=Client_Create@0", "platform=%4", "noise=radio", "extensions=moon", "unknown_options=eat", "minor=-1"}) {
    EXPECT_NE(plugin->script(wrong), nullptr) << wrong;
  }
  EXPECT_EQ(plugin->script(""), nullptr);
  EXPECT_EQ(plugin->script("fail=PJRT_Client_Create@3:RESOURCE_EXHAUSTED:a%3Bb%25:c;platform=x%00y;delay=hold"), nullptr);
  EXPECT_EQ(plugin->script("delay=Client_Create:3;;"), nullptr);
  plugin->reset();
}

TEST_F(FakePluginTest, TakesMessagesFromTheScript) {
  script("fail=Client_Create@1:RESOURCE_EXHAUSTED:a%3Bb:c;fail=Client_Create@2:-7");
  const Outcome first = call<&Api::PJRT_Client_Create>({});
  EXPECT_EQ(first.code, abi::PJRT_Error_Code_RESOURCE_EXHAUSTED);
  EXPECT_EQ(first.message, "a;b:c");
  EXPECT_EQ(call<&Api::PJRT_Client_Create>({}).code, -7);
  script("unimplemented=Client_Create");
  EXPECT_EQ(call<&Api::PJRT_Client_Create>({}).code, abi::PJRT_Error_Code_UNIMPLEMENTED);
}

}  // namespace
}  // namespace fake::raw
