#include <charconv>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#endif

#include "base/text.h"
#include "registry/doctor.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_file = "tmp/libtpu_lockfile";
constexpr std::size_t most_processes = 100'000;
constexpr std::size_t most_files = 10'000;

std::optional<int> whole(std::string_view text, int base) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF" of /proc/locks (proc(5)); one that waits has "->" behind the number.
std::optional<int> holder_by_locks(const fs::path& root, const struct stat& status) {
#if defined(__linux__)
  for (const std::string& line : split(small_file(root / "proc/locks"), '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    if (words.size() < 6 || words[1] == "->") continue;
    const std::vector<std::string> place = split(words[5], ':');
    if (place.size() != 3 || place[2] != std::to_string(status.st_ino)) continue;
    if (whole(place[0], 16) == static_cast<int>(major(status.st_dev)) && whole(place[1], 16) == static_cast<int>(minor(status.st_dev)))
      return whole(words[4], 10);
  }
#else
  static_cast<void>(root), static_cast<void>(status);
#endif
  return std::nullopt;
}

// Some file systems report another device number there than stat() does.
std::optional<int> holder_by_files(const fs::path& root) {
  std::error_code error;
  std::size_t processes = 0;
  for (fs::directory_iterator at(root / "proc", error), end; !error && at != end && processes < most_processes; at.increment(error), ++processes) {
    const auto process = whole(at->path().filename().native(), 10);
    // What this program has open itself is no lock of libtpu.
    if (!process || *process == ::getpid()) continue;
    std::error_code closed;
    std::size_t files = 0;
    for (fs::directory_iterator file(at->path() / "fd", closed), last; !closed && file != last && files < most_files; file.increment(closed), ++files) {
      std::error_code none;
      if (fs::read_symlink(file->path(), none) == fs::path("/") / lock_file && !none) return process;
    }
  }
  return std::nullopt;
}

}  // namespace

void examine_tpu_lock(const fs::path& root, Severity severity, const std::string& id, DoctorReport& report) {
  const fs::path file = root / lock_file;
  const std::string name = text("/{}", lock_file);
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return;
  auto holder = holder_by_locks(root, status);
  if (!holder) holder = holder_by_files(root);
  if (holder) {
    const std::string command = first_line(root / "proc" / std::to_string(*holder) / "comm");
    report.problems.push_back({severity, id, text("the TPU is in use: process {} ({}) holds {}", *holder, command.empty() ? "name not told" : command, name),
                               text("kill {}   (when that program is not needed)", *holder)});
    return;
  }
  const bool ours = status.st_uid == ::geteuid() || ::geteuid() == 0;
  report.problems.push_back({severity, id, text("{} is stale: no process that can be seen holds it, and libtpu takes the TPU to be in use", name),
                             text("{}rm {}", ours ? "" : "sudo ", name)});
}

}  // namespace pier::registry
