#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace pier {

// Called about ten times a second while a lock is waited for, with its holder ("process 4711 on host since ..."); may throw.
using LockTurn = std::function<void(std::string_view holder)>;

// Logs the holder once, behind those words.
LockTurn log_holder(std::string words);

// Waits for a lock without keeping the caller from reporting or cancelling. Throws as FileLock::acquire() does.
FileLock wait_for_lock(const std::filesystem::path& path, std::chrono::milliseconds timeout, const LockTurn& turn);

}  // namespace pier
