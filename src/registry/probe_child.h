#pragma once

namespace pier::registry {

// The child's side of a probe: reads the request from the socket, loads the plugin, answers, and ends the process without
// running destructors, which may hang in a plugin.
[[noreturn]] void run_probe_child(int socket);

}  // namespace pier::registry
