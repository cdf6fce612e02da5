#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace pier {

enum class Os { linux_os, macos, windows };
enum class Arch { x86_64, aarch64 };

// An operating system and a processor, written "linux-x86_64", "macos-arm64", "windows-x86_64".
struct Platform {
  Os os = Os::linux_os;
  Arch arch = Arch::x86_64;

  friend bool operator==(const Platform&, const Platform&) = default;
};

std::string to_string(Platform platform);

// Accepts the usual other spellings too (darwin, osx, amd64, x64, arm64). Throws Error (invalid_argument) that lists the
// known ones.
Platform parse_platform(std::string_view text);

Platform host_platform();

// Version of the running system as wheel tags count it: glibc on Linux (2.36), macOS (14.5). Nothing on other systems, on a
// C library without a version (musl) and for a foreign platform.
struct SystemVersion {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const SystemVersion&, const SystemVersion&) = default;
};
std::optional<SystemVersion> host_system_version();

// The version at the start of a text: up to three numbers with dots between, those that are not there 0. Nothing when it does
// not start with a number. `rest` gets what comes after.
std::optional<std::array<int, 3>> leading_version(std::string_view text, std::string_view* rest = nullptr);

}  // namespace pier
