#include "store/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>

#include "store/home.h"

namespace pier::test {
namespace {

using testing::HasSubstr;

const std::filesystem::path place = "/data/manifests/cpu.toml";

Manifest full() {
  Manifest manifest;
  InstalledPlugin& plugin = manifest.plugin;
  plugin.id = "cpu";
  plugin.labels = {"cpu", "x86-64_v3.1"};
  plugin.priority = -3;
  plugin.library = "/data/plugins/cpu/1.0-abc/lib \xc3\xbc/plugin.so";
  plugin.root = "/data/plugins/cpu/1.0-abc";
  plugin.platform = "linux-x86_64";
  plugin.package = "test-plugin";
  plugin.version = "1.0";
  plugin.file = "t-1.0-py3-none-any.whl";
  plugin.sha256 = std::string(64, 'a');
  plugin.library_size = 123'456'789'012;
  plugin.library_sha256 = std::string(64, 'B');
  plugin.source = "https://index/simple";
  plugin.installed_at = "2026-01-02T03:04:05Z";
  plugin.api_version = "0.115";
  plugin.create_options = {{"flag", true}, {"count", std::int64_t{-4}}, {"part", 0.75f}, {"name", std::string("a\nb\t\"c\"\\")},
                           {"list", std::vector<std::int64_t>{1, 2}}};
  plugin.environment = {{"A", "1"}, {"B_2", "x y=\"z\""}};
  manifest.library_mtime = 1'700'000'000'123'456'789;
  return manifest;
}

TEST(Manifest, ComesBackAsItWasWritten) {
  const Manifest before = full();
  const std::string text = format_manifest(before, place);
  const Manifest after = parse_manifest(text, place);
  EXPECT_EQ(after.plugin.id, before.plugin.id);
  EXPECT_EQ(after.plugin.labels, before.plugin.labels);
  EXPECT_EQ(after.plugin.priority, before.plugin.priority);
  EXPECT_EQ(after.plugin.library, before.plugin.library);
  EXPECT_EQ(after.plugin.root, before.plugin.root);
  EXPECT_EQ(after.plugin.platform, before.plugin.platform);
  EXPECT_EQ(after.plugin.package, before.plugin.package);
  EXPECT_EQ(after.plugin.version, before.plugin.version);
  EXPECT_EQ(after.plugin.file, before.plugin.file);
  EXPECT_EQ(after.plugin.sha256, before.plugin.sha256);
  EXPECT_EQ(after.plugin.library_size, before.plugin.library_size);
  EXPECT_EQ(after.plugin.library_sha256, before.plugin.library_sha256);
  EXPECT_EQ(after.plugin.source, before.plugin.source);
  EXPECT_EQ(after.plugin.installed_at, before.plugin.installed_at);
  EXPECT_EQ(after.plugin.api_version, before.plugin.api_version);
  EXPECT_EQ(after.plugin.create_options, before.plugin.create_options);
  EXPECT_EQ(after.plugin.environment, before.plugin.environment);
  EXPECT_EQ(after.library_mtime, before.library_mtime);
}

TEST(Manifest, CanBeMovedWithItsFiles) {
  const std::string text = format_manifest(full(), place);
  EXPECT_THAT(text, HasSubstr("../plugins/cpu/1.0-abc/"));
  EXPECT_EQ(parse_manifest(text, "/elsewhere/manifests/cpu.toml").plugin.root, "/elsewhere/plugins/cpu/1.0-abc");
}

TEST(Manifest, KeepsAPathFarAwayAbsolute) {
  Manifest manifest = full();
  manifest.plugin.library = "/opt/x/plugin.so";
  manifest.plugin.root.clear();
  EXPECT_EQ(parse_manifest(format_manifest(manifest, place), "/moved/manifests/cpu.toml").plugin.library, "/opt/x/plugin.so");
}

TEST(Manifest, NeedsOnlySchemaIdAndLibrary) {
  const Manifest manifest = parse_manifest("schema = 1\nid = 'mine'\nlibrary = 'lib/x.so'\n", "/etc/pier/plugins/mine.toml");
  EXPECT_EQ(manifest.plugin.library, "/etc/pier/plugins/lib/x.so");
  EXPECT_EQ(manifest.plugin.priority, 0);
  EXPECT_FALSE(manifest.plugin.platform.empty());
}

TEST(Manifest, PassesOverKeysOfTheFuture) {
  EXPECT_NO_THROW(parse_manifest("schema = 1\nid = 'a'\nlibrary = '/x.so'\nnew_key = {a = [1, 'x']}\n[more]\nx = 1\n", place));
}

TEST(Manifest, TakesWhatOnlyLooksLikeAHeaderInsideOfAValue) {
  const Manifest manifest = parse_manifest("\xef\xbb\xbf" R"(# café
schema = 1
id = 'a'
library="/café/x.so"
'k ü'.a . "ö" = {'é'='ü', b.'ö' = ['é',"ü",['é'],{c='é'}]} # é
labels = [
  # [
  'gpu',
  "tpu"
]
new = [
[ # ]
],
[[]],
{x = ']'}]
text = """
[
\"""""
other = '''
[[
'''
[ environment ]
A = 'b'
)", place);
  EXPECT_EQ(manifest.plugin.library, "/café/x.so");
  EXPECT_EQ(manifest.plugin.labels, (std::vector<std::string>{"gpu", "tpu"}));
  EXPECT_EQ(manifest.plugin.environment, (std::vector<std::pair<std::string, std::string>>{{"A", "b"}}));
}

TEST(Manifest, NamesFileLineAndKeyOfWhatIsWrong) {
  const std::string good = "schema = 1\nid = 'a'\nlibrary = '/x.so'\n";
  const std::tuple<std::string, const char*> cases[] = {
      {"id = 'a'\nlibrary = '/x.so'\n", "'schema' is missing"},
      {"schema = 1\nlibrary = '/x.so'\n", "'id' is missing"},
      {"schema = 1\nid = 'a'\n", "'library' is missing"},
      {"schema = 2\nid = 'a'\nlibrary = '/x.so'\n", "newer pier"},
      {"schema = 0\nid = 'a'\nlibrary = '/x.so'\n", "'schema' must be"},
      {"schema = '1'\nid = 'a'\nlibrary = '/x.so'\n", "'schema' must be an integer, not a string"},
      {"schema = 1\nid = '../a'\nlibrary = '/x.so'\n", "'id' is refused"},
      {"schema = 1\nid = 'a'\nlibrary = ''\n", "'library' is empty"},
      {"schema = 1\nid = 'a'\nlibrary = 3\n", "line 3: 'library' must be a string"},
      {good + "priority = 1.5\n", "line 4: 'priority' must be an integer"},
      {good + "priority = 99999999\n", "'priority' must be"},
      {good + "labels = 'gpu'\n", "'labels' must be an array of strings"},
      {good + "labels = [1]\n", "'labels' must be a string"},
      {good + "labels = ['a b']\n", "'labels' has 'a b'"},
      {good + "platform = 'amiga'\n", "'platform' is refused"},
      {good + "sha256 = 'abc'\n", "'sha256' must be 64"},
      {good + "library_size = -1\n", "'library_size' must be"},
      {good + "environment = 1\n", "'environment' must be a table"},
      {good + "[environment]\n'A=B' = 'x'\n", "'A=B' is no name"},
      {good + "[environment]\nA = 1\n", "'A' must be a string"},
      {good + "[create_options]\nx = 1979-05-27\n", "'x' must be a truth value"},
      {good + "[create_options]\nx = ['a']\n", "'x' must hold integers"},
      {good + "[create_options]\nx = 1e300\n", "'x' is too large"},
      {good + "broken", "line 4"},
      {good + "id = 'b'\n", "line 4"},
      {good + "x = \"\xff\"\n", "UTF-8"},
      {"schema = 1\nid = 'a'\nlibrary = \"/x\\u0000.so\"\n", "zero byte"},
      {std::string(5000, '['), "cpu.toml"},
      {good + "[\n", "line 4: a table's header has no key"},
      {good + "[[ ]]\n", "line 4: a table's header has no key"},
      {good + "x = '''\n[\n'''\n[", "line 7: a table's header has no key"},
      {good + "café = 1\n", "line 4: has a character beyond ASCII"},
      {good + "x = é\n", "line 4: has a character beyond ASCII"},
      {good + "x = 6'é'\n", "line 4: has a quote where no string can begin"},
      {good + "x = 6\"é\"\n", "line 4: has a quote where"},
      {good + "x = 6 'é'\n", "line 4: has a quote where"},
      {good + "x = 6.'é'\n", "line 4: has a quote where"},
      {good + "x = [1, 6'é']\n", "line 4: has a quote where"},
      {good + "x = {a = 6'é'}\n", "line 4: has a quote where"},
      {good + "x = {a.b = 1}'é'\n", "line 4: has a quote where"},
      {good + "[a'é']\n", "line 4: has a quote where"},
      {good + "x = 6='é'\n", "line 4: has a '=' within a value"},
      {good + "x = [1, 6='é']\n", "line 4: has a '=' within a value"},
      {good + "x = 6['é']\n", "line 4: has a bracket where"},
      {good + "x = 6{a='é'}\n", "line 4: has a bracket where"},
  };
  for (const auto& [text, expected] : cases) {
    try {
      parse_manifest(text, place);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << text;
      EXPECT_THAT(error.what(), HasSubstr(expected)) << text;
      EXPECT_THAT(error.what(), HasSubstr("/data/manifests/cpu.toml")) << text;
    }
  }
}

TEST(Manifest, TakesLabelsInAnyCase) {
  EXPECT_EQ(parse_manifest("schema = 1\nid = 'a'\nlibrary = '/x.so'\nlabels = ['GPU']\n", place).plugin.labels,
            std::vector<std::string>{"gpu"});
}

TEST(Manifest, IsNeverWrittenUnlessItCanBeReadBack) {
  const Home home;
  const auto path = home.path() / "manifests/cpu.toml";
  std::filesystem::create_directories(path.parent_path());
  write_manifest(full(), path);
  const std::string before = read_text(path);
  const std::pair<std::function<void(InstalledPlugin&)>, const char*> cases[] = {
      {[](InstalledPlugin& p) { p.environment = {{"A-B", "1"}}; }, "'A-B' is no name of an environment variable"},
      {[](InstalledPlugin& p) { p.environment = {{"", "1"}}; }, "no name of an environment variable"},
      {[](InstalledPlugin& p) { p.environment = {{"A", "\xff"}}; }, "value of A '\\xff' is not UTF-8"},
      {[](InstalledPlugin& p) { p.environment = {{"A", std::string("a\0b", 3)}}; }, "zero byte"},
      {[](InstalledPlugin& p) { p.priority = 5'000'000; }, "priority 5000000 is out of range"},
      {[](InstalledPlugin& p) { p.labels = {"GPU"}; }, "label 'GPU' is no name"},
      {[](InstalledPlugin& p) { p.labels = {"a b"}; }, "label 'a b' is no name"},
      {[](InstalledPlugin& p) { p.create_options = {{"x", std::string("\xff")}}; }, "is not UTF-8"},
      {[](InstalledPlugin& p) { p.create_options = {{"\xff", true}}; }, "is not UTF-8"},
      {[](InstalledPlugin& p) { p.create_options = {{"x", std::string(300'000, 'x')}}; }, "a manifest has room for 262144"},
      {[](InstalledPlugin& p) { p.library = "/opt/\xff/x.so"; }, "symbolic link"},
      {[](InstalledPlugin& p) { p.sha256 = "abc"; }, "'sha256' must be 64"},
      {[](InstalledPlugin& p) { p.id = "No"; }, "'id' is refused"},
  };
  for (const auto& [change, expected] : cases) {
    Manifest manifest = full();
    change(manifest.plugin);
    try {
      write_manifest(manifest, path);
      ADD_FAILURE() << expected;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr(expected));
      EXPECT_FALSE(error.notes().empty()) << expected;
    }
    EXPECT_EQ(read_text(path), before);
  }
  EXPECT_EQ(temporaries_below(home.path()), 0);
}

TEST(Manifest, IsNotReadWithoutBounds) {
  const Home home;
  write_text(home.path() / "m.toml", std::string(300 << 10, '#'));
  EXPECT_THROW(read_manifest(home.path() / "m.toml"), Error);
  EXPECT_THROW(read_manifest(home.path()), Error);
}

TEST(Manifest, TellsAChangedLibraryBySizeAndTime) {
  const Home home;
  Manifest manifest;
  manifest.plugin.library = home.path() / "x.so";
  EXPECT_THROW(record_library(manifest), Error);
  write_text(manifest.plugin.library, "one");
  record_library(manifest);
  EXPECT_EQ(library_difference(manifest), "");
  write_text(manifest.plugin.library, "longer");
  EXPECT_THAT(library_difference(manifest), HasSubstr("6 bytes"));
  manifest.plugin.library = home.path();
  EXPECT_THROW(record_library(manifest), Error);
}

}  // namespace
}  // namespace pier::test
