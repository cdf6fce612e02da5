#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <thread>

#include "runtime/fake_test.h"

namespace pier {
namespace {

using test::error_of;
using test::FakeTest;
using testing::HasSubstr;

// How often the dynamic loader lists a library.
int mapped(const std::filesystem::path& path) {
  struct Search {
    std::string name;
    int found = 0;
  } search{std::filesystem::canonical(path).string()};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* user) {
        auto& wanted = *static_cast<Search*>(user);
        if (wanted.name == info->dlpi_name) ++wanted.found;
        return 0;
      },
      &search);
  return search.found;
}

class Load : public FakeTest {
 protected:
  static std::filesystem::path broken(const std::string& name) { return fake::Library::original(name); }
  static Error refusal(const std::filesystem::path& path) {
    return error_of([&] { Plugin::load(path); });
  }
};

TEST_F(Load, GivesAPluginThatKnowsItsPathAndVersion) {
  const Plugin loaded = Plugin::load(fake.path());
  EXPECT_EQ(loaded.path(), std::filesystem::canonical(fake.path()).string());
  EXPECT_EQ(loaded.api_version(), (ApiVersion{0, 117}));
  EXPECT_EQ(to_string(loaded.api_version()), "0.117");
  EXPECT_TRUE(loaded.missing_functions().empty());
  EXPECT_EQ(loaded.extensions().size(), 1u);
  EXPECT_EQ(loaded.extensions().front().name, "Layouts");
}

TEST_F(Load, TakesAVersionedSymbol) {
  const fake::Library versioned("versioned_symbol.so");
  EXPECT_EQ(Plugin::load(versioned.path()).api_version(), (ApiVersion{0, 117}));
}

TEST_F(Load, RefusesAFileThatIsNotThere) {
  const Error error = refusal("/no/such/plugin.so");
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_THAT(error.message(), HasSubstr("/no/such/plugin.so"));
  EXPECT_EQ(refusal("").code(), ErrorCode::invalid_argument);
}

TEST_F(Load, RefusesAFolder) {
  const Error error = refusal(FAKE_PLUGIN_DIR);
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), HasSubstr("is a folder, not a library"));
}

TEST_F(Load, SaysWhatTheLoaderSaysOfAFileThatIsNoLibrary) {
  const Error error = refusal(broken("text_file.so"));
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.message(), HasSubstr("text_file.so: "));
}

TEST_F(Load, NamesTheLibraryThatAPluginLacks) {
  const Error error = refusal(broken("missing_needed.so"));
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.message(), HasSubstr("libnope.so.1"));
}

TEST_F(Load, NamesTheSymbolThatNobodyDefines) {
  const Error error = refusal(broken("unresolved_symbol.so"));
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.message(), HasSubstr("undefined symbol"));
}

TEST_F(Load, RefusesALibraryThatIsNoPlugin) {
  for (const char* name : {"no_symbol.so", "misspelt_symbol.so"}) {
    const Error error = refusal(broken(name));
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << name;
    EXPECT_THAT(error.message(), HasSubstr("exports no GetPjrtApi")) << name;
  }
}

TEST_F(Load, RefusesATableThatIsNull) {
  const Error error = refusal(broken("null_table.so"));
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_EQ(error.function(), "GetPjrtApi");
  EXPECT_THAT(error.message(), HasSubstr("GetPjrtApi returned null"));
  EXPECT_EQ(error_of([] { Plugin::from_api(nullptr, "mine"); }).code(), ErrorCode::not_available);
}

TEST_F(Load, RefusesAnotherMajorVersionWithoutReadingItsTable) {
  const Error error = refusal(broken("other_major.so"));
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("1.0"));
  EXPECT_THAT(error.message(), HasSubstr("0.117"));
  EXPECT_THAT(error.plugin(), HasSubstr("other_major.so"));
  EXPECT_THROW(Plugin::load(broken("other_major.so")), Unsupported);
}

TEST_F(Load, UsesAShortTableAsFarAsItGoes) {
  const Plugin loaded = Plugin::load(broken("short_table.so"));
  EXPECT_EQ(loaded.api_version(), (ApiVersion{0, 90}));
  EXPECT_GT(loaded.missing_functions().size(), 100u);
  EXPECT_TRUE(loaded.attributes().empty());
  const Error error = error_of([&] { Client::create(loaded); });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("PJRT_Client_Create is missing from this plugin"));
  EXPECT_THAT(error.message(), HasSubstr("0.90"));
}

TEST_F(Load, LeavesNothingBehindWhenItFailsHoweverOften) {
  for (const char* name : {"no_symbol.so", "misspelt_symbol.so", "null_table.so", "other_major.so"}) {
    for (int i = 0; i < 1000; ++i) EXPECT_THROW(Plugin::load(broken(name)), Error);
    EXPECT_EQ(mapped(broken(name)), 0) << name;
  }
}

TEST_F(Load, KeepsOneReferenceToWhatItLoaded) {
  fake::Library own;
  for (int i = 0; i < 3; ++i) Plugin::load(own.path());
  EXPECT_EQ(mapped(own.path()), 1);
  EXPECT_EQ(own->calls("PJRT_Plugin_Initialize"), 1u);
}

TEST_F(Load, GivesOnePluginToManyThreads) {
  fake::Library own;
  std::vector<std::shared_ptr<const runtime::PluginState>> states(32);
  std::vector<std::thread> threads;
  for (auto& state : states) threads.emplace_back([&] { state = Plugin::load(own.path()).state(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& state : states) EXPECT_EQ(state, states.front());
  EXPECT_EQ(own->calls("PJRT_Plugin_Initialize"), 1u);
}

TEST_F(Load, GivesOnePluginByLinksAndByItsTable) {
  fake::Library own;
  const Plugin loaded = Plugin::load(own.path());
  const auto soft = own.path().parent_path() / "soft.so";
  const auto hard = own.path().parent_path() / "hard.so";
  std::filesystem::create_symlink(own.path(), soft);
  std::filesystem::create_hard_link(own.path(), hard);
  EXPECT_EQ(Plugin::load(soft).state(), loaded.state());
  EXPECT_EQ(Plugin::load(hard).state(), loaded.state());
  EXPECT_EQ(Plugin::from_api(own.api(), "again").state(), loaded.state());
  EXPECT_EQ(own->calls("PJRT_Plugin_Initialize"), 1u);
}

TEST_F(Load, MayBeTriedAgainWhenInitializeFails) {
  fake::Library own;
  own->fail("PJRT_Plugin_Initialize", 1, 14, "not yet", 7);
  const Error error = refusal(own.path());
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_EQ(error.message(), "not yet");
  EXPECT_EQ(error.function(), "PJRT_Plugin_Initialize");
  EXPECT_NO_THROW(Client::create(Plugin::load(own.path())));
  EXPECT_EQ(own->calls("PJRT_Plugin_Initialize"), 2u);
  EXPECT_EQ(own->violations(), 0u) << own->violation_report();
}

TEST_F(Load, GoesOnWithoutInitializeWhereThereIsNone) {
  script("require_initialize=0;remove=PJRT_Plugin_Initialize");
  EXPECT_EQ(connect().platform_name(), "cpu");
}

TEST_F(Load, TellsTheFirstCauseWhenAClientCannotBeMadeAndMakesItNextTime) {
  const Plugin loaded = Plugin::load(fake.path());
  fail("PJRT_Client_Create", 8, "no memory on the device");
  const Error error = error_of([&] { Client::create(loaded); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  EXPECT_EQ(error.message(), "no memory on the device");
  EXPECT_EQ(Client::create(loaded).platform_name(), "cpu");
}

TEST_F(Load, KeepsTwoPluginsApart) {
  fake::Library first;
  fake::Library second;
  second->script("platform=METAL;devices=2");
  const Client a = Client::create(Plugin::load(first.path()));
  const Client b = Client::create(Plugin::load(second.path()));
  EXPECT_EQ(a.platform_name(), "cpu");
  EXPECT_EQ(b.platform_name(), "METAL");
  EXPECT_EQ(b.devices().size(), 2u);
  EXPECT_EQ(first->calls("PJRT_Client_Devices"), 0u);
}

// Two plugins may each bring a copy of the same compiler: neither may see the other's names.
TEST_F(Load, PutsNoNameOfAPluginWhereOthersFindIt) {
  const fake::Library own;
  const Plugin loaded = Plugin::load(own.path());
  ASSERT_EQ(mapped(own.path()), 1);
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "GetPjrtApi"), nullptr);
}

TEST_F(Load, TellsAttributesAndNoneWhereThePluginHasNone) {
  script("attribute=versions:[1,20,0];attribute=note:good");
  const Attributes attributes = plugin().attributes();
  EXPECT_EQ(to_string(attributes.at("versions")), "[1, 20, 0]");
  EXPECT_EQ(to_string(attributes.at("note")), "good");
  script("unimplemented=PJRT_Plugin_Attributes");
  EXPECT_TRUE(plugin().attributes().empty());
  fake->reset();
  script("remove=PJRT_Plugin_Attributes");
  EXPECT_TRUE(plugin().attributes().empty());
  ASSERT_EQ(plugin().missing_functions().size(), 1u);
  EXPECT_EQ(plugin().missing_functions().front().name, "PJRT_Plugin_Attributes");
}

TEST_F(Load, ListsExtensionsThatItDoesNotKnowAndSurvivesACircle) {
  script("extensions=layouts,unknown,cycle");
  const auto found = plugin().extensions();
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].name, "Layouts");
  EXPECT_EQ(found[1].name, "unknown");
  EXPECT_EQ(found[1].type, 77);
}

}  // namespace
}  // namespace pier
