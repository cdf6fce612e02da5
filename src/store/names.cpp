#include "store/names.h"

#include <algorithm>

namespace pier {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && (is_lower(text.front()) || is_digit(text.front())) &&
         std::ranges::all_of(text, [](char c) { return is_lower(c) || is_digit(c) || c == '.' || c == '_' || c == '-'; }) &&
         text != "auto" && !is_library_name(text);
}

bool is_library_name(std::string_view file_name) {
  return file_name.ends_with(".so") || file_name.ends_with(".dylib") || file_name.ends_with(".dll") ||
         file_name.find(".so.") != std::string_view::npos;
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; });
}

}  // namespace pier
