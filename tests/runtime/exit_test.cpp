#include <cstdlib>

#include "runtime/fake_test.h"

namespace pier {
namespace {

TEST(Exit, LeavesAClientInAStaticVariableAlone) {
  const std::string plugin = std::string(FAKE_PLUGIN_DIR) + "/fake_plugin.so";
  EXPECT_EQ(std::system((STATIC_CLIENT " '" + plugin + "'").c_str()), 0);
  // Nothing of it may reach the plugin any more.
  EXPECT_EQ(std::system(("FAKE_PJRT=abort=PJRT_Client_Destroy " STATIC_CLIENT " '" + plugin + "'").c_str()), 0);
}

}  // namespace
}  // namespace pier
