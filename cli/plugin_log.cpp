#include "plugin_log.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "write.h"

namespace pier::cli {
namespace {

struct CrashSignal {
  int number;
  const char* name;
};
constexpr std::array crash_signals = {
    CrashSignal{SIGSEGV, "SIGSEGV"}, CrashSignal{SIGBUS, "SIGBUS"},   CrashSignal{SIGILL, "SIGILL"},
    CrashSignal{SIGFPE, "SIGFPE"},   CrashSignal{SIGABRT, "SIGABRT"}, CrashSignal{SIGTRAP, "SIGTRAP"},
};

// A signal handler reaches nothing but objects with static storage.
struct Capture {
  std::atomic<int> error{STDERR_FILENO};   // the user's standard error
  std::atomic<int> output{STDOUT_FILENO};  // the user's standard output
  std::atomic<int> file{-1};               // what the plugin wrote, or -1
  std::atomic<const char*> doing{"loading the plugin"};
  std::atomic<bool> json{false};
  std::atomic<pid_t> pid{0};             // 0 while there is no plugin at work
};
constinit Capture capture;

// Async-signal-safe, as everything that the handler below calls.
void copy_log(int to) noexcept {
  const int from = capture.file;
  if (from < 0) return;
  std::array<char, 4096> block;
  off_t offset = 0;
  char last = '\n';
  for (;;) {
    const ssize_t got = ::pread(from, block.data(), block.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (offset == 0) write_fully(to, "pier: the plugin wrote:\n");
    write_fully(to, {block.data(), static_cast<std::size_t>(got)});
    last = block[static_cast<std::size_t>(got) - 1];
    offset += got;
  }
  if (last != '\n') write_fully(to, "\n");
}

void report_end(const char* how, const char* by) noexcept {
  const int error = capture.error;
  copy_log(error);
  for (const char* const part : {"pier: ", how, by, " while ", capture.doing.load(), "\n"}) write_fully(error, part);
  if (!capture.json) return;
  for (const char* const part : {"{\"error\": {\"code\": \"aborted\", \"message\": \"", how, by, " while ",
                                 capture.doing.load(), "\", \"notes\": [], \"function\": null, \"plugin\": null, \"plugin_log\": null}}\n"})
    write_fully(capture.output, part);
}

void on_crash(int signal) {
  const int error = errno;
  // A child process that tests a plugin crashes on its own account.
  if (capture.pid == ::getpid()) {
    const char* name = "a signal";
    for (const CrashSignal& known : crash_signals)
      if (known.number == signal) name = known.name;
    report_end("the plugin crashed with ", name);
  }
  // SA_RESETHAND has restored the default action, which ends the process with this signal when the handler returns.
  ::raise(signal);
  errno = error;
}

// Some plugins end the process with exit() when they find no device.
void on_exit() {
  if (capture.pid != ::getpid()) return;
  std::fflush(stdout);
  report_end("the plugin ended the process", "");
}

void catch_crashes() {
  // A stack overflow leaves no room on the stack for its own report.
  static std::array<char, 64 * 1024> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
  sigemptyset(&action.sa_mask);
  for (const CrashSignal& signal : crash_signals) ::sigaction(signal.number, &action, nullptr);
  std::atexit(on_exit);
}

// An unlinked file: nothing is left behind however the process ends. Invalid where there is no temporary folder.
Fd unlinked_file() {
  std::FILE* const file = std::tmpfile();
  if (!file) return {};
  Fd fd(::fcntl(::fileno(file), F_DUPFD_CLOEXEC, 3));
  std::fclose(file);
  return fd;
}

// Puts `target` in the place of a descriptor and returns another number for what was there; the descriptor itself when that
// fails, which leaves everything as it was.
int replace(int fd, int target) {
  const int kept = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) return fd;
  if (::dup2(target, fd) >= 0) return kept;
  ::close(kept);
  return fd;
}

void restore(int fd, std::atomic<int>& kept) {
  if (const int saved = kept.exchange(fd); saved != fd) {
    ::dup2(saved, fd);
    ::close(saved);
  }
}

// A pipe that nobody reads would stop the command for ever.
Fd log_file(const std::string& path) {
  Fd file = open_file(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw_errno(errno, "look at", path);
  if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode))
    throw Error(ErrorCode::invalid_argument, text("--plugin-log {}: neither a file nor a terminal", path));
  return file;
}

}  // namespace

int diagnostics_fd() noexcept { return capture.error; }
int results_fd() noexcept { return capture.output; }

PluginLog::~PluginLog() { capture.pid = 0; }

void PluginLog::start(std::string_view choice, bool json) {
  if (started_) return;
  Fd target;
  if (choice == "auto") target = unlinked_file();
  else if (choice == "off") target = open_file("/dev/null", O_WRONLY);
  else if (choice != "stderr") target = log_file(std::string(choice));

  const int error = target.valid() ? replace(STDERR_FILENO, target.get()) : STDERR_FILENO;
  capture.error = error;
  capture.output = replace(STDOUT_FILENO, target.valid() ? target.get() : STDERR_FILENO);
  if (choice == "auto") capture.file = target.release();
  capture.json = json;
  capture.pid = ::getpid();
  catch_crashes();
  started_ = true;
}

void PluginLog::doing(const char* what) noexcept { capture.doing = what; }

std::string PluginLog::text() const {
  std::string text;
  const int file = capture.file;
  if (file < 0) return text;
  std::fflush(stdout);
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t got = ::pread(file, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

void PluginLog::show() noexcept {
  if (!started_) return;
  started_ = false;
  capture.pid = 0;
  // What the plugin's stdio still holds must not come out among the results.
  std::fflush(stdout);
  copy_log(capture.error);
  restore(STDERR_FILENO, capture.error);
  restore(STDOUT_FILENO, capture.output);
  if (const int file = capture.file.exchange(-1); file >= 0) ::close(file);
}

}  // namespace pier::cli
