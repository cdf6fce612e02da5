#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/env.h"
#include "base/text.h"
#include "registry/doctor.h"
#include "registry/names.h"
#include "registry/trust.h"
#include "store/index.h"
#include "store/url.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_files = 500'000;

void see_index(DoctorReport& report) {
  if (env_flag("PIER_OFFLINE")) report.index.push_back({"network", "forbidden", "PIER_OFFLINE"});
  try {
    const IndexConfig config = index_config();
    if (!config.no_index.empty()) report.index.push_back({"index", "none", config.no_index});
    for (std::size_t i = 0; i < config.indexes.size(); ++i)
      report.index.push_back({i == 0 ? "index" : "extra index", redact_url(config.indexes[i].url), config.indexes[i].from});
    for (const IndexConfig::Index& place : config.find_links)
      report.index.push_back({"find-links", looks_like_url(place.url) ? redact_url(place.url) : place.url, place.from});
    if (config.indexes.empty() && config.no_index.empty())
      report.index.push_back({"index", "none", "pier was built without one: set PIER_INDEX_URL"});
  } catch (const Error& error) {
    report.problems.push_back({Severity::warning, "", text("the settings of the package index cannot be used: {}", error.message()),
                               error.notes().empty() ? "set PIER_INDEX_URL" : error.notes().front()});
  }
}

void see_folder(const char* what, const fs::path& path, bool ours, DoctorReport& report) {
  FolderState state;
  state.what = what;
  state.path = path;
  struct stat status {};
  state.exists = ::stat(path.c_str(), &status) == 0;
  if (!state.exists && !ours) return;
  if (state.exists) {
    state.mode = status.st_mode & 07777U;
    state.owner = status.st_uid;
    std::error_code error;
    for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end; !error && at != end; at.increment(error)) {
      std::error_code none;
      if (at->is_symlink(none) || !at->is_regular_file(none)) continue;
      if (++state.files > most_files) break;
      const std::uintmax_t size = at->file_size(none);
      if (!none) state.bytes += size;
    }
    state.complete = !error && state.files <= most_files;
    if (const auto mend = mend_of_untrusted(path))
      report.problems.push_back({Severity::warning, "", text("what lies in {} is not used: {}", path.native(), *why_untrusted(path)), *mend});
    else if (ours && ::access(path.c_str(), W_OK) != 0)
      report.problems.push_back({Severity::warning, "", text("you may not write {}", path.native()),
                                 text("sudo chown -R \"$USER\" {}, or set PIER_HOME to another folder", shell_word(path.native()))});
  }
  report.folders.push_back(std::move(state));
}

void see_folders(DoctorReport& report) {
  try {
    see_folder("settings", config_home(), true, report);
    see_folder("plugins", data_home(), true, report);
    see_folder("unfinished downloads", cache_home(), true, report);
  } catch (const Error& error) {
    report.problems.push_back({Severity::error, "", error.message(), "export PIER_HOME=FOLDER"});
  }
  for (const fs::path& folder : system_config_dirs()) see_folder("settings of the system", folder, false, report);
}

void see_variables(DoctorReport& report) {
  constexpr std::array others = {"LD_LIBRARY_PATH=", "LD_PRELOAD=", "XLA_FLAGS=", "LIBTPU_INIT_ARGS=", "CUDA_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=",
                                 "ROCR_VISIBLE_DEVICES=", "ZE_AFFINITY_MASK=", "TPU_VISIBLE_CHIPS=", "TPU_LIBRARY_PATH=", "METAL_LIBRARY_PATH=",
                                 "VIRTUAL_ENV=", "CONDA_PREFIX="};
  for (char** at = environment(); at && *at; ++at) {
    const std::string_view line(*at);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const bool wanted = line.starts_with("PIER_") || line.starts_with("PJRT_") ||
                        std::any_of(others.begin(), others.end(), [&](const char* other) { return line.starts_with(other); });
    if (!wanted) continue;
    const std::string value(line.substr(equals + 1));
    report.variables.push_back({std::string(line.substr(0, equals)), looks_like_url(value) ? redact_url(value) : value, ""});
  }
  std::sort(report.variables.begin(), report.variables.end(), [](const Observation& a, const Observation& b) { return a.what < b.what; });
}

}  // namespace

void examine_setup(DoctorReport& report) {
  see_index(report);
  see_folders(report);
  see_variables(report);
}

}  // namespace pier::registry
