#include <vector>

#include "process.h"
#include "rows.h"

namespace bench {

std::vector<Row> start_rows(const std::string& folder, const std::string& selector, const std::string& library) {
  const std::string raw_program = folder + "/start_raw";
  const std::string our_program = folder + "/start_pier";
  std::vector<double> raw_times;
  std::vector<double> our_times;
  for (int round = -3; round < 60; ++round) {
    double raw_time = 0;
    double our_time = 0;
    if (round % 2) {
      our_time = run_process({our_program, selector});
      raw_time = run_process({raw_program, library});
    } else {
      raw_time = run_process({raw_program, library});
      our_time = run_process({our_program, selector});
    }
    if (round < 0) continue;
    raw_times.push_back(raw_time);
    our_times.push_back(our_time);
  }
  return {from_pairs("process start to client, plugin found by id", raw_times, our_times, 1.08)};
}

}  // namespace bench
