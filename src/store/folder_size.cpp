#include "store/folder_size.h"

namespace pier {

std::uint64_t folder_size(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(folder, error))) {
    const auto size = std::filesystem::file_size(folder, error);
    return error ? 0 : size;
  }
  std::uint64_t total = 0;
  constexpr auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator it(folder, options, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(it->symlink_status(ignored))) continue;
    const auto size = it->file_size(ignored);
    if (!ignored) total += size;
  }
  return total;
}

}  // namespace pier
