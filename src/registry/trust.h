#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace pier::registry {

// Why a file or folder must not decide what code runs here: someone else could have put it there. Everyone may write it or a
// folder above it (sticky folders like /tmp excepted), or it or its own folder belongs to neither root nor this user.
// Nothing when it may be used, or does not exist.
std::optional<std::string> why_untrusted(const std::filesystem::path& path);

// The command that mends it, or nothing where nothing is to be mended.
std::optional<std::string> mend_of_untrusted(const std::filesystem::path& path);

// Judges many files: what it has found out about a folder is not asked again. For one search; folders may change meanwhile.
class Judge {
 public:
  // As the functions of these names.
  std::filesystem::path real_path(const std::filesystem::path& path);
  std::optional<std::string> why_untrusted(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, std::filesystem::path> real_folders_;
  std::map<std::filesystem::path, std::optional<std::string>> verdicts_;
};

// The file that a path leads to now, or the path itself when there is none: what is judged shall be what is loaded, wherever a link
// on the way leads a moment later.
std::filesystem::path real_path(const std::filesystem::path& path);

}  // namespace pier::registry
