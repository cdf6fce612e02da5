#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/shop.h"

namespace pier::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string foreign() { return to_string(host_platform()) == "linux-aarch64" ? "linux-x86_64" : "linux-aarch64"; }

// Another machine: the same wheels and catalog, an empty home.
void move_to_a_new_machine(Shop& shop) { shop.set("PIER_HOME", shop.path("another home").native()); }

std::string installed_version(const Shop& shop, const std::string& id = "zap") {
  const std::string list = shop.pier({"list", "--json"}).out;
  for (std::size_t i = 0; i < json_size(list, "/plugins"); ++i)
    if (json_at(list, "/plugins/" + std::to_string(i) + "/id") == id) return json_at(list, "/plugins/" + std::to_string(i) + "/version");
  return {};
}

// Installs version 1.0 and then 2.0; where the library of 1.0 lies.
fs::path update(const Shop& shop) {
  shop.sell("zap", "1.0");
  EXPECT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  const fs::path old = shop.library("zap");
  shop.sell("zap", "2.0");
  EXPECT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  return old;
}

TEST(Lock, BringsTheSameBytesToAnotherMachineWhateverTheCatalogSaysThen) {
  Shop shop;
  shop.sell("zap", "1.0");
  ASSERT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  const Finished locked = shop.pier({"lock"});
  ASSERT_EQ(locked.exit_code, 0) << locked.err;
  const std::string content = shop.read("pier.lock");
  EXPECT_THAT(content, HasSubstr("zap_plugin-1.0-py3-none-any.whl"));

  shop.sell("zap", "2.0");
  move_to_a_new_machine(shop);
  const Finished synced = shop.pier({"sync", "--locked"});
  ASSERT_EQ(synced.exit_code, 0) << synced.err;
  EXPECT_EQ(installed_version(shop), "1.0");
  EXPECT_EQ(shop.read("pier.lock"), content) << "sync does not change a complete lock file";
  EXPECT_THAT(shop.pier({"sync"}).out, HasSubstr("already installed"));
}

TEST(Lock, KeepsWhatWasLockedUnlessItShallBeUpgraded) {
  Shop shop;
  shop.sell("zap", "1.0");
  ASSERT_EQ(shop.pier({"lock", "zap"}).exit_code, 0) << "what is not installed comes from the catalog";
  shop.sell("zap", "2.0");
  ASSERT_EQ(shop.pier({"lock", "zap"}).exit_code, 0);
  EXPECT_EQ(json_at(shop.pier({"lock", "--json"}).out, "/plugins/0/pin/version"), "1.0");
  EXPECT_EQ(json_at(shop.pier({"lock", "--upgrade", "--json"}).out, "/plugins/0/pin/version"), "2.0");
}

TEST(Lock, HasTheSameTextForTheSamePlugins) {
  Shop shop;
  shop.sell("zap");
  shop.sell("buzz");
  ASSERT_EQ(shop.pier({"lock", "zap", "buzz"}).exit_code, 0);
  const std::string content = shop.read("pier.lock");
  ASSERT_EQ(shop.pier({"lock", "buzz", "zap", "-o", "other.lock"}).exit_code, 0);
  EXPECT_EQ(shop.read("other.lock"), content);
}

TEST(Lock, RefusesAnIdThatNobodyHas) {
  Shop shop;
  const Finished finished = shop.pier({"lock", "nosuch"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("nosuch"));
  EXPECT_THAT(shop.read("pier.lock"), IsEmpty());
}

TEST(Sync, RefusesAFileThatIsNoLockFileAndNamesTheLine) {
  Shop shop;
  const std::string hash(64, 'a');
  const std::string good = "format = 1\n[[plugin]]\nid = \"zap\"\nplatform = \"linux-x86_64\"\npackage = \"p\"\nversion = \"1\"\nfile = \"p-1-py3-none-any.whl\"\n"
                           "sha256 = \"" + hash + "\"\nmember = \"p/p.so\"\n";
  const struct {
    std::string content;
    const char* says;
  } cases[] = {{"", "'format' is missing"},
               
               {"nonsense", "line 1"},
               {"format = 1\nplugin = 3\n", "array of tables"},
               {"format = 1\n[[plugin]]\nid = \"zap\"\n", "'package' is missing"},
               {std::string(good).replace(good.find(hash), 64, "short"), "64 hexadecimal digits"},
               {std::string(good).replace(good.find("p/p.so"), 6, "../p.so"), "../p.so"},
               {good + good.substr(good.find("[[")), "twice"}};
  for (const auto& c : cases) {
    shop.write("pier.lock", c.content);
    const Finished finished = shop.pier({"sync"});
    EXPECT_EQ(finished.exit_code, 4) << c.content << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("pier.lock"));
    EXPECT_THAT(finished.err, HasSubstr(c.says));
  }
}

TEST(Sync, RefusesOtherBytesUnderTheLockedName) {
  Shop shop;
  shop.sell("zap");
  ASSERT_EQ(shop.pier({"lock", "zap"}).exit_code, 0);
  shop.write("wheels/zap_plugin-1.0-py3-none-any.whl", test::WheelBuilder("zap_plugin", "1.0").file("zap/libzap.so", "other").build());
  EXPECT_NE(shop.pier({"sync", "--locked"}).exit_code, 0);
  EXPECT_THAT(installed_version(shop), IsEmpty());
}

TEST(Sync, PassesOverWhatIsLockedForOtherMachinesOnlyUnlessLocked) {
  Shop shop;
  shop.sell("zap", "1.0", foreign());
  ASSERT_EQ(shop.pier({"lock", "zap", "--platform", foreign()}).exit_code, 0);
  const Finished nothing = shop.pier({"sync"});
  EXPECT_EQ(nothing.exit_code, 3) << "nothing at all is for this machine";
  EXPECT_THAT(nothing.err, HasSubstr("pier lock zap --platform " + to_string(host_platform())));
  shop.sell("buzz");
  ASSERT_EQ(shop.pier({"lock", "buzz"}).exit_code, 0);
  const std::string content = shop.read("pier.lock");
  EXPECT_EQ(shop.pier({"sync", "--locked"}).exit_code, 3);
  const Finished synced = shop.pier({"sync"});
  ASSERT_EQ(synced.exit_code, 0) << synced.err;
  EXPECT_THAT(synced.out, HasSubstr("zap: for other machines only"));
  EXPECT_EQ(installed_version(shop, "buzz"), "1.0");
  EXPECT_EQ(shop.read("pier.lock"), content);
}

TEST(Sync, PrunesWhatIsNotLocked) {
  Shop shop;
  shop.sell("zap");
  shop.sell("buzz");
  ASSERT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  ASSERT_EQ(shop.pier({"install", "buzz"}).exit_code, 0);
  ASSERT_EQ(shop.pier({"lock", "zap"}).exit_code, 0);
  ASSERT_EQ(shop.pier({"sync"}).exit_code, 0);
  EXPECT_EQ(installed_version(shop, "buzz"), "1.0") << "nothing is removed unasked";
  ASSERT_EQ(shop.pier({"sync", "--prune"}).exit_code, 0);
  EXPECT_THAT(installed_version(shop, "buzz"), IsEmpty());
  EXPECT_EQ(installed_version(shop), "1.0");
}

TEST(Bundle, InstallsOnAMachineWithNothingButTheFile) {
  Shop shop;
  shop.sell("zap");
  const Finished bundled = shop.pier({"bundle", "zap", "-o", "zap.tar"});
  ASSERT_EQ(bundled.exit_code, 0) << bundled.err;
  EXPECT_EQ(shop.pier({"bundle", "zap", "-o", "zap.tar"}).exit_code, 1) << "a file that is there is left alone";
  fs::remove_all(shop.path("wheels"));
  fs::remove_all(shop.path("catalog"));
  shop.set("PIER_CATALOG", "");
  shop.set("PIP_FIND_LINKS", "");
  move_to_a_new_machine(shop);
  const Finished synced = shop.pier({"sync", "zap.tar"});
  ASSERT_EQ(synced.exit_code, 0) << synced.err;
  EXPECT_EQ(installed_version(shop), "1.0");
  EXPECT_EQ(shop.pier({"verify"}).exit_code, 0);
  EXPECT_EQ(test::temporaries_below(shop.path("another home")), 0);
}

TEST(Bundle, IsTheSameForTheSamePlugins) {
  Shop shop;
  shop.sell("zap");
  ASSERT_EQ(shop.pier({"bundle", "zap", "-o", "a.tar"}).exit_code, 0);
  ASSERT_EQ(shop.pier({"bundle", "zap", "-o", "b.tar"}).exit_code, 0);
  EXPECT_TRUE(shop.read("a.tar") == shop.read("b.tar"));
}

TEST(Bundle, OfAnotherPlatformIsMadeHereAndRefusedHere) {
  Shop shop;
  shop.sell("zap", "1.0", foreign());
  ASSERT_EQ(shop.pier({"bundle", "zap", "--platform", foreign(), "-o", "there.tar"}).exit_code, 0);
  const Finished here = shop.pier({"sync", "there.tar"});
  EXPECT_EQ(here.exit_code, 3);
  EXPECT_THAT(here.err, HasSubstr(to_string(host_platform())));
}

TEST(Bundle, ThatIsDamagedInstallsNothing) {
  Shop shop;
  shop.sell("zap");
  ASSERT_EQ(shop.pier({"bundle", "zap", "-o", "zap.tar"}).exit_code, 0);
  const std::string whole = shop.read("zap.tar");
  fs::remove_all(shop.path("wheels"));
  move_to_a_new_machine(shop);
  const std::size_t hash = whole.find("sha256 = ") + 15;
  for (const std::size_t at : {std::size_t{2}, hash, whole.size() / 2, whole.size() * 3 / 4}) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 1);
    shop.write("zap.tar", broken);
    EXPECT_NE(shop.pier({"sync", "zap.tar"}).exit_code, 0) << "byte " << at;
    EXPECT_THAT(installed_version(shop), IsEmpty());
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{512}, whole.size() / 2}) {
    shop.write("zap.tar", whole.substr(0, size));
    const Finished cut = shop.pier({"sync", "zap.tar"});
    EXPECT_EQ(cut.exit_code, 4) << size << cut.err;
    EXPECT_THAT(installed_version(shop), IsEmpty());
  }
  shop.write("zap.tar", whole);
  EXPECT_EQ(shop.pier({"sync", "zap.tar"}).exit_code, 0);
}

TEST(Rollback, GoesBackAndForthWithoutTheNetwork) {
  Shop shop;
  shop.sell("zap", "1.0");
  ASSERT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  EXPECT_EQ(shop.pier({"rollback", "zap"}).exit_code, 3) << "there is nothing before it";
  shop.sell("zap", "2.0");
  ASSERT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  ASSERT_EQ(installed_version(shop), "2.0");
  fs::remove_all(shop.path("wheels"));
  const Finished back = shop.pier({"rollback", "zap"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  EXPECT_EQ(installed_version(shop), "1.0");
  EXPECT_THAT(shop.library("zap"), HasSubstr("/1.0-"));
  // What was gone back to counts: nothing may take it away.
  EXPECT_THAT(shop.pier({"gc", "--dry-run"}).out, Not(HasSubstr("zap 1.0")));
  ASSERT_EQ(shop.pier({"gc", "--keep-previous"}).exit_code, 0);
  EXPECT_EQ(installed_version(shop), "1.0");
  EXPECT_EQ(shop.pier({"verify", "zap"}).exit_code, 0);
  ASSERT_EQ(shop.pier({"rollback", "zap", "--to", "2.0"}).exit_code, 3) << "1.0 is the older one, so 2.0 was not kept";
}

TEST(Rollback, GoesForthAgain) {
  Shop shop;
  update(shop);
  ASSERT_EQ(shop.pier({"rollback", "zap"}).exit_code, 0);
  ASSERT_EQ(shop.pier({"rollback", "zap", "--to", "2.0"}).exit_code, 0);
  EXPECT_EQ(installed_version(shop), "2.0");
  const Finished nowhere = shop.pier({"rollback", "zap", "--to", "3.0"});
  EXPECT_EQ(nowhere.exit_code, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("1.0, installed"));
}

TEST(Rollback, RefusesADamagedVersionAndChangesNothing) {
  Shop shop;
  const fs::path old = update(shop);
  test::write_text(old, "damaged");
  const Finished back = shop.pier({"rollback", "zap"});
  EXPECT_EQ(back.exit_code, 4);
  EXPECT_THAT(back.err, HasSubstr("libzap.so"));
  EXPECT_EQ(installed_version(shop), "2.0");
}

TEST(Garbage, IsNoVersionWhereTheManifestDoesNotTellWhichCounts) {
  Shop shop;
  shop.sell("zap");
  ASSERT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  const fs::path library = shop.library("zap");
  const fs::path manifest = library.parent_path().parent_path().parent_path().parent_path().parent_path() / "manifests/zap.toml";
  ASSERT_TRUE(fs::exists(manifest));
  test::write_text(manifest, "damaged");
  const Finished collected = shop.pier({"gc"});
  EXPECT_EQ(collected.exit_code, 0);
  EXPECT_THAT(collected.out, HasSubstr("pier install zap"));
  EXPECT_TRUE(fs::exists(library));
  EXPECT_EQ(shop.pier({"install", "zap"}).exit_code, 0);
  EXPECT_EQ(installed_version(shop), "1.0");
}

TEST(Garbage, IsEveryVersionThatDoesNotCountAndNothingElse) {
  Shop shop;
  const fs::path old = update(shop);
  const fs::path home = old.parent_path().parent_path().parent_path();
  fs::create_directory(home / ".pier-left");

  EXPECT_THAT(shop.pier({"gc", "--dry-run"}).out, HasSubstr("zap 1.0"));
  EXPECT_TRUE(fs::exists(old));
  ASSERT_EQ(shop.pier({"gc", "--keep-previous"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(old));
  EXPECT_FALSE(fs::exists(home / ".pier-left"));
  const Finished collected = shop.pier({"gc", "--json"});
  ASSERT_EQ(collected.exit_code, 0) << collected.err;
  EXPECT_FALSE(fs::exists(old));
  EXPECT_EQ(json_size(collected.out, "/garbage"), 1U);
  EXPECT_EQ(json_at(collected.out, "/garbage/0/removed"), "true");
  EXPECT_EQ(installed_version(shop), "2.0");
  EXPECT_EQ(shop.pier({"verify"}).exit_code, 0);
  EXPECT_THAT(shop.pier({"gc"}).out, HasSubstr("freed: 0"));
}

}  // namespace
}  // namespace pier::cli_test
