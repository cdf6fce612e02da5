#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "inspect/search.h"

namespace pier::inspection {
namespace {

struct Family {
  std::string_view prefix;
  std::string_view code;
  std::string_view what;
  std::string_view remedy;
};

constexpr std::array families = {
    Family{"GLIBC_", "glibc-too-old", "glibc",
           "take a build for an older glibc (the manylinux number in its file name), or a newer system or container"},
    Family{"GLIBCXX_", "libstdcxx-too-old", "libstdc++",
           "put a newer libstdc++.so.6 (from a newer GCC or from conda) first in LD_LIBRARY_PATH before the program starts"},
    Family{"CXXABI_", "libstdcxx-too-old", "libstdc++",
           "put a newer libstdc++.so.6 (from a newer GCC or from conda) first in LD_LIBRARY_PATH before the program starts"},
};
constexpr Family other{"", "symbol-version", "", "install the version of that library that the plugin was built with"};

const Family& family_of(std::string_view version) {
  for (const Family& family : families)
    if (version.starts_with(family.prefix)) return family;
  return other;
}

// The part before the number: what belongs to one sequence of versions.
std::string_view sequence_of(std::string_view version) {
  return version.substr(0, std::min(version.find_first_of("0123456789"), version.size()));
}

std::string newest_defined(const Image& provider, std::string_view sequence) {
  Image numbers;
  for (const std::string& version : provider.versions_defined) numbers.versions_needed.push_back({"", version, false});
  const auto newest = sequence.empty() ? std::nullopt : numbers.newest_needed(sequence);
  return newest ? std::string(sequence) + *newest : std::string();
}

}  // namespace

void compare_versions(const Image& user, const std::string& user_name, const std::string& library, const Image& provider,
                      const std::string& provider_path, std::vector<Finding>& findings) {
  std::vector<const SymbolVersion*> missing;
  const std::set<std::string_view> defined(provider.versions_defined.begin(), provider.versions_defined.end());
  bool needs_any = false;
  for (const SymbolVersion& version : user.versions_needed) {
    if (version.library != library) continue;
    needs_any = true;
    if (!defined.contains(version.version)) missing.push_back(&version);
  }
  if (!needs_any) return;
  if (provider.versions_defined.empty()) {
    // The loader prints a warning of its own and goes on.
    findings.push_back({Severity::warning, "no-version-information",
                        text("{} was built against a {} with symbol versions; {} has none", user_name, library, provider_path),
                        "install the library that the plugin was built with"});
    return;
  }
  std::set<std::string_view> told;
  for (const SymbolVersion* first : missing) {
    const std::string_view sequence = sequence_of(first->version);
    if (!told.insert(sequence).second) continue;
    std::string list;
    bool fatal = false;
    for (const SymbolVersion* version : missing) {
      if (sequence_of(version->version) != sequence) continue;
      list += text("{}{}", list.empty() ? "" : ", ", version->version);
      fatal = fatal || !version->weak;
    }
    const Family& family = family_of(first->version);
    const std::string newest = newest_defined(provider, sequence);
    std::string message = text("{} needs {} of {}", user_name, list, library);
    if (newest.empty()) message += text(", which {} does not have", provider_path);
    else if (family.what.empty()) message += text("; {} has versions up to {}", provider_path, newest);
    else message += text("; this machine's {} ({}) has versions up to {}", family.what, provider_path, newest);
    findings.push_back({fatal ? Severity::error : Severity::warning, std::string(family.code), std::move(message),
                        std::string(family.remedy)});
  }
}

}  // namespace pier::inspection
