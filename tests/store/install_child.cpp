// Installs the wheel of a test in a process of its own, which the test may kill: WHEEL ID [WORD...]
//   force          as --force
//   version=V      the wheel is of that version, not 1.0
//   with=NAME      a companion, whose wheel lies beside the other as NAME.whl
//   nobody         as an ordinary user, because the system denies nothing to root
//   homeless       as a user whose account and environment name no home
//   small-files    no file may have more than 300,000 bytes
//   full-disk      the disk is full after 400,000 bytes
//   refused-close  what was written is refused when the file is closed, as by a quota on a network disk
//   no-threads     no thread can be started

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/store.h>

#include "store/home.h"

namespace {

std::atomic<bool> refuses_close{false};
std::atomic<bool> fills_up{false};
std::atomic<long> room{400'000};

bool is_plain_file(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

bool has(const std::vector<std::string_view>& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

}  // namespace

// In place of the C library's: a disk that fills up and one that refuses late cannot be had everywhere.
extern "C" {
ssize_t write(int fd, const void* bytes, std::size_t count);
int close(int fd);

ssize_t write(int fd, const void* bytes, std::size_t count) {
  if (fills_up && is_plain_file(fd) && room.fetch_sub(static_cast<long>(count)) < static_cast<long>(count)) {
    errno = ENOSPC;
    return -1;
  }
  return ::syscall(SYS_write, fd, bytes, count);
}

int close(int fd) {
  const bool refused = refuses_close && is_plain_file(fd) && (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
  const long result = ::syscall(SYS_close, fd);
  if (!refused || result != 0) return static_cast<int>(result);
  errno = EDQUOT;
  return -1;
}
}

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::vector<std::string_view> words(arguments + 3, arguments + count);
  std::string version = "1.0";
  for (const std::string_view word : words)
    if (word.starts_with("version=")) version = word.substr(8);
  pier::PluginRequest request = pier::test::plugin_request(pier::test::read_text(arguments[1]), version);
  request.id = arguments[2];
  for (const std::string_view word : words) {
    if (!word.starts_with("with=")) continue;
    const std::string name(word.substr(5));
    request.companions.push_back(
        pier::test::companion_pin(name, pier::test::read_text(std::filesystem::path(arguments[1]).parent_path() / (name + ".whl"))));
  }
  pier::InstallOptions options;
  options.force = has(words, "force");
  options.load_test = [](const pier::InstalledPlugin&) { return std::string("0.115"); };
  if ((has(words, "nobody") || has(words, "no-threads")) && ::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 3;
  if (has(words, "homeless")) {
    for (const char* variable : {"PIER_HOME", "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"}) ::unsetenv(variable);
    if (::setgid(60123) != 0 || ::setuid(60123) != 0) return 3;
  }
  if (has(words, "small-files")) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300'000, 300'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 3;
  }
  if (has(words, "no-threads")) {
    const rlimit limit{0, 0};
    if (::setrlimit(RLIMIT_NPROC, &limit) != 0) return 3;
  }
  refuses_close = has(words, "refused-close");
  fills_up = has(words, "full-disk");
  try {
    pier::install(request, options);
    return 0;
  } catch (const pier::Error& error) {
    std::fprintf(stderr, "%s: %s\n", std::string(name(error.code())).c_str(), error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not an error of pier: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "not even an exception of the standard\n");
  }
  return 1;
}
