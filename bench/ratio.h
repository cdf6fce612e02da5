#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// One row of the table. Times are microseconds for one repetition.
struct Row {
  std::string name;
  double raw = 0;      // median of the raw side
  double ours = 0;     // median of pier's side
  double ratio = 0;    // median of the ratios round by round
  double low = 0;      // 10th and 90th percentile of those ratios
  double high = 0;
  double limit = 0;    // what pier promises; 0 where a row only informs
  std::string note;
};

// Runs the two sides in turn, A B then B A, `repetitions` times a turn, so that both see the same drift of the machine.
Row compare(std::string name, std::size_t rounds, std::size_t repetitions, const std::function<void()>& raw,
            const std::function<void()>& ours, double limit);

// The same for measurements taken elsewhere, pair by pair.
Row from_pairs(std::string name, const std::vector<double>& raw, const std::vector<double>& ours, double limit);

double median(std::vector<double> values);

void print(const std::vector<Row>& rows);

// Calls of operator new in this process so far, the plugin's own included.
std::size_t allocations() noexcept;

}  // namespace bench
