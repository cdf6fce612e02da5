#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pier {

// A setting of pip and the variable or file that made it.
struct PipSetting {
  std::string value;
  std::string from;
};

// What this machine's pip would be told: its configuration files (global, user, virtual environment, PIP_CONFIG_FILE; a
// later one wins), over them the PIP_ variables. Only what an install reads: [global], and over it [install].
class PipConfig {
 public:
  // Reads the files and variables of this machine. A file that cannot be read or understood is reported through the log
  // and passed over, as it may be no business of ours.
  static PipConfig of_machine();

  // By pip's long option: "index-url", "extra-index-url", "find-links", "cert", "proxy", "trusted-host", "timeout",
  // "retries", "no-index".
  std::optional<PipSetting> get(std::string_view option) const;
  // A setting that holds several values, separated by white space.
  std::vector<PipSetting> list(std::string_view option) const;
  bool flag(std::string_view option) const;

  void read_file(const std::filesystem::path& path);
  // Throws Error (invalid_argument) with the line that is no setting.
  void read_text(std::string_view text, const std::string& from);
  void read_variable(const char* variable, std::string_view option);

 private:
  std::map<std::string, PipSetting, std::less<>> global_;
  std::map<std::string, PipSetting, std::less<>> install_;
  std::map<std::string, PipSetting, std::less<>> variables_;
};

// The configuration files that pip reads here, least important first; not all need to exist.
std::vector<std::filesystem::path> pip_config_files();

}  // namespace pier
