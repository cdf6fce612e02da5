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

}  // namespace
