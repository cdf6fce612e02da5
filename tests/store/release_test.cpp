#include "store/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>

#include "store/home.h"

namespace pier::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

const std::string hash(64, 'a');

// Which of some files of "x" is taken on Linux with glibc 2.36: its name, or "none".
class Release : public testing::Test {
 protected:
  Release() {
    query.package = "x";
    query.platform = {Os::linux_os, Arch::x86_64};
    query.system = SystemVersion{2, 36};
  }
  IndexFile& add(const std::string& middle) {
    files.push_back({.name = "x-" + middle + ".whl", .url = "u", .sha256 = hash});
    return files.back();
  }
  void want(const std::string& wanted) { query.wanted = *VersionSpecifiers::parse(wanted); }
  void want_exactly(const std::string& version) {
    want("==" + version);
    query.exact = true;
  }
  std::string taken() const {
    const auto found = newest_file(files, query);
    return found ? files[*found].name.substr(2, files[*found].name.size() - 6) : "none";
  }

  std::vector<IndexFile> files;
  ReleaseQuery query;
};

TEST_F(Release, IsTheNewestByPep440NotByName) {
  for (const char* version : {"0.9.0", "0.10.0", "0.9.0.post1", "0.10.0rc1", "0.10.0.dev3", "0.2"}) add(std::string(version) + "-py3-none-any");
  EXPECT_EQ(taken(), "0.10.0-py3-none-any");
  add("1!0.1-py3-none-any");
  EXPECT_EQ(taken(), "1!0.1-py3-none-any");
}

TEST_F(Release, IsAPrereleaseOnlyWhenThatIsWantedOrAllThereIs) {
  add("0.11.0.dev2-py3-none-any");
  add("0.11.0rc1-py3-none-any");
  EXPECT_EQ(taken(), "0.11.0rc1-py3-none-any") << "there is nothing else";
  add("0.10.0-py3-none-any");
  EXPECT_EQ(taken(), "0.10.0-py3-none-any");
  query.prereleases = true;
  EXPECT_EQ(taken(), "0.11.0rc1-py3-none-any");
  query.prereleases = false;
  want(">=0.11.0rc1");
  EXPECT_EQ(taken(), "0.11.0rc1-py3-none-any");
  want_exactly("0.11.0.dev2");
  EXPECT_EQ(taken(), "0.11.0.dev2-py3-none-any");
}

TEST_F(Release, KeepsToItsConditions) {
  for (const char* version : {"0.10.9", "0.11.0", "0.11.7", "0.12.0"}) add(std::string(version) + "-py3-none-any");
  want(">=0.11,<0.12");
  EXPECT_EQ(taken(), "0.11.7-py3-none-any");
  want("!=0.12.*,!=0.11.7");
  EXPECT_EQ(taken(), "0.11.0-py3-none-any");
  want(">1");
  EXPECT_EQ(taken(), "none");
}

TEST_F(Release, IsNotYankedUnlessItIsNamed) {
  add("1.0-py3-none-any");
  IndexFile& file = add("1.1-py3-none-any");
  file.yanked = true;
  file.yanked_reason = "crashes on Mondays";
  EXPECT_EQ(taken(), "1.0-py3-none-any");
  EXPECT_THAT(passed_over(files, query), Contains(AllOf(HasSubstr("1.1"), HasSubstr("crashes on Mondays"))));
  want_exactly("1.1");
  EXPECT_EQ(taken(), "1.1-py3-none-any");
}

TEST_F(Release, IsForThePlatformAndItsSystem) {
  add("1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64");
  add("1.1-py3-none-manylinux_2_39_x86_64");
  add("1.2-py3-none-macosx_14_0_arm64");
  add("1.3-cp312-cp312-manylinux_2_28_aarch64");
  EXPECT_EQ(taken(), "1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64");
  query.system = SystemVersion{2, 40};
  EXPECT_EQ(taken(), "1.1-py3-none-manylinux_2_39_x86_64");
  query.platform = {Os::macos, Arch::aarch64};
  query.system.reset();
  EXPECT_EQ(taken(), "1.2-py3-none-macosx_14_0_arm64");
  query.platform = {Os::windows, Arch::x86_64};
  EXPECT_EQ(taken(), "none");
  EXPECT_THAT(passed_over(files, query), testing::SizeIs(4));
}

TEST_F(Release, PrefersAmongFilesOfOneVersionTheOneThatIsMadeForThisSystem) {
  add("1.0-py3-none-manylinux_2_28_x86_64");
  add("1.0-py3-none-any");
  add("1.0-py3-none-manylinux_2_17_x86_64");
  add("1.0-2-py3-none-manylinux_2_28_x86_64");
  EXPECT_EQ(taken(), "1.0-2-py3-none-manylinux_2_28_x86_64") << "the later build";
}

TEST_F(Release, IsNoSourceAndNoOtherProject) {
  add("1.0-py3-none-any");
  files.push_back({.name = "x-2.0.tar.gz", .url = "u"});
  files.push_back({.name = "x_y-3.0-py3-none-any.whl", .url = "u"});
  files.push_back({.name = "x-4.0.whl", .url = "u"});
  files.push_back({.name = "../x-5.0-py3-none-any.whl", .url = "u"});
  EXPECT_EQ(taken(), "1.0-py3-none-any");
}

class ReleaseOnIndex : public Release {
 protected:
  // Pages of indexes, by their first folder.
  void serve(std::map<std::string, std::string> pages) {
    server = std::make_unique<Server>([pages = std::move(pages)](const Request& asked) -> Reply {
      const auto found = pages.find(asked.path);
      if (found == pages.end()) return {.status = 404, .body = "no such page"};
      return {.headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}}, .body = found->second};
    });
    set_env("PIER_INDEX_URL", server->url("/simple"));
  }
  static std::string page(const std::vector<std::string>& names, const std::string& sha = hash) {
    std::string out;
    for (const std::string& name : names)
      out += (out.empty() ? "" : ",") + std::string(R"({"filename": ")") + name + R"(", "url": ")" + name + R"(", "size": 7, "hashes": {)" +
             (sha.empty() ? "" : R"("sha256": ")" + sha + "\"") + "}}";
    return R"({"files": [)" + out + "]}";
  }
  std::string failure() {
    try {
      find_release(query, options);
    } catch (const Error& error) {
      return std::string(name(error.code())) + ": " + error.what();
    }
    return "no error";
  }

  Home home;
  InstallOptions options;
  std::unique_ptr<Server> server;
};

TEST_F(ReleaseOnIndex, BecomesAPin) {
  serve({{"/simple/x/", page({"x-1.0-py3-none-any.whl", "x-1.2.0-py3-none-manylinux_2_28_x86_64.whl"})}});
  const Pin pin = find_release(query, options);
  EXPECT_EQ(pin.package, "x");
  EXPECT_EQ(pin.version, "1.2.0");
  EXPECT_EQ(pin.file, "x-1.2.0-py3-none-manylinux_2_28_x86_64.whl");
  EXPECT_EQ(pin.size, 7u);
  EXPECT_EQ(pin.sha256, hash);
  EXPECT_EQ(pin.platform, "linux-x86_64");
  EXPECT_EQ(pin.min_system, "2.28");
}

TEST_F(ReleaseOnIndex, IsTheBestOfAllPlaces) {
  serve({{"/simple/x/", page({"x-1.0-py3-none-any.whl"})}, {"/extra/x/", page({"x-1.1-py3-none-any.whl"})}});
  set_env("PIP_EXTRA_INDEX_URL", server->url("/extra"));
  EXPECT_EQ(find_release(query, options).version, "1.1");
  write_text(home.path() / "wheels/x-1.2-py3-none-any.whl", "wheel");
  options.find_links = {(home.path() / "wheels").native()};
  const Pin pin = find_release(query, options);
  EXPECT_EQ(pin.version, "1.2");
  EXPECT_EQ(pin.sha256, sha256_hex("wheel"));
  EXPECT_EQ(pin.size, 5u);
  set_env("PIER_OFFLINE", "1");
  EXPECT_EQ(find_release(query, options).version, "1.2");
  options.find_links.clear();
  EXPECT_THAT(failure(), AllOf(HasSubstr("not_available"), HasSubstr("PIER_OFFLINE")));
}

TEST_F(ReleaseOnIndex, NeedsAHash) {
  serve({{"/simple/x/", page({"x-1.0-py3-none-any.whl"}, "")}});
  EXPECT_THAT(failure(), AllOf(HasSubstr("gives no SHA-256"), HasSubstr("--sha256")));
  query.sha256 = std::string(64, 'B');
  EXPECT_EQ(find_release(query, options).sha256, std::string(64, 'b'));
}

TEST_F(ReleaseOnIndex, MustHaveTheHashThatIsWanted) {
  serve({{"/simple/x/", page({"x-1.0-py3-none-any.whl"})}});
  query.sha256 = std::string(64, 'b');
  EXPECT_THAT(failure(), AllOf(HasSubstr("integrity"), HasSubstr(hash)));
}

TEST_F(ReleaseOnIndex, TellsWhatThereIsWhenNothingWillDo) {
  serve({{"/simple/x/", page({"x-1.0-py3-none-any.whl", "x-2.0-py3-none-win_amd64.whl", "x-2.0.tar.gz"})}});
  want(">=2");
  const std::string message = failure();
  EXPECT_THAT(message, AllOf(HasSubstr("not_available: there is no x >=2 for linux-x86_64"), HasSubstr("2.0: not for linux-x86_64"),
                             HasSubstr("1.0: not a version that was asked for"), HasSubstr("1 files that are no wheels"), HasSubstr("--index-url")));
  query.package = "unknown";
  EXPECT_THAT(failure(), HasSubstr("knows no such project"));
}

TEST_F(ReleaseOnIndex, TellsAPlaceThatFailed) {
  serve({});
  set_env("PIER_INDEX_URL", server->url("/simple"));
  server = std::make_unique<Server>([](const Request&) -> Reply { return {.status = 403}; });
  set_env("PIER_INDEX_URL", server->url("/simple"));
  EXPECT_THAT(failure(), AllOf(HasSubstr("network: x was not found"), HasSubstr("forbidden")));
}

}  // namespace
}  // namespace pier::test
