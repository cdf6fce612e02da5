#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <pier/error.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/doctor.h"
#include "registry/names.h"
#include "registry/probe_process.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

// The first word that is a version of three numbers or two: "535.104.05".
std::string version_in(std::string_view line) {
  for (const std::string& word : split(line, ' '))
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  return {};
}

// What a branch of the driver brings, by the release notes of the CUDA toolkit (table "CUDA Toolkit and Corresponding Driver Versions").
int cuda_of_branch(std::string_view kernel) {
  constexpr std::array<std::pair<int, int>, 12> branches = {{{580, 13000}, {575, 12090}, {570, 12080}, {565, 12070}, {560, 12060}, {555, 12050},
                                                             {550, 12040}, {545, 12030}, {535, 12020}, {530, 12010}, {525, 12000}, {450, 11000}}};
  const auto version = leading_version(kernel);
  if (!version) return 0;
  for (const auto& [branch, cuda] : branches)
    if ((*version)[0] >= branch) return cuda;
  return 0;
}

bool sees(const DoctorReport& report, std::string_view vendor) {
  return std::any_of(report.hardware.begin(), report.hardware.end(), [&](const Observation& device) { return device.what.starts_with(vendor); });
}

void warn(DoctorReport& report, std::string what, std::string mend) {
  report.problems.push_back({Severity::warning, "", std::move(what), std::move(mend)});
}

CudaDriver see_nvidia(const fs::path& root, bool ask, std::chrono::milliseconds limit, DoctorReport& report) {
  CudaDriver driver;
  std::string from = "/proc/driver/nvidia/version";
  driver.kernel = version_in(first_line(root / "proc/driver/nvidia/version"));
  if (driver.kernel.empty()) {
    from = "/sys/module/nvidia/version";
    driver.kernel = version_in(first_line(root / "sys/module/nvidia/version"));
  }
  const auto library = find_library("libcuda.so.1", root);
  if (!driver.kernel.empty()) report.drivers.push_back({"NVIDIA kernel module", driver.kernel, from});
  else if (sees(report, "NVIDIA"))
    warn(report, "an NVIDIA device is on the PCI bus, and its driver is not loaded", "sudo modprobe nvidia   (or install NVIDIA's driver first)");

  if (library) {
    std::error_code error;
    // Its file is named for its version: libcuda.so.535.104.05.
    const fs::path real = fs::canonical(*library, error);
    const std::string name = real.filename();
    const std::string version = name.starts_with("libcuda.so.") ? name.substr(std::string_view("libcuda.so.").size()) : "";
    report.drivers.push_back({"libcuda.so.1", version.find('.') == std::string::npos ? "there" : version, library->native()});
    // NVIDIA's package for newer CUDA on an older driver lies in a folder of that name, and is meant to differ.
    const bool compatible_by_intent = real.native().find("compat") != std::string::npos;
    if (!driver.kernel.empty() && version.find('.') != std::string::npos && version != driver.kernel && !compatible_by_intent)
      warn(report, text("the NVIDIA kernel module is {}, and libcuda.so.1 is {} ({})", driver.kernel, version, real.native()), "sudo reboot");
  } else if (!driver.kernel.empty()) {
    warn(report, "the NVIDIA driver is loaded, and the loader finds no libcuda.so.1",
         "install the driver's libraries (Debian: sudo apt install libcuda1); in a container: start it with --gpus all");
  }

  std::string how = "by the branch of the kernel module";
  if (library && ask) {
    try {
      driver.version = static_cast<int>(ask_library(*library, "cuDriverGetVersion", limit));
      how = text("cuDriverGetVersion of {}", library->native());
    } catch (const Error& error) {
      warn(report, text("{} does not say its version: {}", library->native(), error.message()), "install NVIDIA's driver again");
    }
  }
  if (driver.version == 0) driver.version = cuda_of_branch(driver.kernel);
  if (driver.version != 0) report.drivers.push_back({"CUDA of the driver", cuda_version_text(driver.version), how});
  return driver;
}

void see_module(const fs::path& root, const char* module, const char* what, DoctorReport& report) {
  const fs::path folder = root / "sys/module" / module;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  const std::string version = first_line(folder / "version");
  report.drivers.push_back({what, version.empty() ? "loaded, the kernel's own" : version, text("/sys/module/{}", module)});
}

void see_library(const fs::path& root, const char* name, const char* what, DoctorReport& report) {
  if (const auto library = find_library(name, root)) report.drivers.push_back({what, "there", library->native()});
}

void see_amd(const fs::path& root, DoctorReport& report) {
  see_module(root, "amdgpu", "AMD kernel module", report);
  if (const std::string version = first_line(root / "opt/rocm/.info/version"); !version.empty())
    report.drivers.push_back({"ROCm", version, "/opt/rocm/.info/version"});
  std::error_code error;
  if (fs::is_directory(root / "sys/module/amdgpu", error) && sees(report, "AMD") && !fs::exists(root / "dev/kfd", error))
    warn(report, "an AMD device is there, and /dev/kfd is not: no program can compute on it",
         "start the container with --device /dev/kfd --device /dev/dri, or install AMD's amdgpu-dkms");
}

void see_intel(const fs::path& root, DoctorReport& report) {
  see_module(root, "i915", "Intel kernel module", report);
  see_module(root, "xe", "Intel kernel module", report);
  see_library(root, "libze_loader.so.1", "Level Zero loader", report);
  see_library(root, "libze_intel_gpu.so.1", "Level Zero driver", report);
}

}  // namespace

CudaDriver examine_drivers(const fs::path& root, bool ask, std::chrono::milliseconds limit, DoctorReport& report) {
  const CudaDriver driver = see_nvidia(root, ask, limit, report);
  see_amd(root, report);
  see_intel(root, report);
  see_module(root, "tenstorrent", "Tenstorrent kernel module", report);
  return driver;
}

}  // namespace pier::registry
