#include "abi/extensions.h"
#include "abi/facts.h"
#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

using Slot = void (*)();

class PoseTest : public FakePluginTest {
 protected:
  Slot at(std::size_t offset) const {
    Slot slot = nullptr;
    std::memcpy(&slot, reinterpret_cast<const std::byte*>(api) + offset, sizeof slot);
    return slot;
  }
  const Api* look() { return api = static_cast<const Api*>(plugin.api()); }
};

TEST_F(PoseTest, HasTheTableOfEveryMinorVersion) {
  const Api* newest = look();
  const std::vector<std::byte> whole(reinterpret_cast<const std::byte*>(newest), reinterpret_cast<const std::byte*>(newest + 1));
  for (int minor = abi::oldest_minor; minor <= abi::api_minor; ++minor) {
    script("minor=" + std::to_string(minor));
    look();
    EXPECT_EQ(api->pjrt_api_version.minor_version, minor);
    const std::size_t size = abi::table_size(minor);
    EXPECT_EQ(api->struct_size, minor <= 56 ? 808 : size) << minor;
    for (const abi::FunctionFact& function : abi::functions()) {
      if (function.offset + sizeof(void*) > size) {
        EXPECT_GT(function.since, minor) << function.name;
        continue;
      }
      EXPECT_EQ(std::memcmp(reinterpret_cast<const std::byte*>(api) + function.offset, whole.data() + function.offset, 8), 0)
          << function.name << " in 0." << minor;
    }
    // Old tables have junk behind them that looks like functions; new ones end, and a sanitizer watches.
    if (minor <= 56) {
      EXPECT_NE(at(size), nullptr);
    }
    use_new_table();
    create_client();
    abi::PJRT_Buffer* buffer = put({1, 2}, {2});
    EXPECT_EQ(get(buffer), (std::vector<float>{1, 2}));
    destroy(buffer);
    ASSERT_TRUE(call<&Api::PJRT_Client_Destroy>({.client = client}));
    client = nullptr;
  }
}

TEST_F(PoseTest, HasTheShiftedTableOf56) {
  const Slot copy_raw = at(840);
  const Slot at_592 = at(592);
  script("shifted=1");
  look();
  EXPECT_EQ(api->pjrt_api_version.minor_version, 56);
  EXPECT_EQ(api->struct_size, 816u);
  EXPECT_EQ(at(592), copy_raw);
  EXPECT_EQ(at(600), at_592);
  EXPECT_NE(at(840), copy_raw);
  EXPECT_NE(at(848), nullptr) << "junk is expected behind it";
}

TEST_F(PoseTest, LiesAboutItsTableAsTold) {
  const FakePose pose{.major = 2, .minor = 90, .reported_struct_size = 99999, .table_size = 48, .junk_slots = 2};
  plugin->pose(&pose);
  look();
  EXPECT_EQ(api->pjrt_api_version.major_version, 2);
  EXPECT_EQ(api->struct_size, 99999u);
  EXPECT_NE(at(40), nullptr);
  EXPECT_EQ(at(48), at(56));
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(at(48)(), "behind the end of the table");
}

TEST_F(PoseTest, KeepsOldTablesAsTheyWere) {
  const Api* before = api;
  script("minor=54");
  EXPECT_NE(look(), before);
  EXPECT_EQ(before->pjrt_api_version.minor_version, 117);
  EXPECT_EQ(api, look());
}

TEST_F(PoseTest, NullsAnySlot) {
  for (const abi::FunctionFact& function : abi::functions()) {
    plugin->reset();
    plugin->remove(std::string(function.name).c_str());
    look();
    std::size_t missing = 0;
    for (const abi::FunctionFact& other : abi::functions()) missing += at(other.offset) == nullptr;
    EXPECT_EQ(missing, 1u) << function.name;
    EXPECT_EQ(at(function.offset), nullptr) << function.name;
  }
  plugin->reset();
  script("remove=Layouts_MemoryLayout_Serialize");
  look();
  const auto* layouts = reinterpret_cast<const abi::PJRT_Layouts_Extension*>(api->extension_start);
  EXPECT_EQ(layouts->PJRT_Layouts_MemoryLayout_Serialize, nullptr);
  EXPECT_NE(layouts->PJRT_Layouts_MemoryLayout_Destroy, nullptr);
}

TEST_F(PoseTest, DemandsOldSizesExactlyWhenStrict) {
  script("minor=54;strict_sizes=1");
  use_new_table();
  const Outcome refused = call<&Api::PJRT_Plugin_Attributes>({});
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.message,
            "Unexpected PJRT_Plugin_Attributes_Args size: expected 24, got 32. Check installed software versions. The "
            "framework PJRT API version is 0.54.");
  abi::PJRT_Plugin_Attributes_Args args{.struct_size = 24};
  ASSERT_TRUE(call<&Api::PJRT_Plugin_Attributes>(args));
  EXPECT_EQ(args.num_attributes, 3u);
  EXPECT_EQ(call<&Api::PJRT_Client_Create>({}).code, 3);
  abi::PJRT_Client_Create_Args create{.struct_size = 72};
  ASSERT_TRUE(call<&Api::PJRT_Client_Create>(create));
  client = create.client;
}

TEST_F(PoseTest, RefusesSizesBelowWhatItsVersionDemands) {
  expects_violations = true;
  script("minor=81");
  use_new_table();
  EXPECT_EQ(call<&Api::PJRT_Client_Create>({.struct_size = 72}).code, 3);
  script("minor=54");
  abi::PJRT_Client_Create_Args create{.struct_size = 72};
  ASSERT_TRUE(call<&Api::PJRT_Client_Create>(create));
  client = create.client;
}

TEST_F(PoseTest, NeitherReadsNorWritesMembersNewerThanItself) {
  create_client();
  abi::PJRT_LoadedExecutable* loaded = compile("fake.identity fake.signature=f32[4]->f32[4]");
  abi::PJRT_Executable* executable = plain(loaded);
  abi::PJRT_Executable_GetCompiledMemoryStats_Args stats{.executable = executable, .peak_memory_in_bytes = -1,
                                                         .total_size_in_bytes = -1};
  script("minor=72");
  ASSERT_TRUE(call<&Api::PJRT_Executable_GetCompiledMemoryStats>(stats));
  EXPECT_EQ(stats.peak_memory_in_bytes, 32);
  EXPECT_EQ(stats.total_size_in_bytes, -1);
  EXPECT_STREQ(plugin->violation_report(),
               "PJRT_Executable_GetCompiledMemoryStats: PJRT_Executable_GetCompiledMemoryStats_Args: the member at byte "
               "112 is set, which is newer than PJRT 0.72\n");
  // Until 0.86 it checks a shorter struct and writes all of its own.
  stats = {.struct_size = 56, .executable = executable, .peak_memory_in_bytes = -1};
  ASSERT_TRUE(call<&Api::PJRT_Executable_GetCompiledMemoryStats>(stats));
  EXPECT_EQ(stats.peak_memory_in_bytes, 32);
  expects_violations = true;
  destroy(executable);
  destroy(loaded);
}

TEST_F(PoseTest, HasTheExtensionsOfItsVersion) {
  const auto* layouts = reinterpret_cast<const abi::PJRT_Layouts_Extension*>(api->extension_start);
  EXPECT_EQ(layouts->base.struct_size, 80u);
  script("minor=54");
  look();
  EXPECT_EQ(api->extension_start->struct_size, 56u);
  script("minor=44");
  look();
  // The old form: type and next only.
  ASSERT_NE(api->extension_start, nullptr);
  int type = -1;
  std::memcpy(&type, api->extension_start, sizeof type);
  EXPECT_EQ(type, abi::PJRT_Extension_Type_Profiler);
  script("minor=117;extensions=unknown,layouts,cycle");
  look();
  EXPECT_EQ(static_cast<int>(api->extension_start->type), 77);
  EXPECT_EQ(api->extension_start->next->next, api->extension_start);
  script("extensions=short");
  look();
  EXPECT_EQ(api->extension_start->struct_size, 24u);
  script("extensions=");
  EXPECT_EQ(look()->extension_start, nullptr);
}

TEST_F(PoseTest, HidesTheInsideOfErrorsFromBefore107) {
  plugin->fail("PJRT_Client_Create", 2, 8, "full", 4);
  create_client();
  abi::PJRT_Client_Create_Args args;
  abi::PJRT_Error* error = api->PJRT_Client_Create(&args);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->vtable->get_code(error), abi::PJRT_Error_Code_RESOURCE_EXHAUSTED);
  error->vtable->destroy(error);
  script("minor=106");
  plugin->fail("PJRT_Client_Create", 1, 8, "full", 4);
  error = api->PJRT_Client_Create(&args);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(error->vtable), 0x5a5a5a5au);
  take(error);
}

}  // namespace
}  // namespace fake::raw
