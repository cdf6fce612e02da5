#include "selector.h"

#include <charconv>
#include <filesystem>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/utf8.h"
#include "registry/search.h"
#include "store/names.h"
#include "usage.h"

namespace pier::cli {

namespace {

std::string with_notes(const Error& error) {
  std::string message = error.message();
  for (const std::string& note : error.notes()) message += "\n" + note;
  return message;
}

// Throws UsageError for what cannot be a plugin's selector.
registry::Query require_selector(std::string_view text, std::string_view verb) {
  try {
    return registry::parse_selector(text);
  } catch (const Error& error) {
    throw UsageError(std::string(verb), with_notes(error));
  }
}

}  // namespace

Selector parse_selector(std::string_view text, std::string_view verb) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  // A file of that name has no device behind the colon.
  if (colon == std::string_view::npos || std::filesystem::exists(text, ignored)) {
    require_selector(text, verb);
    return {std::string(text), std::nullopt};
  }
  const std::string_view number = text.substr(colon + 1);
  int device = 0;
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), device);
  if (error != std::errc() || rest != number.data() + number.size() || device < 0 || colon == 0)
    throw UsageError(std::string(verb), "'" + shortened(text) + "' is not a selector; what follows the ':' is the id of a " +
                                            "device, as in cpu:1");
  require_selector(text.substr(0, colon), verb);
  return {std::string(text.substr(0, colon)), device};
}

bool is_path(std::string_view selector, std::string_view verb) { return require_selector(selector, verb).kind == registry::Query::Kind::path; }

void require_name(std::string_view name, std::string_view what, std::string_view verb) {
  if (!is_name(name)) throw UsageError(std::string(verb), std::string(what) + ": '" + shortened(name) + "' is no name\n" + std::string(name_rule));
}

std::string parse_foreign_platform(std::string_view text, std::string_view verb) {
  if (text.empty()) return {};
  try {
    const Platform platform = parse_platform(text);
    return platform == host_platform() ? std::string() : to_string(platform);
  } catch (const Error& error) {
    throw UsageError(std::string(verb), shortened("--platform: " + with_notes(error), 1000));
  }
}

void take_ids(std::vector<std::string>& ids, std::string_view verb) {
  for (std::string& id : ids) {
    id = lower_ascii(id);
    require_name(id, "ID", verb);
  }
}

void take_platforms(std::vector<std::string>& platforms, std::string_view verb) {
  for (std::string& platform : platforms) {
    const std::string spelled = parse_foreign_platform(platform, verb);
    platform = spelled.empty() ? to_string(host_platform()) : spelled;
  }
}

}  // namespace pier::cli
