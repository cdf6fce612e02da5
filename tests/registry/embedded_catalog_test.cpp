// Linked with a catalog into which the build has put one file more: that of an accelerator that no code knows.
#include <gmock/gmock.h>

#include <pier/catalog.h>
#include <pier/registry.h>

#include "registry/catalog_lookup.h"
#include "registry/home.h"

namespace {

using testing::Contains;

class EmbeddedCatalog : public registry_test::Home {
 protected:
  EmbeddedCatalog() { set("PIP_FIND_LINKS", ZAP_WHEELS); }
};

TEST_F(EmbeddedCatalog, AnInventedAcceleratorNeedsNothingButItsFile) {
  EXPECT_THAT(pier::catalog_ids(), testing::IsSupersetOf({"cpu", "metal", "zap"}));
  const auto entry = pier::catalog_entry("zap");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->source, "built in");
  EXPECT_THAT(pier::registry::signs_of("zap").value(), testing::ElementsAre("path:/dev/zap0"));
  EXPECT_THAT(pier::registry::path_variables(), Contains(testing::Pair("ZAP_LIBRARY_PATH", "zap")));

  // By the label that it alone has.
  const pier::InstallResult result = pier::install_plugin("zapper");
  EXPECT_EQ(result.plugin.id, "zap");
  EXPECT_EQ(result.plugin.priority, 450);
  const auto plugins = pier::installed_plugins().plugins;
  ASSERT_EQ(plugins.size(), 1u);
  EXPECT_EQ(plugins[0].id, "zap");
  EXPECT_THAT(plugins[0].labels, testing::ElementsAre("gpu", "zapper"));
  for (const char* selector : {"zap", "gpu", "zapper"}) {
    const pier::Resolution resolution = pier::resolve(selector);
    ASSERT_NE(resolution.taken(), nullptr) << selector;
    EXPECT_EQ(resolution.taken()->library, result.plugin.library);
  }
  const pier::Client client = pier::connect("zapper");
  EXPECT_EQ(std::get<std::int64_t>(client.devices().at(0).attributes().at("option.zaps")), 3);
}

TEST_F(EmbeddedCatalog, ItsVariableNamesALibrary) {
  set("ZAP_LIBRARY_PATH", library("zap.so"));
  const pier::Resolution resolution = pier::resolve("zap");
  ASSERT_NE(resolution.taken(), nullptr);
  EXPECT_EQ(resolution.taken()->source, "ZAP_LIBRARY_PATH");
}

}  // namespace
