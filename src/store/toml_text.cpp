#include "store/toml_text.h"

#include <algorithm>

#include <pier/error.h>

#include "base/text.h"
#include "store/member_path.h"

namespace pier {
namespace {

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool starts_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' || c == '\'';
}

}  // namespace

void require_toml_text(std::string_view content, const std::filesystem::path& path) {
  if (!is_utf8(content)) throw Error(ErrorCode::invalid_argument, text("{} is not UTF-8", path.native()));
  for (std::size_t number = 1; !content.empty(); ++number) {
    const std::size_t end = content.find('\n');
    std::string_view line = content.substr(0, end);
    content.remove_prefix(std::min(content.size(), line.size() + 1));
    // toml++ also passes over white space beyond ASCII.
    const auto open = std::ranges::find_if_not(line, [](char c) { return c == ' ' || c == '\t' || is_beyond_ascii(c); });
    if (open == line.end() || *open != '[') continue;
    line.remove_prefix(static_cast<std::size_t>(open - line.begin()) + 1);
    if (line.starts_with('[')) line.remove_prefix(1);
    const std::size_t key = line.find_first_not_of(" \t");
    if (key != std::string_view::npos && starts_key(line[key])) continue;
    throw Error(ErrorCode::invalid_argument, text("{}, line {}: a table's header has no key", path.native(), number));
  }
}

}  // namespace pier
