#include "output.h"

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <span>
#include <system_error>

#include <unistd.h>

#include <pier/error.h>

#include "base/env.h"
#include "base/text.h"
#include "base/utf8.h"
#include "plugin_log.h"

namespace pier::cli {
namespace {

// Columns of a terminal that the text takes: UTF-8 continuation bytes take none.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

int write_fully(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t done = ::write(fd, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

void print(std::string_view text) {
  if (const int error = write_fully(results_fd(), text))
    throw Error(ErrorCode::io, pier::text("cannot write to standard output: {}", std::generic_category().message(error)));
}

void print_error(std::string_view text) noexcept { write_fully(diagnostics_fd(), text); }

std::string printable(std::string_view text) { return escaped(text, "\n\t"); }

std::string hanging(std::string_view text, std::size_t indent) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

std::string bold(std::string_view text) {
  const bool styled = ::isatty(results_fd()) == 1 && !get_env("NO_COLOR") && get_env("TERM").value_or("dumb") != "dumb";
  return styled ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

void Table::row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  const auto measure = [&](const std::vector<std::string>& cells) {
    if (widths.size() < cells.size()) widths.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width(cells[i]));
  };
  measure(header_);
  for (const auto& cells : rows_) measure(cells);

  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out += cells[i];
      if (i + 1 < cells.size()) out.append(widths[i] - width(cells[i]) + 2, ' ');
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  };
  std::string out;
  if (!header_.empty()) out += bold(line(header_)) + "\n";
  for (const auto& cells : rows_) out += line(cells) + "\n";
  return out;
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i) out += separator;
    out += items[i];
  }
  return out;
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  // More than a third of the letters wrong is another word, not a slip.
  std::size_t least = word.size() / 3 + 2;
  for (const std::string_view candidate : known) {
    const std::size_t distance =
        !word.empty() && candidate.starts_with(word) ? 0 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace pier::cli
