#include "plugin_log.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/file.h"
#include "output.h"

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
  std::atomic<int> real{STDERR_FILENO};  // the user's standard error
  std::atomic<int> file{-1};             // what the plugin wrote, or -1
  std::atomic<const char*> doing{"loading the plugin"};
  std::atomic<bool> json{false};
  std::atomic<pid_t> pid{0};             // 0 while there is no plugin at work
};
constinit Capture capture;

void write_text(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t done = ::write(fd, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

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
    if (offset == 0) write_text(to, "pier: the plugin wrote:\n");
    write_text(to, {block.data(), static_cast<std::size_t>(got)});
    last = block[static_cast<std::size_t>(got) - 1];
    offset += got;
  }
  if (last != '\n') write_text(to, "\n");
}

void report_end(const char* how, const char* by) noexcept {
  const int real = capture.real;
  copy_log(real);
  for (const char* const part : {"pier: ", how, by, " while ", capture.doing.load(), "\n"}) write_text(real, part);
  if (!capture.json) return;
  for (const char* const part : {"{\"error\": {\"code\": \"aborted\", \"message\": \"", how, by, " while ",
                                 capture.doing.load(), "\", \"notes\": []}}\n"})
    write_text(STDOUT_FILENO, part);
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
  if (capture.pid == ::getpid()) report_end("the plugin ended the process", "");
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

}  // namespace

int diagnostics_fd() noexcept { return capture.real; }

PluginLog::~PluginLog() { stop(); }

void PluginLog::start(std::string_view choice, bool json) {
  if (started_) return;
  Fd target;
  if (choice == "auto") target = unlinked_file();
  else if (choice == "off") target = open_file("/dev/null", O_WRONLY);
  else if (choice != "stderr") target = open_file(std::string(choice), O_WRONLY | O_CREAT | O_APPEND);

  if (target.valid()) {
    const int real = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (real >= 0 && ::dup2(target.get(), STDERR_FILENO) >= 0) {
      capture.real = real;
      if (choice == "auto") capture.file = target.release();
    }
  }
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
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t got = ::pread(file, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

void PluginLog::show() noexcept {
  copy_log(capture.real);
  stop();
}

void PluginLog::stop() noexcept {
  if (!started_) return;
  started_ = false;
  capture.pid = 0;
  if (const int real = capture.real.exchange(STDERR_FILENO); real != STDERR_FILENO) {
    ::dup2(real, STDERR_FILENO);
    ::close(real);
  }
  if (const int file = capture.file.exchange(-1); file >= 0) ::close(file);
}

}  // namespace pier::cli
