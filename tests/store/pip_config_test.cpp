#include "store/pip_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>

#include "store/home.h"
#include "store/index.h"

namespace pier::test {
namespace {

using testing::ElementsAre;

TEST(PipConfig, ReadsSectionsContinuationsAndComments) {
  PipConfig config;
  config.read_text(
      "# comment\n; another\n[global]\nindex_url = https://a/simple\nextra-index-url =\n    https://b/simple\n    # not this\n    https://c/simple\n"
      "Timeout: 7\n[install]\nindex-url = https://d/simple\n[freeze]\nindex-url = https://e/simple\n",
      "test.conf");
  EXPECT_EQ(config.get("index-url")->value, "https://d/simple");
  EXPECT_EQ(config.get("index-url")->from, "test.conf");
  EXPECT_EQ(config.get("timeout")->value, "7");
  std::vector<std::string> extra;
  for (const auto& setting : config.list("extra-index-url")) extra.push_back(setting.value);
  EXPECT_THAT(extra, ElementsAre("https://b/simple", "https://c/simple"));
  EXPECT_FALSE(config.get("cert"));
}

TEST(PipConfig, LetsALaterFileWinButInstallStandAboveGlobal) {
  PipConfig config;
  config.read_text("[install]\nproxy = first\n[global]\ncert = a\n", "1");
  config.read_text("[global]\nproxy = second\ncert = b\n", "2");
  EXPECT_EQ(config.get("proxy")->value, "first");
  EXPECT_EQ(config.get("cert")->value, "b");
}

TEST(PipConfig, TakesNothingFromABrokenFile) {
  PipConfig config;
  EXPECT_THROW(config.read_text("[global]\ncert = a\nnonsense\n", "x"), Error);
  EXPECT_THROW(config.read_text("cert = a\n", "x"), Error);
  EXPECT_FALSE(config.get("cert"));
}

class IndexChoice : public testing::Test {
 protected:
  Home home;
  IndexConfig config(std::string_view given = {}) { return index_config(given); }
};

TEST_F(IndexChoice, FollowsTheOrderOfTheDesign) {
  unset_env("PIP_CONFIG_FILE");
  write_text(home.path() / ".config/pip/pip.conf", "[global]\nindex-url = https://file/simple\n");
  EXPECT_EQ(config().indexes.at(0).url, "https://file/simple");
  EXPECT_EQ(config().indexes.at(0).from, (home.path() / ".config/pip/pip.conf").native());
  set_env("UV_INDEX_URL", "https://uv-old/simple");
  EXPECT_EQ(config().indexes.at(0).url, "https://uv-old/simple");
  set_env("UV_DEFAULT_INDEX", "corp=https://uv/simple");
  EXPECT_EQ(config().indexes.at(0).url, "https://uv/simple");
  set_env("PIP_INDEX_URL", "https://pip/simple");
  EXPECT_EQ(config().indexes.at(0).url, "https://pip/simple");
  set_env("PIER_INDEX_URL", "https://pier/simple");
  EXPECT_EQ(config().indexes.at(0).url, "https://pier/simple");
  EXPECT_EQ(config("https://given/simple").indexes.at(0).url, "https://given/simple");
  EXPECT_EQ(config("https://given/simple").indexes.at(0).from, "--index-url");
}

TEST_F(IndexChoice, ReadsTheFilesInPipsOrder) {
  unset_env("PIP_CONFIG_FILE");
  set_env("XDG_CONFIG_DIRS", (home.path() / "xdg1").native() + ":" + (home.path() / "xdg2").native());
  write_text(home.path() / "xdg2/pip/pip.conf", "[global]\nproxy = http://xdg2\n");
  EXPECT_EQ(PipConfig::of_machine().get("proxy")->value, "http://xdg2");
  write_text(home.path() / "xdg1/pip/pip.conf", "[global]\nproxy = http://xdg1\n");
  EXPECT_EQ(PipConfig::of_machine().get("proxy")->value, "http://xdg1");
  write_text(home.path() / ".pip/pip.conf", "[global]\nproxy = http://legacy\n");
  EXPECT_EQ(PipConfig::of_machine().get("proxy")->value, "http://legacy");
  write_text(home.path() / ".config/pip/pip.conf", "[global]\nproxy = http://user\n");
  EXPECT_EQ(PipConfig::of_machine().get("proxy")->value, "http://user");
  set_env("VIRTUAL_ENV", (home.path() / "venv").native());
  write_text(home.path() / "venv/pip.conf", "[global]\nproxy = http://venv\n");
  EXPECT_EQ(PipConfig::of_machine().get("proxy")->value, "http://venv");
  set_env("PIP_CONFIG_FILE", (home.path() / "own.conf").native());
  write_text(home.path() / "own.conf", "[global]\nproxy = http://own\n");
  EXPECT_EQ(PipConfig::of_machine().get("proxy")->value, "http://own");
  set_env("PIP_PROXY", "http://variable");
  EXPECT_EQ(config().http.proxy, "http://variable");
}

TEST_F(IndexChoice, TakesExtraIndexesFindLinksHostsAndTimeout) {
  set_env("PIP_INDEX_URL", "https://a/simple");
  set_env("PIP_EXTRA_INDEX_URL", "https://b/simple https://c/simple");
  set_env("PIP_FIND_LINKS", "/wheels https://d/links");
  set_env("PIP_TRUSTED_HOST", "h.example other.example:8443");
  set_env("PIP_DEFAULT_TIMEOUT", "180");
  const IndexConfig all = index_config({}, {"/mine"});
  ASSERT_EQ(all.indexes.size(), 3u);
  EXPECT_EQ(all.indexes[2].url, "https://c/simple");
  ASSERT_EQ(all.find_links.size(), 3u);
  EXPECT_EQ(all.find_links[0].url, "/mine");
  EXPECT_EQ(all.find_links[2].url, "https://d/links");
  EXPECT_THAT(all.http.trusted_hosts, ElementsAre("h.example", "other.example:8443"));
  EXPECT_EQ(all.http.stall_timeout, std::chrono::seconds(180));
  EXPECT_EQ(index_config("https://only/simple").indexes.size(), 1u);
  const int usual = all.http.attempts;
  for (const auto& [retries, attempts] : {std::pair{"0", 1}, {"7", 8}, {"-3", usual}, {"some", usual}, {"4000000000", usual}}) {
    set_env("PIP_RETRIES", retries);
    EXPECT_EQ(index_config().http.attempts, attempts) << retries;
  }
}

TEST_F(IndexChoice, LooksForAuthoritiesWherePipDoes) {
  set_env("SSL_CERT_FILE", "/ssl");
  EXPECT_EQ(config().http.ca, "/ssl");
  set_env("CURL_CA_BUNDLE", "/curl");
  EXPECT_EQ(config().http.ca, "/curl");
  set_env("REQUESTS_CA_BUNDLE", "/requests");
  EXPECT_EQ(config().http.ca, "/requests");
  set_env("PIP_CERT", "/pip");
  EXPECT_EQ(config().http.ca, "/pip");
  EXPECT_EQ(config().http.ca_from, "PIP_CERT");
  EXPECT_THROW(HttpClient(config().http), Error);
}

TEST_F(IndexChoice, KnowsNoIndex) {
  set_env("PIP_INDEX_URL", "https://a/simple");
  set_env("PIP_NO_INDEX", "1");
  EXPECT_TRUE(config().indexes.empty());
}

}  // namespace
}  // namespace pier::test
