#pragma once

#include <cstdint>
#include <filesystem>

namespace pier {

// Bytes of all plain files below the folder; of a file, its own. What cannot be read counts as nothing.
std::uint64_t folder_size(const std::filesystem::path& folder);

}  // namespace pier
