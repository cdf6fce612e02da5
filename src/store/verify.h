#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pier {

// Compares every file of an unpacked wheel with its RECORD. Returns what is wrong, one line each. `own` is a file that pier
// added at the top and that RECORD does not know.
std::vector<std::string> verify_tree(const std::filesystem::path& root, std::string_view own);

// Whether every file of an unpacked wheel's RECORD is there with its size: the quick look that hashes nothing.
bool has_recorded_files(const std::filesystem::path& root);

}  // namespace pier
