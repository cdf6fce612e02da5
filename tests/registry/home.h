#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/env.h"

namespace registry_test {

inline void write_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

/// A machine with nothing on it: an empty home, none of the variables that pier reads, and an index that nobody answers at.
class Home : public testing::Test {
 protected:
  Home() {
    std::vector<std::string> names;
    for (char** at = pier::environment(); *at; ++at) {
      const std::string_view line(*at);
      for (const std::string_view prefix : {"PIER_", "PJRT_", "PIP_", "UV_", "XDG_", "TPU_", "METAL_", "FAKE_", "CUDA_", "VIRTUAL_", "CONDA_", "PYTHON", "LD_LIBRARY_PATH", "http", "HTTP", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"})
        if (line.starts_with(prefix)) names.emplace_back(line.substr(0, line.find('=')));
    }
    for (const std::string& name : names) ::unsetenv(name.c_str());

    std::string pattern = (std::filesystem::temp_directory_path() / "pier-registry-XXXXXX").string();
    folder_ = std::filesystem::canonical(::mkdtemp(pattern.data()));
    set("PIER_HOME", folder_ / "home");
    set("HOME", folder_ / "user");
    set("XDG_CONFIG_DIRS", folder_ / "system");
    set("PIP_CONFIG_FILE", "/dev/null");
    set("PIER_INDEX_URL", "http://127.0.0.1:9/simple");
    pier::set_log_callback([this](pier::LogLevel level, std::string_view message) {
      if (level >= pier::LogLevel::warning) warnings_.emplace_back(message);
    });
  }

  ~Home() override {
    pier::set_log_callback({});
    for (const std::string& name : set_) ::unsetenv(name.c_str());
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void set(const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    set_.push_back(name);
  }
  void unset(const std::string& name) { ::unsetenv(name.c_str()); }

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// A copy of one of the fake plugins under that name.
  std::filesystem::path library(const std::string& name, const std::string& original = "fake_plugin.so") const {
    const std::filesystem::path path = folder_ / "lib" / name;
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::copy_file(std::filesystem::path(FAKE_PLUGIN_DIR) / original, path, std::filesystem::copy_options::overwrite_existing);
    return path;
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> set_;
  std::vector<std::string> warnings_;
};

/// The error that the call throws; the test fails when it throws none.
template <class Call>
pier::Error error_of(Call call) {
  try {
    call();
  } catch (const pier::Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {pier::ErrorCode::internal, ""};
}

}  // namespace registry_test
