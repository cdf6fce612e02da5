#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <pier/files.h>
#include <pier/npy.h>
#include <pier/registry.h>
#include <pier/safetensors.h>

namespace e2e {

inline const std::filesystem::path digits = DIGITS_FOLDER;
inline const std::filesystem::path programs = PROGRAMS_FOLDER;

// One client for the process, without the network, since the plugin was fetched before. It ends before main does: plugins
// run threads that do not outlive their statics.
class ClientForAllTests : public testing::Environment {
 public:
  const pier::Client& get() {
    if (!client_) {
      setenv("PIER_OFFLINE", "1", 1);
      client_ = pier::connect("cpu");
    }
    return *client_;
  }
  void TearDown() override { client_.reset(); }

 private:
  std::optional<pier::Client> client_;
};

inline const pier::Client& client() {
  static auto* const environment =
      static_cast<ClientForAllTests*>(testing::AddGlobalTestEnvironment(new ClientForAllTests));
  return environment->get();
}

// PIER_HOME ends in the minor version of the plugin that was fetched into it.
inline int expected_minor() {
  const std::string home = std::getenv("PIER_HOME");
  return std::stoi(home.substr(home.rfind('-') + 1));
}

inline std::vector<pier::Buffer> digits_arguments() {
  std::vector<pier::Buffer> out;
  out.push_back(client().put(pier::load_npy(digits / "images.npy")));
  for (const auto& weight : pier::load_safetensors(digits / "weights.safetensors")) out.push_back(client().put(weight.array));
  return out;
}

inline double largest_difference(const pier::Array& a, const pier::Array& b) {
  double worst = 0;
  EXPECT_EQ(to_string(a.type()), to_string(b.type()));
  const auto x = a.values<float>();
  const auto y = b.values<float>();
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, static_cast<double>(std::fabs(x[i] - y[i])));
  return worst;
}

}  // namespace e2e
