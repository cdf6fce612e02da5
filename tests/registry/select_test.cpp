#include <gmock/gmock.h>

#include "registry/machine.h"
#include "registry/select.h"
#include "registry/home.h"

namespace {

using namespace pier::registry;
using pier::CatalogEntry;
using pier::ErrorCode;
using registry_test::error_of;
using testing::Contains;
using testing::HasSubstr;

class Select : public registry_test::Home {
 protected:
  static std::string metal(std::string_view platform, std::string_view system, std::string_view package = {}) {
    const Choice choice = choose(*pier::catalog_entry("metal"), make_target(platform, system), package);
    return choice.package.name + " " + choice.file.pin.platform;
  }
};

TEST_F(Select, MetalByMacosVersionAndProcessor) {
  EXPECT_EQ(metal("macos-arm64", "13.2"), "jax-metal macos-arm64");
  EXPECT_EQ(metal("macos-arm64", "14.0"), "jax-mps macos-arm64");
  EXPECT_EQ(metal("macos-arm64", "26.1"), "jax-mps macos-arm64");
  EXPECT_EQ(metal("macos-x86_64", "11"), "jax-metal macos-x86_64");
  EXPECT_EQ(metal("darwin-arm64", "15"), "jax-mps macos-arm64");
}

TEST_F(Select, AForeignMachineOfUnknownVersionGetsTheDefaultAndHearsOfTheOthers) {
  const Choice choice = choose(*pier::catalog_entry("metal"), make_target("macos-arm64", ""));
  EXPECT_EQ(choice.package.name, "jax-mps");
  EXPECT_THAT(choice.others, Contains(HasSubstr("metal-pjrt-core 0.0.5 (PJRT 0.115, macOS 26.0 or later)")));
  EXPECT_THAT(choice.others, Contains(HasSubstr("jax-metal 0.1.1 (PJRT 0.47, macOS 13.0 or later)")));
}

TEST_F(Select, APackageCanBeAskedForByName) {
  EXPECT_EQ(metal("macos-arm64", "26.0", "metal-pjrt-core"), "metal-pjrt-core macos-arm64");
  EXPECT_EQ(metal("macos-arm64", "", "jax-metal"), "jax-metal macos-arm64");
}

TEST_F(Select, WhatDoesNotFitIsListedWithItsReason) {
  const pier::Error old = error_of([] { metal("macos-arm64", "12.7"); });
  EXPECT_EQ(old.code(), ErrorCode::not_available);
  EXPECT_THAT(old.notes(), Contains(HasSubstr("jax-mps 0.11.1 (PJRT 0.114, macOS 14.0 or later): needs macOS 14.0, the machine it is for has 12.7")));
  EXPECT_THAT(old.notes(), Contains(HasSubstr("jax-metal")));
  const pier::Error elsewhere = error_of([] { metal("linux-x86_64", ""); });
  EXPECT_THAT(elsewhere.notes(), Contains(HasSubstr("jax-mps 0.11.1 (PJRT 0.114): only for macos-arm64")));
  const pier::Error named = error_of([] { metal("macos-arm64", "14.5", "metal-pjrt-core"); });
  EXPECT_THAT(named.notes(), Contains(HasSubstr("needs macOS 26.0")));
  EXPECT_THAT(error_of([] { metal("macos-arm64", "14.5", "no-such-package"); }).message(), HasSubstr("no package 'no-such-package'"));
}

TEST_F(Select, AVersionThatIsNotPinnedIsRefused) {
  const pier::Error error = error_of([] { choose(*pier::catalog_entry("cpu"), make_target("linux-x86_64", ""), "", "9.9"); });
  EXPECT_THAT(error.notes(), Contains(HasSubstr("not the version asked for, 9.9")));
  EXPECT_EQ(choose(*pier::catalog_entry("cpu"), make_target("linux-x86_64", "2.36"), "", "0.0.1").package.name, "xla-cpu-pjrt");
}

TEST_F(Select, CpuByProcessor) {
  const auto cpu = *pier::catalog_entry("cpu");
  EXPECT_EQ(choose(cpu, {{pier::Os::linux_os, pier::Arch::x86_64}, {}, false}).package.name, "lammps-jax-pjrt-cpu");
  EXPECT_EQ(choose(cpu, {{pier::Os::linux_os, pier::Arch::aarch64}, {}, false}).package.name, "xla-cpu-pjrt");
  EXPECT_EQ(error_of([&] { choose(cpu, {{pier::Os::windows, pier::Arch::x86_64}, {}, false}); }).code(), ErrorCode::not_available);
}

// A machine whose C++ library is too old for the first package gets the next one.
TEST_F(Select, WhatTheMachineLacksMovesTheChoiceOn) {
  CatalogEntry cpu = *pier::catalog_entry("cpu");
  for (auto& package : cpu.packages)
    for (auto& file : package.files) file.pin.platform = to_string(pier::host_platform());
  EXPECT_EQ(choose(cpu, host_target()).package.name, "lammps-jax-pjrt-cpu");
  cpu.packages[0].files[0].needs[0].version = "GLIBCXX_9.9.9";
  const Choice choice = choose(cpu, host_target());
  EXPECT_EQ(choice.package.name, "fastatomstruct-xla-cpu");
  EXPECT_THAT(choice.others, Contains(HasSubstr("has no GLIBCXX_9.9.9")));
  cpu.packages[0].files[0].needs[0] = {"libnope.so.7", ""};
  EXPECT_THAT(choose(cpu, host_target()).others, Contains(HasSubstr("libnope.so.7 is not on this machine")));
  // Asked for by name it is not held back: the check of the library itself says more.
  EXPECT_EQ(choose(cpu, host_target(), "lammps-jax-pjrt-cpu").package.name, "lammps-jax-pjrt-cpu");
}

TEST_F(Select, AnOldPackageIsTakenByItsNameOnly) {
  CatalogEntry cpu = *pier::catalog_entry("cpu");
  cpu.packages[0].old = true;
  const Target target{{pier::Os::linux_os, pier::Arch::x86_64}, {}, false};
  const Choice choice = choose(cpu, target);
  EXPECT_EQ(choice.package.name, "fastatomstruct-xla-cpu");
  EXPECT_THAT(choice.others, Contains(HasSubstr("old; taken only when it is asked for by name")));
  EXPECT_EQ(choose(cpu, target, "lammps-jax-pjrt-cpu").package.name, "lammps-jax-pjrt-cpu");
}

TEST_F(Select, APackageThatCannotBeUsedIsToldWithTheReason) {
  const pier::Error error = error_of([] { choose(*pier::catalog_entry("metal"), make_target("macos-arm64", ""), "jax-graft"); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_EQ(error.message(), "jax-graft cannot be used: it is a front end in Python; the library is in metal-pjrt-core");
  EXPECT_THAT(error.notes(), Contains(HasSubstr("`pier install metal`")));
}

TEST_F(Select, VersionsOfSystems) {
  EXPECT_EQ(parse_system("14.5.1"), (pier::SystemVersion{14, 5}));
  EXPECT_EQ(parse_system("26"), (pier::SystemVersion{26, 0}));
  for (const char* bad : {"", "x", "14.x", "14,5", "-1"})
    EXPECT_EQ(error_of([&] { parse_system(bad); }).code(), ErrorCode::invalid_argument) << bad;
}

TEST_F(Select, SignsOfDevices) {
  registry_test::write_file(folder() / "dev/zap0", "");
  EXPECT_TRUE(any_sign_is_there({"always"}));
  EXPECT_TRUE(any_sign_is_there({"path:/nowhere/at/all", "path:" + (folder() / "dev/zap0").string()}));
  EXPECT_FALSE(any_sign_is_there({"path:/nowhere/at/all"}));
  EXPECT_TRUE(any_sign_is_there({"platform:" + to_string(pier::host_platform())}));
  EXPECT_FALSE(any_sign_is_there({"platform:windows-arm64"}));
  EXPECT_FALSE(any_sign_is_there({}));
  EXPECT_EQ(device_is_seen("cpu"), true);
  EXPECT_EQ(device_is_seen("nobody-knows"), std::nullopt);
}

}  // namespace
