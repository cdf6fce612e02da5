#include "ratio.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace bench {
namespace {

double time_us(std::size_t repetitions, const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < repetitions; ++i) work();
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / static_cast<double>(repetitions);
}

double percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1) + 0.5)];
}

}  // namespace

double median(std::vector<double> values) { return percentile(std::move(values), 0.5); }

Row from_pairs(std::string name, const std::vector<double>& raw, const std::vector<double>& ours, double limit) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < raw.size(); ++i) ratios.push_back(ours[i] / raw[i]);
  return {std::move(name), median(raw), median(ours), median(ratios), percentile(ratios, 0.1), percentile(ratios, 0.9), limit, {}};
}

Row compare(std::string name, std::size_t rounds, std::size_t repetitions, const std::function<void()>& raw,
            const std::function<void()>& ours, double limit) {
  time_us(repetitions / 4 + 1, raw);
  time_us(repetitions / 4 + 1, ours);
  std::vector<double> raw_times;
  std::vector<double> our_times;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (round % 2) {
      our_times.push_back(time_us(repetitions, ours));
      raw_times.push_back(time_us(repetitions, raw));
    } else {
      raw_times.push_back(time_us(repetitions, raw));
      our_times.push_back(time_us(repetitions, ours));
    }
  }
  return from_pairs(std::move(name), raw_times, our_times, limit);
}

void print(const std::vector<Row>& rows) {
  std::printf("%-46s %12s %12s %8s %17s %7s\n", "", "raw C [us]", "pier [us]", "ratio", "[p10, p90]", "limit");
  for (const Row& row : rows) {
    std::printf("%-46s %12.2f %12.2f %8.3f   [%.3f, %.3f]", row.name.c_str(), row.raw, row.ours, row.ratio, row.low, row.high);
    if (row.limit > 0) std::printf(" %7.2f %s", row.limit, row.ratio <= row.limit ? "met" : "MISSED");
    if (!row.note.empty()) std::printf("  %s", row.note.c_str());
    std::printf("\n");
  }
}

}  // namespace bench
