#include "registry/environment.h"

#include <cstdlib>

namespace pier::registry {

void set_if_unset(const std::vector<std::pair<std::string, std::string>>& variables) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 0);
}

}  // namespace pier::registry
