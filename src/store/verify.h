#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pier {

// Compares every file of an unpacked wheel with its RECORD. Returns what is wrong, one line each. `own` is a file that pier
// added at the top and that RECORD does not know.
std::vector<std::string> verify_tree(const std::filesystem::path& root, std::string_view own);

}  // namespace pier
