#pragma once

#include <string_view>

namespace pier {

// Whether the text can be an id or a label: [a-z0-9][a-z0-9._-]{0,63}, and nothing that a selector takes for something else:
// "auto", and the names of libraries.
bool is_name(std::string_view text);

// The rule in words.
constexpr std::string_view name_rule =
    "an id or a label has 1 to 64 of a-z, 0-9, '.', '_' and '-', and starts with a letter or digit; it is not 'auto', nor a library's name (.so, "
    ".dylib, .dll)";

// Whether the name is a library's: it ends in .so, .dylib or .dll, or has a version after .so.
bool is_library_name(std::string_view file_name);

// Whether the text can name an environment variable: [A-Za-z_][A-Za-z0-9_]*.
bool is_variable_name(std::string_view text);

}  // namespace pier
