#pragma once

#include <filesystem>
#include <string_view>

namespace pier {

// Refuses text on which toml++ 3.3 has undefined behaviour instead of an error: a table's header without a key, and
// characters beyond ASCII outside of strings and comments, or in quotes that it takes for a part of another value. Also
// refuses what is not UTF-8. Throws Error (invalid_argument) with the line. It follows the text only as far as a first error,
// where the parser stops as well.
void require_toml_text(std::string_view content, const std::filesystem::path& path);

}  // namespace pier
