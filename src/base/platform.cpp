#include "base/platform.h"

#include <charconv>
#include <compare>

#include <pier/error.h>

#include "base/text.h"

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace pier {
namespace {

std::string_view os_name(Os os) {
  switch (os) {
    case Os::linux_os: return "linux";
    case Os::macos: return "macos";
    case Os::windows: return "windows";
  }
  return "unknown";
}

[[maybe_unused]] std::optional<SystemVersion> system_version(std::string_view text) {
  const auto parts = leading_version(text);
  if (!parts) return std::nullopt;
  return SystemVersion{(*parts)[0], (*parts)[1]};
}

}  // namespace

std::string to_string(Platform platform) {
  std::string_view arch = "x86_64";
  // Each system's own word for the same processor, as its package tags spell it.
  if (platform.arch == Arch::aarch64) arch = platform.os == Os::linux_os ? "aarch64" : "arm64";
  return text("{}-{}", os_name(platform.os), arch);
}

Platform parse_platform(std::string_view name) {
  const std::size_t dash = name.find('-');
  const std::string_view os = name.substr(0, dash);
  const std::string_view arch = dash == std::string_view::npos ? "" : name.substr(dash + 1);
  Platform platform;
  bool known = true;
  if (os == "linux") platform.os = Os::linux_os;
  else if (os == "macos" || os == "darwin" || os == "osx") platform.os = Os::macos;
  else if (os == "windows" || os == "win") platform.os = Os::windows;
  else known = false;
  if (arch == "x86_64" || arch == "amd64" || arch == "x64") platform.arch = Arch::x86_64;
  else if (arch == "aarch64" || arch == "arm64") platform.arch = Arch::aarch64;
  else known = false;
  if (!known)
    throw Error(ErrorCode::invalid_argument, text("unknown platform '{}'", name))
        .note("known: linux-x86_64, linux-aarch64, macos-arm64, macos-x86_64, windows-x86_64, windows-arm64");
  return platform;
}

Platform host_platform() {
  Platform platform;
#if defined(__APPLE__)
  platform.os = Os::macos;
#elif defined(_WIN32)
  platform.os = Os::windows;
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
  platform.arch = Arch::aarch64;
#endif
  return platform;
}

std::optional<SystemVersion> host_system_version() {
#if defined(__GLIBC__)
  return system_version(gnu_get_libc_version());
#elif defined(__APPLE__)
  char version[32] = {};
  std::size_t size = sizeof version - 1;
  if (sysctlbyname("kern.osproductversion", version, &size, nullptr, 0) != 0) return std::nullopt;
  return system_version(version);
#else
  return std::nullopt;
#endif
}

std::optional<std::array<int, 3>> leading_version(std::string_view text, std::string_view* rest) {
  std::array<int, 3> parts{};
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // A dot belongs to the version only with a number behind it.
    const char* const number = i == 0 ? at : at + 1;
    if (i > 0 && (at == end || *at != '.')) break;
    if (number == end || *number < '0' || *number > '9') break;
    const auto [next, error] = std::from_chars(number, end, parts[i]);
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  if (at == text.data()) return std::nullopt;
  if (rest) *rest = text.substr(static_cast<std::size_t>(at - text.data()));
  return parts;
}

}  // namespace pier
