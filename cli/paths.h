#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pier::cli {

/// Whether two paths lead to one file, or would: a file that is not there yet is known by its folder and name.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws UsageError when --plugin-log would append the plugin's text to one of these files.
void require_apart(const std::string& plugin_log, const std::vector<std::string>& files, std::string_view verb);

}  // namespace pier::cli
