#include "store/wheel_name.h"

#include <gtest/gtest.h>

namespace pier {
namespace {

constexpr Platform linux_x86{Os::linux_os, Arch::x86_64};
constexpr Platform linux_arm{Os::linux_os, Arch::aarch64};
constexpr Platform mac_arm{Os::macos, Arch::aarch64};
constexpr Platform mac_intel{Os::macos, Arch::x86_64};
constexpr Platform windows{Os::windows, Arch::x86_64};

WheelName wheel(std::string_view tag) {
  const auto name = parse_wheel_name("some_plugin-1.2-py3-none-" + std::string(tag) + ".whl");
  EXPECT_TRUE(name) << tag;
  return name.value_or(WheelName{});
}

TEST(WheelName, IsTakenApart) {
  const auto name = parse_wheel_name("Some.Plugin-1.2.post1-3b-cp312-abi3-manylinux_2_27_x86_64.whl");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->project, "some-plugin");
  EXPECT_EQ(name->version, "1.2.post1");
  EXPECT_EQ(name->build, "3b");
  EXPECT_EQ(name->python, "cp312");
  EXPECT_EQ(name->abi, "abi3");
  ASSERT_EQ(name->targets.size(), 1u);
  EXPECT_EQ(name->targets[0].platform, linux_x86);
  EXPECT_EQ(name->targets[0].minimum, (SystemVersion{2, 27}));
}

TEST(WheelName, KnowsEveryKindOfPlatformTag) {
  const auto one = [](std::string_view tag) { return wheel(tag).targets.at(0); };
  EXPECT_EQ(one("manylinux1_x86_64").minimum, (SystemVersion{2, 5}));
  EXPECT_EQ(one("manylinux2010_x86_64").minimum, (SystemVersion{2, 12}));
  EXPECT_EQ(one("manylinux2014_aarch64").minimum, (SystemVersion{2, 17}));
  EXPECT_EQ(one("manylinux2014_aarch64").platform, linux_arm);
  EXPECT_EQ(one("linux_x86_64").platform, linux_x86);
  EXPECT_TRUE(one("musllinux_1_2_x86_64").musl);
  EXPECT_EQ(one("macosx_14_0_arm64").platform, mac_arm);
  EXPECT_EQ(one("macosx_10_14_x86_64").minimum, (SystemVersion{10, 14}));
  EXPECT_EQ(one("win_amd64").platform, windows);
  EXPECT_FALSE(one("any").platform);
  EXPECT_TRUE(wheel("win32").targets.empty());
  EXPECT_TRUE(wheel("manylinux_2_27_riscv64").targets.empty());
}

TEST(WheelName, ReadsCompressedTags) {
  const WheelName name = wheel("manylinux2010_x86_64.manylinux_2_12_x86_64.macosx_11_0_universal2");
  EXPECT_EQ(name.targets.size(), 4u);
  EXPECT_TRUE(matching_target(name, linux_x86, SystemVersion{2, 36}));
  EXPECT_TRUE(matching_target(name, mac_arm, SystemVersion{14, 0}));
  EXPECT_TRUE(matching_target(name, mac_intel, SystemVersion{11, 0}));
  EXPECT_FALSE(matching_target(name, windows, std::nullopt));
}

TEST(WheelName, FitsOnlyASystemThatIsNewEnough) {
  const WheelName name = wheel("manylinux_2_27_x86_64");
  EXPECT_TRUE(matching_target(name, linux_x86, SystemVersion{2, 27}));
  EXPECT_FALSE(matching_target(name, linux_x86, SystemVersion{2, 17}));
  EXPECT_TRUE(matching_target(name, linux_x86, std::nullopt));
  EXPECT_FALSE(matching_target(name, linux_arm, std::nullopt));
  EXPECT_FALSE(matching_target(wheel("macosx_26_0_arm64"), mac_arm, SystemVersion{15, 4}));
}

TEST(WheelName, PrefersTheTargetThatAsksMost) {
  const WheelName name = wheel("any.manylinux_2_17_x86_64.manylinux_2_34_x86_64");
  EXPECT_EQ(matching_target(name, linux_x86, SystemVersion{2, 36})->minimum, (SystemVersion{2, 34}));
  EXPECT_EQ(matching_target(name, linux_x86, SystemVersion{2, 28})->minimum, (SystemVersion{2, 17}));
  EXPECT_FALSE(matching_target(name, windows, std::nullopt)->platform);
}

TEST(WheelName, RefusesWhatIsNoWheel) {
  for (const char* text : {"", "x.whl", "x-1.0.tar.gz", "x-1.0-py3-none.whl", "x-1.0-a-b-c-d-e.whl", "x-one-py3-none-any.whl",
                           "x-1.0-build-py3-none-any.whl", "x--py3-none-any.whl", "../x-1.0-py3-none-any.whl", "x-1.0-py3-none-any.zip"})
    EXPECT_FALSE(parse_wheel_name(text)) << text;
}

TEST(SystemVersion, IsReadFromAPin) {
  EXPECT_EQ(parse_system_version("2.27"), (SystemVersion{2, 27}));
  EXPECT_EQ(parse_system_version("14"), (SystemVersion{14, 0}));
  EXPECT_EQ(parse_system_version("14.5.1"), (SystemVersion{14, 5}));
  EXPECT_FALSE(parse_system_version("x"));
  EXPECT_FALSE(parse_system_version("2."));
  EXPECT_FALSE(parse_system_version(""));
}

}  // namespace
}  // namespace pier
