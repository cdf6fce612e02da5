#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"
#include "store/server.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// An index with one project, and a catalog of one accelerator that pins a file of it.
class Catalog : public testing::Test {
 protected:
  Catalog() {
    sandbox_.set("PIER_OFFLINE", "");
    sandbox_.set("PIER_INDEX_URL", server_.url("/simple"));
    std::filesystem::create_directories(sandbox_.path("catalog"));
    sandbox_.set("PIER_CATALOG", sandbox_.path("catalog").native());
  }

  void pin(const std::string& file, const std::string& version, char hash) const {
    sandbox_.write("catalog/zap.toml", "format = 1\nid = \"zap\"\n\n[[package]]\nname = \"zap\"\nversion = \"" + version +
                                           "\"\n\n[[package.file]]\nplatform = \"linux-x86_64\"\nfile = \"" + file + "\"\nsize = 10\nsha256 = \"" +
                                           std::string(64, hash) + "\"\nmember = \"a.so\"\n");
  }
  Finished pier(const std::vector<std::string>& words) const { return sandbox_.pier(words); }

  Sandbox sandbox_;

 private:
  static test::Reply answer(const test::Request& asked) {
    if (asked.path != "/simple/zap/") return {.status = 404, .headers = {}, .body = "no"};
    const auto file = [](const char* version, char hash) {
      return R"({"filename": "zap-)" + std::string(version) + R"(-py3-none-any.whl", "url": "x", "size": 10, "hashes": {"sha256": ")" + std::string(64, hash) + R"("}})";
    };
    return {.status = 200, .headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}},
            .body = R"({"meta": {"api-version": "1.1"}, "name": "zap", "files": [)" + file("1.0", 'a') + ", " + file("1.10", 'b') + ", " + file("1.9", 'c') + "]}"};
  }
  test::Server server_{answer};
};

TEST_F(Catalog, CheckNamesEveryFileAndEndsByTheWorst) {
  pin("zap-1.0-py3-none-any.whl", "1.0", 'a');
  const Finished good = pier({"catalog", "check", "zap"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(good.out, "zap zap-1.0-py3-none-any.whl: ok\n1 of 1 files are as pinned\n");

  pin("zap-1.0-py3-none-any.whl", "1.0", 'f');
  const Finished other = pier({"catalog", "check", "zap"});
  EXPECT_EQ(other.exit_code, 4);
  EXPECT_THAT(other.out, StartsWith("zap zap-1.0-py3-none-any.whl: differs: "));
  EXPECT_THAT(other.out, HasSubstr("0 of 1 files are as pinned"));

  pin("zap-0.1-py3-none-any.whl", "0.1", 'a');
  EXPECT_EQ(pier({"catalog", "check", "zap"}).exit_code, 3);
  sandbox_.set("PIER_INDEX_URL", "http://127.0.0.1:1/simple");
  const Finished away = pier({"catalog", "check", "zap", "--json"});
  EXPECT_EQ(away.exit_code, 1) << away.err;
  EXPECT_EQ(json_at(away.out, "/pins/0/state"), "unknown");
  sandbox_.set("PIER_OFFLINE", "1");
  EXPECT_EQ(pier({"catalog", "check", "zap"}).exit_code, 3);
}

TEST_F(Catalog, CheckAsJson) {
  pin("zap-1.0-py3-none-any.whl", "1.0", 'a');
  const Finished finished = pier({"catalog", "check", "zap", "--json"});
  EXPECT_EQ(json_at(finished.out, "/good"), "1");
  EXPECT_EQ(json_at(finished.out, "/pins/0/id"), "zap");
  EXPECT_EQ(json_at(finished.out, "/pins/0/state"), "ok");
  EXPECT_EQ(json_at(finished.out, "/pins/0/file"), "zap-1.0-py3-none-any.whl");
  EXPECT_EQ(json_at(finished.out, "/pins/0/detail"), "null");
}

TEST_F(Catalog, RefreshWritesNothingUnlessTold) {
  pin("zap-1.0-py3-none-any.whl", "1.0", 'a');
  const std::string before = sandbox_.read("catalog/zap.toml");
  const Finished shown = pier({"catalog", "refresh", "zap"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, StartsWith("zap: zap 1.0 -> 1.10\n- file = \"zap-1.0-py3-none-any.whl\"\n- size = 10\n- sha256 = \"aaaa"));
  EXPECT_THAT(shown.out, HasSubstr("+ file = \"zap-1.10-py3-none-any.whl\"\n"));
  EXPECT_EQ(json_at(pier({"catalog", "refresh", "zap", "--json"}).out, "/entries/0/newer/0/to"), "1.10");
  EXPECT_EQ(sandbox_.read("catalog/zap.toml"), before);

  EXPECT_EQ(pier({"catalog", "refresh", "zap", "--write", "catalog"}).exit_code, 0);
  EXPECT_NE(sandbox_.read("catalog/zap.toml"), before);
  EXPECT_EQ(pier({"catalog", "check", "zap"}).exit_code, 0);
  EXPECT_EQ(pier({"catalog", "refresh", "zap"}).out, "nothing newer is there\n");
}

TEST_F(Catalog, ActionsAndIdsThatDoNotExistAreTold) {
  EXPECT_EQ(pier({"catalog"}).exit_code, 2);
  const Finished action = pier({"catalog", "chek"});
  EXPECT_EQ(action.exit_code, 2);
  EXPECT_THAT(action.err, HasSubstr("check or refresh"));
  const Finished id = pier({"catalog", "check", "warp9"});
  EXPECT_EQ(id.exit_code, 1);
  EXPECT_THAT(id.err, HasSubstr("the catalog has no 'warp9'"));
  EXPECT_THAT(pier({"catalog", "check", "--help"}).out, HasSubstr("--index-url"));
}

// Packages that look like plugins are told with the reason, not as unknown names.
TEST_F(Catalog, InstallTellsWhyAPackageCannotBeUsed) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"install", "jax-qnn"}, {"install", "cuda12", "--package", "jax_cuda11_pjrt"}}) {
    const Finished finished = pier(words);
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_THAT(finished.err, HasSubstr("cannot be used: "));
  }
}

}  // namespace
}  // namespace pier::cli_test
