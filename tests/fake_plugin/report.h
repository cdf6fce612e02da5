#pragma once

namespace fake {

/// Writes the books to the file that the script named, if it named one.
void write_report() noexcept;

}  // namespace fake
