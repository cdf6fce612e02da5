#include "cli/command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace pier::cli_test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr auto time_limit = std::chrono::seconds(60);

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

// Only calls that are safe between fork and exec.
[[noreturn]] void become(const char* folder, char* const* words, char* const* environment) {
  if (::chdir(folder) == 0) ::execve(words[0], words, environment);
  ::_exit(127);
}

Finished wait_for(pid_t child, int signal, std::chrono::milliseconds after) {
  Finished finished;
  const auto start = Clock::now();
  for (;;) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
      else finished.signal = WTERMSIG(status);
      return finished;
    }
    const auto spent = Clock::now() - start;
    if (signal != 0 && spent >= after) {
      ::kill(child, signal);
      signal = 0;
    }
    if (spent > time_limit && !finished.timed_out) {
      finished.timed_out = true;
      ADD_FAILURE() << "the command did not end within a minute";
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

Sandbox::Sandbox() {
  std::string pattern = (fs::temp_directory_path() / "pier cli test XXXXXX").native();
  if (!::mkdtemp(pattern.data())) throw fs::filesystem_error("mkdtemp", pattern, std::error_code(errno, std::generic_category()));
  folder_ = fs::canonical(pattern);
  variables_ = {{"PIER_HOME", path("home").native()}, {"HOME", path("home").native()}, {"PIER_OFFLINE", "1"},
                {"PATH", "/usr/bin:/bin"}, {"XDG_CONFIG_DIRS", path("no-system").native()}};
  for (const char* const name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"})
    if (const char* const value = std::getenv(name)) variables_[name] = value;
}

Sandbox::~Sandbox() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Sandbox::set(const std::string& name, const std::string& value) {
  if (value.empty()) variables_.erase(name);
  else variables_[name] = value;
}

std::vector<std::string> Sandbox::environment() const {
  std::vector<std::string> list;
  for (const auto& [name, value] : variables_) list.push_back(name + "=" + value);
  return list;
}

Finished Sandbox::pier(const std::vector<std::string>& words) const { return interrupted(words, 0, 0); }

Finished Sandbox::with_output(const std::vector<std::string>& words, const std::string& output) const {
  std::vector<std::string> command = {PIER_COMMAND};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<std::string> variables = environment();
  const std::vector<char*> argv = pointers(command);
  const std::vector<char*> envp = pointers(variables);
  const fs::path err = folder_ / "home.err";
  const int out_fd = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int err_fd = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out_fd, STDOUT_FILENO);
    ::dup2(err_fd, STDERR_FILENO);
    become(folder_.c_str(), argv.data(), envp.data());
  }
  ::close(out_fd);
  ::close(err_fd);
  Finished finished = wait_for(child, 0, {});
  finished.err = content(err);
  fs::remove(err);
  return finished;
}

Finished Sandbox::interrupted(const std::vector<std::string>& words, int signal, int milliseconds) const {
  std::vector<std::string> command = {PIER_COMMAND};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<std::string> variables = environment();
  const std::vector<char*> argv = pointers(command);
  const std::vector<char*> envp = pointers(variables);
  // Files, not pipes: nobody has to read along.
  const fs::path out = folder_ / "home.out";
  const fs::path err = folder_ / "home.err";
  const int out_fd = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int err_fd = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int in_fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in_fd, STDIN_FILENO);
    ::dup2(out_fd, STDOUT_FILENO);
    ::dup2(err_fd, STDERR_FILENO);
    become(folder_.c_str(), argv.data(), envp.data());
  }
  for (const int fd : {in_fd, out_fd, err_fd}) ::close(fd);
  Finished finished = wait_for(child, signal, std::chrono::milliseconds(milliseconds));
  finished.out = content(out);
  finished.err = content(err);
  fs::remove(out);
  fs::remove(err);
  return finished;
}

Finished Sandbox::on_terminal(const std::vector<std::string>& words, unsigned short columns) const {
  std::vector<std::string> command = {PIER_COMMAND};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<std::string> variables = environment();
  variables.push_back("TERM=xterm");
  const std::vector<char*> argv = pointers(command);
  const std::vector<char*> envp = pointers(variables);
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 24;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) become(folder_.c_str(), argv.data(), envp.data());
  std::string text;
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t got = ::read(terminal, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // EIO: the other side is gone
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  Finished finished = wait_for(child, 0, {});
  ::close(terminal);
  finished.out = std::move(text);
  return finished;
}

std::string Sandbox::write(const std::string& name, std::string_view text) const {
  std::ofstream file(folder_ / name, std::ios::binary);
  file << text;
  return name;
}

std::string Sandbox::write(const std::string& name, const Array& array) const { return write(name, NamedArrays{{"x", array}}); }

std::string Sandbox::write(const std::string& name, const NamedArrays& arrays) const {
  save_arrays(folder_ / name, arrays, SaveMode::replace);
  return name;
}

std::string Sandbox::read(const std::string& name) const { return content(folder_ / name); }

std::vector<std::string> Sandbox::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (const std::string name = entry.path().filename(); name != "home") names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void Sandbox::use_fake(const std::string& script) {
  set("PIER_PLUGIN_FAKE", fake());
  set("PIER_PLATFORM", "fake");
  set("FAKE_PJRT", script);
}

std::string fake(std::string_view file) { return (fs::path(FAKE_PLUGIN_DIR) / file).native(); }

std::string module_text(std::string_view verb, std::string_view arguments, std::string_view results) {
  std::string parameters;
  std::size_t index = 0;
  std::size_t start = 0;
  // A comma between types: none of them has one inside.
  while (start < arguments.size()) {
    const std::size_t comma = std::min(arguments.find(", ", start), arguments.size());
    if (index) parameters += ", ";
    parameters += "%arg" + std::to_string(index++) + ": " + std::string(arguments.substr(start, comma - start));
    start = comma + 2;
  }
  return "// " + std::string(verb) + "\nmodule @test {\n  func.func public @main(" + parameters + ") -> (" + std::string(results) +
         ") {\n    return\n  }\n}\n";
}

}  // namespace pier::cli_test
