#pragma once

#include <filesystem>
#include <string_view>

namespace pier {

// Refuses text that must not reach toml++ 3.3: it assumes a key after '[' or '[[' without looking, which is undefined
// behaviour when there is none. Also refuses what is not UTF-8. Throws Error (invalid_argument) with the line.
// A line inside of a longer value that looks like such a header is refused, too.
void require_toml_text(std::string_view content, const std::filesystem::path& path);

}  // namespace pier
