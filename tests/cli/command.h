#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pier/array.h>
#include <pier/files.h>

namespace pier::cli_test {

/// How a process ended, and what it wrote.
struct Finished {
  int exit_code = -1;  ///< -1 when a signal ended it.
  int signal = 0;
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// One folder in which the command runs as on a fresh machine: PIER_HOME inside it, no network, no other variables than those
/// that a test sets.
class Sandbox {
 public:
  Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path(std::string_view name) const { return folder_ / name; }
  /// Variables for the runs that follow; an empty value unsets one.
  void set(const std::string& name, const std::string& value);

  /// Runs `pier WORDS...` with the sandbox as its folder; ends it after a minute.
  Finished pier(const std::vector<std::string>& words) const;
  /// The same, sending `signal` after `milliseconds`.
  Finished interrupted(const std::vector<std::string>& words, int signal, int milliseconds) const;
  /// The same on a terminal of that many columns: what appears there is in `out`.
  Finished on_terminal(const std::vector<std::string>& words, unsigned short columns) const;
  /// With standard output on a given file: "/dev/full".
  Finished with_output(const std::vector<std::string>& words, const std::string& output) const;

  /// Writes text, or an array as the suffix says; returns the name for the command line.
  std::string write(const std::string& name, std::string_view text) const;
  std::string write(const std::string& name, const Array& array) const;
  std::string write(const std::string& name, const NamedArrays& arrays) const;
  /// The bytes of a file; empty when it is not there.
  std::string read(const std::string& name) const;
  /// Names in the sandbox's folder besides PIER_HOME, in order.
  std::vector<std::string> names() const;

  /// Registers the fake plugin under an id through a variable, and steers it.
  void use_fake(const std::string& script = {});

 private:
  std::vector<std::string> environment() const;
  std::filesystem::path folder_;
  std::map<std::string, std::string> variables_;
};

/// Path of the fake plugin, or of one of the broken libraries beside it.
std::string fake(std::string_view file = "fake_plugin.so");

/// MLIR text of a program for the fake plugin: module("fake.identity", "tensor<2xf32>", "tensor<2xf32>").
std::string module_text(std::string_view verb, std::string_view arguments, std::string_view results);

/// The value at a JSON pointer: text as it is, all else as JSON writes it. Fails the test when the text is no JSON or has no
/// such value.
std::string json_at(const std::string& text, const std::string& pointer);
/// Keys of the object, or the number of entries of the list, at a JSON pointer.
std::vector<std::string> json_keys(const std::string& text, const std::string& pointer);
std::size_t json_size(const std::string& text, const std::string& pointer);

}  // namespace pier::cli_test
