#include "store/given.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <pier/error.h>

#include "store/home.h"
#include "store/tar.h"

namespace pier::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// Installs of a file, folder or URL that somebody names.
class Given : public testing::Test {
 protected:
  Given() {
    request.id = "mine";
    request.find_library = true;
    set_env("PIER_INDEX_URL", "http://127.0.0.1:9/simple");
  }
  InstallResult install_from(const std::string& from) {
    request.from = from;
    return install(request, options);
  }
  std::string put(const std::string& name, std::string_view bytes) const {
    write_text(home.path() / "given" / name, bytes);
    return (home.path() / "given" / name).native();
  }
  std::string failure(const std::string& from) {
    try {
      install_from(from);
    } catch (const Error& error) {
      return std::string(name(error.code())) + ": " + error.what();
    }
    return "no error";
  }
  std::string refusal(const std::string& file, std::string_view bytes) {
    const std::string message = failure(put(file, bytes));
    EXPECT_TRUE(installed_plugins().plugins.empty());
    EXPECT_EQ(temporaries_below(home.path()), 0);
    EXPECT_FALSE(std::filesystem::exists("/tmp/pier-escaped"));
    return message;
  }
  static std::string tar() {
    TarWriter tar;
    tar.add("./", "", {.type = '5', .mode = 0755});
    tar.add("./lib/plugin.so", host_library());
    tar.add("./bin/tool", "#!/bin/false", {.mode = 0755});
    tar.add("./README", "read me");
    return tar.finish();
  }
  static std::string zip() {
    ZipWriter zip;
    zip.add("lib/plugin.so", host_library());
    zip.add("README", "read me");
    return zip.finish();
  }

  Home home;
  PluginRequest request;
  InstallOptions options{.load_test = [](const InstalledPlugin&) { return std::string("0.115"); }};
};

TEST_F(Given, EveryKindOfFileIsInstalledAndVerified) {
  struct Case {
    std::string file, bytes, library;
  };
  for (const Case& c : {Case{"test_plugin-1.0-py3-none-any.whl", plugin_wheel(), "test_plugin/lib/plugin.so"}, {"x.zip", zip(), "lib/plugin.so"},
                        {"x.tar", tar(), "lib/plugin.so"}, {"x.tar.gz", gzipped(tar()), "lib/plugin.so"}, {"x.tgz", gzipped(tar()), "lib/plugin.so"},
                        {"x.tar.zst", zstd_stored(tar()), "lib/plugin.so"}, {"libx.so", host_library(), "libx.so"},
                        {"libx.so.1.2", host_library(), "libx.so.1.2"}, {"any name", host_library(), "any name"}}) {
    remove_plugin("mine");
    const InstallResult result = install_from(put(c.file, c.bytes));
    const InstalledPlugin& plugin = result.plugin;
    EXPECT_EQ(plugin.library, plugin.root / c.library) << c.file;
    EXPECT_EQ(plugin.sha256, sha256_hex(c.bytes));
    EXPECT_EQ(plugin.file, c.file);
    EXPECT_EQ(plugin.source, (home.path() / "given" / c.file).native());
    EXPECT_EQ(read_text(plugin.library), host_library());
    EXPECT_TRUE(verify_plugin(plugin).empty()) << verify_plugin(plugin).at(0);
    EXPECT_EQ(installed_plugins().plugins.size(), 1u);
    EXPECT_EQ(install_from(request.from).outcome, Outcome::already_installed) << c.file;
    if (std::filesystem::exists(plugin.root / "README")) {
      write_text(plugin.root / "README", "Read me");
      EXPECT_THAT(verify_plugin(plugin), Contains(HasSubstr("README"))) << "there is a record, whatever it came in";
    }
  }
}

TEST_F(Given, AWheelTellsItsNameAndVersion) {
  const InstalledPlugin plugin = install_from(put("test_plugin-1.0-py3-none-any.whl", plugin_wheel())).plugin;
  EXPECT_EQ(plugin.package, "test-plugin");
  EXPECT_EQ(plugin.version, "1.0");
  EXPECT_EQ(install_from(put("libx.so", host_library())).plugin.package, "");
}

TEST_F(Given, WhatATarMarksAsExecutableIsSo) {
  const auto root = install_from(put("x.tar.gz", gzipped(tar()))).plugin.root;
  struct stat status {};
  ASSERT_EQ(::stat((root / "bin/tool").c_str(), &status), 0);
  EXPECT_NE(status.st_mode & 0100, 0u);
  ASSERT_EQ(::stat((root / "README").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0111, 0u);
}

TEST_F(Given, AFolderIsCopiedWithItsTree) {
  const auto folder = home.path() / "build";
  write_text(folder / "lib/plugin.so", host_library());
  write_text(folder / "share/data.bin", "data");
  std::filesystem::create_symlink("data.bin", folder / "share/link.bin");
  const InstallResult first = install_from(folder.native());
  EXPECT_EQ(first.plugin.library, first.plugin.root / "lib/plugin.so");
  EXPECT_EQ(read_text(first.plugin.root / "share/link.bin"), "data");
  EXPECT_FALSE(std::filesystem::is_symlink(first.plugin.root / "share/link.bin"));
  EXPECT_TRUE(verify_plugin(first.plugin).empty());
  EXPECT_EQ(install_from(folder.native() + "/").outcome, Outcome::already_installed);
  // Built again: what is installed is not what is there.
  write_text(folder / "share/data.bin", "other data");
  const InstallResult second = install_from(folder.native());
  EXPECT_EQ(second.outcome, Outcome::replaced);
  EXPECT_NE(second.plugin.sha256, first.plugin.sha256);
  EXPECT_THAT(second.notes, Contains(AllOf(HasSubstr("before:"), HasSubstr(first.plugin.sha256))));
}

TEST_F(Given, AFolderMayNotLeadOut) {
  const auto folder = home.path() / "build";
  write_text(folder / "plugin.so", host_library());
  write_text(home.path() / "secret", "secret");
  std::filesystem::create_symlink("../secret", folder / "secret");
  EXPECT_THAT(failure(folder.native()), HasSubstr("no plain file"));
  std::filesystem::remove(folder / "secret");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(failure(folder.native()), HasSubstr("no plain file"));
}

// F16: whoever builds again and installs again must not go on with the old one unnoticed.
TEST_F(Given, ARebuiltLibraryReplacesTheOldOneAndIsSaid) {
  const std::string file = put("libx.so", host_library());
  const InstallResult first = install_from(file);
  const InstallResult same = install_from(file);
  EXPECT_EQ(same.outcome, Outcome::already_installed);
  EXPECT_THAT(same.notes, Contains(AllOf(HasSubstr("already installed"), HasSubstr(first.plugin.sha256))));
  put("libx.so", host_library() + "rebuilt");
  const InstallResult second = install_from(file);
  EXPECT_EQ(second.outcome, Outcome::replaced);
  EXPECT_THAT(second.notes, Contains(AllOf(HasSubstr("before: libx.so"), HasSubstr(first.plugin.sha256))));
  EXPECT_EQ(read_text(second.plugin.library), host_library() + "rebuilt");
}

TEST_F(Given, AHashThatIsGivenMustBeItsOwn) {
  const std::string file = put("x.tar.gz", gzipped(tar()));
  request.pin.sha256 = std::string(64, 'a');
  EXPECT_THAT(failure(file), AllOf(HasSubstr("integrity"), HasSubstr(sha256_hex(gzipped(tar())))));
  request.pin.sha256 = sha256_hex(gzipped(tar()));
  std::ranges::transform(request.pin.sha256, request.pin.sha256.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  EXPECT_EQ(install_from(file).outcome, Outcome::installed);
}

TEST_F(Given, AUrlNeedsAHashAndIsComparedWithIt) {
  const std::string bytes = gzipped(tar());
  Server server([&](const Request& asked) { return with_ranges(asked, bytes); });
  const std::string url = server.url("/x%2D1.tar.gz?token=secret");
  EXPECT_THAT(failure(url), AllOf(HasSubstr("--sha256"), testing::Not(HasSubstr("secret"))));
  EXPECT_TRUE(server.requests().empty());
  request.pin.sha256 = std::string(64, 'a');
  EXPECT_THAT(failure(url), AllOf(HasSubstr("integrity"), HasSubstr(sha256_hex(bytes))));
  EXPECT_TRUE(installed_plugins().plugins.empty());
  request.pin.sha256 = sha256_hex(bytes);
  set_env("PIER_OFFLINE", "1");
  EXPECT_THAT(failure(url), AllOf(HasSubstr("not_available"), HasSubstr("PIER_OFFLINE")));
  unset_env("PIER_OFFLINE");
  const InstallResult result = install_from(url);
  EXPECT_EQ(result.plugin.file, "x-1.tar.gz");
  EXPECT_THAT(result.plugin.source, testing::Not(HasSubstr("secret")));
  EXPECT_TRUE(verify_plugin(result.plugin).empty());
  const auto before = server.requests().size();
  EXPECT_EQ(install_from(url).outcome, Outcome::already_installed);
  EXPECT_EQ(server.requests().size(), before);
}

TEST_F(Given, ABrokenConnectionIsGoneOnWith) {
  const std::string bytes = zip();
  Server server([&](const Request& asked) {
    Reply reply = with_ranges(asked, bytes);
    if (asked.number == 1) reply.drop_after = bytes.size() / 2;
    return reply;
  });
  request.pin.sha256 = sha256_hex(bytes);
  install_from(server.url("/x.zip"));
  EXPECT_TRUE(server.requests().back().headers.contains("range"));
}

TEST_F(Given, TheLibraryIsTheOnlyPluginInIt) {
  ZipWriter two;
  two.add("a.so", host_library());
  two.add("b.so", host_library());
  EXPECT_THAT(refusal("two.zip", two.finish()), AllOf(HasSubstr("2 libraries that export GetPjrtApi"), HasSubstr("it has a.so"), HasSubstr("it has b.so")));
  ZipWriter none;
  none.add("a.so", "text");
  none.add("README", "x");
  EXPECT_THAT(refusal("none.zip", none.finish()), AllOf(HasSubstr("no library"), HasSubstr("it has a.so")));
  ZipWriter beside;
  beside.add("libother.so", foreign_library());
  beside.add("a.so", host_library());
  const InstallResult result = install_from(put("beside.zip", beside.finish()));
  EXPECT_EQ(result.plugin.library.filename(), "a.so");
}

TEST_F(Given, AnotherMachinesPluginIsKeptApart) {
  request.pin.platform = foreign_platform();
  const InstallResult result = install_from(put("libx.so", foreign_library()));
  EXPECT_EQ(result.plugin.origin, Origin::foreign);
  EXPECT_EQ(result.plugin.platform, foreign_platform());
  request.pin.platform.clear();
  EXPECT_THAT(failure(put("liby.so", foreign_library())), HasSubstr("no library for"));
}

TEST_F(Given, WhatIsNothingOfTheKindIsSaid) {
  EXPECT_THAT(failure((home.path() / "nowhere.whl").native()), HasSubstr("not_found"));
  EXPECT_THAT(refusal("notes.txt", "text"), AllOf(HasSubstr("invalid_argument"), HasSubstr(".tar.zst")));
  EXPECT_THAT(failure("http://127.0.0.1:9/page"), AllOf(HasSubstr("invalid_argument"), HasSubstr(".tar.zst")));
  EXPECT_THAT(refusal("x.whl", "<html>log in</html>"), HasSubstr("integrity"));
  EXPECT_THAT(refusal("x.zip", gzipped(tar())), HasSubstr("integrity"));
  EXPECT_THAT(refusal("x.tar.gz", zip()), HasSubstr("integrity"));
  EXPECT_THAT(refusal("x.tar.gz", ""), HasSubstr("integrity"));
  EXPECT_THAT(refusal("x.so", ""), HasSubstr("integrity"));
  // A wheel stands for itself: without a RECORD it is none.
  EXPECT_THAT(refusal("test_plugin-1.0-py3-none-any.whl", zip()), HasSubstr("RECORD"));
}

TEST_F(Given, ATarThatIsCutIsRefused) {
  const std::string whole = tar();
  // Where the end of the archive is missing alone, nothing of it is.
  for (std::size_t size = 700; size < whole.size() - 2048; size += 3001) {
    EXPECT_THAT(refusal("x.tar", whole.substr(0, size)), HasSubstr("integrity")) << size;
    const std::string packed = gzipped(whole);
    EXPECT_THAT(refusal("x.tar.gz", packed.substr(0, packed.size() * size / whole.size())), HasSubstr("integrity")) << size;
  }
}

TEST_F(Given, ATarMayNotWriteAnywhereElse) {
  struct Case {
    const char* name;
    TarWriter::Options options;
  };
  for (const Case& c : {Case{"/tmp/pier-escaped", {}}, {"../pier-escaped", {}}, {"a/../../pier-escaped", {}}, {"././x", {}}, {"a\\b", {}},
                        {"c:x", {}}, {"nul", {}}, {"\xff", {}}, {"link", {.type = '2', .link = "/etc/passwd"}}, {"link", {.type = '2', .link = "README"}},
                        {"hard", {.type = '1', .link = "/etc/passwd"}}, {"device", {.type = '3'}}, {"fifo", {.type = '6'}},
                        {"LIB/PLUGIN.SO", {}}, {"lib/plugin.so", {}}, {"lib", {}}, {"lib/plugin.so/x", {}},
                        {"pier-manifest.toml", {}}, {"pier-record.csv", {}}}) {
    TarWriter tar;
    tar.add("lib/plugin.so", host_library());
    tar.add(c.name, c.options.type == '0' ? "evil" : "", c.options);
    EXPECT_THAT(refusal("x.tar", tar.finish()), HasSubstr("integrity")) << c.name << " " << c.options.type;
  }
}

TEST_F(Given, ATarThatUnpacksWithoutEndIsRefused) {
  TarWriter tar;
  tar.add("lib/plugin.so", host_library());
  tar.add("zeros", std::string(std::size_t{100} << 20, '\0'));
  EXPECT_THAT(refusal("x.tar.gz", gzipped(tar.finish())), HasSubstr("bomb"));
  TarWriter liar;
  liar.add("huge", "x", {.claimed_size = "77777777777"});
  EXPECT_THAT(refusal("x.tar", liar.finish()), testing::AnyOf(HasSubstr("not enough space"), HasSubstr("integrity")));
}

}  // namespace
}  // namespace pier::test
