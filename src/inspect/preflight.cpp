#include "inspect/preflight.h"

#include <algorithm>
#include <utility>

#include <pier/error.h>

#include "base/text.h"
#include "inspect/cpu.h"
#include "inspect/formats.h"

namespace pier {
namespace inspection {
namespace {

ReleaseNumber release_of(SystemVersion version) {
  return {static_cast<std::uint32_t>(version.major), static_cast<std::uint32_t>(version.minor), 0};
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

class Check {
 public:
  Check(const Host& host, const Binary& binary, const PreflightOptions& options)
      : host_(host), binary_(binary), options_(options),
        target_(options.platform.empty() ? host.platform : parse_platform(options.platform)),
        at_home_(target_ == host.platform) {
    result_.binary = binary;
  }

  Preflight run() {
    const Image* const image = binary_.image_for(to_string(target_));
    if (image == nullptr) {
      report_wrong_platform();
      return std::move(result_);
    }
    if (!at_home_)
      add(Severity::info, "foreign", text("{} library: this machine ({}) cannot load it", to_string(target_),
                                          to_string(host_.platform)),
          text("use it on a {} machine", to_string(target_)));
    check_kind(*image);
    check_entry(*image);
    check_system(*image);
    if (at_home_) check_processor(*image);
    check_file(*image);
    // A file that is no loadable library gets no search: its list of needs is not what the loader would follow.
    if (image->kind == ObjectKind::shared_library && image->loadable) check_libraries(*image);
    return std::move(result_);
  }

 private:
  void add(Severity severity, std::string code, std::string message, std::string remedy = {}) {
    result_.findings.push_back({severity, std::move(code), std::move(message), std::move(remedy)});
  }

  std::string target_name() const { return at_home_ ? "this machine" : "the target"; }

  void report_wrong_platform() {
    const std::string target = to_string(target_);
    const auto system_of = [](const std::string& platform) { return platform.substr(0, platform.find('-')); };
    const bool same_system = std::any_of(binary_.images.begin(), binary_.images.end(), [&](const Image& image) {
      return system_of(image.platform) == system_of(target);
    });
    if (same_system) {
      std::vector<std::string> processors;
      for (const Image& image : binary_.images) processors.push_back(image.arch);
      add(Severity::error, "wrong-architecture",
          text("{} is for {}, {} is {}", binary_.name, joined(processors, " and "), target_name(),
               target.substr(target.find('-') + 1)),
          text("get the build for {}", target));
    } else {
      add(Severity::error, "wrong-platform", text("{} is for {}, {} is {}", binary_.name, binary_.platforms(),
                                                  target_name(), target),
          text("get the build for {}", target));
    }
  }

  void check_kind(const Image& image) {
    if (image.kind != ObjectKind::shared_library) {
      const std::string_view kind = image.kind == ObjectKind::other ? "object of another kind" : name(image.kind);
      add(Severity::error, "not-shared", text("{} is an {}, not a shared library", binary_.name, kind),
          image.kind == ObjectKind::object_file ? "link it with -shared" : "give the plugin's shared library");
    } else if (!image.loadable) {
      add(Severity::error, "not-shared",
          text("{} holds nothing to load: it has no dynamic section, or it is marked as a stub or as not to be opened",
               binary_.name),
          "a file with debug information only looks like this; give the library itself");
    }
  }

  void check_entry(const Image& image) {
    const std::string& symbol = options_.entry_symbol;
    if (symbol.empty()) return;
    try {
      if (image.exports(symbol)) return;
      const std::vector<std::string> similar = image.similar_exports(symbol);
      std::string message = text("{} does not export {}", binary_.name, symbol);
      std::string remedy = "this library is not a PJRT plugin, or its linker hid the symbol: export it with default visibility";
      if (!similar.empty()) {
        message += text("; it exports {}", joined(similar, ", "));
        remedy = text("the entry must be spelled exactly {}", symbol);
        // C++ names start with _Z (Itanium ABI) or ? (Microsoft).
        for (const std::string& candidate : similar)
          if (candidate.starts_with("_Z") || candidate.starts_with("?"))
            remedy = text("{} was compiled as a C++ function: declare it extern \"C\"", candidate);
      }
      add(Severity::error, "entry-missing", std::move(message), std::move(remedy));
    } catch (const IntegrityError& error) {
      add(Severity::error, "damaged", error.message(), "fetch or build the file again");
    }
  }

  void check_system(const Image& image) {
    std::optional<ReleaseNumber> system = options_.system;
    if (!system && at_home_) system = host_.system;
    if (!image.minimum_system || !system || binary_.format == BinaryFormat::pe || *system >= *image.minimum_system) return;
    if (binary_.format == BinaryFormat::macho)
      add(Severity::error, "macos-too-old",
          text("{} needs macOS {}, {} has {}", binary_.name, to_string(*image.minimum_system), target_name(),
               to_string(*system)),
          text("update macOS, or take a plugin for macOS {}", to_string(*system)));
    // On this machine the comparison with the libraries themselves tells more, version by version.
    else if (!(at_home_ && host_.places) || options_.system)
      add(Severity::error, "glibc-too-old",
          text("{} needs GLIBC_{}, {} has {}", binary_.name, to_string(*image.minimum_system), target_name(),
               to_string(*system)),
          "take a build for an older glibc (the manylinux number in its file name), or a newer system or container");
  }

  void check_processor(const Image& image) {
    std::vector<std::string> wanted = options_.cpu_features;
    for (std::string& feature : features_of_x86_level(image.x86_level)) wanted.push_back(std::move(feature));
    if (wanted.empty()) return;
    if (!host_.cpu_features) {
      add(Severity::info, "search-incomplete",
          text("{} needs the processor features {}; this system does not tell which it has", binary_.name,
               joined(wanted, ", ")));
      return;
    }
    const std::vector<std::string> missing = missing_features(*host_.cpu_features, wanted);
    if (!missing.empty())
      add(Severity::error, "cpu-too-old",
          text("{} needs the processor features {}, which this machine lacks; it would die with SIGILL", binary_.name,
               joined(missing, ", ")),
          "use a newer machine, or a build for older processors");
  }

  void check_file(const Image& image) {
    if (binary_.format == BinaryFormat::macho && image.arch.starts_with("arm64") && image.signature == CodeSignature::none)
      add(Severity::error, "unsigned", text("{} carries no code signature; Apple silicon refuses to load such code",
                                            binary_.name),
          "sign it on a Mac: codesign --sign - FILE (patching or stripping a library removes its signature)");
    if (binary_.format == BinaryFormat::elf && image.executable_stack)
      add(Severity::warning, "executable-stack",
          text("{} asks for an executable stack, which glibc 2.41 and later refuse", binary_.name),
          "build it with -Wl,-z,noexecstack");
    if (binary_.path.empty()) return;
    if (const std::optional<std::string> value = quarantine_of(binary_.path))
      result_.findings.push_back(quarantine_finding(binary_.path.string(), *value));
    if (at_home_ && is_on_noexec_mount(binary_.path))
      add(Severity::error, "noexec", text("{} lies on a file system mounted with noexec: no code can be loaded from there", binary_.name),
          "put it elsewhere; PIER_HOME moves everything that pier installs");
  }

  void check_libraries(const Image& image) {
    SearchResult found;
    if (binary_.format == BinaryFormat::macho) {
      found = search_macho(binary_, image, at_home_ && host_.platform.os == Os::macos, options_.preloaded);
    } else if (binary_.format == BinaryFormat::elf) {
      const auto is_relative = [](const std::string& folder) { return folder.find("ORIGIN") != std::string::npos; };
      if (binary_.path.empty() && (std::any_of(image.rpath.begin(), image.rpath.end(), is_relative) ||
                                   std::any_of(image.runpath.begin(), image.runpath.end(), is_relative)))
        add(Severity::info, "search-incomplete",
            text("{} was read from memory: libraries beside it ($ORIGIN) were not looked for", binary_.name));
      if (at_home_ && host_.places) {
        found = search_elf(binary_, image, *host_.places, options_.preloaded);
      } else {
        if (at_home_)
          add(Severity::info, "search-incomplete", "this system's loader is not glibc's: needed libraries were not searched");
        SearchPlaces beside;
        beside.complete = false;
        found = search_elf(binary_, image, beside, options_.preloaded);
      }
    } else {
      for (const NeededLibrary& needed : image.needed) {
        LibraryLookup lookup{needed.name, binary_.name, needed.optional, std::nullopt, {}, {}};
        std::error_code none;
        const std::filesystem::path beside = binary_.path.parent_path() / needed.name;
        if (!binary_.path.empty() && std::filesystem::exists(beside, none)) {
          lookup.path = beside;
          lookup.how = "beside the library";
        }
        found.libraries.push_back(std::move(lookup));
      }
    }
    result_.libraries = std::move(found.libraries);
    if (!at_home_)
      for (LibraryLookup& lookup : result_.libraries)
        if (!lookup.path && lookup.how.empty() && lookup.looked_in.empty()) lookup.how = "left to the target machine";
    for (Finding& finding : found.findings) result_.findings.push_back(std::move(finding));
  }

  const Host& host_;
  const Binary& binary_;
  const PreflightOptions& options_;
  Platform target_;
  bool at_home_;
  Preflight result_;
};

}  // namespace

Host this_host() {
  Host host;
  host.platform = host_platform();
  if (const auto version = host_system_version()) host.system = release_of(*version);
  host.places = host_search_places();
  host.cpu_features = host_cpu_features();
  return host;
}

Preflight preflight_on(const Host& host, const Binary& binary, const PreflightOptions& options) {
  return Check(host, binary, options).run();
}

Preflight preflight_on(const Host& host, const std::filesystem::path& path, const PreflightOptions& options) {
  if (!options.platform.empty()) static_cast<void>(parse_platform(options.platform));
  const MappedFile file(path);
  Preflight result;
  if (!library_format(file.bytes())) {
    Content content = other_content(file.bytes(), path.string());
    result.findings.push_back({Severity::error, "not-a-library", text("{} is not a library: it is {}", path.string(),
                                                                      content.what),
                               std::move(content.remedy)});
    return result;
  }
  try {
    return preflight_on(host, inspect_file(file), options);
  } catch (const IntegrityError& error) {
    result.findings.push_back({Severity::error, "damaged", error.message(), "fetch or build the file again"});
  }
  return result;
}

}  // namespace inspection

bool Preflight::ok() const noexcept {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

Preflight preflight(const Binary& binary, const PreflightOptions& options) {
  return inspection::preflight_on(inspection::this_host(), binary, options);
}

Preflight preflight(const std::filesystem::path& path, const PreflightOptions& options) {
  return inspection::preflight_on(inspection::this_host(), path, options);
}

}  // namespace pier
