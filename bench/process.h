#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// What one finished process took. Ends this one with a message when the process fails.
struct Spent {
  double us = 0;               // wall-clock time
  std::size_t peak_bytes = 0;  // largest resident set
};
Spent run_process(const std::vector<std::string>& words);

}  // namespace bench
