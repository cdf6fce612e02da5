#include "abi/extension.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "abi/fake_table.h"

namespace pier::abi {
namespace {

using fake::PluginTable;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PJRT_Extension_Base entry(int type, std::size_t size = 24, PJRT_Extension_Base* next = nullptr) {
  return {.struct_size = size, .type = static_cast<PJRT_Extension_Type>(type), .next = next};
}

PJRT_Error* layout_of(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args* args) {
  args->layout = reinterpret_cast<PJRT_Layouts_MemoryLayout*>(0x40);
  return nullptr;
}
PJRT_Error* failing_layout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args*) {
  return fake::make_error({PJRT_Error_Code_UNIMPLEMENTED, "not here", {}});
}

PJRT_Error* some_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args*) { return nullptr; }
PJRT_Error* some_type(PJRT_FFI_Type_Register_Args*) { return nullptr; }

TEST(Extensions, ListsKnownAndUnknownTypesInOrder) {
  PluginTable plugin(115);
  PJRT_Extension_Base last = entry(4711);
  PJRT_Extension_Base first = entry(PJRT_Extension_Type_Layouts, 80, &last);
  plugin.api.extension_start = &first;
  const ExtensionChain chain = extension_chain(Table(plugin.get(), "libx.so"));
  ASSERT_EQ(chain.entries.size(), 2u);
  EXPECT_EQ(chain.entries[0].name, "Layouts");
  EXPECT_EQ(chain.entries[0].struct_size, 80u);
  EXPECT_EQ(chain.entries[1].type, 4711);
  EXPECT_EQ(chain.entries[1].name, "");
  EXPECT_THAT(chain.fault, IsEmpty());
}

TEST(Extensions, StopsAtACycle) {
  PluginTable plugin(115);
  PJRT_Extension_Base a = entry(5), b = entry(4), c = entry(9);
  a.next = &b, b.next = &c, c.next = &b;
  plugin.api.extension_start = &a;
  const ExtensionChain chain = extension_chain(Table(plugin.get(), "libx.so"));
  EXPECT_EQ(chain.entries.size(), 3u);
  EXPECT_THAT(chain.fault, HasSubstr("leads back"));
}

TEST(Extensions, StopsInAnEndlessChain) {
  PluginTable plugin(115);
  std::deque<PJRT_Extension_Base> many(5000, entry(7));
  for (std::size_t i = 0; i + 1 < many.size(); ++i) many[i].next = &many[i + 1];
  plugin.api.extension_start = &many[0];
  const ExtensionChain chain = extension_chain(Table(plugin.get(), "libx.so"));
  EXPECT_LE(chain.entries.size(), 256u);
  EXPECT_THAT(chain.fault, HasSubstr("more than"));
}

TEST(Extensions, StopsAtSizesThatNoEntryHas) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{23}, std::size_t{70000}, SIZE_MAX}) {
    PluginTable plugin(115);
    PJRT_Extension_Base bad = entry(4, size);
    PJRT_Extension_Base first = entry(5, 48, &bad);
    plugin.api.extension_start = &first;
    const ExtensionChain chain = extension_chain(Table(plugin.get(), "libx.so"));
    EXPECT_EQ(chain.entries.size(), 1u);
    EXPECT_THAT(chain.fault, HasSubstr(std::to_string(size)));
  }
}

TEST(Extensions, WalksNoChainOfEntriesWithoutASize) {
  PluginTable plugin(44);
  plugin.api.extension_start = reinterpret_cast<PJRT_Extension_Base*>(0x8);  // reading it would crash
  const Table table(plugin.get(), "libx.so");
  EXPECT_THAT(extension_chain(table).entries, IsEmpty());
  EXPECT_FALSE(Extension<PJRT_Layouts_Extension>::find(table));
}

TEST(Extensions, FindsByTypeAndCalls) {
  fake::ErrorCount errors;
  PluginTable plugin(115);
  PJRT_Layouts_Extension layouts;
  EXPECT_EQ(layouts.base.type, PJRT_Extension_Type_Layouts);
  EXPECT_EQ(layouts.base.struct_size, 80u);
  layouts.PJRT_Layouts_PJRT_Buffer_MemoryLayout = layout_of;
  plugin.api.extension_start = &layouts.base;
  const Table table(plugin.get(), "libx.so");
  const auto found = Extension<PJRT_Layouts_Extension>::require(table);
  EXPECT_NE(found.call<&PJRT_Layouts_Extension::PJRT_Layouts_PJRT_Buffer_MemoryLayout>({}).layout, nullptr);

  layouts.PJRT_Layouts_PJRT_Buffer_MemoryLayout = failing_layout;
  const auto failing = Extension<PJRT_Layouts_Extension>::require(table);
  try {
    failing.call<&PJRT_Layouts_Extension::PJRT_Layouts_PJRT_Buffer_MemoryLayout>({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unimplemented);
    EXPECT_EQ(error.function(), "Layouts.PJRT_Layouts_PJRT_Buffer_MemoryLayout");
  }
  EXPECT_TRUE(errors.clean());
}

TEST(Extensions, DoesNotReadPastAnEntry) {
  PluginTable plugin(115);
  PJRT_Layouts_Extension layouts;
  layouts.PJRT_Layouts_PJRT_Buffer_MemoryLayout = layout_of;
  layouts.PJRT_Layouts_PJRT_Executable_GetOutputLayouts = some_layouts;
  layouts.base.struct_size = 68;  // ends within the last of them
  plugin.api.extension_start = &layouts.base;
  const auto found = Extension<PJRT_Layouts_Extension>::require(Table(plugin.get(), "libx.so"));
  EXPECT_TRUE(found.has<&PJRT_Layouts_Extension::PJRT_Layouts_PJRT_Buffer_MemoryLayout>());
  EXPECT_FALSE(found.has<&PJRT_Layouts_Extension::PJRT_Layouts_PJRT_Executable_GetOutputLayouts>());
}

TEST(Extensions, LeavesOutASlotThatMeantSomethingElseInThisVersion) {
  PJRT_FFI_Extension ffi;
  ffi.type_register = some_type;
  ffi.base.struct_size = 40;
  PluginTable old(54), newer(81);
  old.api.extension_start = newer.api.extension_start = &ffi.base;
  const Table old_table(old.get(), "libx.so"), newer_table(newer.get(), "libx.so");
  EXPECT_FALSE(Extension<PJRT_FFI_Extension>::require(old_table).has<&PJRT_FFI_Extension::type_register>());
  EXPECT_TRUE(Extension<PJRT_FFI_Extension>::require(newer_table).has<&PJRT_FFI_Extension::type_register>());
}

TEST(Extensions, RefusesMissingOnesAndMissingFunctionsByName) {
  PluginTable plugin(106);
  const Table bare(plugin.get(), "libx.so");
  try {
    Extension<PJRT_Layouts_Extension>::require(bare);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), HasSubstr("no extension Layouts"));
  }
  PluginTable old(73);
  PJRT_Layouts_Extension layouts;
  layouts.base.struct_size = 56;
  old.api.extension_start = &layouts.base;
  const Table table(old.get(), "libx.so");
  const auto found = Extension<PJRT_Layouts_Extension>::require(table);
  try {
    found.call<&PJRT_Layouts_Extension::PJRT_Layouts_PJRT_Topology_GetDefaultLayout>({});
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), HasSubstr("Layouts.PJRT_Layouts_PJRT_Topology_GetDefaultLayout needs PJRT 0.75, this plugin "
                                        "has 0.73"));
  }
}

}  // namespace
}  // namespace pier::abi
