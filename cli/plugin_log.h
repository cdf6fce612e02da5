#pragma once

#include <string>
#include <string_view>

namespace pier::cli {

/// The descriptors of the standard error and the standard output that the user gave.
int diagnostics_fd() noexcept;
int results_fd() noexcept;

/// Keeps what a plugin writes to standard error away from the user unless something fails, and what it writes to standard
/// output away from the results. The command redirects its own descriptors; the library never does that behind a program's
/// back. One object for a process.
class PluginLog {
 public:
  PluginLog() = default;
  PluginLog(const PluginLog&) = delete;
  PluginLog& operator=(const PluginLog&) = delete;
  /// What was captured and not shown is dropped. Threads of a plugin outlive this object, so the descriptors stay redirected
  /// until the process ends.
  ~PluginLog();

  /// From here on the plugin's text goes where `choice` says: "auto" keeps it in an unlinked temporary file until
  /// something fails, "off" drops it, "stderr" lets it through, anything else is a file that it is appended to. Crashes are
  /// reported from here on, too: as text and, with `json`, as the error object on standard output. Throws Error (io ...)
  /// when the file cannot be opened.
  void start(std::string_view choice, bool json);

  /// What the plugin is asked to do now, for the report of a crash. A string literal.
  void doing(const char* what) noexcept;

  /// What has been captured.
  std::string text() const;

  /// Gives the descriptors back and copies what was captured to standard error.
  void show() noexcept;

 private:
  bool started_ = false;
};

}  // namespace pier::cli
