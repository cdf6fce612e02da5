#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <pier/store.h>

namespace pier::registry {

// The load test of an install: the library is loaded in a child process, and a client is started where nothing but this machine is
// needed for one. Devices that are seen and do not start become one of the `notes`, which must outlive it.
LoadTest probe_load_test(std::string_view id, std::chrono::milliseconds time_limit, std::vector<std::string>& notes);

}  // namespace pier::registry
