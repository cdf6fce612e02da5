#include "store/wheel_name.h"

#include <algorithm>
#include <charconv>

#include "store/version.h"

namespace pier {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// "2_27_x86_64" gives 2.27 and leaves "x86_64".
std::optional<SystemVersion> take_version(std::string_view& tag) {
  const std::size_t first = tag.find('_');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = tag.find('_', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto major = number(tag.substr(0, first));
  const auto minor = number(tag.substr(first + 1, second - first - 1));
  if (!major || !minor) return std::nullopt;
  tag.remove_prefix(second + 1);
  return SystemVersion{*major, *minor};
}

bool take(std::string_view& tag, std::string_view prefix) {
  if (!tag.starts_with(prefix)) return false;
  tag.remove_prefix(prefix.size());
  return true;
}

std::optional<Arch> linux_arch(std::string_view arch) {
  if (arch == "x86_64") return Arch::x86_64;
  if (arch == "aarch64") return Arch::aarch64;
  return std::nullopt;
}

void add_linux(std::vector<WheelTarget>& targets, std::string_view arch, SystemVersion minimum, bool musl = false) {
  if (const auto known = linux_arch(arch)) targets.push_back({Platform{Os::linux_os, *known}, minimum, musl});
}

void add_targets(std::vector<WheelTarget>& targets, std::string_view tag) {
  if (tag == "any") {
    targets.push_back({});
  } else if (take(tag, "manylinux1_")) {
    add_linux(targets, tag, {2, 5});
  } else if (take(tag, "manylinux2010_")) {
    add_linux(targets, tag, {2, 12});
  } else if (take(tag, "manylinux2014_")) {
    add_linux(targets, tag, {2, 17});
  } else if (take(tag, "manylinux_")) {
    if (const auto version = take_version(tag)) add_linux(targets, tag, *version);
  } else if (take(tag, "musllinux_")) {
    if (const auto version = take_version(tag)) add_linux(targets, tag, *version, true);
  } else if (take(tag, "linux_")) {
    add_linux(targets, tag, {});
  } else if (take(tag, "macosx_")) {
    const auto version = take_version(tag);
    if (!version) return;
    const bool both = tag == "universal2";
    const bool intel = tag == "x86_64" || tag == "intel" || tag == "universal" || tag == "fat64" || both;
    // The first macOS for Apple's own processors is 11.0, whatever a universal tag says.
    if (tag == "arm64" || both) targets.push_back({Platform{Os::macos, Arch::aarch64}, std::max(*version, SystemVersion{11, 0})});
    if (intel) targets.push_back({Platform{Os::macos, Arch::x86_64}, *version});
  } else if (tag == "win_amd64") {
    targets.push_back({Platform{Os::windows, Arch::x86_64}, {}});
  } else if (tag == "win_arm64") {
    targets.push_back({Platform{Os::windows, Arch::aarch64}, {}});
  }
}

bool is_component(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '+' || c == '!';
  });
}

}  // namespace

std::optional<WheelName> parse_wheel_name(std::string_view file) {
  if (file.size() > 512 || !file.ends_with(".whl")) return std::nullopt;
  file.remove_suffix(4);
  const auto parts = split(file, '-');
  if ((parts.size() != 5 && parts.size() != 6) || !std::ranges::all_of(parts, is_component)) return std::nullopt;
  WheelName wheel;
  wheel.project = normalize_name(parts[0]);
  wheel.version = parts[1];
  if (parts.size() == 6) {
    wheel.build = parts[2];
    if (wheel.build.front() < '0' || wheel.build.front() > '9') return std::nullopt;
  }
  wheel.python = parts[parts.size() - 3];
  wheel.abi = parts[parts.size() - 2];
  if (!Version::parse(wheel.version)) return std::nullopt;
  for (const std::string_view tag : split(parts.back(), '.')) add_targets(wheel.targets, tag);
  return wheel;
}

const WheelTarget* matching_target(const WheelName& wheel, Platform platform, std::optional<SystemVersion> system) {
  const WheelTarget* best = nullptr;
  for (const WheelTarget& target : wheel.targets) {
    if (target.musl) continue;
    if (target.platform && *target.platform != platform) continue;
    if (target.platform && system && target.minimum > *system) continue;
    const bool better = !best || (!best->platform && target.platform) ||
                        (best->platform && target.platform && target.minimum > best->minimum);
    if (better) best = &target;
  }
  return best;
}

std::optional<SystemVersion> parse_system_version(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto major = number(text.substr(0, dot));
  if (!major) return std::nullopt;
  if (dot == std::string_view::npos) return SystemVersion{*major, 0};
  std::string_view rest = text.substr(dot + 1);
  const auto minor = number(rest.substr(0, rest.find('.')));
  if (!minor) return std::nullopt;
  return SystemVersion{*major, *minor};
}

}  // namespace pier
