#include "registry/libraries.h"

#include <dlfcn.h>

#include <gmock/gmock.h>

#include <pier/probe.h>

#include "registry/shop.h"
#include "store/in_use.h"

namespace {

using pier::Candidate;
using pier::ErrorCode;
using pier::InstallRequest;
using registry_test::error_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path built = COMPANION_FOLDER;

class Libraries : public registry_test::Shop {
 protected:
  // Copies, for the loader knows a file by where it lies: each test has its own.
  std::filesystem::path put(const std::filesystem::path& from, const std::string& to) const {
    const std::filesystem::path path = folder() / to;
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::copy_file(from, path);
    return path;
  }
  Candidate fake() const {
    Candidate candidate;
    candidate.source = "installed";
    candidate.id = "zap";
    candidate.library = library("libzap.so");
    return candidate;
  }
  static bool is_loaded(const std::filesystem::path& library) {
    void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle) ::dlclose(handle);
    return handle != nullptr;
  }
};

// LD_LIBRARY_PATH comes before a library's own RUNPATH, so another version there takes the place of what was installed.
TEST_F(Libraries, BesideAPluginWinOverLdLibraryPath) {
  const auto plugin = put(built / "companion_plugin.so", "root/plugin/plugin.so");
  const auto own = put(built / "companion2/libcompanion.so.1", "root/shared/lib/libcompanion.so.1");
  const auto other = put(built / "companion1/libcompanion.so.1", "elsewhere/libcompanion.so.1");
  pier::ProbeOptions options;
  options.create_client = false;
  EXPECT_THAT(error_of([&] { pier::probe_plugin(plugin, options); }).what(), HasSubstr("companion 2"));
  set("LD_LIBRARY_PATH", folder() / "elsewhere");
  EXPECT_THAT(error_of([&] { pier::probe_plugin(plugin, options); }).what(), HasSubstr("companion 1")) << "the fault itself";
  options.preload = pier::registry::libraries_to_load_first({}, {own});
  EXPECT_THAT(options.preload, ElementsAre(own));
  EXPECT_THAT(error_of([&] { pier::probe_plugin(plugin, options); }).what(), HasSubstr("companion 2"));
}

TEST_F(Libraries, AreLoadedFirstOnlyWhereTheyWouldBeHidden) {
  const auto own = put(built / "companion2/libcompanion.so.1", "root/libcompanion.so.1");
  using pier::registry::libraries_to_load_first;
  EXPECT_THAT(libraries_to_load_first({}, {own}), testing::IsEmpty());
  set("LD_LIBRARY_PATH", (folder() / "nothing").native() + ":" + (folder() / "root").native());
  EXPECT_THAT(libraries_to_load_first({}, {own}), testing::IsEmpty()) << "it leads to the same file";
  const auto machine = put(built / "companion1/libcompanion.so.1", "machine/libcompanion.so.1");
  EXPECT_THAT(libraries_to_load_first({machine}, {own}), ElementsAre(machine));
}

TEST_F(Libraries, OfTheMachineAreLoadedBeforeThePlugin) {
  Candidate candidate = fake();
  candidate.preload = {put(built / "companion1/libcompanion.so.1", "machine/libcompanion.so.1")};
  EXPECT_FALSE(is_loaded(candidate.preload[0]));
  pier::load_plugin(candidate);
  EXPECT_TRUE(is_loaded(candidate.preload[0]));
}

TEST_F(Libraries, ThatAreGoneAreToldWithTheCommandThatHelps) {
  Candidate candidate = fake();
  candidate.preload = {folder() / "gone/libgone.so.1"};
  const pier::Error error = error_of([&] { pier::load_plugin(candidate); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("libgone.so.1"), HasSubstr("pier install zap --force")));
  EXPECT_FALSE(is_loaded(candidate.library));
}

TEST_F(Libraries, ThatSomebodyElseLoadedBeforeAreToldOf) {
  // A name of its own, for what is loaded stays so.
  const auto before = folder() / "framework/libearlier.so.9";
  registry_test::write_file(before, pier::test::host_library());
  void* const handle = ::dlopen(before.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << ::dlerror();
  Candidate candidate = fake();
  candidate.beside = {put(before, "root/libearlier.so.9")};
  pier::load_plugin(candidate);
  EXPECT_THAT(warnings(), Contains(testing::AllOf(HasSubstr(before.native()), HasSubstr(candidate.beside[0].native()))));
}

// The whole way: a catalog entry with a companion, an index, the probe, the manifest, the loading.
class WithCompanion : public Libraries {
 protected:
  WithCompanion() {
    const std::string wheel = pier::test::WheelBuilder("test_plugin", "1.0")
                                  .file("zap/libzap.so", pier::test::read_text(std::filesystem::path(FAKE_PLUGIN_DIR) / "fake_plugin.so")).build();
    const std::string companion = pier::test::WheelBuilder("zap_blas", "2.5")
                                      .file("shared/lib/libcompanion.so.1", pier::test::read_text(built / "companion2/libcompanion.so.1")).build();
    pin_ = pier::test::plugin_request(wheel).pin;
    other_ = pier::test::companion_pin("zap_blas", companion);
    server_ = std::make_unique<pier::test::Server>(pier::test::index_of_all({{pin_, wheel}, {other_, companion}}));
    set("PIER_INDEX_URL", server_->url("/simple"));
    registry_test::write_file(folder() / "catalog/zap.toml",
                              "format = 1\nid = \"zap\"\nseen = [\"path:/nowhere/zap\"]\n[[package]]\nname = \"test-plugin\"\nversion = \"1.0\"\n" +
                                  file(pin_, "package.file") + "member = \"zap/libzap.so\"\n" +
                                  "[[package.companion]]\nname = \"zap_blas\"\nversion = \"2.5\"\nlibraries = [\"libcompanion.so.1\"]\n"
                                  "fits = \">=1,<3\"\n" + file(other_, "package.companion.file"));
    set("PIER_CATALOG", folder() / "catalog");
  }
  static std::string file(const pier::Pin& pin, const std::string& table) {
    return "[[" + table + "]]\nplatform = \"" + pin.platform + "\"\nfile = \"" + pin.file + "\"\nsize = " + std::to_string(pin.size) +
           "\nsha256 = \"" + pin.sha256 + "\"\n";
  }

  pier::Pin pin_;
  pier::Pin other_;
  std::unique_ptr<pier::test::Server> server_;
};

TEST_F(WithCompanion, ItIsFetchedAndKnownToWhoeverLoads) {
  const pier::InstallResult result = pier::install_plugin("zap");
  ASSERT_EQ(result.plugin.companions.size(), 1u);
  const pier::Resolution resolution = pier::resolve("zap");
  ASSERT_NE(resolution.taken(), nullptr);
  EXPECT_EQ(resolution.taken()->beside, result.plugin.companions[0].libraries);
  EXPECT_EQ(pier::resolve(result.plugin.library.native()).taken()->beside, result.plugin.companions[0].libraries);
  pier::load_plugin("zap");
}

TEST_F(WithCompanion, TheMachinesOwnTakesItsPlaceWhenItFits) {
  const auto real = put(built / "companion1/libcompanion.so.1", "cuda/lib64/libcompanion.so.1.7");
  std::filesystem::create_symlink("libcompanion.so.1.7", folder() / "cuda/lib64/libcompanion.so.1");
  set("CUDA_HOME", folder() / "cuda");
  const pier::InstallResult result = pier::install_plugin("zap");
  EXPECT_TRUE(result.plugin.companions.empty());
  EXPECT_THAT(result.plugin.preload, ElementsAre(folder() / "cuda/lib64/libcompanion.so.1"));
  EXPECT_EQ(server_->count("/files/" + other_.file), 0);
  EXPECT_EQ(pier::resolve("zap").taken()->preload, result.plugin.preload);

  InstallRequest request;
  request.bundled = true;
  EXPECT_EQ(pier::install_plugin("zap", request).plugin.companions.size(), 1u);
  EXPECT_TRUE(pier::resolve("zap").taken()->preload.empty());
}

TEST_F(WithCompanion, AFolderThatIsLoadedFromIsNotRemoved) {
  const std::filesystem::path root = pier::install_plugin("zap").plugin.root;
  {
    const pier::Plugin plugin = pier::load_plugin("zap");
    pier::remove_plugin("zap");
  }
  // A plugin is never unloaded, so its folder stays for as long as this process lives.
  EXPECT_TRUE(std::filesystem::exists(root / "shared/lib/libcompanion.so.1"));
  EXPECT_FALSE(pier::try_claim(root));
}

}  // namespace
