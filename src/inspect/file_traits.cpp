#include "inspect/preflight.h"

#include <algorithm>

#include "base/text.h"

#if defined(__APPLE__)
#include <array>

#include <sys/xattr.h>
#elif defined(__linux__)
#include <sys/statvfs.h>
#endif

namespace pier::inspection {

Finding quarantine_finding(std::string_view path, std::string_view value) {
  // The text is "flags;time;program;id": the third field names who downloaded the file.
  std::string_view agent;
  std::size_t start = 0;
  for (int field = 0; field < 3 && start <= value.size(); ++field) {
    const std::size_t end = std::min(value.find(';', start), value.size());
    agent = field == 2 ? value.substr(start, end - start) : std::string_view();
    start = end + 1;
  }
  std::string message = text("macOS holds {} in quarantine", path);
  if (!agent.empty()) message += text(" (downloaded by {})", agent);
  message += " and may refuse to load it, saying that the developer cannot be verified";
  return {Severity::warning, "quarantined", std::move(message),
          text("if you trust where it came from: xattr -d com.apple.quarantine '{}' (pier never does this by itself)", path)};
}

#if defined(__APPLE__)
std::optional<std::string> quarantine_of(const std::filesystem::path& path) {
  std::array<char, 1024> value{};
  const ssize_t size = ::getxattr(path.c_str(), "com.apple.quarantine", value.data(), value.size(), 0, 0);
  if (size < 0) return std::nullopt;
  return std::string(value.data(), static_cast<std::size_t>(size));
}
#else
std::optional<std::string> quarantine_of(const std::filesystem::path&) { return std::nullopt; }
#endif

#if defined(__linux__)
bool is_on_noexec_mount(const std::filesystem::path& path) {
  struct statvfs status {};
  constexpr unsigned long no_exec = 8;  // ST_NOEXEC, which glibc shows only with its extensions on
  return ::statvfs(path.c_str(), &status) == 0 && (status.f_flag & no_exec) != 0;
}
#else
bool is_on_noexec_mount(const std::filesystem::path&) { return false; }
#endif

}  // namespace pier::inspection
