#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include <grp.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "inspect/cpu.h"
#include "registry/doctor.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_devices = 4096;

// The value of KEY="value" in an os-release file.
std::string os_value(std::string_view file, std::string_view key) {
  for (const std::string& line : split(file, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos && line.compare(0, equals, key) == 0) return std::string(trim(std::string_view(line).substr(equals + 1), "\"' \r"));
  }
  return {};
}

// "name : value" in a cpuinfo file, of its first processor.
std::string cpu_value(std::string_view file, std::string_view key) {
  for (const std::string& line : split(file, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trim(std::string_view(line).substr(0, colon)) == key) return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return {};
}

void see_processor(const fs::path& root, DoctorReport& report) {
  const std::string file = small_file(root / "proc/cpuinfo");
  std::string model = cpu_value(file, "model name");
  if (model.empty()) model = "not told";
  std::size_t count = 0;
  for (const std::string& line : split(file, '\n')) count += line.starts_with("processor");
  report.system.push_back({"processor", model, count > 0 ? text("{} threads", count) : ""});

  // Those that kernels of plugins are compiled for.
  constexpr std::array telling = {"sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_fp16", "amx_tile", "asimd", "sve", "sve2", "bf16"};
  std::set<std::string> features = inspection::parse_cpuinfo(file);
  if (features.empty() && root == "/") features = inspection::host_cpu_features().value_or(std::set<std::string>{});
  std::vector<std::string> has;
  for (const char* const feature : telling)
    if (features.contains(feature)) has.emplace_back(feature);
  report.system.push_back({"processor features", has.empty() ? "none of those that matter, or not told" : join(has, " "), "/proc/cpuinfo"});
}

void see_standard_library(const fs::path& root, DoctorReport& report) {
  const auto library = find_library("libstdc++.so.6", root);
  if (!library) return report.system.push_back({"libstdc++", "not found", "plugins that bring their own do without"});
  try {
    const Binary binary = inspect(*library);
    std::array<int, 3> newest{};
    for (const std::string& version : binary.images.front().versions_defined)
      if (version.starts_with("GLIBCXX_"))
        if (const auto number = leading_version(std::string_view(version).substr(8))) newest = std::max(newest, *number);
    report.system.push_back({"libstdc++", text("GLIBCXX_{}.{}.{}", newest[0], newest[1], newest[2]), library->native()});
  } catch (const Error& error) {
    report.system.push_back({"libstdc++", error.message(), library->native()});
  }
}

std::string vendor_name(std::string_view vendor) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> names = {
      {{"10de", "NVIDIA"}, {"1002", "AMD"}, {"8086", "Intel"}, {"1ae0", "Google"}, {"1e52", "Tenstorrent"}, {"106b", "Apple"}, {"1d0f", "Amazon"}}};
  for (const auto& [number, name] : names)
    if (number == vendor) return std::string(name);
  return {};
}

// By PCI base class and subclass; empty for what computes nothing.
std::string kind_of(std::string_view class_code) {
  if (class_code.starts_with("0302")) return "3D controller";
  if (class_code.starts_with("03")) return "display controller";
  if (class_code.starts_with("12")) return "processing accelerator";
  if (class_code.starts_with("0b40")) return "co-processor";
  return {};
}

std::string pci_number(const fs::path& path) {
  std::string line = first_line(path);
  return line.starts_with("0x") ? line.substr(2) : line;
}

void see_pci(const fs::path& root, DoctorReport& report) {
  std::vector<fs::path> devices;
  std::error_code error;
  for (fs::directory_iterator at(root / "sys/bus/pci/devices", error), end; !error && at != end && devices.size() < most_devices; at.increment(error))
    devices.push_back(at->path());
  std::sort(devices.begin(), devices.end());
  for (const fs::path& device : devices) {
    const std::string vendor = pci_number(device / "vendor");
    const std::string kind = kind_of(pci_number(device / "class"));
    const std::string name = vendor_name(vendor);
    // These two sell nothing else on this bus.
    const bool of_accelerators = vendor == "1ae0" || vendor == "1e52";
    if (name.empty() || (kind.empty() && !of_accelerators)) continue;
    report.hardware.push_back({text("{} {}", name, kind.empty() ? "device" : kind), text("{}:{}", vendor, pci_number(device / "device")),
                               text("PCI {}", device.filename().native())});
  }
}

// "video" of a node that this user may not open.
std::string group_of(const fs::path& node) {
  struct stat status {};
  if (::stat(node.c_str(), &status) != 0) return {};
  std::array<char, 4096> room{};
  struct group entry {};
  struct group* found = nullptr;
  if (::getgrgid_r(status.st_gid, &entry, room.data(), room.size(), &found) != 0 || !found || !(status.st_mode & S_IWGRP)) return {};
  return found->gr_name;
}

void see_node(const fs::path& node, const fs::path& root, DoctorReport& report) {
  const std::string name = "/" + node.lexically_relative(root).generic_string();
  if (::access(node.c_str(), R_OK | W_OK) == 0) return report.hardware.push_back({name, "there, and you may use it", "device node"});
  report.hardware.push_back({name, "there, and you may not use it", "device node"});
  const std::string group = group_of(node);
  report.problems.push_back({Severity::warning, "", text("you may not use the device {}", name),
                             group.empty() || group == "root" ? text("ask the administrator for access to {}", name)
                                                              : text("sudo usermod -aG {} \"$USER\"   (then log in again)", group)});
}

void see_nodes(const fs::path& root, DoctorReport& report) {
  const auto is_number = [](std::string_view rest) { return !rest.empty() && rest.find_first_not_of("0123456789") == std::string_view::npos; };
  const auto each = [&](const char* folder, auto wanted) {
    std::vector<fs::path> nodes;
    std::error_code error;
    for (fs::directory_iterator at(root / folder, error), end; !error && at != end && nodes.size() < most_devices; at.increment(error))
      if (std::error_code none; !at->is_directory(none) && wanted(at->path().filename().native())) nodes.push_back(at->path());
    std::sort(nodes.begin(), nodes.end());
    for (const fs::path& node : nodes) see_node(node, root, report);
  };
  each("dev", [&](const std::string& name) {
    return name == "nvidiactl" || name == "nvidia-uvm" || name == "kfd" || (name.starts_with("nvidia") && is_number(std::string_view(name).substr(6))) ||
           (name.starts_with("accel") && is_number(std::string_view(name).substr(5)));
  });
  each("dev/dri", [](const std::string& name) { return name.starts_with("renderD"); });
  each("dev/accel", [](const std::string& name) { return name.starts_with("accel"); });
  each("dev/vfio", is_number);
  each("dev/tenstorrent", is_number);
}

}  // namespace

void examine_system(const fs::path& root, DoctorReport& report) {
  const std::string release = small_file(root / "etc/os-release");
  std::string system = os_value(release, "PRETTY_NAME");
  struct utsname names {};
  if (::uname(&names) == 0) {
    if (system.empty()) system = names.sysname;
    report.system.push_back({"system", system, text("{} {}", names.sysname, names.release)});
  }
  report.system.push_back({"platform", to_string(host_platform()), ""});
  const auto version = host_system_version();
  const char* const library = host_platform().os == Os::macos ? "macOS" : "glibc";
  report.system.push_back({library, version ? text("{}.{}", version->major, version->minor) : "not there", ""});
  if (host_platform().os == Os::linux_os) see_standard_library(root, report);
  see_processor(root, report);
}

void examine_hardware(const fs::path& root, DoctorReport& report) {
  see_pci(root, report);
  see_nodes(root, report);
}

}  // namespace pier::registry
