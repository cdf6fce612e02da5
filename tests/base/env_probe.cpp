// Prints what a program sees of its environment; run with more privileges than its caller has.

#include <cstdio>
#include <exception>

#include <unistd.h>

#include "base/env.h"

int main() {
  try {
    std::printf("PIER_HOME=%s flag=%d data=%s system=%s\n", pier::get_env("PIER_HOME").value_or("").c_str(),
                pier::env_flag("PIER_FLAG") ? 1 : 0, pier::data_home().c_str(), pier::system_config_dirs().front().c_str());
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  std::fflush(stdout);
  // Without what sanitizers do at the end of a program: they may not look into one with other privileges.
  ::_exit(0);
}
