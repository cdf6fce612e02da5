#include "abi/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "abi/fake_table.h"

namespace pier::abi {
namespace {

using fake::PluginTable;
using ::testing::HasSubstr;

template <class Action>
std::string refusal(Action action, ErrorCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(dynamic_cast<const Unsupported*>(&error) != nullptr, code == ErrorCode::unsupported);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

PJRT_Error* marker_a(PJRT_Buffer_CopyRawToHost_Args*) { return nullptr; }
PJRT_Error* marker_b(PJRT_Buffer_CopyToDevice_Args*) { return nullptr; }
PJRT_Error* marker_c(PJRT_ExecuteContext_Destroy_Args*) { return nullptr; }

std::size_t absent_count(const Table& table) { return table.absent().size(); }

TEST(Table, RefusesANullTable) {
  const std::string what = refusal([] { Table(nullptr, "libx.so"); }, ErrorCode::not_available);
  EXPECT_THAT(what, HasSubstr("GetPjrtApi returned null"));
  EXPECT_THAT(what, HasSubstr("libx.so"));
}

TEST(Table, RefusesAnAddressThatNoTableHas) {
  PluginTable plugin(81);
  const void* odd = reinterpret_cast<const std::byte*>(plugin.get()) + 1;
  refusal([&] { Table(odd, "libx.so"); }, ErrorCode::not_available);
}

TEST(Table, RefusesSizesThatNoTableHas) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{39}, std::size_t{65537}, SIZE_MAX}) {
    PluginTable plugin(81, size);
    const std::string what = refusal([&] { Table(plugin.get(), "libx.so"); }, ErrorCode::not_available);
    EXPECT_THAT(what, HasSubstr(std::to_string(size)));
  }
}

TEST(Table, RefusesOtherMajorVersionsNamingBoth) {
  PluginTable plugin(81);
  plugin.api.pjrt_api_version.major_version = 1;
  const std::string what = refusal([&] { Table(plugin.get(), "libx.so"); }, ErrorCode::unsupported);
  EXPECT_THAT(what, HasSubstr("PJRT 1.81"));
  EXPECT_THAT(what, HasSubstr("0.117"));
}

TEST(Table, RefusesVersionsOlderThanItKnowsAndNegativeOnes) {
  for (const int minor : {-1, 0, 28, 39}) {
    PluginTable plugin(minor, 808);
    const std::string what = refusal([&] { Table(plugin.get(), "libx.so"); }, ErrorCode::unsupported);
    EXPECT_THAT(what, HasSubstr("0." + std::to_string(minor)));
  }
}

TEST(Table, ReadsEveryMinorVersionAsFarAsItsTableReaches) {
  for (int minor = oldest_minor; minor <= api_minor; ++minor) {
    PluginTable plugin(minor);
    const Table table(plugin.get(), "libx.so");
    EXPECT_EQ(table.used_size(), table_size(minor)) << minor;
    EXPECT_FALSE(table.shifted());
    const auto later = std::count_if(functions().begin(), functions().end(),
                                     [&](const FunctionFact& fact) { return fact.since > minor; });
    EXPECT_EQ(absent_count(table), static_cast<std::size_t>(later)) << minor;
    for (const AbsentFunction& absent : table.absent()) {
      EXPECT_GT(absent.since, minor);
      EXPECT_FALSE(absent.left_out);
    }
  }
}

TEST(Table, KnowsTheTableSizesOfOldVersionsThatReport808) {
  EXPECT_EQ(table_size(39), 0u);
  EXPECT_EQ(table_size(40), 816u);
  EXPECT_EQ(table_size(47), 816u);
  EXPECT_EQ(table_size(48), 824u);
  EXPECT_EQ(table_size(54), 840u);
  EXPECT_EQ(table_size(57), 848u);
  EXPECT_EQ(table_size(81), 984u);
  EXPECT_EQ(table_size(106), 1128u);
  EXPECT_EQ(table_size(115), 1144u);
  EXPECT_EQ(table_size(117), sizeof(Api));
}

TEST(Table, TakesFourFunctionsOfVersion54BehindTheSizeItReports) {
  PluginTable plugin(54);
  const Table table(plugin.get(), "libcuda.so");
  EXPECT_EQ(table.reported_size(), 808u);
  EXPECT_TRUE(table.has<&Api::PJRT_Executable_GetCompiledMemoryStats>());
  EXPECT_TRUE(table.has<&Api::PJRT_Memory_Kind_Id>());
  EXPECT_TRUE(table.has<&Api::PJRT_ExecuteContext_Create>());
  EXPECT_TRUE(table.has<&Api::PJRT_ExecuteContext_Destroy>());
  EXPECT_FALSE(table.has<&Api::PJRT_Buffer_CopyRawToHost>()) << "that slot is junk on 0.54";
}

TEST(Table, TakesNoMoreThanAnOldTableSaysIfThatIsLessThanEveryBuildSays) {
  PluginTable plugin(54, 408);
  const Table table(plugin.get(), "libx.so");
  EXPECT_EQ(table.used_size(), 408u);
}

TEST(Table, TakesNoMoreThanTheReportedSizeFrom57On) {
  PluginTable plugin(115, 1128);
  const Table table(plugin.get(), "libx.so");
  EXPECT_EQ(absent_count(table), 2u);
  for (const AbsentFunction& absent : table.absent()) EXPECT_TRUE(absent.left_out);
  EXPECT_FALSE(table.has<&Api::PJRT_TopologyDescription_GetMemorySpaceKindIds>());
}

TEST(Table, TakesNoMoreThanItsVersionHasWhenTheSizeLies) {
  PluginTable plugin(60, 1144);
  const Table table(plugin.get(), "libx.so");
  EXPECT_EQ(table.used_size(), table_size(60));
}

TEST(Table, DropsASlotThatTheTableEndsInside) {
  PluginTable plugin(115, 1131);
  EXPECT_EQ(Table(plugin.get(), "libx.so").used_size(), 1128u);
}

TEST(Table, ServesNewerVersionsAsFarAsItKnows) {
  struct Newer {
    PluginTable known{300, 4096};
    std::array<std::byte, 4096> more{};
  } plugin;
  const Table table(plugin.known.get(), "libx.so");
  EXPECT_EQ(table.used_size(), sizeof(Api));
  EXPECT_EQ(absent_count(table), 0u);
}

TEST(Table, ReadsTheRegularBuildOf56) {
  PluginTable plugin(56, 808);
  plugin.api.PJRT_Buffer_CopyToDevice = marker_b;
  const Table table(plugin.get(), "libx.so");
  EXPECT_FALSE(table.shifted());
  EXPECT_EQ(table.api().PJRT_Buffer_CopyToDevice, marker_b);
  EXPECT_FALSE(table.has<&Api::PJRT_Buffer_CopyRawToHost>());
}

TEST(Table, PutsTheShiftedBuildOf56InOrder) {
  PluginTable regular(56, 816);
  regular.api.PJRT_Buffer_CopyToDevice = marker_b;
  regular.api.PJRT_ExecuteContext_Destroy = marker_c;
  alignas(8) std::array<std::byte, 1024> bytes{};
  const auto* from = reinterpret_cast<const std::byte*>(regular.get());
  std::memcpy(bytes.data(), from, 592);
  const auto inserted = &marker_a;
  std::memcpy(bytes.data() + 592, &inserted, sizeof inserted);
  std::memcpy(bytes.data() + 600, from + 592, 840 - 592);
  const Table table(bytes.data(), "libx.so");
  EXPECT_TRUE(table.shifted());
  EXPECT_EQ(table.api().PJRT_Buffer_CopyRawToHost, marker_a);
  EXPECT_EQ(table.api().PJRT_Buffer_CopyToDevice, marker_b);
  EXPECT_EQ(table.api().PJRT_ExecuteContext_Destroy, marker_c);
  EXPECT_FALSE(table.has<&Api::PJRT_AsyncHostToDeviceTransferManager_Destroy>());
}

TEST(Table, RefusesABuildOf56WhoseLayoutCannotBeTold) {
  PluginTable plugin(56, 840);
  const std::string what = refusal([&] { Table(plugin.get(), "libx.so"); }, ErrorCode::unsupported);
  EXPECT_THAT(what, HasSubstr("two layouts"));
}

TEST(Table, ListsAnEmptySlotAsLeftOut) {
  PluginTable plugin(115);
  plugin.api.PJRT_Memory_Id = nullptr;
  const Table table(plugin.get(), "libx.so");
  ASSERT_EQ(absent_count(table), 1u);
  EXPECT_EQ(table.absent()[0].name, "PJRT_Memory_Id");
  EXPECT_TRUE(table.absent()[0].left_out);
}

TEST(Gate, RefusesFieldsOfLaterVersionsByNameAndVersion) {
  PluginTable plugin(54);
  const Table table(plugin.get(), "libx.so");
  const std::string what =
      refusal([&] { table.require(since::PJRT_ExecuteOptions_context); }, ErrorCode::unsupported);
  EXPECT_THAT(what, HasSubstr("PJRT_ExecuteOptions.context needs PJRT 0.64, this plugin has 0.54"));
  PluginTable newer(64);
  Table(newer.get(), "libx.so").require(since::PJRT_ExecuteOptions_context);
}

TEST(Gate, KnowsWhenEachBufferTypeCame) {
  const std::pair<PJRT_Buffer_Type, int> came[] = {
      {PJRT_Buffer_Type_U4, 40},         {PJRT_Buffer_Type_S2, 53},         {PJRT_Buffer_Type_U2, 53},
      {PJRT_Buffer_Type_F8E4M3, 55},     {PJRT_Buffer_Type_F8E3M4, 55},     {PJRT_Buffer_Type_F8E8M0FNU, 63},
      {PJRT_Buffer_Type_F4E2M1FN, 63},   {PJRT_Buffer_Type_S1, 94},         {PJRT_Buffer_Type_U1, 94},
      {PJRT_Buffer_Type_F6E2M3FN, 114},  {PJRT_Buffer_Type_F6E3M2FN, 114}};
  for (const auto& [type, minor] : came) {
    PluginTable plugin(minor);
    Table(plugin.get(), "libx.so").require_buffer_type(type);
    if (minor == oldest_minor) continue;
    PluginTable before(minor - 1);
    const Table table(before.get(), "libx.so");
    const std::string what = refusal([&, t = type] { table.require_buffer_type(t); }, ErrorCode::unsupported);
    EXPECT_THAT(what, HasSubstr("needs PJRT 0." + std::to_string(minor)));
  }
}

TEST(Gate, RefusesTypesThatNoDataHas) {
  PluginTable plugin(117);
  const Table table(plugin.get(), "libx.so");
  for (const int type : {0, 23, 34, 1000, -1}) {
    refusal([&] { table.require_buffer_type(static_cast<PJRT_Buffer_Type>(type)); }, ErrorCode::invalid_argument);
  }
}

TEST(Gate, KnowsWhenMutableZeroCopyCame) {
  PluginTable before(47);
  const Table old(before.get(), "libx.so");
  old.require_semantics(PJRT_HostBufferSemantics_kImmutableZeroCopy);
  refusal([&] { old.require_semantics(PJRT_HostBufferSemantics_kMutableZeroCopy); }, ErrorCode::unsupported);
  PluginTable plugin(48);
  Table(plugin.get(), "libx.so").require_semantics(PJRT_HostBufferSemantics_kMutableZeroCopy);
}

TEST(Gate, RefusesANullOutputAfterASuccess) {
  PluginTable plugin(115);
  const Table table(plugin.get(), "libx.so");
  int there = 0;
  EXPECT_EQ(table.require_out(&there, "PJRT_Client_Create", "client"), &there);
  const std::string what = refusal(
      [&] { table.require_out(static_cast<PJRT_Client*>(nullptr), "PJRT_Client_Create", "client"); }, ErrorCode::internal);
  EXPECT_THAT(what, HasSubstr("PJRT_Client_Create reported success but left client null"));
}

}  // namespace
}  // namespace pier::abi
