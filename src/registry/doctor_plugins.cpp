#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include <pier/catalog.h>
#include <pier/error.h>

#include "base/platform.h"
#include "base/text.h"
#include "inspect/search.h"
#include "registry/catalog_lookup.h"
#include "registry/doctor.h"
#include "registry/machine.h"
#include "registry/names.h"
#include "registry/policy.h"
#include "registry/search.h"
#include "registry/trust.h"
#include "store/version.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view cuda_runtime = "libcudart.so.";

// Who brings a library that a plugin needs, by the start of its name.
std::string package_of_library(std::string_view finding) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> packages = {{
      {"libcuda.so", "install NVIDIA's driver (Debian: sudo apt install libcuda1)"},
      {"libstdc++.so", "sudo apt install libstdc++6   (or your system's package of that library)"},
      {"libgomp.so", "sudo apt install libgomp1   (or your system's package of that library)"},
      {"libamdhip64.so", "install ROCm, and add its lib folder to LD_LIBRARY_PATH or to /etc/ld.so.conf.d"},
      {"librocm", "install ROCm, and add its lib folder to LD_LIBRARY_PATH or to /etc/ld.so.conf.d"},
      {"libroc", "install ROCm, and add its lib folder to LD_LIBRARY_PATH or to /etc/ld.so.conf.d"},
      {"libhip", "install ROCm, and add its lib folder to LD_LIBRARY_PATH or to /etc/ld.so.conf.d"},
      {"libze_", "install Intel's Level Zero (Debian: sudo apt install libze1)"},
      {"libsycl", "install the runtime of Intel oneAPI, and source its setvars.sh"},
  }};
  for (const auto& [start, mend] : packages)
    if (finding.starts_with(start)) return std::string(mend);
  return {};
}

int cuda_major(std::string_view library) {
  if (!library.starts_with(cuda_runtime)) return 0;
  const auto version = leading_version(library.substr(cuda_runtime.size()));
  return version ? (*version)[0] : 0;
}

int cuda_major(const CatalogPackage& package) {
  int out = 0;
  for (const CatalogCompanion& companion : package.companions)
    for (const std::string& library : companion.libraries) out = std::max(out, cuda_major(library));
  return out;
}

class Plugins {
 public:
  Plugins(const DoctorOptions& options, const CudaDriver& cuda, DoctorReport& report)
      : options_(options), cuda_(cuda), report_(report), catalog_(catalog_entries()), policy_(Policy::from_environment()) {}

  void examine() {
    std::vector<Query> queries;
    for (const std::string& selector : options_.selectors) queries.push_back(parse_selector(selector));
    if (queries.empty()) queries.emplace_back();
    for (const Query& query : queries) {
      const std::vector<Candidate> found = candidates(query);
      for (const Candidate& candidate : found) add(candidate);
      if (found.empty() && query.kind != Query::Kind::automatic)
        report_.problems.push_back({Severity::error, query.text, text("nothing on this machine is a plugin for '{}'", query.text),
                                    text("pier install {}, or pier register PATH --id {} for a local build", query.text, query.text)});
    }
    if (options_.selectors.empty()) {
      // Manifests that do not count are candidates with a reason; folders of them are none.
      for (const RejectedManifest& rejected : installed_plugins().rejected)
        if (rejected.id.empty())
          report_.problems.push_back({Severity::error, "", text("{}: {}", rejected.manifest.native(), rejected.reason),
                                      text("chmod u+rx {}", shell_word(rejected.manifest.native()))});
    }
    if (tpu_ || options_.selectors.empty()) examine_tpu_lock(options_.machine.root, tpu_ ? Severity::error : Severity::warning, tpu_ ? *tpu_ : "", report_);
  }

 private:
  std::vector<Candidate> candidates(const Query& query) const {
    Resolution out;
    search_path(query, out);
    search_variables(query, out);
    search_manifests(query, out);
    search_python(query, out);
    std::erase_if(out.candidates, [](const Candidate& candidate) { return candidate.source == name(Origin::foreign); });
    return std::move(out.candidates);
  }

  void add(Candidate candidate) {
    if (!seen_.insert({candidate.id, real_path(candidate.library)}).second) return;
    candidate.usable = candidate.reason.empty();
    PluginExamination out;
    out.plugin = std::move(candidate);
    Candidate& plugin = out.plugin;
    // What is found by the way is not installed: whatever is wrong with it breaks nothing of pier's.
    worst_ = plugin.found_in.empty() ? Severity::error : Severity::warning;
    if (const auto why = policy_.why_not(plugin.id); why && plugin.source != "path") {
      plugin.usable = false;
      plugin.reason = *why;
    } else if (!plugin.usable) {
      problem(plugin, plugin.reason, mend_of_unusable(plugin));
    } else {
      look_at(out);
    }
    report_.plugins.push_back(std::move(out));
  }

  void look_at(PluginExamination& out) {
    const Candidate& plugin = out.plugin;
    const CatalogEntry* const entry = entry_of(plugin.id);
    if (entry) out.device_seen = any_sign_is_there(entry->seen, options_.machine.root);
    if (plugin.id == "tpu" || contains(plugin.labels, "tpu") || plugin.library.filename() == "libtpu.so") tpu_ = plugin.id;
    bool loadable = true;
    try {
      Preflight preflight = pier::preflight(plugin.library);
      loadable = preflight.ok();
      out.findings = std::move(preflight.findings);
      out.libraries = std::move(preflight.libraries);
    } catch (const Error& error) {
      loadable = false;
      problem(plugin, error.message(), install_again(plugin));
    }
    for (const Finding& finding : out.findings) report_finding(plugin, finding);
    const CatalogPackage* const package = entry ? package_of(*entry, plugin) : nullptr;
    check_driver(out, package);
    if (package) check_loaded(plugin, *package);
    if (loadable && options_.probe) try_out(out);
  }

  void problem(const Candidate& plugin, std::string what, std::string mend, Severity severity = Severity::error) {
    if (severity == Severity::error) severity = worst_;
    report_.problems.push_back({severity, plugin.id, std::move(what), std::move(mend)});
  }

  const CatalogEntry* entry_of(const std::string& id) const {
    const auto at = std::find_if(catalog_.begin(), catalog_.end(), [&](const CatalogEntry& entry) { return entry.id == id; });
    return at == catalog_.end() ? nullptr : &*at;
  }

  static const CatalogPackage* package_of(const CatalogEntry& entry, const Candidate& plugin) {
    for (const CatalogPackage& package : entry.packages)
      if (!plugin.package.empty() && normalize_name(package.name) == normalize_name(plugin.package)) return &package;
    return nullptr;
  }

  static std::string install_again(const Candidate& plugin) {
    const std::string library = shell_word(plugin.library.native());
    if (plugin.source == name(Origin::installed)) return text("pier install {} --force", plugin.id);
    if (plugin.source == name(Origin::registered)) return text("pier register {} --id {}   (after it was built again; pier remove {} forgets it)", library, plugin.id, plugin.id);
    if (plugin.source == name(Origin::system)) return text("ask whoever wrote {} for a library that works", plugin.manifest.native());
    if (plugin.source == "python") return plugin.package.empty() ? text("install what brings {} again", library) : text("pip install --force-reinstall {}", plugin.package);
    if (plugin.source == "path") return text("get or build {} again", library);
    return text("unset {}   (or name another library in it)", plugin.source);
  }

  static std::string mend_of_unusable(const Candidate& plugin) {
    for (const fs::path& path : {plugin.manifest, plugin.library})
      if (!path.empty())
        if (auto mend = mend_of_untrusted(path)) return *mend;
    if (plugin.library.empty() && plugin.source != name(Origin::installed))
      return text("rm {}   (then register the plugin again)", shell_word(plugin.manifest.native()));
    return install_again(plugin);
  }

  void report_finding(const Candidate& plugin, const Finding& finding) {
    if (finding.severity == Severity::info) return;
    std::string mend = finding.code == "library-missing" ? package_of_library(finding.message) : "";
    if (finding.code == "damaged" || finding.code == "not-a-library" || finding.code == "wrong-architecture" || finding.code == "wrong-platform")
      mend = install_again(plugin);
    if (mend.empty()) mend = finding.remedy.empty() ? install_again(plugin) : finding.remedy;
    problem(plugin, finding.message, std::move(mend), finding.severity);
  }

  // CUDA runs on any driver of its major version or a newer one ("CUDA Compatibility", minor version compatibility).
  void check_driver(const PluginExamination& out, const CatalogPackage* package) {
    const Candidate& plugin = out.plugin;
    int wanted = package ? cuda_major(*package) : 0;
    for (const LibraryLookup& library : out.libraries) wanted = std::max(wanted, cuda_major(library.name));
    if (wanted > 0 && cuda_.version > 0) {
      if (cuda_.version / 1000 >= wanted) return;
      std::string mend = text("install an NVIDIA driver for CUDA {}", wanted);
      if (const std::string other = id_for_cuda(cuda_.version / 1000, plugin.id); !other.empty()) mend = text("pier install {}   (or {})", other, mend);
      return problem(plugin, text("the NVIDIA driver{} offers CUDA {}, and {} is built for CUDA {}", cuda_.kernel.empty() ? "" : " " + cuda_.kernel,
                                  cuda_version_text(cuda_.version), plugin.id, wanted),
                     std::move(mend));
    }
    if (!package) return;
    const std::string host = to_string(host_platform());
    for (const CatalogFile& file : package->files)
      for (const CatalogNeed& need : file.needs)
        if (file.pin.platform == host && !need.file.empty())
          if (auto why = why_file_lacking(need, options_.machine.root)) problem(plugin, text("the driver is too old: {} {}", package->name, *why), "install a newer driver");
  }

  // Another accelerator of the catalog that makes do with the driver.
  std::string id_for_cuda(int major, const std::string& but) const {
    for (const CatalogEntry& entry : catalog_)
      for (const CatalogPackage& package : entry.packages)
        if (const int needs = cuda_major(package); needs > 0 && needs <= major && entry.id != but && !package.old) return entry.id;
    return {};
  }

  // Companions are loaded by name: one that another part of this process has loaded takes their place. Those that the file itself
  // needs are the preflight's.
  void check_loaded(const Candidate& plugin, const CatalogPackage& package) {
    const auto places = inspection::host_search_places();
    if (!places) return;
    const std::string root = root_of(plugin, package).native() + "/";
    for (const CatalogCompanion& companion : package.companions)
      for (const std::string& library : companion.libraries)
        for (const auto& loaded : places->loaded)
          if ((loaded.soname == library || loaded.path.filename() == library) && !loaded.path.native().starts_with(root))
            problem(plugin, text("this process has loaded {} already, and {} {} would not take its place", loaded.path.native(), companion.name, companion.version),
                    text("start the program without loading {} first", library), Severity::warning);
  }

  // The folder that the package was unpacked into.
  static fs::path root_of(const Candidate& plugin, const CatalogPackage& package) {
    for (const CatalogFile& file : package.files) {
      const std::string member = "/" + file.pin.member;
      if (const std::string& library = plugin.library.native(); library.ends_with(member)) return library.substr(0, library.size() - member.size());
    }
    return plugin.library.parent_path();
  }

  void try_out(PluginExamination& out) {
    const Candidate& plugin = out.plugin;
    ProbeOptions options;
    options.create_client = out.device_seen.value_or(true);
    options.create_options = plugin.create_options;
    options.environment = plugin.environment;
    options.time_limit = options_.probe_limit;
    try {
      out.probe = probe_plugin(plugin.library, options);
      out.probe_log = out.probe->log;
    } catch (const Error& error) {
      constexpr std::string_view printed = "it printed:\n";
      out.probe_failure = error.message();
      if (!error.function().empty()) out.probe_failure += text(" (in {})", error.function());
      for (const std::string& note : error.notes()) {
        if (note.starts_with(printed)) out.probe_log = note.substr(printed.size());
        else if (note != "it printed nothing") out.probe_failure += "; " + note;
      }
      problem(plugin, text("it fails in a child process: {}", out.probe_failure), mend_of_failure(plugin, error.code()));
    }
  }

  std::string mend_of_failure(const Candidate& plugin, ErrorCode code) const {
    if (code == ErrorCode::deadline_exceeded) return text("pier doctor {} --time-limit 300   (if it is only slow)", plugin.id);
    // A driver that is wrong explains more than the plugin can.
    const std::string_view vendor = plugin.id.starts_with("cuda") ? "NVIDIA" : plugin.id.starts_with("rocm") ? "AMD" : plugin.id.starts_with("oneapi") ? "Intel" : "";
    for (const Problem& other : report_.problems)
      if (!vendor.empty() && other.plugin.empty() && other.what.find(vendor) != std::string::npos) return other.mend;
    return install_again(plugin);
  }

  const DoctorOptions& options_;
  const CudaDriver& cuda_;
  DoctorReport& report_;
  std::vector<CatalogEntry> catalog_;
  Policy policy_;
  Severity worst_ = Severity::error;
  std::optional<std::string> tpu_;  // The id of a plugin for TPUs.
  std::set<std::pair<std::string, fs::path>> seen_;
};

}  // namespace

void examine_plugins(const DoctorOptions& options, const CudaDriver& cuda, DoctorReport& report) { Plugins(options, cuda, report).examine(); }

}  // namespace pier::registry
