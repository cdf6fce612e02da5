#include "registry/select.h"

#include <algorithm>

#include <pier/error.h>

#include "base/text.h"
#include "registry/machine.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

std::string to_text(SystemVersion version) { return text("{}.{}", version.major, version.minor); }

std::string platforms_of(const CatalogPackage& package) {
  std::vector<std::string> platforms;
  for (const CatalogFile& file : package.files) platforms.push_back(file.pin.platform);
  return join(platforms);
}

// Why a package does not fit the target, or nothing. A package that was asked for by name is not held to its needs here: the
// check of the library itself says more.
std::optional<std::string> why_unfit(const CatalogFile& file, const Target& target, bool by_name) {
  if (!file.pin.min_system.empty() && target.system && *target.system < parse_system(file.pin.min_system))
    return text("needs {} {}, {} has {}", system_name(target.platform.os), file.pin.min_system,
                target.host ? "this machine" : "the machine it is for", to_text(*target.system));
  if (!target.host || by_name) return std::nullopt;
  for (const CatalogNeed& need : file.needs)
    if (auto why = why_lacking(need)) return why;
  return std::nullopt;
}

std::string describe(const CatalogPackage& package, const CatalogFile* file, Os os) {
  std::string out = text("{} {}", package.name, package.version);
  std::vector<std::string> facts;
  if (!package.api_version.empty()) facts.push_back("PJRT " + package.api_version);
  if (file && !file->pin.min_system.empty()) facts.push_back(text("{} {} or later", system_name(os), file->pin.min_system));
  if (!facts.empty()) out += " (" + join(facts) + ")";
  return out;
}

}  // namespace

Error unusable_error(const UnusablePackage& package) {
  Error error(ErrorCode::not_available, text("{} cannot be used: {}", package.name, package.reason));
  if (!package.instead.empty()) error.note(text("`pier install {}` installs what takes its place", package.instead));
  return error;
}

const CatalogFile* file_for(const CatalogPackage& package, Platform platform) {
  const auto file = std::ranges::find(package.files, to_string(platform), [](const CatalogFile& each) -> const std::string& { return each.pin.platform; });
  return file == package.files.end() ? nullptr : &*file;
}

std::string_view system_name(Os os) {
  switch (os) {
    case Os::linux_os: return "glibc";
    case Os::macos: return "macOS";
    case Os::windows: return "Windows";
  }
  return "system";
}

SystemVersion parse_system(std::string_view version) {
  std::string_view rest;
  const auto parts = leading_version(version, &rest);
  if (!parts || !rest.empty()) throw Error(ErrorCode::invalid_argument, text("'{}' is not a version of a system, like 14.5", version));
  return {(*parts)[0], (*parts)[1]};
}

Target host_target() { return {host_platform(), host_system_version(), true}; }

Target make_target(std::string_view platform, std::string_view system) {
  Target target = host_target();
  if (!platform.empty() && parse_platform(platform) != target.platform)
    target = {parse_platform(platform), std::nullopt, false};
  if (!system.empty()) target.system = parse_system(system);
  return target;
}

Choice choose(const CatalogEntry& entry, const Target& target, std::string_view package_name, std::string_view version) {
  const CatalogPackage* chosen = nullptr;
  const CatalogFile* chosen_file = nullptr;
  std::vector<std::string> others;
  std::vector<std::string> rejected;
  bool name_is_known = package_name.empty();
  for (const CatalogPackage& package : entry.packages) {
    const CatalogFile* const file = file_for(package, target.platform);
    const std::string description = describe(package, file, target.platform.os);
    const bool by_name = !package_name.empty() && package.name == package_name;
    name_is_known = name_is_known || by_name;
    std::optional<std::string> why;
    if (!file) why = text("only for {}", platforms_of(package));
    else if (package.old && !by_name) why = "old; taken only when it is asked for by name";
    else if (!package_name.empty() && !by_name) why = "not the package asked for";
    else if (!version.empty() && package.version != version) why = text("not the version asked for, {}", version);
    else why = why_unfit(*file, target, by_name);
    if (!why && !chosen) {
      chosen = &package;
      chosen_file = file;
      continue;
    }
    if (why) rejected.push_back(text("{}: {}", description, *why));
    if (file) {
      std::string line = text("{}: {}", description, why ? *why : "comes later in the catalog's order");
      if (!package.note.empty()) line += text(". {}", package.note);
      others.push_back(std::move(line));
    }
  }
  if (chosen) return {*chosen, *chosen_file, std::move(others)};

  const auto unusable = name_is_known ? std::nullopt : unusable_package(package_name);
  if (unusable) throw unusable_error(*unusable);
  Error error(ErrorCode::not_available,
              name_is_known ? text("the catalog pins no {} plugin that fits {}", entry.id, to_string(target.platform))
                            : text("the catalog has no package '{}' for {}", package_name, entry.id));
  if (entry.packages.empty()) error.note(text("its entry ({}) lists no package", entry.source));
  for (std::string& line : rejected) error.note(std::move(line));
  throw error;
}

}  // namespace pier::registry
