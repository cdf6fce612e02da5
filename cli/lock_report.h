#pragma once

#include <string>

#include <pier/lock.h>

#include "json.h"

namespace pier::cli {

/// What a lock file pins, a line for each plugin.
std::string lock_text(const LockFile& lock);
/// [{id, platform, pin, companions}]; a pin is {package, version, file, size, sha256}.
Json lock_json(const LockFile& lock);

}  // namespace pier::cli
