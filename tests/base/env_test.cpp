#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

#include "base/env.h"
#include "base/support.h"

namespace pier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The variables of this room, unset; set() ones go with the test.
class Environment : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : names) {
      if (const char* value = std::getenv(name)) saved_.emplace_back(name, value);
      ::unsetenv(name);
    }
  }
  void TearDown() override {
    for (const char* name : names) ::unsetenv(name);
    for (const auto& [name, value] : saved_) set(name.c_str(), value.c_str());
  }
  static void set(const char* name, const char* value) { ::setenv(name, value, 1); }

 private:
  static constexpr const char* names[] = {"PIER_HOME",       "HOME",           "XDG_CONFIG_HOME",   "XDG_DATA_HOME",
                                          "XDG_CACHE_HOME",  "XDG_CONFIG_DIRS", "PIER_TEST_VARIABLE"};
  std::vector<std::pair<std::string, std::string>> saved_;
};

TEST_F(Environment, ReadsUnsetAndEmptyVariablesAsNothing) {
  EXPECT_EQ(get_env("PIER_TEST_VARIABLE"), std::nullopt);
  set("PIER_TEST_VARIABLE", "");
  EXPECT_EQ(get_env("PIER_TEST_VARIABLE"), std::nullopt);
  set("PIER_TEST_VARIABLE", "value");
  EXPECT_EQ(get_env("PIER_TEST_VARIABLE"), "value");
}

TEST_F(Environment, TakesOnlyAClearYes) {
  for (const char* yes : {"1", "true", "yes", "on"}) {
    set("PIER_TEST_VARIABLE", yes);
    EXPECT_TRUE(env_flag("PIER_TEST_VARIABLE")) << yes;
  }
  for (const char* no : {"0", "false", "no", "off", "", "2", "YES please"}) {
    set("PIER_TEST_VARIABLE", no);
    EXPECT_FALSE(env_flag("PIER_TEST_VARIABLE")) << no;
  }
  ::unsetenv("PIER_TEST_VARIABLE");
  EXPECT_FALSE(env_flag("PIER_TEST_VARIABLE"));
}

TEST_F(Environment, PutsFoldersWhereTheXdgSpecificationSays) {
  set("HOME", "/home/ada");
  EXPECT_EQ(config_home(), "/home/ada/.config/pier");
  EXPECT_EQ(data_home(), "/home/ada/.local/share/pier");
  EXPECT_EQ(cache_home(), "/home/ada/.cache/pier");
  set("XDG_CONFIG_HOME", "/c");
  set("XDG_DATA_HOME", "/d");
  set("XDG_CACHE_HOME", "relative/is/ignored");
  EXPECT_EQ(config_home(), "/c/pier");
  EXPECT_EQ(data_home(), "/d/pier");
  EXPECT_EQ(cache_home(), "/home/ada/.cache/pier");
}

TEST_F(Environment, PutsEverythingUnderOneFolderThatIsNamed) {
  set("HOME", "/home/ada");
  set("XDG_DATA_HOME", "/d");
  set("PIER_HOME", "/one");
  EXPECT_EQ(config_home(), "/one/config");
  EXPECT_EQ(data_home(), "/one/data");
  EXPECT_EQ(cache_home(), "/one/cache");
  set("PIER_HOME", "one");
  EXPECT_EQ(data_home(), std::filesystem::current_path() / "one/data");
}

TEST_F(Environment, WritesAFolderTheSameHoweverItIsNamed) {
  const test::Folder folder;
  std::filesystem::create_directories(folder / "real/deep");
  std::filesystem::create_directory_symlink(folder / "real/deep", folder / "link");
  for (const char* name : {"new", "new/", "./new", "real/../new", "real/./..//new", "not/there/../../new"}) {
    set("PIER_HOME", (folder / name).c_str());
    EXPECT_EQ(data_home(), folder / "new/data") << name;
  }
  set("PIER_HOME", (folder / "link/../new").c_str());
  EXPECT_EQ(data_home(), folder / "real/new/data") << "what a link leads to has another folder above";
  set("PIER_HOME", (folder / "link").c_str());
  EXPECT_EQ(data_home(), folder / "link/data") << "the user's own name for it stays";
}

TEST_F(Environment, FindsTheAccountsFolderWithoutHome) {
  const passwd* const account = ::getpwuid(::geteuid());
  ASSERT_NE(account, nullptr);
  EXPECT_EQ(data_home(), std::filesystem::path(account->pw_dir) / ".local/share/pier");
}

TEST_F(Environment, TellsThatThereIsNoHomeAtAll) {
  EXPECT_THAT(test::in_child([] {
                // A user of no book; only root may become one, and everybody else has an account.
                if (::geteuid() == 0 && ::setuid(987654) != 0) ::_exit(3);
                if (::getpwuid(::geteuid()) != nullptr) return std::string("no home folder: this user has one");
                return test::error_of([] { data_home(); }).message();
              }),
              HasSubstr("no home folder: "));
}

TEST_F(Environment, TellsThatARelativeFolderHasNoPlace) {
  const test::Folder folder;
  const std::filesystem::path gone = folder / "gone";
  std::filesystem::create_directory(gone);
  EXPECT_THAT(test::in_child([&] {
                std::filesystem::current_path(gone);
                std::filesystem::remove(gone);
                set("PIER_HOME", "one");
                return test::error_of([] { data_home(); }).message();
              }),
              HasSubstr("cannot find the folder of one: "));
}

TEST_F(Environment, ListsTheSystemsFoldersMostImportantFirst) {
  EXPECT_THAT(system_config_dirs(), ElementsAre("/etc/xdg/pier", "/etc/pier"));
  set("XDG_CONFIG_DIRS", "/b::relative:/a");
  EXPECT_THAT(system_config_dirs(), ElementsAre("/b/pier", "/a/pier", "/etc/pier"));
}

}  // namespace
}  // namespace pier
