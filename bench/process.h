#pragma once

#include <string>
#include <vector>

namespace bench {

// Runs a program to its end; microseconds of wall-clock time. Ends this process with a message when that one fails.
double run_process(const std::vector<std::string>& words);

}  // namespace bench
