#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <pier/error.h>
#include <pier/store.h>

#include "store/home.h"

namespace pier::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class Register : public testing::Test {
 protected:
  Register() {
    write_text(library, host_library());
    registration.id = "mine";
    registration.labels = {"gpu"};
    registration.priority = 7;
    registration.library = library;
    registration.create_options = {{"x", true}};
    registration.environment = {{"A", "b"}};
    options.load_test = [](const InstalledPlugin&) { return std::string("0.99"); };
  }
  Home home;
  std::filesystem::path library = home.path() / "build \xc3\xa4/plugin.so";
  Registration registration;
  RegisterOptions options;
};

TEST_F(Register, CopiesNothingAndListsIt) {
  const InstallResult result = register_plugin(registration, options);
  EXPECT_EQ(result.outcome, Outcome::installed);
  const Inventory inventory = installed_plugins();
  ASSERT_EQ(inventory.plugins.size(), 1u);
  const InstalledPlugin& plugin = inventory.plugins[0];
  EXPECT_EQ(plugin.origin, Origin::registered);
  EXPECT_EQ(plugin.library, library);
  EXPECT_EQ(plugin.labels, registration.labels);
  EXPECT_EQ(plugin.priority, 7);
  EXPECT_EQ(plugin.api_version, "0.99");
  EXPECT_EQ(plugin.create_options, registration.create_options);
  EXPECT_FALSE(plugin.changed);
  EXPECT_EQ(plugin.manifest, home.config() / "plugins/mine.toml");
  EXPECT_TRUE(plugin.root.empty());
  EXPECT_TRUE(verify_plugin(plugin).empty());
}

TEST_F(Register, SaysThatItIsThereAlready) {
  register_plugin(registration, options);
  const InstallResult again = register_plugin(registration, options);
  EXPECT_EQ(again.outcome, Outcome::already_installed);
  EXPECT_THAT(again.notes, Contains(HasSubstr(sha256_hex(host_library()))));
}

TEST_F(Register, TellsWhatChangedWhenTheLibraryWasBuiltAgain) {
  register_plugin(registration, options);
  write_text(library, host_library() + "newer");
  EXPECT_TRUE(installed_plugins().plugins.at(0).changed);
  EXPECT_FALSE(verify_plugin(installed_plugins().plugins.at(0)).empty());
  const InstallResult again = register_plugin(registration, options);
  EXPECT_EQ(again.outcome, Outcome::replaced);
  EXPECT_THAT(again.notes, Contains(HasSubstr("has changed")));
  EXPECT_FALSE(installed_plugins().plugins.at(0).changed);
  registration.library = home.path() / "other.so";
  write_text(registration.library, host_library());
  EXPECT_THAT(register_plugin(registration, options).notes, Contains(HasSubstr(library.native())));
}

TEST_F(Register, MakesARelativePathAbsolute) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(library.parent_path());
  registration.library = "./plugin.so";
  register_plugin(registration, options);
  std::filesystem::current_path(before);
  EXPECT_EQ(installed_plugins().plugins.at(0).library, library);
}

TEST_F(Register, RefusesWhatIsNoLibraryForThisMachine) {
  const auto code = [&](const std::filesystem::path& path) {
    registration.library = path;
    try {
      register_plugin(registration, options);
      return ErrorCode::unknown;
    } catch (const Error& error) {
      return error.code();
    }
  };
  write_text(home.path() / "text.so", "not a library at all");
  EXPECT_EQ(code(home.path() / "text.so"), ErrorCode::integrity);
  write_text(home.path() / "foreign.so", foreign_library());
  EXPECT_EQ(code(home.path() / "foreign.so"), ErrorCode::not_available);
  EXPECT_EQ(code(home.path() / "missing.so"), ErrorCode::not_found);
  EXPECT_EQ(code(home.path()), ErrorCode::io);
  EXPECT_EQ(code(""), ErrorCode::invalid_argument);
  write_text(home.path() / "empty.so", "");
  EXPECT_EQ(code(home.path() / "empty.so"), ErrorCode::integrity);
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_TRUE(installed_plugins().rejected.empty());
}

TEST_F(Register, WritesNothingWhenTheLoadTestFails) {
  options.load_test = [](const InstalledPlugin&) -> std::string { throw Error(ErrorCode::not_available, "crashed"); };
  EXPECT_THROW(register_plugin(registration, options), Error);
  EXPECT_TRUE(installed_plugins().plugins.empty());
  options.load_test = {};
  EXPECT_THAT(register_plugin(registration, options).notes, Contains(HasSubstr("no load test")));
}

TEST_F(Register, RefusesALibraryThatEveryoneCanWrite) {
  ASSERT_EQ(::chmod(library.c_str(), 0666), 0);
  try {
    register_plugin(registration, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::permission_denied);
    EXPECT_THAT(error.what(), HasSubstr("chmod o-w"));
  }
  options.allow_others = true;
  EXPECT_NO_THROW(register_plugin(registration, options));
}

TEST_F(Register, IsTakenBackWithoutTouchingTheLibrary) {
  register_plugin(registration, options);
  EXPECT_TRUE(unregister_plugin("mine"));
  EXPECT_FALSE(unregister_plugin("mine"));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  EXPECT_TRUE(std::filesystem::exists(library));
  EXPECT_THROW(unregister_plugin("../mine"), Error);
}

TEST_F(Register, ListsManifestsOfTheSystemToo) {
  const auto folder = home.path() / "etc";
  set_env("XDG_CONFIG_DIRS", folder.native());
  write_text(folder / "pier/plugins/shared.toml", "schema = 1\nid = 'shared'\nlibrary = '" + library.native() + "'\n");
  const Inventory inventory = installed_plugins();
  ASSERT_EQ(inventory.plugins.size(), 1u);
  EXPECT_EQ(inventory.plugins[0].origin, Origin::system);
  EXPECT_EQ(inventory.plugins[0].id, "shared");
}

TEST_F(Register, TakesLabelsInLowerCaseAsSelectorsAre) {
  registration.labels = {"GPU", "Fast"};
  register_plugin(registration, options);
  EXPECT_EQ(installed_plugins().plugins.at(0).labels, (std::vector<std::string>{"gpu", "fast"}));
}

TEST_F(Register, RefusesSettingsThatCannotBeReadBackBeforeItLoadsAnything) {
  options.load_test = [](const InstalledPlugin&) -> std::string { throw std::logic_error("never called"); };
  const auto message = [&](auto change) {
    Registration bad = registration;
    change(bad);
    try {
      register_plugin(bad, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(message([](Registration& r) { r.environment = {{"A-B", "1"}}; }), HasSubstr("'A-B' is no name"));
  EXPECT_THAT(message([](Registration& r) { r.priority = 5'000'000; }), HasSubstr("a priority is -1000000 to 1000000"));
  EXPECT_THAT(message([](Registration& r) { r.labels = {"a/b"}; }), HasSubstr("label 'a/b'"));
  EXPECT_THAT(message([](Registration& r) { r.create_options = {{"x", std::string(300'000, 'x')}}; }), HasSubstr("has room for"));
  const auto odd = home.path() / "odd \xff" / "plugin.so";
  write_text(odd, host_library());
  EXPECT_THAT(message([&](Registration& r) { r.library = odd; }), HasSubstr("symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(home.config() / "plugins"));
}

TEST_F(Register, WritesWhatOnlyTheOwnerMayChangeWhateverTheUmask) {
  const mode_t before = ::umask(0);
  register_plugin(registration, options);
  register_plugin(registration, options);
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((home.config() / "plugins/mine.toml").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0644u);
  ASSERT_EQ(::stat((home.config() / "plugins").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0755u);
}

TEST_F(Register, RefusesABadId) {
  registration.id = "Not/An/Id";
  EXPECT_THROW(register_plugin(registration, options), Error);
}

}  // namespace
}  // namespace pier::test
