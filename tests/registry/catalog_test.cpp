#include <algorithm>

#include <gmock/gmock.h>

#include <pier/catalog.h>

#include "registry/catalog_lookup.h"
#include "registry/embedded.h"
#include "registry/names.h"
#include "registry/home.h"
#include "base/platform.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace {

using pier::CatalogEntry;
using pier::CatalogPackage;
using pier::ErrorCode;
using pier::parse_catalog_entry;
using registry_test::error_of;
using testing::Contains;
using testing::HasSubstr;

const std::string good = R"(format = 1
id = "zap"
title = "Zap"
labels = ["gpu"]
priority = 450
seen = ["path:/dev/zap0"]
variables = ["ZAP_LIBRARY_PATH"]
fetch_unasked = false

[[package]]
name = "zap-pjrt"
version = "1.2"
api = "0.115"
licence = "MIT"
registers_as = "zapper"
note = "Fast."

[package.create_options]
text = "a"
yes = true
count = 3
part = 0.5
list = [1, 2]

[package.environment]
ZAP_QUIET = "1"

[[package.file]]
platform = "linux-x86_64"
system = "2.27"
needs = [{ library = "libzap.so.1", version = "ZAP_1" }]
file = "zap_pjrt-1.2-py3-none-manylinux_2_27_x86_64.whl"
size = 1000
sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
member = "zap/zap.so"
unpacked = 2000

[[package.companion]]
name = "zap-maths"
version = "12.9.1.4"
libraries = ["libzapmaths.so.12", "libzapmore.so.12"]
fits = ">=12.4,<13"
optional = true

[[package.companion.file]]
platform = "linux-x86_64"
file = "zap_maths-12.9.1.4-py3-none-manylinux_2_27_x86_64.whl"
size = 3000
sha256 = "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"
unpacked = 4000

[[package.companion.file]]
platform = "linux-aarch64"
file = "zap_maths-12.9.1.4-py3-none-manylinux_2_27_aarch64.whl"
size = 3100
sha256 = "bbcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"

[[package.companion]]
name = "zap-more"
version = "1"

[[package.companion.file]]
platform = "linux-x86_64"
file = "zap_more-1-py3-none-any.whl"
size = 10
sha256 = "cbcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"

[[package]]
name = "zap-old"
version = "0.1"
status = "old"

[[package.file]]
platform = "linux-x86_64"
needs = [{ file = "/sys/module/zap/version", version = ">=5,<6" }]
file = "zap_old-0.1-py3-none-any.whl"
size = 10
sha256 = "dbcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"
member = "zap/zap.so"
)";

std::string without(std::string text, const std::string& part, const std::string& instead = "") {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), instead);
}

TEST(Catalog, ReadsEveryKey) {
  const CatalogEntry entry = parse_catalog_entry(good, "zap.toml");
  EXPECT_EQ(entry.id, "zap");
  EXPECT_EQ(entry.title, "Zap");
  EXPECT_THAT(entry.labels, testing::ElementsAre("gpu"));
  EXPECT_EQ(entry.priority, 450);
  EXPECT_THAT(entry.seen, testing::ElementsAre("path:/dev/zap0"));
  EXPECT_THAT(entry.variables, testing::ElementsAre("ZAP_LIBRARY_PATH"));
  EXPECT_FALSE(entry.fetch_unasked);
  EXPECT_EQ(entry.source, "zap.toml");
  ASSERT_EQ(entry.packages.size(), 2u);
  const CatalogPackage& package = entry.packages[0];
  EXPECT_EQ(package.name, "zap-pjrt");
  EXPECT_EQ(package.version, "1.2");
  EXPECT_EQ(package.api_version, "0.115");
  EXPECT_EQ(package.licence, "MIT");
  EXPECT_EQ(package.registers_as, "zapper");
  EXPECT_EQ(package.note, "Fast.");
  const pier::Attributes options = {{"text", std::string("a")}, {"yes", true}, {"count", std::int64_t{3}},
                                    {"part", 0.5f}, {"list", std::vector<std::int64_t>{1, 2}}};
  EXPECT_EQ(package.create_options, options);
  EXPECT_THAT(package.environment, testing::ElementsAre(testing::Pair("ZAP_QUIET", "1")));
  ASSERT_EQ(package.files.size(), 1u);
  const pier::Pin& pin = package.files[0].pin;
  EXPECT_EQ(pin.package, "zap-pjrt");
  EXPECT_EQ(pin.version, "1.2");
  EXPECT_EQ(pin.platform, "linux-x86_64");
  EXPECT_EQ(pin.min_system, "2.27");
  EXPECT_EQ(pin.file, "zap_pjrt-1.2-py3-none-manylinux_2_27_x86_64.whl");
  EXPECT_EQ(pin.size, 1000u);
  EXPECT_EQ(pin.member, "zap/zap.so");
  EXPECT_EQ(pin.unpacked_size, 2000u);
  ASSERT_EQ(package.files[0].needs.size(), 1u);
  EXPECT_EQ(package.files[0].needs[0].library, "libzap.so.1");
  EXPECT_EQ(package.files[0].needs[0].version, "ZAP_1");
  EXPECT_EQ(package.files[0].needs[0].file, "");
  EXPECT_FALSE(package.old);

  ASSERT_EQ(package.companions.size(), 2u);
  const pier::CatalogCompanion& companion = package.companions[0];
  EXPECT_EQ(companion.name, "zap-maths");
  EXPECT_EQ(companion.version, "12.9.1.4");
  EXPECT_THAT(companion.libraries, testing::ElementsAre("libzapmaths.so.12", "libzapmore.so.12"));
  EXPECT_EQ(companion.fits, ">=12.4,<13");
  EXPECT_TRUE(companion.optional);
  ASSERT_EQ(companion.files.size(), 2u);
  EXPECT_EQ(companion.files[0].package, "zap-maths");
  EXPECT_EQ(companion.files[0].version, "12.9.1.4");
  EXPECT_EQ(companion.files[0].size, 3000u);
  EXPECT_EQ(companion.files[0].unpacked_size, 4000u);
  EXPECT_EQ(companion.files[0].member, "");
  EXPECT_EQ(companion.files[1].platform, "linux-aarch64");
  EXPECT_EQ(companion.files[1].file, "zap_maths-12.9.1.4-py3-none-manylinux_2_27_aarch64.whl");
  EXPECT_EQ(package.companions[1].fits, "");
  EXPECT_FALSE(package.companions[1].optional);
  EXPECT_THAT(package.companions[1].libraries, testing::IsEmpty());

  const CatalogPackage& old = entry.packages[1];
  EXPECT_TRUE(old.old);
  EXPECT_EQ(old.files[0].needs[0].file, "/sys/module/zap/version");
  EXPECT_EQ(old.files[0].needs[0].version, ">=5,<6");
}

TEST(Catalog, NamesFileLineAndKeyOfWhatIsWrong) {
  struct Case {
    const char* from;
    const char* to;
    const char* says;
  };
  for (const Case& c : {Case{"format = 1", "format = 2", "zap.toml:1: 'format'"}, Case{"id = \"zap\"", "id = \"Zap\"", "zap.toml:2: id 'Zap'"},
                        Case{"title = \"Zap\"", "titel = \"Zap\"", "zap.toml:3: unknown key 'titel'"},
                        Case{"[\"gpu\"]", "\"gpu\"", "zap.toml:4: 'labels' is not a list"},
                        Case{"450", "\"high\"", "zap.toml:5: 'priority' is not a whole number"},
                        Case{"path:/dev/zap0", "usb:1234", "zap.toml:6: 'usb:1234' is not a sign"},
                        Case{"path:/dev/zap0", "pci:10DE", "'pci:10DE' is not a sign"}, Case{"path:/dev/zap0", "pci:10d", "'pci:10d' is not a sign"},
                        Case{"path:/dev/zap0", "pci:10de:", "'pci:10de:' is not a sign"}, Case{"path:/dev/zap0", "pci:10de/03", "'pci:10de/03' is not a sign"},
                        Case{"path:/dev/zap0", "pci:10de:030", "'pci:10de:030' is not a sign"}, Case{"path:/dev/zap0", "pci:10de.0300", "'pci:10de.0300' is not a sign"},
                        Case{"ZAP_LIBRARY_PATH", "ZAP_LIBRARY", "zap.toml:7: 'ZAP_LIBRARY'"},
                        Case{"fetch_unasked = false", "fetch_unasked = 0", "zap.toml:8: 'fetch_unasked' is neither"},
                        Case{"name = \"zap-pjrt\"", "", "has no 'name'"}, Case{"list = [1, 2]", "list = [1, 2.5]", "'list' is not a list of whole numbers"},
                        Case{"ZAP_QUIET = \"1\"", "ZAP_QUIET = 1", "'ZAP_QUIET' is not text"},
                        Case{"platform = \"linux-x86_64\"", "platform = \"plan9-mips\"", "unknown platform 'plan9-mips'"},
                        Case{"platform = \"linux-x86_64\"", "platform = \"linux-amd64\"", "is written 'linux-x86_64'"},
                        Case{"2.27\"", "new\"", "system 'new' is not a version"}, Case{"size = 1000", "size = -1", "'size' is -1"},
                        Case{"size = 1000", "size = 99999999999999", "'size' is 99999999999999"},
                        Case{"\"0123456789abcdef01", "\"0123456789ABCDEF01", "sha256 is not 64 lower-case"},
                        Case{"zap/zap.so", "../zap.so", "member '../zap.so'"}, Case{"zap/zap.so", "/zap.so", "member '/zap.so'"},
                        Case{"file = \"zap_pjrt-1.2", "file = \"../zap_pjrt-1.2", "is not a file's name"},
                        Case{"library = \"libzap.so.1\", ", "", "[[needs]] has no 'library'"}, Case{"part = 0.5", "part = 1e300", "'part' is too large"},
                        Case{"ZAP_QUIET = \"1\"", "ZAP-QUIET = \"1\"", "'ZAP-QUIET' cannot be a variable"},
                        Case{"ZAP_LIBRARY_PATH", "ZAP-LIBRARY_PATH", "'ZAP-LIBRARY_PATH' is not a variable"},
                        Case{"\"12.9.1.4\"", "\"new\"", "'new' is not a version"}, Case{"\"libzapmaths", "\"lib/zapmaths", "'lib/zapmaths.so.12' is not a library's name"},
                        Case{">=12.4,<13", "12.4 or so", "fits '12.4 or so' is no condition"}, Case{">=12.4,<13", "", "fits '' is no condition"},
                        Case{"optional = true", "optional = 1", "'optional' is neither"}, Case{"optional = true", "member = \"a\"", "unknown key 'member' in [[companion]]"},
                        Case{"size = 3100", "size = 3100\nsystem = \"2.27\"", "unknown key 'system' in [[file]]"},
                        Case{"size = 3100", "size = 0", "'size' is 0"}, Case{"\"bbcdef", "\"BBCDEF", "sha256 is not"},
                        Case{"status = \"old\"", "status = \"new\"", "'status' is not \"old\""},
                        Case{"\"/sys/module", "\"sys/module", "file 'sys/module/zap/version' is not an absolute path"},
                        Case{", version = \">=5,<6\"", "", "does not say which 'version'"}, Case{">=5,<6", "5.0", "version '5.0' is no condition"},
                        Case{"{ file", "{ library = \"a\", file", "both a library and a file"},
                        // On these two the parser itself has no defined behaviour.
                        Case{"[[package]]", "[[]]", "a table's header has no key"}, Case{"[\"gpu\"]", "\xc3\xbc", "a character beyond ASCII"}, Case{"= 1", "= = 1", "line 1: has a '='"},
                        Case{"= 1", "= 1x", "zap.toml:1:"}}) {
    const pier::Error error = error_of([&] { parse_catalog_entry(without(good, c.from, c.to), "zap.toml"); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.message(), HasSubstr(c.says)) << c.to;
  }
}

TEST(Catalog, RefusesAPackageWithoutFiles) {
  const std::string cut = good.substr(0, good.find("[[package.file]]"));
  EXPECT_THAT(error_of([&] { parse_catalog_entry(cut, "zap.toml"); }).message(), HasSubstr("no [[package.file]]"));
  const std::string companion = good.substr(0, good.find("[[package.companion.file]]"));
  EXPECT_THAT(error_of([&] { parse_catalog_entry(companion, "zap.toml"); }).message(), HasSubstr("zap-maths has no [[package.companion.file]]"));
}

TEST(Catalog, ReadsTheListOfUnusablePackages) {
  const std::string list = "format = 1\n[[unusable]]\nname = \"a\"\nreason = \"dead\"\n"
                           "[[unusable]]\nname = \"b\"\nid = \"zap\"\nreason = \"hollow\"\ninstead = \"zip\"\n";
  const auto packages = pier::parse_unusable_packages(list, "unusable.toml");
  ASSERT_EQ(packages.size(), 2u);
  EXPECT_EQ(packages[0].name, "a");
  EXPECT_EQ(packages[0].reason, "dead");
  EXPECT_EQ(packages[0].instead, "");
  EXPECT_EQ(packages[1].id, "zap");
  EXPECT_EQ(packages[1].instead, "zip");
  EXPECT_THAT(pier::parse_unusable_packages("format = 1", "x"), testing::IsEmpty());
  const auto message = [&](const std::string& from, const std::string& to) {
    return error_of([&] { pier::parse_unusable_packages(without(list, from, to), "unusable.toml"); }).message();
  };
  EXPECT_THAT(message("reason = \"dead\"\n", ""), HasSubstr("has no 'reason'"));
  EXPECT_THAT(message("id =", "ids ="), HasSubstr("unusable.toml:7: unknown key 'ids'"));
  EXPECT_THAT(message("\"zip\"", "\"../zip\""), HasSubstr("instead '../zip' is no id"));
}

TEST(Catalog, SurvivesEveryTruncation) {
  for (std::size_t size = 0; size < good.size(); ++size) {
    try {
      parse_catalog_entry(std::string_view(good).substr(0, size), "zap.toml");
    } catch (const pier::Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
  }
}

class CatalogFolder : public registry_test::Home {
 protected:
  // Name, version and platform are written twice, here and in the file's name.
  static void expect_consistent(const pier::Pin& pin) {
    EXPECT_GT(pin.unpacked_size, pin.size) << pin.file;
    const auto wheel = pier::parse_wheel_name(pin.file);
    ASSERT_TRUE(wheel) << pin.file;
    EXPECT_EQ(wheel->project, pier::normalize_name(pin.package));
    EXPECT_EQ(wheel->version, pin.version);
    EXPECT_TRUE(pier::matching_target(*wheel, pier::parse_platform(pin.platform), {})) << pin.file << " for " << pin.platform;
  }
};

TEST_F(CatalogFolder, BuiltInEntriesAreAllWellFormed) {
  for (const auto& embedded : pier::registry::embedded_entries()) {
    const auto entry = pier::catalog_entry(embedded.id);
    ASSERT_TRUE(entry) << embedded.id;
    EXPECT_EQ(entry->id, embedded.id);
    EXPECT_EQ(entry->source, "built in");
    // The build reads these two lists by itself; both readings must agree.
    EXPECT_EQ(pier::registry::split(embedded.labels, ','), entry->labels);
    EXPECT_EQ(pier::registry::split(embedded.seen, ','), entry->seen);
    EXPECT_EQ(pier::registry::split(embedded.variables, ','), entry->variables);
    for (const CatalogPackage& package : entry->packages) {
      EXPECT_FALSE(package.licence.empty()) << package.name;
      EXPECT_FALSE(package.api_version.empty()) << package.name;
      for (const auto& file : package.files) {
        EXPECT_EQ(file.pin.min_system.empty(), file.pin.platform.starts_with("windows")) << file.pin.file;
        expect_consistent(file.pin);
      }
      for (const auto& companion : package.companions) {
        EXPECT_TRUE(pier::VersionSpecifiers::parse(companion.fits)->contains(*pier::Version::parse(companion.version))) << companion.name;
        for (const pier::Pin& pin : companion.files) expect_consistent(pin);
      }
    }
  }
}

TEST_F(CatalogFolder, CudaBringsNvidiasLibrariesForBothProcessors) {
  for (const char* id : {"cuda12", "cuda13"}) {
    const CatalogPackage package = pier::catalog_entry(id)->packages.at(0);
    std::vector<std::string> libraries;
    for (const auto& companion : package.companions) {
      ASSERT_EQ(companion.files.size(), 2u) << companion.name;
      EXPECT_EQ(companion.files[0].platform, "linux-x86_64");
      EXPECT_EQ(companion.files[1].platform, "linux-aarch64");
      libraries.insert(libraries.end(), companion.libraries.begin(), companion.libraries.end());
    }
    // What the plugins open, read from them.
    for (const char* stem : {"libcudart", "libnvrtc", "libnvJitLink", "libcublas", "libcublasLt", "libnccl", "libcupti", "libcufft", "libcudnn"})
      EXPECT_THAT(libraries, Contains(testing::StartsWith(std::string(stem) + ".so."))) << id;
  }
}

TEST_F(CatalogFolder, AcceleratorsOfOneDeviceHaveAnOrder) {
  const auto priority = [](const char* id) { return pier::catalog_entry(id).value().priority; };
  EXPECT_GT(priority("tpu"), priority("cuda13"));
  EXPECT_GT(priority("cuda13"), priority("cuda12"));
  EXPECT_GT(priority("rocm10"), priority("rocm7"));
  EXPECT_GT(priority("oneapi"), priority("tt"));
  EXPECT_GT(priority("tt"), priority("cpu"));
  EXPECT_EQ(priority("tpu"), 600);
  EXPECT_EQ(priority("metal"), 500);
  EXPECT_EQ(priority("cpu"), 100);
}

TEST_F(CatalogFolder, UnusablePackagesLeadToEntriesAndAreInNone) {
  const auto unusable = pier::parse_unusable_packages(pier::registry::embedded_unusable(), "catalog/unusable.toml");
  EXPECT_GT(unusable.size(), 10u);
  for (const auto& package : unusable) {
    EXPECT_TRUE(package.id.empty() || pier::catalog_entry(package.id)) << package.id;
    EXPECT_TRUE(package.instead.empty() || pier::catalog_entry(package.instead)) << package.instead;
    for (const CatalogEntry& entry : pier::registry::catalog_entries())
      for (const CatalogPackage& usable : entry.packages) EXPECT_NE(usable.name, package.name);
  }
}

TEST_F(CatalogFolder, EveryGpuAnswersToGpuAndOnlyTheCpuMayComeUnasked) {
  for (const CatalogEntry& entry : pier::registry::catalog_entries()) {
    EXPECT_EQ(entry.fetch_unasked, entry.id == "cpu") << entry.id;
    const bool is_gpu = entry.id != "cpu" && entry.id != "tpu" && entry.id != "tt";
    EXPECT_EQ(pier::registry::contains(entry.labels, "gpu"), is_gpu) << entry.id;
    for (const char* family : {"cuda", "rocm"}) EXPECT_EQ(pier::registry::contains(entry.labels, family), entry.id.starts_with(family)) << entry.id;
  }
}

TEST_F(CatalogFolder, OptionsOfMetalPjrtCoreHaveTheTypesItWants) {
  const auto entry = pier::catalog_entry("metal");
  ASSERT_TRUE(entry);
  const auto package = std::find_if(entry->packages.begin(), entry->packages.end(), [](const auto& p) { return p.name == "metal-pjrt-core"; });
  ASSERT_NE(package, entry->packages.end());
  const pier::Attributes expected = {{"platform_name", std::string("METAL")}, {"allocator", std::string("platform")},
                                     {"preallocate", false}, {"memory_fraction", 1.0f},
                                     {"visible_devices", std::vector<std::int64_t>{0}},
                                     {"should_stage_host_to_device_transfers", false}};
  EXPECT_EQ(package->create_options, expected);
}

TEST_F(CatalogFolder, AFolderAddsAndReplacesEntries) {
  registry_test::write_file(folder() / "catalog/zap.toml", good);
  registry_test::write_file(folder() / "catalog/metal.toml", without(without(good, "id = \"zap\"", "id = \"metal\""), "Zap", "Site's own"));
  registry_test::write_file(folder() / "catalog/notes.txt", "not an entry");
  EXPECT_FALSE(pier::catalog_entry("zap"));
  set("PIER_CATALOG", folder() / "catalog");
  EXPECT_THAT(pier::catalog_ids(), testing::IsSupersetOf({"cpu", "metal", "zap"}));
  EXPECT_EQ(pier::catalog_entry("zap")->priority, 450);
  EXPECT_EQ(pier::catalog_entry("metal")->title, "Site's own");
  EXPECT_EQ(pier::catalog_entry("cpu")->source, "built in");
}

TEST_F(CatalogFolder, PackagesThatCannotBeUsedAreKnownInAnySpelling) {
  for (const char* name : {"jax-qnn", "Jax_QNN", "jax.qnn"}) {
    const auto package = pier::unusable_package(name);
    ASSERT_TRUE(package) << name;
    EXPECT_EQ(package->name, "jax-qnn");
  }
  EXPECT_EQ(pier::unusable_package("jax-cuda11-pjrt").value().instead, "cuda12");
  EXPECT_FALSE(pier::unusable_package("jax-mps"));
  registry_test::write_file(folder() / "catalog/unusable.toml", "format = 1\n[[unusable]]\nname = \"jax-mps\"\nreason = \"not here\"\n");
  set("PIER_CATALOG", folder() / "catalog");
  EXPECT_EQ(pier::unusable_package("jax-mps").value().reason, "not here");
  EXPECT_TRUE(pier::unusable_package("jax-qnn"));
  EXPECT_THAT(pier::catalog_ids(), testing::Not(Contains("unusable")));
  EXPECT_FALSE(pier::catalog_entry("unusable"));
}

TEST_F(CatalogFolder, AnEntryUnderAnotherNameIsRefused) {
  registry_test::write_file(folder() / "catalog/zip.toml", good);
  set("PIER_CATALOG", folder() / "catalog");
  EXPECT_THAT(error_of([] { pier::catalog_entry("zip"); }).message(), HasSubstr("named for 'zip' but says id = 'zap'"));
}

TEST_F(CatalogFolder, ABrokenEntryLeavesTheOthersAlone) {
  registry_test::write_file(folder() / "catalog/bad.toml", "format = ");
  set("PIER_CATALOG", folder() / "catalog");
  std::vector<std::string> ids;
  for (const CatalogEntry& entry : pier::registry::catalog_entries()) ids.push_back(entry.id);
  EXPECT_THAT(ids, testing::IsSupersetOf({"cpu", "metal"}));
  EXPECT_THAT(warnings(), Contains(HasSubstr("bad.toml:1")));
  EXPECT_THAT(error_of([] { pier::catalog_entry("bad"); }).message(), HasSubstr("bad.toml:1"));
}

TEST_F(CatalogFolder, AFolderThatEveryoneMayWriteIsRefused) {
  registry_test::write_file(folder() / "catalog/zap.toml", good);
  set("PIER_CATALOG", folder() / "catalog");
  ::chmod((folder() / "catalog").c_str(), 0777);
  EXPECT_EQ(error_of([] { pier::catalog_entry("zap"); }).code(), ErrorCode::permission_denied);
  ::chmod((folder() / "catalog").c_str(), 0755);
  ::chmod((folder() / "catalog/zap.toml").c_str(), 0666);
  EXPECT_EQ(error_of([] { pier::catalog_entry("zap"); }).code(), ErrorCode::permission_denied);
}

TEST_F(CatalogFolder, AFolderThatIsNotThereIsSaid) {
  set("PIER_CATALOG", folder() / "nowhere");
  EXPECT_EQ(error_of([] { pier::catalog_ids(); }).code(), ErrorCode::not_found);
}

}  // namespace
