#include "base/env.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#if defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__APPLE__)
#include <crt_externs.h>
#endif
#include <pwd.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/file.h"

namespace pier {
namespace {

// Without "." and "..", so that what is written and what is read later compare equal. What has none stays as the user says it,
// links included; the folder need not be there yet.
std::filesystem::path absolute(const std::filesystem::path& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  if (error) throw_errno(error.value(), "find the folder of", path);
  auto plain = whole.lexically_normal();
  if (plain != whole)
    if (auto real = std::filesystem::weakly_canonical(whole, error); !error) plain = std::move(real);
  // "x/" and "x" are one folder.
  return plain.has_filename() ? plain : plain.parent_path();
}

// The folder that the account has by the system's books.
std::optional<std::filesystem::path> account_home() {
  std::vector<char> room(16384);
  passwd entry{};
  passwd* found = nullptr;
  int error = 0;
  while ((error = getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found)) == ERANGE && room.size() < (1u << 24))
    room.resize(room.size() * 2);
  if (error != 0 || !found || !found->pw_dir || !*found->pw_dir) return std::nullopt;
  return found->pw_dir;
}

std::filesystem::path folder(const char* own, const char* xdg, const char* below_home) {
  if (auto value = get_env("PIER_HOME")) return absolute(*value) / own;
  // The XDG specification says to ignore relative paths.
  if (auto value = get_env(xdg); value && value->front() == '/') return absolute(*value) / "pier";
  return user_home() / below_home / "pier";
}

}  // namespace

bool has_elevated_privileges() {
#if defined(__linux__)
  return getauxval(AT_SECURE) != 0;
#else
  return issetugid() != 0;
#endif
}

std::optional<std::string> get_env(const char* name) {
  if (has_elevated_privileges()) return std::nullopt;
  const char* value = std::getenv(name);
  if (!value || !*value) return std::nullopt;
  return std::string(value);
}

char** environment() {
#if defined(__APPLE__)
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

std::filesystem::path user_home() {
  if (auto value = get_env("HOME")) return absolute(*value);
  // Reached without HOME (a service, a setuid program).
  if (auto folder = account_home()) return *folder;
  throw Error(ErrorCode::io, "no home folder: HOME is unset and the account has none")
      .note("set PIER_HOME to a folder that pier may write");
}

bool env_flag(const char* name) {
  const auto value = get_env(name);
  return value && (*value == "1" || *value == "true" || *value == "yes" || *value == "on");
}

std::filesystem::path config_home() { return folder("config", "XDG_CONFIG_HOME", ".config"); }
std::filesystem::path data_home() { return folder("data", "XDG_DATA_HOME", ".local/share"); }
std::filesystem::path cache_home() { return folder("cache", "XDG_CACHE_HOME", ".cache"); }

std::vector<std::filesystem::path> system_config_dirs() {
  std::vector<std::filesystem::path> dirs;
  const std::string list = get_env("XDG_CONFIG_DIRS").value_or("/etc/xdg");
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    if (end > start && list[start] == '/') dirs.push_back(std::filesystem::path(list.substr(start, end - start)) / "pier");
    start = end + 1;
  }
  dirs.emplace_back("/etc/pier");
  return dirs;
}

}  // namespace pier
