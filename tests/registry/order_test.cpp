#include <gmock/gmock.h>

#include <pier/catalog.h>
#include <pier/registry.h>

#include "registry/shop.h"

namespace {

using pier::ErrorCode;
using pier::InstallRequest;
using pier::InstallResult;
using pier::Outcome;
using registry_test::error_of;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// An accelerator whose package has several versions on the index, of which the catalog pins one.
class Versions : public registry_test::Home {
 protected:
  Versions() {
    for (const char* version : {"0.9.0", "0.10.0", "0.11.0rc1", "0.10.1"}) add(version);
    serve();
    const pier::Pin& pin = pins_.at("0.9.0");
    registry_test::write_file(folder() / "catalog/zap.toml",
                              "format = 1\nid = \"zap\"\nlabels = [\"gpu\"]\npriority = 450\nseen = [\"path:/nowhere/zap\"]\n[[package]]\n"
                              "name = \"test-plugin\"\nversion = \"0.9.0\"\ncreate_options = { zaps = 3 }\n[[package.file]]\nplatform = \"" +
                                  pin.platform + "\"\nfile = \"" + pin.file + "\"\nsize = " + std::to_string(pin.size) + "\nsha256 = \"" +
                                  pin.sha256 + "\"\nmember = \"zap/libzap.so\"\n");
    set("PIER_CATALOG", folder() / "catalog");
  }
  void add(const std::string& version, const std::string& member = "zap/libzap.so") {
    const std::string plugin = pier::test::read_text(std::filesystem::path(FAKE_PLUGIN_DIR) / "fake_plugin.so");
    wheels_[version] = pier::test::WheelBuilder("test_plugin", version).file(member, plugin).file("zap/libhelper.so", "no plugin").build();
    pins_[version] = pier::test::plugin_request(wheels_[version], version).pin;
  }
  void serve(const std::string& yanked = "") {
    std::string files;
    for (const auto& [version, pin] : pins_)
      files += (files.empty() ? "" : ",") + std::string(R"({"filename": ")") + pin.file + R"(", "url": "/files/)" + pin.file + R"(", "size": )" +
               std::to_string(pin.size) + R"(, "hashes": {"sha256": ")" + pin.sha256 + R"("}, "yanked": )" +
               (version == yanked ? R"("breaks")" : "false") + "}";
    server_ = std::make_unique<pier::test::Server>([this, page = R"({"files": [)" + files + "]}"](const pier::test::Request& asked) -> pier::test::Reply {
      if (asked.path == "/simple/test-plugin/") return {.headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}}, .body = page};
      for (const auto& [version, pin] : pins_)
        if (asked.path == "/files/" + pin.file) return pier::test::with_ranges(asked, wheels_.at(version));
      return {.status = 404, .body = "no such page"};
    });
    set("PIER_INDEX_URL", server_->url("/simple"));
  }
  static InstallResult get(const std::string& version, bool latest = false, bool pre = false) {
    InstallRequest request;
    request.version = version;
    request.latest = latest;
    request.pre = pre;
    return pier::install_plugin("zap", request);
  }

  std::map<std::string, std::string> wheels_;
  std::map<std::string, pier::Pin> pins_;
  std::unique_ptr<pier::test::Server> server_;
};

TEST_F(Versions, ThePinnedOneIsTakenUnlessAnotherIsWanted) {
  EXPECT_EQ(get("").plugin.version, "0.9.0");
  EXPECT_EQ(get("0.9").outcome, Outcome::already_installed) << "spelled otherwise";
  EXPECT_EQ(get("0.10.0").plugin.version, "0.10.0");
  EXPECT_EQ(get("", true).plugin.version, "0.10.1");
  EXPECT_EQ(get("", true, true).plugin.version, "0.11.0rc1");
  EXPECT_EQ(get("", false, true).plugin.version, "0.11.0rc1");
  EXPECT_EQ(get(">=0.9,<0.10.1").plugin.version, "0.10.0");
  EXPECT_EQ(get("0.11.0rc1").plugin.version, "0.11.0rc1");
}

TEST_F(Versions, TheSettingsAreThoseOfTheCatalog) {
  const InstallResult result = get("", true);
  EXPECT_EQ(result.plugin.id, "zap");
  EXPECT_EQ(result.plugin.labels, std::vector<std::string>{"gpu"});
  EXPECT_EQ(result.plugin.priority, 450);
  EXPECT_EQ(result.plugin.create_options, (pier::Attributes{{"zaps", std::int64_t{3}}}));
  EXPECT_EQ(result.plugin.sha256, pins_["0.10.1"].sha256);
  EXPECT_EQ(result.plugin.api_version, "0.117") << "the load test ran";
  EXPECT_EQ(get("", true).outcome, Outcome::already_installed);
}

TEST_F(Versions, AYankedOneIsTakenWithAWarningWhenItIsNamed) {
  serve("0.10.1");
  EXPECT_EQ(get("", true).plugin.version, "0.10.0");
  const InstallResult result = get("0.10.1");
  EXPECT_EQ(result.plugin.version, "0.10.1");
  EXPECT_THAT(result.notes, Contains(AllOf(HasSubstr("yanked"), HasSubstr("breaks"))));
}

TEST_F(Versions, TheLibraryMayHaveMoved) {
  add("0.12.0", "zap/moved/plugin.so");
  serve();
  const InstallResult result = get("", true);
  EXPECT_EQ(result.plugin.library, result.plugin.root / "zap/moved/plugin.so");
}

// An older copy is better than nothing where no network is.
TEST_F(Versions, WithoutANetworkTheNewestThatIsHereIsTaken) {
  get("0.10.0");
  get("0.10.1");
  get("0.9.0");
  for (const bool offline : {false, true}) {
    if (offline) set("PIER_OFFLINE", "1");
    else server_.reset(), set("PIER_INDEX_URL", "http://127.0.0.1:9/simple");
    const InstallResult result = get("", true);
    EXPECT_EQ(result.plugin.version, "0.10.1");
    EXPECT_THAT(result.notes, Contains(HasSubstr("newest that was installed before")));
    EXPECT_EQ(get("<0.10.1,>=0.10").plugin.version, "0.10.0");
    EXPECT_NE(error_of([] { get(">1"); }).code(), ErrorCode::internal);
  }
}

// Which index is asked is part of what was installed: a change of it is not passed over in silence.
TEST_F(Versions, OfAnotherIndexWithOtherBytesAreFetchedAgainAndNeverInPlaceOfAPin) {
  const InstallResult first = get("0.10.0");
  const std::string from = server_->url("/simple");
  EXPECT_EQ(first.plugin.source, from);
  for (const char* version : {"0.10.0", "0.9.0"}) {
    const std::string plugin = pier::test::read_text(std::filesystem::path(FAKE_PLUGIN_DIR) / "fake_plugin.so");
    wheels_[version] = pier::test::WheelBuilder("test_plugin", version).file("zap/libzap.so", plugin).file("zap/built", "elsewhere").build();
    pins_[version] = pier::test::plugin_request(wheels_[version], version).pin;
  }
  serve();
  ASSERT_NE(server_->url("/simple"), from);
  const InstallResult second = get("0.10.0");
  EXPECT_EQ(second.outcome, Outcome::replaced);
  EXPECT_EQ(second.plugin.source, server_->url("/simple"));
  EXPECT_NE(second.plugin.sha256, first.plugin.sha256);
  EXPECT_TRUE(std::filesystem::exists(second.plugin.root / "zap/built"));
  EXPECT_EQ(error_of([] { get("0.9.0"); }).code(), ErrorCode::integrity) << "the catalog pins 0.9.0";
  EXPECT_EQ(pier::installed_plugins().plugins.at(0).sha256, second.plugin.sha256);
}

TEST_F(Versions, ARequestThatContradictsItselfIsRefused) {
  EXPECT_EQ(error_of([] { get("0.9.0", true); }).code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error_of([] { get("newest"); }).what(), HasSubstr("neither a version nor conditions"));
  EXPECT_THAT(error_of([] { get("7.0"); }).what(), AllOf(HasSubstr("there is no test-plugin ==7.0"), HasSubstr("0.10.1: not a version")));
}

class From : public registry_test::Home {
 protected:
  InstallRequest request() const {
    InstallRequest out;
    out.from = library("my_plugin.so");
    return out;
  }
};

TEST_F(From, TheIdNeedNotBeInTheCatalog) {
  InstallRequest wanted = request();
  wanted.labels = {"GPU"};
  const InstallResult result = pier::install_plugin("mine", wanted);
  EXPECT_EQ(result.plugin.labels, std::vector<std::string>{"gpu"});
  EXPECT_EQ(result.plugin.priority, 500) << "that of its label";
  EXPECT_EQ(result.plugin.api_version, "0.117") << "the load test ran";
  EXPECT_EQ(pier::resolve("mine").taken()->library, result.plugin.library);
  EXPECT_EQ(pier::connect("mine").devices().empty(), false);
  EXPECT_EQ(pier::install_plugin("mine", wanted).outcome, Outcome::already_installed);
}

TEST_F(From, AnIdOfTheCatalogKeepsItsLabelsAndPriority) {
  const InstallResult result = pier::install_plugin("cpu", request());
  EXPECT_EQ(result.plugin.priority, pier::catalog_entry("cpu")->priority);
}

TEST_F(From, WhatDoesNotLoadIsNotInstalled) {
  InstallRequest wanted;
  wanted.from = library("null.so", "null_table.so");
  EXPECT_THAT(error_of([&] { pier::install_plugin("mine", wanted); }).what(), HasSubstr("returned null"));
  EXPECT_TRUE(pier::installed_plugins().plugins.empty());
}

TEST_F(From, GoesWithNoVersion) {
  InstallRequest wanted = request();
  wanted.latest = true;
  EXPECT_EQ(error_of([&] { pier::install_plugin("mine", wanted); }).code(), ErrorCode::invalid_argument);
}

}  // namespace
