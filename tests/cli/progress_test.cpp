#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "progress.h"

namespace pier::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

Progress downloading(std::uint64_t done, std::uint64_t total) { return {Phase::downloading, done, total, "a.whl"}; }

TEST(ProgressLine, ShowsBytesRateAndTimeLeft) {
  EXPECT_EQ(progress_line(downloading(31'500'000, 63'000'000), 10'500'000, 120),
            "downloading [############............]  50%  31.5 MB of 63.0 MB  10.5 MB/s  0:03 left");
  EXPECT_THAT(progress_line(downloading(0, 3'600'000'000), 500'000, 120), HasSubstr("2:00:00 left"));
  EXPECT_THAT(progress_line(downloading(0, 61'000), 1'000, 120), HasSubstr("1:01 left"));
}

TEST(ProgressLine, SaysNothingItDoesNotKnow) {
  EXPECT_THAT(progress_line(downloading(10, 100), 0, 120), Not(HasSubstr("left")));
  const std::string endless = progress_line(downloading(2'000'000, 0), 1'000'000, 120);
  EXPECT_EQ(endless, "downloading 2.0 MB  1.0 MB/s");
}

TEST(ProgressLine, StaysInsideTheTerminal) {
  for (std::size_t columns = 1; columns < 130; ++columns) {
    EXPECT_LE(progress_line(downloading(1, 2'000'000'000), 3'000, columns).size(), std::max<std::size_t>(columns - 1, 1));
    EXPECT_LE(progress_line({Phase::checking, 0, 0, "/a/very/long/path/to/the/library/that/is/being/checked.so"}, 0, columns).size(),
              std::max<std::size_t>(columns - 1, 1));
  }
  // On a narrow one the bar gives way first.
  EXPECT_EQ(progress_line(downloading(1, 2), 0, 40), "downloading [####....]  50%  1 B of 2 B");
  EXPECT_EQ(progress_line(downloading(1, 2), 0, 32), "downloading  50%  1 B of 2 B");
}

TEST(ProgressLine, NeverPassesOneHundredPercent) {
  EXPECT_THAT(progress_line(downloading(300, 200), 1, 120), HasSubstr("100%"));
}

TEST(ProgressLine, LetsNoControlCharacterThrough) {
  EXPECT_EQ(progress_line({Phase::searching, 0, 0, "\x1b[2J"}, 0, 80), "searching \\x1b[2J");
}

}  // namespace
}  // namespace pier::cli
