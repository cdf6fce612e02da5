#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/types.h>

#include "base/file.h"

namespace pier::registry {

// The helper program: what PIER_PROBE names, else libexec/pier/pier-probe below one of the folders above this library or
// program, else where it was to be installed. Empty when there is none, or none that can be trusted.
std::filesystem::path find_probe_helper();

// What a function `int f(int*)` of a library gives, asked in a child process as probe_plugin() asks a plugin. Throws as that does; Error
// (not_available) when the function is not there or returns anything but 0.
std::int64_t ask_library(const std::filesystem::path& library, const std::string& function, std::chrono::milliseconds limit);

// A child process that runs run_probe_child(), in a process group of its own. What it prints goes to `log`.
class ProbeProcess {
 public:
  // Runs the helper, or forks this process when `helper` is empty.
  explicit ProbeProcess(const std::filesystem::path& helper);
  ProbeProcess(const ProbeProcess&) = delete;
  ProbeProcess& operator=(const ProbeProcess&) = delete;
  // As kill().
  ~ProbeProcess();

  int socket() const { return socket_.get(); }
  int log() const { return log_.get(); }

  // How it ended: "signal 11 (Segmentation fault)", "exit code 3"; empty while it runs.
  std::string ended();
  bool killed_by(int signal_number) const { return signal_ == signal_number; }
  // Kills it and all it started that stayed in its process group, and waits for it.
  void kill();

 private:
  pid_t pid_ = -1;
  Fd socket_;
  Fd log_;
  int signal_ = 0;
  std::string how_;
};

}  // namespace pier::registry
