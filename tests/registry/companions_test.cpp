#include "registry/companions.h"

#include <gmock/gmock.h>

#include "inspect/elf_file.h"
#include "registry/home.h"
#include "store/wheel.h"

namespace {

using pier::CatalogCompanion;
using pier::CatalogPackage;
using pier::registry::CompanionChoice;
using registry_test::error_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A package that needs two libraries of one companion, and a machine that may have them.
class Companions : public registry_test::Home {
 protected:
  Companions() {
    package_.name = "zap-pjrt";
    CatalogCompanion companion;
    companion.name = "zap-blas-12";
    companion.version = "12.9.1.4";
    companion.libraries = {"libzapblas.so.12", "libzapblaslt.so.12"};
    companion.fits = ">=12.4,<13";
    pier::Pin pin = pier::test::companion_pin("zap_blas", "bytes");
    companion.files = {pin};
    pin.platform = pier::test::foreign_platform();
    companion.files.push_back(pin);
    package_.companions = {companion};
  }

  // The libraries as a toolkit has them: links to files with the whole version.
  void put_toolkit(const std::string& root, const std::string& version, bool both = true) const {
    const std::filesystem::path lib = folder() / root / "lib64";
    for (const char* name : {"libzapblas.so", "libzapblaslt.so"}) {
      if (!both && std::string_view(name) == "libzapblaslt.so") continue;
      registry_test::write_file(lib / (std::string(name) + "." + version), pier::test::host_library());
      std::filesystem::create_symlink(std::string(name) + "." + version, lib / (std::string(name) + ".12"));
    }
  }
  // As a Python environment has them.
  std::filesystem::path put_site(const std::string& root, const std::string& version) const {
    const std::filesystem::path site = folder() / root / "lib/python3.11/site-packages";
    for (const char* name : {"libzapblas.so.12", "libzapblaslt.so.12"}) registry_test::write_file(site / "nvidia/zap/lib" / name, pier::test::host_library());
    registry_test::write_file(site / ("Zap_Blas_12-" + version + ".dist-info/METADATA"), "");
    return site;
  }

  CompanionChoice choose(const pier::registry::CompanionWishes& wishes = {}) const {
    return choose_companions(package_, pier::registry::host_target(), wishes, pier::registry::library_places());
  }
  std::string version_taken() const {
    const CompanionChoice choice = choose();
    return choice.preload.empty() ? "fetched" : choice.preload.front().native();
  }

  CatalogPackage package_;
};

TEST_F(Companions, AreFetchedWhereTheMachineHasNone) {
  const CompanionChoice choice = choose();
  ASSERT_EQ(choice.fetched.size(), 1u);
  EXPECT_EQ(choice.fetched[0].libraries, package_.companions[0].libraries);
  EXPECT_THAT(choice.preload, IsEmpty());
}

TEST_F(Companions, OfAToolkitAreUsedInTheirOrderAndSaid) {
  put_toolkit("cuda", "12.6.0.1");
  set("CUDA_HOME", folder() / "cuda");
  const CompanionChoice choice = choose();
  EXPECT_THAT(choice.fetched, IsEmpty());
  EXPECT_THAT(choice.preload, ElementsAre(folder() / "cuda/lib64/libzapblas.so.12", folder() / "cuda/lib64/libzapblaslt.so.12"));
  EXPECT_THAT(choice.notes, Contains(testing::AllOf(HasSubstr("zap-blas-12 12.6.0.1"), HasSubstr("--bundled"))));
  EXPECT_EQ(choose({.bundled = true, .without = {}}).fetched.size(), 1u);
}

TEST_F(Companions, OfAnotherVersionAreNotUsed) {
  for (const char* version : {"12.3.9", "13.0.0"}) {
    put_toolkit(version, version);
    set("CUDA_PATH", folder() / version);
    const CompanionChoice choice = choose();
    EXPECT_EQ(choice.fetched.size(), 1u) << version;
    EXPECT_THAT(choice.notes, Contains(testing::AllOf(HasSubstr(version), HasSubstr(">=12.4,<13"))));
  }
}

TEST_F(Companions, AreUsedAllOrNone) {
  put_toolkit("cuda", "12.6.0.1", false);
  set("CUDA_HOME", folder() / "cuda");
  EXPECT_EQ(version_taken(), "fetched");
}

TEST_F(Companions, OfAPythonEnvironmentAreUsedByWhatItsPackageSays) {
  const auto site = put_site("venv", "12.8.4.1");
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    set(variable, folder() / "venv");
    EXPECT_EQ(version_taken(), (site / "nvidia/zap/lib/libzapblas.so.12").native()) << variable;
    unset(variable);
  }
  std::filesystem::rename(site / "Zap_Blas_12-12.8.4.1.dist-info", site / "Zap_Blas_12-11.0.dist-info");
  set("VIRTUAL_ENV", folder() / "venv");
  EXPECT_EQ(version_taken(), "fetched");
  std::filesystem::remove_all(site / "Zap_Blas_12-11.0.dist-info");
  EXPECT_THAT(choose().notes, Contains(HasSubstr("version is not known")));
}

TEST_F(Companions, ThatDoNotFitGiveWayToOthersThatDo) {
  put_toolkit("cuda", "11.0");
  const auto site = put_site("venv", "12.8");
  set("CUDA_HOME", folder() / "cuda");
  set("VIRTUAL_ENV", folder() / "venv");
  EXPECT_EQ(version_taken(), (site / "nvidia/zap/lib/libzapblas.so.12").native());
}

TEST_F(Companions, ThatOthersCanWriteAreNotUsed) {
  put_toolkit("cuda", "12.6.0.1");
  set("CUDA_HOME", folder() / "cuda");
  std::filesystem::permissions(folder() / "cuda/lib64/libzapblaslt.so.12.6.0.1", std::filesystem::perms(0666));
  EXPECT_EQ(version_taken(), "fetched");
  EXPECT_THAT(choose().notes, Contains(HasSubstr("everyone may write")));
}

TEST_F(Companions, OfAnotherProcessorAreNotUsed) {
  put_toolkit("cuda", "12.6.0.1");
  set("CUDA_HOME", folder() / "cuda");
  registry_test::write_file(folder() / "cuda/lib64/libzapblaslt.so.12.6.0.1", pier::test::foreign_library());
  EXPECT_EQ(version_taken(), "fetched");
}

TEST_F(Companions, WithoutARangeAreAlwaysFetched) {
  put_toolkit("cuda", "12.9.1.4");
  set("CUDA_HOME", folder() / "cuda");
  package_.companions[0].fits.clear();
  EXPECT_EQ(version_taken(), "fetched");
}

TEST_F(Companions, ForAnotherMachineAreFetchedForIt) {
  put_toolkit("cuda", "12.6.0.1");
  set("CUDA_HOME", folder() / "cuda");
  const auto foreign = pier::registry::make_target(pier::test::foreign_platform(), "");
  const CompanionChoice choice = choose_companions(package_, foreign, {}, pier::registry::library_places());
  ASSERT_EQ(choice.fetched.size(), 1u);
  EXPECT_EQ(choice.fetched[0].platform, pier::test::foreign_platform());
  // One that the platform does not need.
  const auto mac = pier::registry::make_target("macos-arm64", "");
  EXPECT_THAT(choose_companions(package_, mac, {}, pier::registry::library_places()).fetched, IsEmpty());
}

TEST_F(Companions, CanBeLeftOutWhenThePluginRunsWithout) {
  EXPECT_THAT(error_of([&] { choose({.bundled = false, .without = {"zap-blas-12"}}); }).what(), HasSubstr("does not run without"));
  EXPECT_THAT(error_of([&] { choose({.bundled = false, .without = {"other"}}); }).what(), HasSubstr("needs no package 'other'"));
  package_.companions[0].optional = true;
  EXPECT_THAT(choose({.bundled = false, .without = {"zap-blas-12"}}).fetched, IsEmpty());
}

}  // namespace
