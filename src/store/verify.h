#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pier {

struct Unpacked;

// The record of files that pier keeps beside them (Layout::own_record): each with hash and size, by path.
std::string format_record(const Unpacked& files);

// Compares every file below a plugin's folder with pier's record, or with the wheel's own where there is none: older folders
// and other trees. Returns what is wrong, one line each. What pier itself added at the top is left out.
std::vector<std::string> verify_tree(const std::filesystem::path& root);

// Whether every recorded file is there with its size: the quick look that hashes nothing.
bool has_recorded_files(const std::filesystem::path& root);

}  // namespace pier
