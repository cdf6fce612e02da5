#include "registry/doctor.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "inspect/search.h"

namespace pier {
namespace registry {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_text = 1 << 20;

}  // namespace

std::string small_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string out(most_text, '\0');
  file.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(file.gcount()));
  return out;
}

std::string first_line(const fs::path& path) {
  const std::string whole = small_file(path);
  return std::string(trim(std::string_view(whole).substr(0, whole.find('\n'))));
}

std::optional<fs::path> find_library(const std::string& name, const fs::path& root) {
  if (root == "/") {
    const auto places = inspection::host_search_places();
    if (!places) return std::nullopt;
    // Looked for as on behalf of a library that needs it.
    Image user;
    user.platform = to_string(host_platform());
    user.arch = user.platform.substr(user.platform.find('-') + 1);
    user.needed = {{name, false}};
    const Binary package{.name = "pier", .path = {}, .size = 0, .format = BinaryFormat::elf, .images = {}, .universal = false};
    const inspection::SearchResult result = inspection::search_elf(package, user, *places, {});
    return result.libraries.empty() ? std::nullopt : result.libraries.front().path;
  }
  const std::string triplet = host_platform().arch == Arch::x86_64 ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  for (const fs::path& folder : {fs::path("usr/lib") / triplet, fs::path("usr/lib64"), fs::path("usr/lib"), fs::path("usr/local/lib")}) {
    std::error_code error;
    if (fs::exists(root / folder / name, error)) return root / folder / name;
  }
  return std::nullopt;
}

std::string cuda_version_text(int version) { return text("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace registry

bool DoctorReport::ok() const noexcept {
  return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) { return problem.severity == Severity::error; });
}

DoctorReport examine(const DoctorOptions& options) {
  const std::filesystem::path& root = options.machine.root;
  DoctorReport report;
  registry::examine_system(root, report);
  registry::examine_hardware(root, report);
  const registry::CudaDriver cuda = registry::examine_drivers(root, options.probe, options.probe_limit, report);
  registry::examine_plugins(options, cuda, report);
  registry::examine_launchers(report);
  registry::examine_setup(report);
  std::stable_sort(report.problems.begin(), report.problems.end(),
                   [](const Problem& a, const Problem& b) { return a.severity == Severity::error && b.severity != Severity::error; });
  return report;
}

}  // namespace pier
