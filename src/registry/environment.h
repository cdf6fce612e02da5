#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pier::registry {

// Sets each variable that is unset. What the user has set, even to nothing, stays. Not safe while other threads read the
// environment.
void set_if_unset(const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace pier::registry
