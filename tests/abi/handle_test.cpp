#include "abi/handle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/log.h>

#include "abi/fake_table.h"

namespace pier::abi {
namespace {

using fake::PluginTable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<PJRT_Buffer*> destroyed;

PJRT_Error* destroy(PJRT_Buffer_Destroy_Args* args) {
  destroyed.push_back(args->buffer);
  return nullptr;
}
PJRT_Error* refuse(PJRT_Buffer_Destroy_Args*) { return fake::make_error({PJRT_Error_Code_INTERNAL, "still in use", {}}); }

PJRT_Buffer* const one = reinterpret_cast<PJRT_Buffer*>(0x10);
PJRT_Buffer* const two = reinterpret_cast<PJRT_Buffer*>(0x20);

class HandleTest : public ::testing::Test {
 protected:
  void SetUp() override { destroyed.clear(); }
  fake::ErrorCount errors;
};

TEST_F(HandleTest, DestroysOnce) {
  PluginTable plugin(81);
  plugin.api.PJRT_Buffer_Destroy = destroy;
  const Table table(plugin.get(), "libx.so");
  {
    BufferHandle handle(table, one);
    EXPECT_EQ(handle.get(), one);
    BufferHandle moved = std::move(handle);
    EXPECT_FALSE(handle);  // NOLINT: a moved-from handle is empty
    EXPECT_TRUE(moved);
  }
  EXPECT_THAT(destroyed, ElementsAre(one));
}

TEST_F(HandleTest, DestroysWhatItHeldWhenAssigned) {
  PluginTable plugin(81);
  plugin.api.PJRT_Buffer_Destroy = destroy;
  const Table table(plugin.get(), "libx.so");
  BufferHandle handle(table, one);
  handle = BufferHandle(table, two);
  EXPECT_THAT(destroyed, ElementsAre(one));
  BufferHandle& same = handle;
  handle = std::move(same);
  EXPECT_EQ(handle.get(), two);
}

TEST_F(HandleTest, ReleasesWithoutDestroying) {
  PluginTable plugin(81);
  plugin.api.PJRT_Buffer_Destroy = destroy;
  const Table table(plugin.get(), "libx.so");
  BufferHandle handle(table, one);
  EXPECT_EQ(handle.release(), one);
  handle.reset();
  EXPECT_THAT(destroyed, IsEmpty());
}

TEST_F(HandleTest, LogsWhatADestructorCannotThrow) {
  std::vector<std::string> logged;
  set_log_callback([&](LogLevel, std::string_view message) { logged.emplace_back(message); });
  PluginTable plugin(81);
  plugin.api.PJRT_Buffer_Destroy = refuse;
  const Table table(plugin.get(), "libx.so");
  { BufferHandle handle(table, one); }
  plugin.api.PJRT_Buffer_Destroy = nullptr;
  const Table without(plugin.get(), "libx.so");
  { BufferHandle handle(without, one); }
  set_log_callback({});
  ASSERT_EQ(logged.size(), 2u);
  EXPECT_THAT(logged[0], HasSubstr("still in use"));
  EXPECT_THAT(logged[1], HasSubstr("PJRT_Buffer_Destroy"));
  EXPECT_TRUE(errors.clean());
}

int freed = 0;

TEST_F(HandleTest, HeldThingsGoToTheirDeleterOnce) {
  freed = 0;
  int thing = 0;
  { const Held<int> held = hold(&thing, +[](int*) { ++freed; }); }
  EXPECT_EQ(freed, 1);
  { const Held<int> held = hold(&thing, static_cast<void (*)(int*)>(nullptr)); }
  { const Held<int> held = hold(static_cast<int*>(nullptr), +[](int*) { ++freed; }); }
  EXPECT_EQ(freed, 1);
}

}  // namespace
}  // namespace pier::abi
