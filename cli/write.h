#pragma once

#include <string_view>

namespace pier::cli {

/// Writes the whole text, over signals and short writes. Returns 0 or errno. Fit for a signal handler.
int write_fully(int fd, std::string_view text) noexcept;

}  // namespace pier::cli
