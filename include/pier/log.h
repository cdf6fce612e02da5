#pragma once

#include <functional>
#include <string_view>

#include <pier/export.h>

namespace pier {

enum class LogLevel { debug, info, warning, error };

/// Receives every message that cannot be an exception: from destructors, caches and retries. May be called from any thread.
using LogCallback = std::function<void(LogLevel, std::string_view message)>;

/// Replaces the callback; an empty one restores the default, which writes warnings and errors to standard error.
PIER_API void set_log_callback(LogCallback callback);

/// Sends a message to the callback. Never throws.
PIER_API void log(LogLevel level, std::string_view message) noexcept;

}  // namespace pier
