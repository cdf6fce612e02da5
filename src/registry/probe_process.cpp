#include "registry/probe_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/env.h"
#include "base/text.h"
#include "registry/probe_child.h"
#include "registry/trust.h"

namespace pier::registry {
namespace {

// The child's end of the socket; pier-probe knows this number.
constexpr int child_socket = 3;

[[noreturn]] void fail(std::string_view what, int error) {
  throw Error(ErrorCode::resource_exhausted, text("cannot start a process for the load test: {}: {}", what, std::strerror(error)));
}

// Away from the numbers that the child's files get, so that no dup2 there is onto itself.
Fd move_up(const Fd& low) {
  const int high = ::fcntl(low.get(), F_DUPFD_CLOEXEC, 16);
  if (high < 0) fail("fcntl", errno);
  return Fd(high);
}

struct Ends {
  Fd socket, child_side, log, log_side;
};

Ends make_ends() {
  std::array<int, 2> sockets{};
  std::array<int, 2> pipes{};
  // A process that another thread starts meanwhile must not get them.
#if defined(__linux__)
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) fail("socketpair", errno);
#else
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) != 0) fail("socketpair", errno);
#endif
  const Fd socket(sockets[0]), child_side(sockets[1]);
#if defined(__linux__)
  if (::pipe2(pipes.data(), O_CLOEXEC) != 0) fail("pipe", errno);
#else
  if (::pipe(pipes.data()) != 0) fail("pipe", errno);
#endif
  const Fd log(pipes[0]), log_side(pipes[1]);
#if defined(SO_NOSIGPIPE)
  const int on = 1;
  ::setsockopt(sockets[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  Ends ends{move_up(socket), move_up(child_side), move_up(log), move_up(log_side)};
  ::fcntl(ends.log.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(ends.socket.get(), F_SETFL, O_NONBLOCK);
  return ends;
}

pid_t spawn_helper(const std::filesystem::path& helper, const Ends& ends) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends.log_side.get(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, ends.log_side.get(), 2);
  ::posix_spawn_file_actions_adddup2(&actions, ends.child_side.get(), child_socket);
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  // Files of the program around us are no business of the child.
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  ::posix_spawn_file_actions_addclosefrom_np(&actions, child_socket + 1);
#elif defined(__APPLE__)
  flags = static_cast<short>(flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
#endif
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, flags);
  std::string name = helper.native();
  char* const arguments[] = {name.data(), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, helper.c_str(), &actions, &attributes, arguments, environment());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) fail(helper.native(), error);
  return pid;
}

pid_t fork_in_place(const Ends& ends) {
  const pid_t pid = ::fork();
  if (pid < 0) fail("fork", errno);
  if (pid > 0) {
    // Both sides set it, so that it is set whichever runs first.
    ::setpgid(pid, pid);
    return pid;
  }
  ::setpgid(0, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDONLY);
  if (null >= 0) ::dup2(null, 0);
  ::dup2(ends.log_side.get(), 1);
  ::dup2(ends.log_side.get(), 2);
  run_probe_child(ends.child_side.get());
}

// The library or program that this code is in.
std::filesystem::path own_path() {
  Dl_info info{};
  std::error_code error;
  if (::dladdr(reinterpret_cast<const void*>(&find_probe_helper), &info) != 0 && info.dli_fname && info.dli_fname[0] == '/')
    if (auto path = std::filesystem::canonical(info.dli_fname, error); !error) return path;
  // Linked into the program itself, whose name here may be relative to a folder that has changed since.
  auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path{} : path;
}

bool is_program(const std::filesystem::path& path) { return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path); }

}  // namespace

std::filesystem::path find_probe_helper() {
  std::vector<std::filesystem::path> places;
  if (const auto named = get_env("PIER_PROBE")) {
    places.emplace_back(*named);
  } else {
    std::filesystem::path folder = own_path().parent_path();
    for (int level = 0; level < 4 && !folder.empty(); ++level, folder = folder.parent_path())
      places.push_back(folder / PIER_LIBEXEC / "pier/pier-probe");
    places.emplace_back(PIER_LIBEXEC_FULL "/pier/pier-probe");
  }
  for (const std::filesystem::path& place : places) {
    if (!is_program(place)) continue;
    const auto why = why_untrusted(place);
    if (!why) return std::filesystem::canonical(place);
    log(LogLevel::warning, text("{} is not used: {}", place.native(), *why));
  }
  return {};
}

ProbeProcess::ProbeProcess(const std::filesystem::path& helper) {
  Ends ends = make_ends();
  pid_ = helper.empty() ? fork_in_place(ends) : spawn_helper(helper, ends);
  socket_ = std::move(ends.socket);
  log_ = std::move(ends.log);
}

ProbeProcess::~ProbeProcess() { kill(); }

std::string ProbeProcess::ended() {
  if (pid_ <= 0 || !how_.empty()) return how_;
  siginfo_t info{};
  // It is left unburied until kill(): only so long its number, and with it that of its group, is nobody else's.
  const int got = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (got != 0 && errno == ECHILD) {
    // A program that ignores or collects all its children leaves no status to read, and a number that may be anyone's.
    how_ = "an unknown status (this program collects its children elsewhere)";
    pid_ = -1;
  } else if (got == 0 && info.si_pid == pid_) {
    const bool by_signal = info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
    if (by_signal) signal_ = info.si_status;
    how_ = by_signal ? text("signal {} ({})", info.si_status, ::strsignal(info.si_status)) : text("exit code {}", info.si_status);
  }
  return how_;
}

void ProbeProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  // A plugin may have led it into another group.
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
  pid_ = -1;
}

}  // namespace pier::registry
