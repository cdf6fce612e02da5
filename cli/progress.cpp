#include "progress.h"

#include <algorithm>
#include <cmath>

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "interrupt.h"
#include "output.h"
#include "plugin_log.h"

namespace pier::cli {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr auto rate_window = std::chrono::seconds(4);
constexpr std::size_t widest_bar = 24;
constexpr std::size_t narrowest_bar = 8;

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(diagnostics_fd(), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// "0:07", "12:30", "1:02:03"
std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(std::min(seconds, 359'999.0)));
  if (whole >= 3600) return text("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return text("{}:{:02}", whole / 60, whole % 60);
}

// Lines longer than the terminal would wrap, and then could not be erased.
std::string fit(std::string line, std::size_t columns) {
  if (line.size() > columns) {
    line.resize(columns);
    // Not half a UTF-8 character.
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
    if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0U) line.pop_back();
  }
  return line;
}

}  // namespace

std::string progress_line(const Progress& progress, double bytes_per_second, std::size_t columns) {
  const std::size_t room = columns > 1 ? columns - 1 : 1;
  std::string line(name(progress.phase));
  const bool bytes = progress.phase == Phase::downloading || progress.phase == Phase::unpacking;
  if (!bytes) {
    if (!progress.name.empty()) line += " " + hanging(printable(progress.name), 0);
    return fit(std::move(line), room);
  }
  std::string figures;
  double part = 0;
  if (progress.total > 0) {
    const std::uint64_t done = std::min(progress.done, progress.total);
    part = static_cast<double>(done) / static_cast<double>(progress.total);
    figures = text(" {:3}%  {} of {}", static_cast<int>(part * 100), bytes_text(done), bytes_text(progress.total));
    if (bytes_per_second > 0)
      figures += text("  {}/s  {} left", bytes_text(static_cast<std::uint64_t>(bytes_per_second)),
                      clock_text(static_cast<double>(progress.total - done) / bytes_per_second));
  } else {
    figures = " " + bytes_text(progress.done);
    if (bytes_per_second > 0) figures += text("  {}/s", bytes_text(static_cast<std::uint64_t>(bytes_per_second)));
  }
  // The bar takes what the figures leave, and goes first on a narrow terminal.
  const std::size_t taken = line.size() + figures.size() + 3;
  const std::size_t bar = room > taken ? std::min(room - taken, widest_bar) : 0;
  if (progress.total > 0 && bar >= narrowest_bar) {
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar));
    line += " [" + std::string(filled, '#') + std::string(bar - filled, '.') + "]";
  }
  return fit(line + figures, room);
}

ProgressBar::ProgressBar() : terminal_(::isatty(diagnostics_fd()) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_) print_error("\r\x1b[K");
}

void ProgressBar::operator()(const Progress& progress) {
  InterruptGuard::check();
  const Clock::time_point now = Clock::now();
  any_ = true;
  last_ = now;
  if (!terminal_) return;
  const bool changed = !shown_ || progress.phase != phase_;
  if (changed) samples_.clear();
  phase_ = progress.phase;
  const double bytes_per_second = rate(now, progress.done);
  const bool complete = progress.total > 0 && progress.done >= progress.total;
  if (!changed && !complete && now - drawn_ < redraw_interval) return;
  drawn_ = now;
  shown_ = true;
  print_error("\r" + progress_line(progress, bytes_per_second, terminal_columns()) + "\x1b[K");
}

double ProgressBar::rate(Clock::time_point now, std::uint64_t bytes) {
  if (samples_.empty() || now - samples_.back().time >= redraw_interval) samples_.push_back({now, bytes});
  while (samples_.size() > 2 && now - samples_.front().time > rate_window) samples_.pop_front();
  const double seconds = std::chrono::duration<double>(now - samples_.front().time).count();
  // A resumed download starts with bytes that no one has waited for: only what came since counts.
  if (seconds < 0.2 || bytes <= samples_.front().bytes) return 0;
  return static_cast<double>(bytes - samples_.front().bytes) / seconds;
}

}  // namespace pier::cli
