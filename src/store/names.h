#pragma once

#include <string_view>

namespace pier {

// Whether the text can be an id or a label: [a-z0-9][a-z0-9._-]{0,63}.
bool is_name(std::string_view text);

// Whether the text can name an environment variable: [A-Za-z_][A-Za-z0-9_]*.
bool is_variable_name(std::string_view text);

}  // namespace pier
