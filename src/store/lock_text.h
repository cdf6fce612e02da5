#pragma once

#include <filesystem>
#include <string>

#include <pier/lock.h>

namespace pier {

// A lock file's text; the same plugins give the same. `path` stands in messages. Throws IntegrityError for what could not be read again.
std::string format_lock(const LockFile& lock, const std::filesystem::path& path);

}  // namespace pier
