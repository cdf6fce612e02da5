#include "base/text.h"

#include <array>

#include <fmt/args.h>
#include <fmt/format.h>

namespace pier {

std::string format_text(std::string_view format, std::span<const TextArg> args) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  store.reserve(args.size(), 0);
  for (const TextArg& arg : args) {
    std::visit([&](const auto& value) { store.push_back(value); }, arg);
  }
  return fmt::vformat(fmt::string_view(format.data(), format.size()), store);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return text("{} B", bytes);
  constexpr std::array units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return text("{:.1f} {}", value, units[unit]);
}

}  // namespace pier
