#include <gmock/gmock.h>

#include "inspect/elf_file.h"
#include "inspect/search.h"
#include "registry/home.h"
#include "registry/machine.h"

#include "base/platform.h"

namespace {

using pier::registry::why_lacking;
using testing::HasSubstr;

// Two folders of LD_LIBRARY_PATH, the first of which holds a library for another processor.
class Machine : public registry_test::Home {
 protected:
  Machine() {
    places_.library_path = {(folder() / "first").string(), (folder() / "second").string()};
    put("first", 3);  // i386
  }
  void put(const std::string& where, std::uint16_t machine) {
    pier::test::ElfFile file;
    file.soname = "libzap.so.1";
    file.versions_defined = {"ZAP_1"};
    file.machine = machine;
    file.bits = machine == 3 ? 32 : 64;
    const pier::test::Bytes bytes = file.build();
    registry_test::write_file(folder() / where / "libzap.so.1",
                              {reinterpret_cast<const char*>(bytes.data().data()), bytes.size()});
  }
  static std::uint16_t own() { return pier::host_platform().arch == pier::Arch::x86_64 ? 62 : 183; }

  pier::inspection::SearchPlaces places_;
};

TEST_F(Machine, LibrariesOfOtherProcessorsArePassedOver) {
  EXPECT_EQ(why_lacking({"libzap.so.1", ""}, places_), "libzap.so.1 is not on this machine");
  put("second", own());
  EXPECT_EQ(why_lacking({"libzap.so.1", ""}, places_), std::nullopt);
  EXPECT_EQ(why_lacking({"libzap.so.1", "ZAP_1"}, places_), std::nullopt);
  EXPECT_EQ(why_lacking({"libzap.so.1", "ZAP_2"}, places_), (folder() / "second/libzap.so.1").string() + " has no ZAP_2");
}

TEST_F(Machine, ADamagedLibraryStopsTheLoaderAndIsNamed) {
  put("second", own());
  registry_test::write_file(folder() / "first/libzap.so.1", "not a library");
  EXPECT_THAT(why_lacking({"libzap.so.1", ""}, places_).value_or(""), HasSubstr((folder() / "first/libzap.so.1").string()));
}

class Pci : public registry_test::Home {
 protected:
  void plug(const std::string& slot, const std::string& vendor, const std::string& device, const std::string& class_code) {
    const std::filesystem::path at = folder() / "root/sys/bus/pci/devices" / slot;
    registry_test::write_file(at / "vendor", vendor + "\n");
    registry_test::write_file(at / "device", device + "\n");
    registry_test::write_file(at / "class", class_code + "\n");
  }
  bool seen(const std::string& sign) { return pier::registry::any_sign_is_there({sign}, folder() / "root"); }
};

TEST_F(Pci, DevicesAreKnownByVendorClassAndKind) {
  EXPECT_FALSE(seen("pci:10de")) << "without any bus";
  plug("0000:00:1f.3", "0x8086", "0x06c8", "0x040300");
  plug("0000:01:00.0", "0x10de", "0x2335", "0x030200");
  plug("0000:02:00.0", "0x1ae0", "0x0042", "0x020000");
  for (const char* there : {"pci:10de", "pci:10de:03", "pci:10de:0302", "pci:10de:030200", "pci:10de/2335", "pci:8086", "pci:1ae0"})
    EXPECT_TRUE(seen(there)) << there;
  // A vendor's network card is no accelerator of his, and one device's vendor does not go with another one's class.
  for (const char* missing : {"pci:10de:02", "pci:10de/2330", "pci:8086:03", "pci:1002", "pci:1ae0:03", "pci:1ae0/005e", "pci:10de:030201"})
    EXPECT_FALSE(seen(missing)) << missing;
}

TEST_F(Pci, WhatCannotBeReadIsNoDevice) {
  std::filesystem::create_directories(folder() / "root/sys/bus/pci/devices/0000:00:00.0/vendor");
  plug("0000:01:00.0", "10de", "", "0x0302");
  plug("0000:02:00.0", "", "", "");
  EXPECT_FALSE(seen("pci:10de"));
  EXPECT_FALSE(seen("pci:0302"));
  plug("0000:03:00.0", "0x10de", "", "");
  EXPECT_TRUE(seen("pci:10de"));
  EXPECT_FALSE(seen("pci:10de:03"));
}

TEST_F(Pci, PathsAreLookedForUnderTheSameRoot) {
  registry_test::write_file(folder() / "root/dev/zap0", "");
  EXPECT_TRUE(seen("path:/dev/zap0"));
  EXPECT_FALSE(seen("path:/dev/zap1"));
}

TEST_F(Pci, ADriverThatIsTooOldIsNamedAndOneThatIsNotThereIsNot) {
  const auto why = [&](const char* version) {
    return pier::registry::why_file_lacking({.library = {}, .version = version, .file = "/sys/module/zap/version"}, folder() / "root");
  };
  EXPECT_EQ(why(">=580"), std::nullopt);
  const auto write = [&](const char* text) { registry_test::write_file(folder() / "root/sys/module/zap/version", text); };
  write("550.54.15\n");
  EXPECT_EQ(why(">=525.60.13"), std::nullopt);
  EXPECT_EQ(why(">=580"), "needs >=580, /sys/module/zap/version says 550.54.15");
  write("580.65.06");
  EXPECT_EQ(why(">=580"), std::nullopt);
  write("7.2.0-43\n");
  EXPECT_EQ(why(">=7,<8"), std::nullopt);
  EXPECT_NE(why(">=10,<11"), std::nullopt);
  for (const char* silent : {"", "\n", "unknown", ".5"}) {
    write(silent);
    EXPECT_EQ(why(">=580"), std::nullopt) << silent;
  }
}

}  // namespace
