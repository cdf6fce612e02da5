#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rows.h"

extern char** environ;

namespace bench {
namespace {

double run_us(const std::string& program, const std::string& argument) {
  std::string program_copy = program;
  std::string argument_copy = argument;
  char* const arguments[] = {program_copy.data(), argument_copy.data(), nullptr};
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0 || waitpid(child, &status, 0) != child ||
      status != 0) {
    std::fprintf(stderr, "bench: %s %s failed\n", program.c_str(), argument.c_str());
    std::exit(1);
  }
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::vector<Row> start_rows(const std::string& folder, const std::string& selector, const std::string& library) {
  const std::string raw_program = folder + "/start_raw";
  const std::string our_program = folder + "/start_pier";
  std::vector<double> raw_times;
  std::vector<double> our_times;
  for (int round = -3; round < 60; ++round) {
    double raw_time = 0;
    double our_time = 0;
    if (round % 2) {
      our_time = run_us(our_program, selector);
      raw_time = run_us(raw_program, library);
    } else {
      raw_time = run_us(raw_program, library);
      our_time = run_us(our_program, selector);
    }
    if (round < 0) continue;
    raw_times.push_back(raw_time);
    our_times.push_back(our_time);
  }
  return {from_pairs("process start to client, plugin found by id", raw_times, our_times, 1.08)};
}

}  // namespace bench
