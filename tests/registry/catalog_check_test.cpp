#include <algorithm>

#include <gmock/gmock.h>

#include "registry/catalog_check.h"
#include "registry/catalog_refresh.h"
#include "registry/home.h"
#include "store/home.h"
#include "store/server.h"

namespace {

using pier::CatalogEntry;
using pier::ErrorCode;
using pier::Pin;
using pier::registry::CheckedPin;
using pier::registry::PinState;
using pier::registry::Projects;
using pier::registry::Refreshed;
using registry_test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// One file on a project's page.
struct Listed {
  std::string file;
  std::uint64_t size = 10;
  char hash = 'a';             // 64 of it
  std::string yanked = "false";  // as JSON
};

std::string page_of(const std::vector<Listed>& files) {
  std::string out;
  for (const Listed& listed : files)
    out += std::string(out.empty() ? "" : ", ") + R"({"filename": ")" + listed.file + R"(", "url": "x", "hashes": {)" +
           (listed.hash ? R"("sha256": ")" + std::string(64, listed.hash) + "\"" : std::string()) + R"(}, "size": )" + std::to_string(listed.size) +
           R"(, "yanked": )" + listed.yanked + "}";
  return R"({"meta": {"api-version": "1.1"}, "name": "x", "files": [)" + out + "]}";
}

// An index of several projects.
class CatalogCheck : public registry_test::Home {
 protected:
  void serve(std::map<std::string, std::vector<Listed>> projects) {
    server_ = std::make_unique<pier::test::Server>([projects](const pier::test::Request& asked) -> pier::test::Reply {
      for (const auto& [name, files] : projects)
        if (asked.path == "/simple/" + name + "/")
          return {.status = 200, .headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}}, .body = page_of(files)};
      return {.status = asked.path.find("broken") == std::string::npos ? 404 : 403, .headers = {}, .body = "no"};
    });
    set("PIER_INDEX_URL", server_->url("/simple"));
  }
  std::size_t requests() const { return server_->requests().size(); }

  static Pin pin(const std::string& package, const std::string& file, const std::string& platform = "linux-x86_64") {
    return {package, "1.0", file, 10, std::string(64, 'a'), "a.so", platform, "", 0};
  }

  static CheckedPin check(const Pin& pin) {
    Projects projects({});
    return check_pin(pin, projects);
  }

 private:
  std::unique_ptr<pier::test::Server> server_;
};

TEST_F(CatalogCheck, TellsWhatTheIndexSaysOfAPinnedFile) {
  serve({{"zap", {{.file = "good.whl"}, {.file = "other.whl", .hash = 'b'}, {.file = "longer.whl", .size = 11}, {.file = "bare.whl", .hash = 0},
                  {.file = "gone.whl", .yanked = "\"breaks things\""}, {.file = "quietly.whl", .yanked = "true"},
                  {.file = "both.whl", .hash = 'b', .yanked = "true"}}}});
  struct Case {
    const char* package;
    const char* file;
    PinState state;
    const char* says;
  };
  for (const Case& c : {Case{"zap", "good.whl", PinState::good, ""}, Case{"zap", "other.whl", PinState::differs, "offers SHA-256 bbbb"},
                        Case{"zap", "longer.whl", PinState::differs, "offers 11 bytes, pinned are 10"},
                        Case{"zap", "bare.whl", PinState::unverified, "gives no SHA-256"}, Case{"zap", "gone.whl", PinState::yanked, ": breaks things"},
                        Case{"zap", "quietly.whl", PinState::yanked, "withdrawn on "}, Case{"zap", "nowhere.whl", PinState::missing, "not among the 7 files of zap"},
                        // Other bytes are worse than a withdrawal.
                        Case{"zap", "both.whl", PinState::differs, "offers SHA-256"}, Case{"zip", "good.whl", PinState::missing, "no index knows zip"},
                        Case{"broken", "good.whl", PinState::unknown, "403"}}) {
    const CheckedPin checked = check(pin(c.package, c.file));
    EXPECT_EQ(name(checked.state), name(c.state)) << c.package << " " << c.file;
    EXPECT_THAT(checked.detail, HasSubstr(c.says)) << c.file;
  }
}

TEST_F(CatalogCheck, AProjectIsAskedForOnceHoweverItAnswers) {
  serve({{"zap", {{.file = "a.whl"}, {.file = "b.whl"}}}});
  Projects projects({});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(check_pin(pin("zap", "a.whl"), projects).state, PinState::good);
    EXPECT_EQ(check_pin(pin("zap", "b.whl"), projects).state, PinState::good);
    EXPECT_EQ(check_pin(pin("zip", "a.whl"), projects).state, PinState::missing);
    EXPECT_EQ(check_pin(pin("broken", "a.whl"), projects).state, PinState::unknown);
  }
  EXPECT_EQ(requests(), 3u);
}

TEST_F(CatalogCheck, AnIndexInAFolderIsReadAndSeveralAreSearchedInOrder) {
  registry_test::write_file(folder() / "index/zip/index.html", "<a href=\"../../files/a.whl#sha256=" + std::string(64, 'a') + "\">a.whl</a>");
  serve({{"zap", {{.file = "a.whl"}}}});
  set("PIP_EXTRA_INDEX_URL", (folder() / "index").string());
  EXPECT_EQ(check(pin("zap", "a.whl")).state, PinState::good);
  EXPECT_EQ(check(pin("zip", "a.whl")).state, PinState::good) << check(pin("zip", "a.whl")).detail;
  EXPECT_EQ(check(pin("zop", "a.whl")).state, PinState::missing);
}

TEST_F(CatalogCheck, WithoutANetworkNothingIsAsked) {
  serve({});
  set("PIER_OFFLINE", "1");
  EXPECT_EQ(error_of([] { Projects projects({}); }).code(), ErrorCode::not_available);
  unset("PIER_OFFLINE");
  unset("PIER_INDEX_URL");
  set("PIP_NO_INDEX", "1");
  EXPECT_EQ(check(pin("zap", "a.whl")).state, PinState::unknown);
  EXPECT_EQ(requests(), 0u);
}

constexpr const char* x86 = "linux-x86_64";
constexpr const char* arm = "linux-aarch64";

std::string wheel(const std::string& version, const std::string& tag, const std::string& project = "zap") {
  return project + "-" + version + "-" + tag + ".whl";
}

class CatalogRefresh : public CatalogCheck {
 protected:
  static std::string file_table(const std::string& kind, const std::string& platform, const std::string& file) {
    return "\n[[package." + kind + "]]\nplatform = \"" + platform + "\"\nfile = \"" + file + "\"\nsize = 10\nsha256 = \"" +
           std::string(63, 'a') + std::to_string(file.size() % 10) + "\"\n" + (kind == "file" ? "member = \"a.so\"\n" : "");
  }
  static std::string entry_text(const std::string& version, const std::vector<std::pair<std::string, std::string>>& files, const std::string& more = "") {
    std::string out = "format = 1\nid = \"zap\"\n# A remark.\nlabels = []\n\n[[package]]\nname = \"zap\"\nversion = \"" + version + "\"\n";
    for (const auto& [platform, file] : files) out += file_table("file", platform, file);
    return out + more;
  }
  static Refreshed refreshed(const std::string& toml) {
    Projects projects({});
    return refresh(pier::parse_catalog_entry(toml, "zap.toml"), projects);
  }
  static std::vector<std::string> files(const Refreshed& refreshed) {
    std::vector<std::string> out;
    for (const auto& newer : refreshed.newer)
      for (const auto& file : newer.files) out.push_back(file.new_pin.file);
    return out;
  }
};

TEST_F(CatalogRefresh, TheNewestReleaseIsThatOfPep440) {
  serve({{"zap", {{.file = wheel("1.9", "py3-none-manylinux_2_27_x86_64")}, {.file = wheel("1.10", "py3-none-manylinux_2_27_x86_64")},
                  {.file = wheel("1.10.post1", "py3-none-manylinux_2_27_x86_64"), .size = 77, .hash = 'c'},
                  {.file = wheel("2.0rc1", "py3-none-manylinux_2_27_x86_64")}, {.file = wheel("2.0.dev3", "py3-none-manylinux_2_27_x86_64")},
                  {.file = wheel("3.0", "py3-none-manylinux_2_27_x86_64"), .yanked = "true"}, {.file = wheel("4.0", "py3-none-musllinux_1_2_x86_64")},
                  {.file = wheel("5.0", "py3-none-macosx_14_0_arm64")}, {.file = wheel("6.0", "py3-none-manylinux_2_27_x86_64"), .hash = 0},
                  {.file = wheel("7.0", "py3-none-manylinux_2_27_x86_64", "zip")}, {.file = "zap-8.0.tar.gz"}}}});
  const Refreshed found = refreshed(entry_text("1.9", {{x86, wheel("1.9", "py3-none-manylinux_2_27_x86_64")}}));
  ASSERT_EQ(found.newer.size(), 1u);
  EXPECT_EQ(found.newer[0].from, "1.9");
  EXPECT_EQ(found.newer[0].to, "1.10.post1");
  ASSERT_EQ(found.newer[0].files.size(), 1u);
  EXPECT_EQ(found.newer[0].files[0].new_pin.size, 77u);
  EXPECT_EQ(found.newer[0].files[0].new_pin.sha256, std::string(64, 'c'));
  // Whoever pins a pre-release gets the next one.
  EXPECT_THAT(files(refreshed(entry_text("2.0.dev1", {{x86, wheel("2.0.dev1", "py3-none-manylinux_2_27_x86_64")}}))),
              ElementsAre(wheel("2.0rc1", "py3-none-manylinux_2_27_x86_64")));
  EXPECT_THAT(files(refreshed(entry_text("2.5", {{x86, wheel("2.5", "py3-none-manylinux_2_27_x86_64")}}))), IsEmpty());
}

TEST_F(CatalogRefresh, AReleaseMustServeEveryPlatformThatIsPinned) {
  serve({{"zap", {{.file = wheel("2.0", "py3-none-manylinux_2_27_x86_64")}, {.file = wheel("1.5", "py3-none-manylinux_2_27_x86_64")},
                  {.file = wheel("1.5", "py3-none-manylinux_2_27_aarch64")}}}});
  const Refreshed found = refreshed(entry_text("1.0", {{x86, wheel("1.0", "py3-none-manylinux_2_27_x86_64")}, {arm, wheel("1.0", "py3-none-manylinux_2_27_aarch64")}}));
  EXPECT_THAT(files(found), ElementsAre(wheel("1.5", "py3-none-manylinux_2_27_x86_64"), wheel("1.5", "py3-none-manylinux_2_27_aarch64")));
  EXPECT_THAT(found.notes, ElementsAre("zap 2.0 has no file for linux-aarch64"));
}

TEST_F(CatalogRefresh, OfManyPythonsThePinnedOneStays) {
  serve({{"zap", {{.file = wheel("2", "py3-none-any")}, {.file = wheel("2", "cp311-cp311-manylinux_2_31_x86_64")},
                  {.file = wheel("2", "cp312-cp312-manylinux_2_31_x86_64")}, {.file = wheel("2", "cp313-cp313-manylinux_2_31_x86_64")}}}});
  EXPECT_THAT(files(refreshed(entry_text("1", {{x86, wheel("1", "cp312-cp312-manylinux_2_31_x86_64")}}))), ElementsAre(wheel("2", "cp312-cp312-manylinux_2_31_x86_64")));
  EXPECT_THAT(files(refreshed(entry_text("1", {{x86, wheel("1", "cp310-cp310-manylinux_2_31_x86_64")}}))), ElementsAre(wheel("2", "cp311-cp311-manylinux_2_31_x86_64")));
}

TEST_F(CatalogRefresh, CompanionsStayWithinWhatFits) {
  serve({{"zap", {}}, {"maths", {{.file = wheel("12.9", "py3-none-any", "maths")}, {.file = wheel("13.1", "py3-none-any", "maths")}}}});
  const std::string companion = "\n[[package.companion]]\nname = \"maths\"\nversion = \"12.4\"\nfits = \">=12.1,<13\"\n" +
                                file_table("companion.file", x86, wheel("12.4", "py3-none-any", "maths"));
  const std::string toml = entry_text("1", {{x86, wheel("1", "py3-none-any")}}, companion);
  const Refreshed found = refreshed(toml);
  EXPECT_THAT(files(found), ElementsAre(wheel("12.9", "py3-none-any", "maths")));
  const CatalogEntry now = pier::parse_catalog_entry(rewritten(toml, found, "zap.toml"), "zap.toml");
  EXPECT_EQ(now.packages[0].version, "1");
  EXPECT_EQ(now.packages[0].companions[0].version, "12.9");
}

TEST_F(CatalogRefresh, AFileIsChangedInItsPinsAlone) {
  serve({{"zap", {{.file = wheel("2", "py3-none-manylinux_2_27_x86_64"), .size = 20, .hash = 'b'}, {.file = wheel("2", "py3-none-manylinux_2_27_aarch64"), .size = 30, .hash = 'c'}}}});
  const std::string old_text = entry_text("1", {{x86, wheel("1", "py3-none-manylinux_2_27_x86_64")}, {arm, wheel("1", "py3-none-manylinux_2_27_aarch64")}});
  const std::string text = rewritten(old_text, refreshed(old_text), "zap.toml");
  EXPECT_THAT(text, testing::StartsWith("format = 1\nid = \"zap\"\n# A remark.\nlabels = []\n\n[[package]]\nname = \"zap\"\nversion = \"2\"\n"));
  const auto pins = pier::registry::pins_of(pier::parse_catalog_entry(text, "zap.toml"));
  ASSERT_EQ(pins.size(), 2u);
  EXPECT_EQ(pins[0].file, wheel("2", "py3-none-manylinux_2_27_x86_64"));
  EXPECT_EQ(pins[0].size, 20u);
  EXPECT_EQ(pins[0].sha256, std::string(64, 'b'));
  EXPECT_EQ(pins[1].size, 30u);
  EXPECT_EQ(pins[1].version, "2");
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(old_text, '\n'));
}

TEST_F(CatalogRefresh, AFileOfAnotherLayoutIsLeftAlone) {
  serve({{"zap", {{.file = wheel("2", "py3-none-any"), .size = 20, .hash = 'b'}}}});
  std::string inline_table = entry_text("1", {{x86, wheel("1", "py3-none-any")}});
  inline_table.replace(inline_table.find("\nsize = 10\n"), 11, "\nsize= 10\n");
  const Refreshed found = refreshed(inline_table);
  const pier::Error error = error_of([&] { rewritten(inline_table, found, "zap.toml"); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), HasSubstr("the pins of zap are not laid out"));
}

// Every file of the catalog can be refreshed: its layout is the one that is understood.
TEST_F(CatalogRefresh, TheBuiltInCatalogIsLaidOutSo) {
  for (const std::string& id : pier::catalog_ids()) {
    const std::string toml = pier::test::read_text(std::filesystem::path(PIER_CATALOG_FOLDER) / (id + ".toml"));
    const CatalogEntry entry = pier::parse_catalog_entry(toml, id);
    Refreshed all{.id = id, .newer = {}, .notes = {}};
    const auto renew = [&](const std::string& name, const std::string& version, const std::vector<Pin>& pins) {
      pier::registry::NewPins newer{.package = name, .from = version, .to = "9999", .files = {}};
      for (const Pin& pin : pins) {
        Pin next = pin;
        next.version = "9999";
        next.file = "new-" + pin.file;
        next.size += 1;
        next.sha256 = pin.sha256.substr(1) + (pin.sha256.front() == 'e' ? "f" : "e");
        newer.files.push_back({pin, next});
      }
      all.newer.push_back(std::move(newer));
    };
    for (const auto& package : entry.packages) {
      std::vector<Pin> pins;
      for (const auto& file : package.files) pins.push_back(file.pin);
      renew(package.name, package.version, pins);
      for (const auto& companion : package.companions) renew(companion.name, companion.version, companion.files);
    }
    for (const Pin& pin : pier::registry::pins_of(pier::parse_catalog_entry(rewritten(toml, all, id), id))) EXPECT_EQ(pin.version, "9999") << pin.file;
  }
}

}  // namespace
