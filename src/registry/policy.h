#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pier::registry {

// Which ids may be used, by PIER_ENABLE and PIER_DISABLE: globs ('*', '?', '[...]') with commas between. When PIER_ENABLE is set, only
// the ids that it matches count; of these, those that PIER_DISABLE matches are left out.
class Policy {
 public:
  static Policy from_environment();

  // "PIER_DISABLE has 'cuda*'"; nothing for an id that may be used.
  std::optional<std::string> why_not(std::string_view id) const;

 private:
  std::optional<std::vector<std::string>> enabled_;
  std::vector<std::string> disabled_;
};

}  // namespace pier::registry
