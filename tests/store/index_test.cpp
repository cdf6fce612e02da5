#include "store/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>

#include "store/home.h"

namespace pier::test {
namespace {

using testing::HasSubstr;

std::vector<IndexFile> json(std::string_view body) {
  std::vector<IndexFile> files;
  read_index_json(body, [&](IndexFile&& file) { files.push_back(std::move(file)); });
  return files;
}

std::vector<IndexFile> html(std::string_view body, std::string* base = nullptr) {
  std::vector<IndexFile> files;
  const std::string found = read_index_html(body, [&](IndexFile&& file) { files.push_back(std::move(file)); });
  if (base) *base = found;
  return files;
}

const std::string hash(64, 'a');

TEST(IndexJson, ReadsWhatPep691Promises) {
  const auto files = json(R"({"meta": {"api-version": "1.1", "_last-serial": "4"}, "name": "x", "versions": ["1", "2"], "files": [
    {"filename": "x-1-py3-none-any.whl", "url": "https://h/x-1-py3-none-any.whl", "hashes": {"sha256": ")" + hash + R"("},
     "requires-python": ">=3.9", "size": 123, "yanked": false, "core-metadata": {"sha256": "ff"}},
    {"filename": "x-2.tar.gz", "url": "../x-2.tar.gz", "hashes": {}, "yanked": "broken \"build\""},
    {"filename": "x-3.tar.gz", "url": "x-3.tar.gz", "hashes": {"md5": "aa"}, "yanked": true, "size": null},
    {"filename": "x-4.tar.gz", "url": "x-4.tar.gz", "hashes": {}, "yanked": ""}]})");
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[0].name, "x-1-py3-none-any.whl");
  EXPECT_EQ(files[0].sha256, hash);
  EXPECT_EQ(files[0].size, 123u);
  EXPECT_EQ(files[0].requires_python, ">=3.9");
  EXPECT_FALSE(files[0].yanked);
  EXPECT_TRUE(files[1].yanked);
  EXPECT_EQ(files[1].yanked_reason, "broken \"build\"");
  EXPECT_EQ(files[1].sha256, "");
  EXPECT_FALSE(files[1].size);
  EXPECT_TRUE(files[2].yanked);
  EXPECT_TRUE(files[3].yanked);
}

TEST(IndexJson, SaysWhatIsWrongWithAPage) {
  const auto message = [](std::string_view body) -> std::string {
    try {
      json(body);
      return "no error";
    } catch (const NetworkError& error) {
      return error.message();
    }
  };
  EXPECT_THAT(message(R"({"meta": {"api-version": "2.0"}, "files": []})"), HasSubstr("version 2.0"));
  EXPECT_THAT(message(R"({"files": [{"filename": "x")"), HasSubstr("not JSON from byte"));
  EXPECT_THAT(message("<html>"), HasSubstr("not JSON"));
  EXPECT_THAT(message("{}"), HasSubstr("no list of files"));
  EXPECT_THAT(message("[]"), HasSubstr("no list of files"));
  EXPECT_THAT(message(R"({"files": )" + std::string(100'000, '[')), HasSubstr("nested too deeply"));
}

TEST(IndexJson, TakesNoNameFromAnotherDepth) {
  const auto files = json(R"({"name": "x", "extra": {"files": [{"filename": "evil", "url": "evil"}]},
    "files": [{"filename": "good", "url": "good", "provenance": {"filename": "evil", "url": "evil"},
               "hashes": {"sha256": "no hash"}, "core-metadata": {"sha256": ")" + hash + R"("}}]})");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name, "good");
  EXPECT_EQ(files[0].url, "good");
  EXPECT_EQ(files[0].sha256, "");
}

TEST(IndexHtml, ReadsWhatPep503Promises) {
  std::string base;
  const auto files = html(R"(<!DOCTYPE html><html><head><base href="https://h/b/"><title>x</title>
    <!-- <a href="commented.whl">commented.whl</a> -->
    <script>var s = '<a href="script.whl">';</script></head><body>
    <a href="../f/x-1-py3-none-any.whl#sha256=)" + hash + R"(" data-requires-python="&gt;=3.9&#x2c;&lt;4">x-1-py3-none-any.whl</a><br/>
    <A HREF='x%2B2.whl' data-yanked="a &quot;reason&quot;">x</A>
    <a data-yanked href=x-3.whl>x-3.whl</a>
    <a name="anchor">no link</a> <abbr href="no">x</abbr> < a href="no"> </body>)", &base);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(base, "https://h/b/");
  EXPECT_EQ(files[0].name, "x-1-py3-none-any.whl");
  EXPECT_EQ(files[0].sha256, hash);
  EXPECT_EQ(files[0].requires_python, ">=3.9,<4");
  EXPECT_EQ(files[1].name, "x+2.whl");
  EXPECT_EQ(files[1].yanked_reason, "a \"reason\"");
  EXPECT_TRUE(files[2].yanked);
  EXPECT_EQ(files[2].url, "x-3.whl");
}

TEST(IndexHtml, GetsThroughBrokenTags) {
  EXPECT_TRUE(html("").empty());
  EXPECT_TRUE(html("<").empty());
  EXPECT_TRUE(html("<a").empty());
  EXPECT_TRUE(html("<a href").empty());
  EXPECT_TRUE(html("<a href=").empty());
  EXPECT_TRUE(html("<!--").empty());
  EXPECT_TRUE(html("<script>").empty());
  EXPECT_EQ(html("<a = == href=x.whl>").size(), 1u);
  EXPECT_EQ(html("<a href=a.whl").size(), 1u);
  EXPECT_THROW(html("<a href=\"never closed"), NetworkError);
  EXPECT_EQ(html("<a href='&#0;&#xD800;&#9999999;&bogus;x.whl'>").at(0).url, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd&bogus;x.whl");
  EXPECT_EQ(html("<a href='&#9999999999999999;x&'>").at(0).url, "&#9999999999999999;x&");
}

class IndexOnServer : public testing::Test {
 protected:
  static HttpSettings fast() {
    HttpSettings settings;
    settings.backoff = std::chrono::milliseconds(1);
    settings.attempts = 2;
    return settings;
  }
  Home home;
};

Pin pin() {
  Pin pin;
  pin.package = "Test.Plugin";
  pin.version = "1.0";
  pin.file = "test_plugin-1.0-py3-none-any.whl";
  pin.sha256 = hash;
  pin.size = 10;
  return pin;
}

std::string url_of(const PackageSource& source) { return std::get<Url>(source.where).text; }

TEST_F(IndexOnServer, IsAskedForJsonAndUnderstoodInHtml) {
  Server server([](const Request&) -> Reply {
    return {.headers = {{"Content-Type", "text/html; charset=utf-8"}},
            .body = "<a href='/f/test_plugin-1.0-py3-none-any.whl#sha256=" + hash + "'>x</a>"};
  });
  HttpClient client(fast());
  IndexConfig config;
  config.indexes = {{server.url("/simple/"), "test"}};
  EXPECT_EQ(url_of(find_remote(client, config, pin())), server.url("/f/test_plugin-1.0-py3-none-any.whl"));
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(server.requests()[0].path, "/simple/test-plugin/");
  EXPECT_THAT(server.requests()[0].headers.at("accept"), testing::StartsWith("application/vnd.pypi.simple.v1+json"));
}

TEST_F(IndexOnServer, MayRedirectAMissingSlashAndLinkRelativeToWhereItLed) {
  Server server([](const Request& request) -> Reply {
    if (request.path == "/simple/test-plugin/") return {.status = 301, .headers = {{"Location", "/moved/here/"}}};
    return {.headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}},
            .body = R"({"files": [{"filename": "test_plugin-1.0-py3-none-any.whl", "url": "w.whl", "hashes": {}}]})"};
  });
  HttpClient client(fast());
  IndexConfig config;
  config.indexes = {{server.url("/simple"), "test"}};
  EXPECT_EQ(url_of(find_remote(client, config, pin())), server.url("/moved/here/w.whl"));
}

TEST_F(IndexOnServer, RefusesOtherBytesUnderThePinnedName) {
  for (const char* extra : {R"("hashes": {"sha256": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"})", R"("hashes": {}, "size": 11)"}) {
    Server server([&](const Request&) -> Reply {
      return {.body = R"({"files": [{"filename": "test_plugin-1.0-py3-none-any.whl", "url": "w.whl", )" + std::string(extra) + "}]}"};
    });
    HttpClient client(fast());
    IndexConfig config;
    config.indexes = {{server.url("/simple"), "test"}};
    EXPECT_THROW(find_remote(client, config, pin()), IntegrityError) << extra;
  }
}

TEST_F(IndexOnServer, FallsBackToExtraIndexesAndListsEveryPlaceThatFailed) {
  Server server([](const Request& request) -> Reply {
    if (request.path.starts_with("/second/"))
      return {.body = R"({"files": [{"filename": "test_plugin-1.0-py3-none-any.whl", "url": "w.whl", "yanked": "bad build"}]})"};
    if (request.path.starts_with("/empty/")) return {.body = R"({"files": []})"};
    if (request.path.starts_with("/broken/")) return {.status = 500};
    return {.status = 404};
  });
  HttpClient client(fast());
  IndexConfig config;
  config.indexes = {{server.url("/first"), "PIP_INDEX_URL"}, {server.url("/second"), "extra"}};
  const PackageSource source = find_remote(client, config, pin());
  EXPECT_EQ(url_of(source), server.url("/second/test-plugin/w.whl"));
  EXPECT_TRUE(source.yanked);
  EXPECT_EQ(source.yanked_reason, "bad build");

  config.indexes = {{server.url("/first"), "PIP_INDEX_URL"}, {server.url("/empty"), "a"}, {server.url("/broken"), "b"}};
  try {
    find_remote(client, config, pin());
    FAIL();
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/first (PIP_INDEX_URL): knows no project"));
    EXPECT_THAT(error.what(), HasSubstr("/empty: has 0 files"));
    EXPECT_THAT(error.what(), HasSubstr("status 500"));
    EXPECT_THAT(error.what(), HasSubstr("--index-url"));
  }
}

TEST_F(IndexOnServer, SendsCredentialsToItsOwnOriginAndShowsThemNowhere) {
  Server other([](const Request&) -> Reply { return {.body = "x"}; });
  Server server([](const Request& request) -> Reply {
    if (!request.headers.contains("authorization")) return {.status = 401};
    return {.body = R"({"files": [{"filename": "test_plugin-1.0-py3-none-any.whl", "url": "w.whl"}]})"};
  });
  HttpClient client(fast());
  std::string url = server.url("/simple");
  url.insert(7, "user:sec%40ret@");
  IndexConfig config;
  config.indexes = {{url, "test"}};
  const PackageSource source = find_remote(client, config, pin());
  EXPECT_EQ(source.from, server.url("/simple"));
  EXPECT_EQ(url_of(source).find("ret"), std::string::npos);
  EXPECT_EQ(server.requests().at(0).headers.at("authorization"), "Basic dXNlcjpzZWNAcmV0");
  // The file lies on the same origin: the same credentials. Another origin gets none.
  ASSERT_TRUE(client.get_document(std::get<Url>(source.where), "*/*", 1000));
  EXPECT_TRUE(server.requests().at(1).headers.contains("authorization"));
  ASSERT_TRUE(client.get_document(parse_url(other.url("/x")), "*/*", 1000));
  EXPECT_FALSE(other.requests().at(0).headers.contains("authorization"));
  config.indexes = {{"http://user:secret@127.0.0.1:1/simple", "test"}};
  try {
    find_remote(client, config, pin());
    FAIL();
  } catch (const NetworkError& error) {
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
  }
}

TEST_F(IndexOnServer, GoesOnAfterAnAddressThatCannotBeUsed) {
  const std::string file = pin().file;
  Server server([&](const Request&) -> Reply { return {.body = R"({"files": [{"filename": ")" + file + R"(", "url": "w.whl"}]})"}; });
  Server broken([&](const Request&) -> Reply { return {.body = "<a href='ftp://h/" + file + "'>x</a>"}; });
  HttpClient client(fast());
  IndexConfig config;
  config.find_links = {{"git+ssh://h.example/x", "PIP_FIND_LINKS"}};
  config.indexes = {{"https://", "PIP_INDEX_URL"}, {broken.url("/simple"), "extra"}, {server.url("/simple"), "extra"}};
  EXPECT_EQ(url_of(find_remote(client, config, pin())), server.url("/simple/test-plugin/w.whl"));
  config.indexes.pop_back();
  try {
    find_remote(client, config, pin());
    FAIL();
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("git+ssh://h.example/x (PIP_FIND_LINKS): not a usable URL"));
    EXPECT_THAT(error.what(), HasSubstr("https:// (PIP_INDEX_URL): not a usable URL"));
    EXPECT_THAT(error.what(), HasSubstr("not a usable URL: ftp://h/"));
  }
}

TEST_F(IndexOnServer, ResolvesLinksAgainstTheBaseOfThePage) {
  Server server([&](const Request&) -> Reply {
    return {.headers = {{"Content-Type", "text/html"}}, .body = "<base href='../../files/'><a href='" + pin().file + "'>x</a>"};
  });
  HttpClient client(fast());
  IndexConfig config;
  config.indexes = {{server.url("/simple"), "test"}};
  EXPECT_EQ(url_of(find_remote(client, config, pin())), server.url("/files/" + pin().file));
}

TEST_F(IndexOnServer, MayBeALocalFolder) {
  const auto index = home.path() / "index";
  const auto file = index / "files" / pin().file;
  write_text(file, "0123456789");
  for (const char* page : {"<a href='../files/%s'>x</a>", "<base href='../files/'><a href='%s'>x</a>"}) {
    std::string content = page;
    content.replace(content.find("%s"), 2, pin().file);
    write_text(index / "test-plugin/index.html", content);
    IndexConfig config;
    config.indexes = {{index.native(), "test"}};
    const LocalFiles local = find_local(config, pin());
    ASSERT_EQ(local.files.size(), 1u) << page;
    EXPECT_EQ(std::get<std::filesystem::path>(local.files[0].where).lexically_normal(), file);
  }
}

TEST_F(IndexOnServer, SaysWhatEveryLocalPlaceLacks) {
  const auto folder = home.path();
  write_text(folder / "short" / pin().file, "short");
  write_text(folder / "page.html", "<a href='other-1.0-py3-none-any.whl'>x</a>");
  write_text(folder / "stale.html", "<a href='gone/" + pin().file + "'>x</a>");
  std::filesystem::create_directories(folder / "empty");
  IndexConfig config;
  for (const char* place : {"missing", "empty", "short", "page.html", "stale.html"}) config.find_links.push_back({(folder / place).native(), "test"});
  config.find_links.push_back({"file://elsewhere.example/x", "test"});
  config.indexes = {{(folder / "empty").native(), "index"}};
  const LocalFiles local = find_local(config, pin());
  EXPECT_TRUE(local.files.empty());
  ASSERT_EQ(local.looked.size(), 7u);
  HttpClient client(fast());
  try {
    find_remote(client, config, pin(), local);
    FAIL();
  } catch (const NetworkError& error) {
    const std::string message = error.what();
    EXPECT_THAT(message, HasSubstr("missing (test): there is no such file or folder"));
    EXPECT_THAT(message, HasSubstr("empty (test): has no " + pin().file));
    EXPECT_THAT(message, HasSubstr("has 5 bytes, pinned are 10"));
    EXPECT_THAT(message, HasSubstr("page.html: has 1 files"));
    EXPECT_THAT(message, HasSubstr("gone/" + pin().file + ", which is not there"));
    EXPECT_THAT(message, HasSubstr("empty (index): knows no project"));
  }
}

TEST_F(IndexOnServer, MayBeLinkedFromALocalPage) {
  write_text(home.path() / "links.html", "<a href='https://h.example/f/" + pin().file + "'>x</a>");
  write_text(home.path() / "wheels" / pin().file, "0123456789");
  write_text(home.path() / "near.html", "<a href='wheels/" + pin().file + "'>x</a>");
  IndexConfig config;
  config.find_links = {{(home.path() / "links.html").native(), "test"}, {(home.path() / "near.html").native(), "test"}};
  const LocalFiles local = find_local(config, pin());
  EXPECT_EQ(local.files.size(), 1u);
  HttpClient client(fast());
  EXPECT_EQ(url_of(find_remote(client, config, pin(), local)), "https://h.example/f/" + pin().file);
}

TEST_F(IndexOnServer, MayNotPointIntoThisMachine) {
  Server server([](const Request&) -> Reply {
    return {.body = R"({"files": [{"filename": "test_plugin-1.0-py3-none-any.whl", "url": "file:///etc/passwd"}]})"};
  });
  HttpClient client(fast());
  IndexConfig config;
  config.indexes = {{server.url("/simple"), "test"}};
  EXPECT_THROW(find_remote(client, config, pin()), NetworkError);
}

TEST_F(IndexOnServer, SaysHowToNameAnIndexWhenThereIsNone) {
  HttpClient client(fast());
  try {
    find_remote(client, IndexConfig{}, pin());
    FAIL();
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("PIER_INDEX_URL"));
  }
  set_env("PIP_NO_INDEX", "1");
  try {
    find_remote(client, index_config(), pin());
    FAIL();
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("PIP_NO_INDEX forbids every package index"));
  }
}

TEST_F(IndexOnServer, WithTenThousandFilesIsReadWhole) {
  std::string body = R"({"files": [)";
  for (int i = 0; i < 10'000; ++i)
    body += (i ? "," : "") + std::string(R"({"filename": "x-)") + std::to_string(i) + R"(-py3-none-any.whl", "url": "u", "hashes": {"sha256": ")" +
            hash + R"("}, "size": 1, "yanked": false})";
  EXPECT_EQ(json(body + "]}").size(), 10'000u);
}

}  // namespace
}  // namespace pier::test
