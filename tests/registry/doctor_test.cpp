#include <algorithm>

#include <dlfcn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <gmock/gmock.h>

#include <pier/doctor.h>
#include <pier/store.h>

#include "base/file.h"
#include "base/platform.h"
#include "registry/home.h"
#include "registry/names.h"

namespace {

namespace fs = std::filesystem;
using pier::DoctorReport;
using pier::examine;
using pier::Observation;
using pier::PluginExamination;
using pier::Problem;
using pier::Severity;
using registry_test::write_file;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

auto Seen(const auto& what, const auto& value) { return AllOf(Field(&Observation::what, what), Field(&Observation::value, value)); }
auto Wrong(Severity severity, const auto& what, const auto& mend) {
  return AllOf(Field(&Problem::severity, severity), Field(&Problem::what, what), Field(&Problem::mend, mend));
}

// A machine whose /sys, /proc, /dev, /etc and /tmp are folders of the test.
class Doctor : public registry_test::Home {
 protected:
  Doctor() {
    for (const char* variable : {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID", "PMIX_NAMESPACE", "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
                                 "OMPI_MCA_orte_hnp_uri", "PMI_RANK", "PMI_SIZE", "RANK", "LD_LIBRARY_PATH"})
      unset(variable);
    fs::create_directories(root());
    options.machine.root = root();
    options.probe_limit = std::chrono::milliseconds(20'000);
  }

  fs::path root() const { return folder() / "machine"; }
  void pci(const std::string& place, const std::string& vendor, const std::string& device, const std::string& kind) const {
    const fs::path at = root() / "sys/bus/pci/devices" / place;
    write_file(at / "vendor", vendor + "\n");
    write_file(at / "device", device + "\n");
    write_file(at / "class", kind + "\n");
  }
  fs::path system_library(const std::string& name) const {
    const bool intel = pier::host_platform().arch == pier::Arch::x86_64;
    const fs::path path = root() / "usr/lib" / (intel ? "x86_64-linux-gnu" : "aarch64-linux-gnu") / name;
    fs::create_directories(path.parent_path());
    fs::copy_file(STUB_CUDA, path);
    return path;
  }
  void register_as(const std::string& id, const fs::path& path) const {
    pier::RegisterRequest request;
    request.id = id;
    request.probe = false;
    pier::register_library(path, request);
  }
  // As pier would have installed it from a package.
  fs::path installed(const std::string& id, const std::string& package, const std::string& original = "fake_plugin.so") const {
    const fs::path path = library(id + ".so", original);
    write_file(folder() / "home/data/manifests" / (id + ".toml"), "schema = 1\nid = \"" + id + "\"\nlibrary = \"" + path.string() + "\"\npackage = \"" +
                                                                      package + "\"\nversion = \"1.0\"\n");
    return path;
  }
  void entry(const std::string& id, const std::string& package, const std::string& seen, const std::string& companion = "", const std::string& needs = "") {
    std::string text = "format = 1\nid = \"" + id + "\"\nlabels = [\"gpu\"]\npriority = 500\nseen = [\"" + seen + "\"]\n[[package]]\nname = \"" + package +
                       "\"\nversion = \"1.0\"\n[[package.file]]\nplatform = \"" + to_string(pier::host_platform()) +
                       "\"\nfile = \"x.whl\"\nsize = 1\nsha256 = \"" + std::string(64, 'a') + "\"\nmember = \"x/y.so\"\n" + needs;
    if (!companion.empty())
      text += "[[package.companion]]\nname = \"runtime\"\nversion = \"13.0\"\nlibraries = [\"" + companion + "\"]\n[[package.companion.file]]\nplatform = \"" +
              to_string(pier::host_platform()) + "\"\nfile = \"r.whl\"\nsize = 1\nsha256 = \"" + std::string(64, 'b') + "\"\n";
    write_file(folder() / "catalog" / (id + ".toml"), text);
    set("PIER_CATALOG", folder() / "catalog");
  }
  static const PluginExamination* of(const DoctorReport& report, const std::string& id) {
    for (const PluginExamination& plugin : report.plugins)
      if (plugin.plugin.id == id) return &plugin;
    return nullptr;
  }

  pier::DoctorOptions options;
};

TEST_F(Doctor, AnEmptyMachineIsWellAndSaysWhatItIs) {
  write_file(root() / "etc/os-release", "NAME=x\nPRETTY_NAME=\"Some System 7\"\n");
  write_file(root() / "proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu avx2 amx_tile\n\nprocessor\t: 1\nmodel name\t: Some CPU\n");
  const DoctorReport report = examine(options);
  EXPECT_TRUE(report.ok());
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.plugins, IsEmpty());
  EXPECT_THAT(report.hardware, IsEmpty());
  EXPECT_THAT(report.system, Contains(Seen("system", "Some System 7")));
  EXPECT_THAT(report.system, Contains(Seen("platform", to_string(pier::host_platform()))));
  EXPECT_THAT(report.system, Contains(Seen("processor", "Some CPU")));
  EXPECT_THAT(report.system, Contains(Field(&Observation::how, "2 threads")));
  EXPECT_THAT(report.system, Contains(Seen("processor features", "avx2 amx_tile")));
}

TEST_F(Doctor, HardwareIsSeenOnTheBusAndByItsNodes) {
  pci("0000:0f:00.0", "0x10de", "0x2330", "0x030200");
  pci("0000:10:00.0", "0x1002", "0x74a1", "0x120000");
  pci("0000:11:00.0", "0x1ae0", "0x005e", "0x088000");
  pci("0000:12:00.0", "0x8086", "0x1533", "0x020000");  // a network card
  write_file(root() / "dev/nvidia0", "");
  write_file(root() / "dev/nvidia-modeset", "");
  write_file(root() / "dev/dri/renderD128", "");
  write_file(root() / "dev/tenstorrent/0", "");
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.hardware, ElementsAre(Seen("NVIDIA 3D controller", "10de:2330"), Seen("AMD processing accelerator", "1002:74a1"), Seen("Google device", "1ae0:005e"),
                                           Seen("/dev/nvidia0", HasSubstr("you may use it")), Seen("/dev/dri/renderD128", HasSubstr("you may")),
                                           Seen("/dev/tenstorrent/0", HasSubstr("you may"))));
  EXPECT_THAT(report.problems, Contains(Wrong(Severity::warning, HasSubstr("its driver is not loaded"), HasSubstr("modprobe nvidia"))));
  EXPECT_TRUE(report.ok()) << "nothing that is installed is broken by it";
}

TEST_F(Doctor, DriversTellTheirVersions) {
  write_file(root() / "proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\nGCC version: 12.2.0\n");
  write_file(root() / "sys/module/amdgpu/version", "6.8.5\n");
  write_file(root() / "opt/rocm/.info/version", "7.0.1-42\n");
  fs::create_directories(root() / "sys/module/xe");
  write_file(root() / "sys/module/tenstorrent/version", "2.3.0\n");
  const fs::path library = system_library("libcuda.so.535.104.05");
  fs::create_symlink(library.filename(), library.parent_path() / "libcuda.so.1");
  set("STUB_CUDA", "12020");
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.drivers, ElementsAre(Seen("NVIDIA kernel module", "535.104.05"), Seen("libcuda.so.1", "535.104.05"), Seen("CUDA of the driver", "12.2"),
                                          Seen("AMD kernel module", "6.8.5"), Seen("ROCm", "7.0.1-42"), Seen("Intel kernel module", HasSubstr("kernel's own")),
                                          Seen("Tenstorrent kernel module", "2.3.0")));
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.drivers[2].how, HasSubstr("cuDriverGetVersion"));

  write_file(root() / "proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\n");
  EXPECT_THAT(examine(options).problems, Contains(Wrong(Severity::warning, AllOf(HasSubstr("570.86.15"), HasSubstr("535.104.05")), "sudo reboot")));
}

TEST_F(Doctor, ADriverThatDoesNotAnswerHarmsNobody) {
  write_file(root() / "sys/module/nvidia/version", "580.65.06\n");
  system_library("libcuda.so.1");
  for (const char* what : {"fail", "crash", "hang"}) {
    set("STUB_CUDA", what);
    options.probe_limit = std::chrono::milliseconds(what == std::string_view("hang") ? 300 : 20'000);
    const DoctorReport report = examine(options);
    EXPECT_THAT(report.problems, Contains(Wrong(Severity::warning, HasSubstr("does not say its version"), HasSubstr("driver")))) << what;
    EXPECT_THAT(report.drivers, Contains(Seen("CUDA of the driver", "13.0"))) << what;
  }
  options.probe = false;
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.drivers, Contains(Field(&Observation::how, "by the branch of the kernel module")));
}

TEST_F(Doctor, ADriverTooOldForThePluginIsSaidSoAndWhatFitsIsNamed) {
  entry("zap13", "zap13-plugin", "always", "libcudart.so.13");
  installed("zap13", "Zap13_plugin");
  write_file(root() / "sys/module/nvidia/version", "535.104.05\n");
  system_library("libcuda.so.1");
  set("STUB_CUDA", "12020");
  const DoctorReport report = examine(options);
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(report.problems, ElementsAre(Wrong(Severity::error, "the NVIDIA driver 535.104.05 offers CUDA 12.2, and zap13 is built for CUDA 13",
                                                 HasSubstr("pier install cuda12"))));
  set("STUB_CUDA", "13010");
  EXPECT_TRUE(examine(options).ok());
}

TEST_F(Doctor, ANeedOfTheCatalogThatTheMachineDoesNotMeetIsSaidSo) {
  entry("zap", "zap-plugin", "always", "", "needs = [{ file = \"/sys/module/zap/version\", version = \">=2\" }]\n");
  installed("zap", "zap-plugin");
  EXPECT_TRUE(examine(options).ok());
  write_file(root() / "sys/module/zap/version", "1.9\n");
  EXPECT_THAT(examine(options).problems, Contains(Wrong(Severity::error, HasSubstr("the driver is too old: zap-plugin needs >=2"), HasSubstr("newer driver"))));
}

TEST_F(Doctor, APluginThatWorksShowsItsDevicesAndLibraries) {
  register_as("mine", library("mine.so"));
  const DoctorReport report = examine(options);
  EXPECT_TRUE(report.ok()) << report.problems.front().what;
  const PluginExamination* const plugin = of(report, "mine");
  ASSERT_NE(plugin, nullptr);
  ASSERT_TRUE(plugin->probe);
  EXPECT_TRUE(plugin->probe->client_created);
  EXPECT_THAT(plugin->probe->devices, Not(IsEmpty()));
  EXPECT_THAT(plugin->libraries, Contains(AllOf(Field(&pier::LibraryLookup::name, "libc.so.6"), Field(&pier::LibraryLookup::path, Not(std::nullopt)))));
  options.probe = false;
  EXPECT_FALSE(of(examine(options), "mine")->probe);
}

TEST_F(Doctor, ACrashIsReportedWithWhatWasPrinted) {
  register_as("mine", library("mine.so"));
  set("FAKE_PJRT", "noise=constructor;segv=PJRT_Client_Create");
  const DoctorReport report = examine(options);
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(report.problems, ElementsAre(Wrong(Severity::error, AllOf(HasSubstr("signal 11"), HasSubstr("creating a client")), HasSubstr("pier register"))));
  EXPECT_EQ(report.problems.front().plugin, "mine");
  EXPECT_FALSE(of(report, "mine")->probe);
  EXPECT_THAT(of(report, "mine")->probe_log, Not(IsEmpty()));
  EXPECT_THAT(of(report, "mine")->probe_failure, Not(HasSubstr("it printed")));
}

TEST_F(Doctor, APluginThatHangsIsEndedAtTheLimit) {
  register_as("mine", library("mine.so"));
  set("FAKE_PJRT", "hang=PJRT_Client_Create");
  options.probe_limit = std::chrono::milliseconds(500);
  EXPECT_THAT(examine(options).problems, Contains(Wrong(Severity::error, HasSubstr("was still creating a client after 0.5 s"), HasSubstr("--time-limit"))));
}

TEST_F(Doctor, WithoutADeviceNoClientIsStarted) {
  entry("zap", "zap-plugin", "path:/dev/zap0");
  register_as("zap", library("zap.so"));
  set("FAKE_PJRT", "abort=PJRT_Client_Create");
  const DoctorReport without = examine(options);
  EXPECT_TRUE(without.ok());
  EXPECT_EQ(of(without, "zap")->device_seen, false);
  ASSERT_TRUE(of(without, "zap")->probe);
  EXPECT_FALSE(of(without, "zap")->probe->client_created);
  write_file(root() / "dev/zap0", "");
  EXPECT_FALSE(examine(options).ok());
}

TEST_F(Doctor, ALibraryThatIsNotFoundIsNamedWithWhereItWasLookedFor) {
  register_as("cpu", library("cpu.so"));
  const fs::path broken = library("broken.so", "missing_needed.so");
  set("PIER_PLUGIN_BROKEN", broken);
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.problems, ElementsAre(Wrong(Severity::error, HasSubstr("libnope.so.1, which " + broken.string() + " needs, was not found"), Not(IsEmpty()))));
  const PluginExamination* const plugin = of(report, "broken");
  const auto missing = std::find_if(plugin->libraries.begin(), plugin->libraries.end(), [](const auto& library) { return library.name == "libnope.so.1"; });
  ASSERT_NE(missing, plugin->libraries.end());
  EXPECT_FALSE(missing->path);
  EXPECT_THAT(missing->looked_in, Not(IsEmpty()));
  EXPECT_FALSE(plugin->probe) << "what cannot load is not tried";
  EXPECT_TRUE(of(report, "cpu")->probe);
}

TEST_F(Doctor, WhatIsRefusedComesWithTheCommandThatMendsIt) {
  const fs::path mine = library("my plugin.so");
  register_as("mine", mine);
  ::chmod(mine.c_str(), 0777);
  set("PIER_PLUGIN_GONE", folder() / "gone.so");
  write_file(folder() / "home/config/plugins/bad.toml", "schema = ");
  write_file(folder() / "home/data/manifests/lost.toml", "schema = 1\nid = \"lost\"\nlibrary = \"" + (folder() / "lost.so").string() + "\"\n");
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.problems, Contains(Wrong(Severity::error, HasSubstr("everyone may write"), "chmod o-w '" + mine.string() + "'")));
  EXPECT_THAT(report.problems, Contains(Wrong(Severity::error, HasSubstr("no such file"), HasSubstr("unset PIER_PLUGIN_GONE"))));
  EXPECT_THAT(report.problems, Contains(Wrong(Severity::error, HasSubstr("bad.toml"), HasSubstr("rm " + (folder() / "home/config/plugins/bad.toml").string()))));
  EXPECT_THAT(report.problems, Contains(Wrong(Severity::error, HasSubstr("lost.so"), "pier install lost --force")));
  EXPECT_THAT(report.problems, Each(Field(&Problem::mend, Not(IsEmpty()))));
}

TEST_F(Doctor, WhatAPythonEnvironmentHasBreaksNothingOfPiers) {
  const fs::path plugin = folder() / "env/lib/python3.12/site-packages/jax_plugins/warp9/pjrt_warp.so";
  fs::create_directories(plugin.parent_path());
  fs::copy_file(fs::path(FAKE_PLUGIN_DIR) / "abort_in_constructor.so", plugin);
  set("VIRTUAL_ENV", folder() / "env");
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.problems, ElementsAre(Wrong(Severity::warning, HasSubstr("signal 6"), HasSubstr("install"))));
  EXPECT_TRUE(report.ok());
}

TEST_F(Doctor, OnlyWhatIsAskedForIsExamined) {
  register_as("mine", library("mine.so"));
  register_as("bomb", library("bomb.so", "abort_in_constructor.so"));
  EXPECT_FALSE(examine(options).ok());
  options.selectors = {"mine"};
  EXPECT_TRUE(examine(options).ok());
  EXPECT_THAT(examine(options).plugins, SizeIs(1));
  options.selectors = {library("mine.so").string()};
  EXPECT_THAT(examine(options).plugins, SizeIs(1));
  options.selectors = {"warp9"};
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::error, HasSubstr("'warp9'"), HasSubstr("pier install warp9"))));
  options.selectors = {"a b"};
  EXPECT_EQ(registry_test::error_of([&] { examine(options); }).code(), pier::ErrorCode::invalid_argument);
}

TEST_F(Doctor, WhatIsDisabledIsNotTried) {
  register_as("bomb", library("bomb.so", "abort_in_constructor.so"));
  set("PIER_DISABLE", "bomb");
  const DoctorReport report = examine(options);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(of(report, "bomb")->plugin.reason, "PIER_DISABLE has 'bomb'");
  EXPECT_FALSE(of(report, "bomb")->probe);
}

// Two libraries of one name: the one that this process has loaded, and the one that the plugin would bring.
TEST_F(Doctor, ACompanionThatThisProcessHasLoadedFromElsewhereIsAConflict) {
  entry("zap", "zap-plugin", "always", "libzapblas.so.12");
  installed("zap", "zap-plugin");
  EXPECT_THAT(examine(options).problems, IsEmpty());
  const fs::path other = folder() / "other/libzapblas.so.12";
  fs::create_directories(other.parent_path());
  fs::copy_file(STUB_CUDA, other);
  void* const handle = ::dlopen(other.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr);
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::warning, HasSubstr("this process has loaded " + other.string()), HasSubstr("libzapblas.so.12"))));
  ::dlclose(handle);
}

TEST_F(Doctor, ALockOfATpuNamesItsHolderOrIsStale) {
  EXPECT_THAT(examine(options).problems, IsEmpty());
  const fs::path lock = root() / "tmp/libtpu_lockfile";
  write_file(lock, "");
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::warning, HasSubstr("/tmp/libtpu_lockfile is stale"), "rm /tmp/libtpu_lockfile")));
  register_as("tpu", library("libtpu.so"));
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::error, HasSubstr("is stale"), "rm /tmp/libtpu_lockfile")));

  // Some file systems name themselves otherwise in /proc/locks: then the file is known by who has it open.
  write_file(root() / "proc/4711/comm", "trainer\n");
  fs::create_directories(root() / "proc/4711/fd");
  fs::create_symlink("/tmp/libtpu_lockfile", root() / "proc/4711/fd/7");
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::error, HasSubstr("process 4711 (trainer)"), HasSubstr("kill 4711"))));
  fs::remove_all(root() / "proc/4711");

  struct stat status {};
  ASSERT_EQ(::stat(lock.c_str(), &status), 0);
  char device[32];
  std::snprintf(device, sizeof device, "%02x:%02x", major(status.st_dev), minor(status.st_dev));
  const std::string place = device + (":" + std::to_string(status.st_ino));
  write_file(root() / "proc/locks", "1: POSIX  ADVISORY  READ 1 00:01:1 0 EOF\n2: FLOCK  ADVISORY  WRITE 4712 " + place + " 0 EOF\n2: -> FLOCK  ADVISORY  WRITE 4713 " + place + " 0 EOF\n");
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::error, HasSubstr("process 4712 "), HasSubstr("kill 4712"))));
}

struct LauncherCase {
  std::vector<std::pair<std::string, std::string>> variables;
  std::vector<std::pair<std::string, std::string>> seen;
};

TEST_F(Doctor, LaunchersAreKnownByTheirVariables) {
  const std::vector<LauncherCase> cases = {
      {{{"SLURM_JOB_ID", "1"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "1"}},
       {{"SLURM", "rank 3, of 8, on this machine 1"}}},
      {{{"SLURM_JOB_ID", "1"}, {"SLURM_PROCID", "0"}}, {{"SLURM", "in an allocation, and not started by srun"}}},
      {{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_MCA_orte_hnp_uri", "1.0;tcp://x"}, {"PMIX_NAMESPACE", "17"}, {"PMIX_RANK", "2"}},
       {{"Open MPI 4", "rank 2, of 4"}, {"Open MPI", "rank 2, of 4"}, {"PMIx", "rank 2"}}},
      {{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"PMIX_NAMESPACE", "prterun-node-42@1"}, {"PMIX_RANK", "0"}},
       {{"Open MPI 5", "rank 0, of 2"}, {"Open MPI", "rank 0, of 2"}, {"PMIx", "rank 0"}}},
      {{{"SLURM_STEP_ID", "1"}, {"SLURM_PROCID", "1"}, {"PMIX_NAMESPACE", "slurm.pmix.1.0"}, {"PMIX_RANK", "1"}}, {{"SLURM", "rank 1"}, {"PMIx", "rank 1"}}},
      {{{"PMI_RANK", "5"}, {"PMI_SIZE", "6"}}, {{"MPICH or Intel MPI", "rank 5, of 6"}}},
      {{}, {}},
  };
  for (const LauncherCase& one : cases) {
    for (const auto& [name, value] : one.variables) set(name, value);
    std::vector<std::pair<std::string, std::string>> seen;
    for (const Observation& launcher : examine(options).launchers) seen.emplace_back(launcher.what, launcher.value);
    EXPECT_EQ(seen, one.seen);
    for (const auto& [name, value] : one.variables) unset(name);
  }
  set("PMI_RANK", "x");
  set("PMI_SIZE", "2");
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::warning, "PMI_RANK is 'x', which is no number", "unset PMI_RANK")));
}

TEST_F(Doctor, TheIndexIsShownWithoutCredentials) {
  set("PIER_INDEX_URL", "http://someone:hunter2@127.0.0.1:9/simple");
  set("PIER_OFFLINE", "1");
  const DoctorReport report = examine(options);
  EXPECT_THAT(report.index, Contains(Seen("index", "http://127.0.0.1:9/simple")));
  EXPECT_EQ(report.index.back().how, "PIER_INDEX_URL");
  EXPECT_THAT(report.index, Contains(Seen("network", "forbidden")));
  EXPECT_THAT(report.variables, Contains(Seen("PIER_OFFLINE", "1")));
  EXPECT_THAT(report.variables, Contains(Seen("PIER_INDEX_URL", Not(HasSubstr("hunter2")))));
  EXPECT_THAT(report.variables, Not(Contains(Seen("HOME", testing::_))));
}

TEST_F(Doctor, FoldersShowTheirSizeAndPermissions) {
  write_file(folder() / "home/data/plugins/x/file", std::string(1000, 'x'));
  fs::create_symlink("/", folder() / "home/data/loop");
  ::chmod((folder() / "home/data").c_str(), 0750);
  const DoctorReport report = examine(options);
  ASSERT_GE(report.folders.size(), 3u);
  EXPECT_FALSE(report.folders[0].exists);
  EXPECT_EQ(report.folders[1].path, folder() / "home/data");
  EXPECT_EQ(report.folders[1].mode, 0750u);
  EXPECT_EQ(report.folders[1].bytes, 1000u);
  EXPECT_EQ(report.folders[1].files, 1u);
  EXPECT_TRUE(report.folders[1].complete);
  ::chmod((folder() / "home/data").c_str(), 0777);
  EXPECT_THAT(examine(options).problems, ElementsAre(Wrong(Severity::warning, HasSubstr("everyone may write"), "chmod o-w " + (folder() / "home/data").string())));
}

TEST(ShellWord, IsSafeInAShell) {
  using pier::registry::shell_word;
  EXPECT_EQ(shell_word("/usr/lib/x-1.so"), "/usr/lib/x-1.so");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $(x)"), "'it'\\''s $(x)'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
