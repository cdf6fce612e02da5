#include "selector.h"

#include <charconv>
#include <filesystem>

#include <pier/error.h>

#include "base/platform.h"
#include "usage.h"

namespace pier::cli {

Selector parse_selector(std::string_view text, std::string_view verb) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || std::filesystem::exists(text, ignored)) return {std::string(text), std::nullopt};
  const std::string_view number = text.substr(colon + 1);
  int device = 0;
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), device);
  if (error != std::errc() || rest != number.data() + number.size() || device < 0 || colon == 0)
    throw UsageError(std::string(verb), "'" + std::string(text) + "' is not a selector; what follows the ':' is the id of a " +
                                            "device, as in cpu:1");
  return {std::string(text.substr(0, colon)), device};
}

std::string parse_foreign_platform(std::string_view text, std::string_view verb) {
  if (text.empty()) return {};
  try {
    const Platform platform = parse_platform(text);
    return platform == host_platform() ? std::string() : to_string(platform);
  } catch (const Error& error) {
    std::string message = "--platform: " + error.message();
    for (const std::string& note : error.notes()) message += "\n" + note;
    throw UsageError(std::string(verb), message);
  }
}

}  // namespace pier::cli
