#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/shop.h"

namespace pier::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Verify, SaysThatEveryFileIsWhole) {
  Shop shop;
  shop.sell("zap");
  EXPECT_EQ(shop.pier({"verify"}).exit_code, 0) << "nothing is installed, nothing is wrong";
  const Finished installed = shop.pier({"install", "zap"});
  ASSERT_EQ(installed.exit_code, 0) << installed.err;
  const Finished all = shop.pier({"verify"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("zap zap-plugin 1.0"));
  EXPECT_THAT(all.out, HasSubstr("whole"));
  EXPECT_EQ(json_at(shop.pier({"verify", "zap", "--json"}).out, "/whole"), "true");
}

TEST(Verify, FindsAByteThatChangedAndSaysHowToMendIt) {
  Shop shop;
  shop.sell("zap");
  ASSERT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  const fs::path library = shop.library("zap");
  const auto time = fs::last_write_time(library);
  std::string bytes = test::read_text(library);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  test::write_text(library, bytes);
  fs::last_write_time(library, time);

  const Finished damaged = shop.pier({"verify", "zap"});
  EXPECT_EQ(damaged.exit_code, 4);
  EXPECT_THAT(damaged.out, HasSubstr("damaged"));
  EXPECT_THAT(damaged.out, HasSubstr("zap/libzap.so"));
  EXPECT_THAT(damaged.out, HasSubstr("pier install zap --force"));
  EXPECT_EQ(json_at(shop.pier({"verify", "--json"}).out, "/plugins/0/whole"), "false");

  ASSERT_EQ(shop.pier({"install", "zap", "--force"}).exit_code, 0);
  EXPECT_EQ(shop.pier({"verify"}).exit_code, 0);
}

TEST(Verify, ComparesARegisteredLibraryToo) {
  Shop shop;
  fs::copy_file(fake(), shop.path("mine.so"));
  ASSERT_EQ(shop.pier({"register", "mine.so", "--id", "mine"}).exit_code, 0);
  EXPECT_EQ(shop.pier({"verify", "mine"}).exit_code, 0);
  shop.write("mine.so", shop.read("mine.so") + "more");
  const Finished built = shop.pier({"verify", "mine"});
  EXPECT_EQ(built.exit_code, 4);
  EXPECT_THAT(built.out, HasSubstr("pier register"));
}

TEST(Verify, RefusesAPluginThatIsNotThere) {
  EXPECT_EQ(Shop().pier({"verify", "nosuch"}).exit_code, 3);
}

}  // namespace
}  // namespace pier::cli_test
