#pragma once

#include <string>
#include <string_view>

namespace fake {

/// Applies a script as README.md defines it. Empty when all of it was understood; else what was not, and nothing behind
/// that place is applied.
std::string apply_script(std::string_view script);

}  // namespace fake
