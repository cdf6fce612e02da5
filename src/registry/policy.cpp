#include "registry/policy.h"

#include <fnmatch.h>

#include "base/ascii.h"
#include "base/env.h"
#include "base/text.h"
#include "registry/names.h"

namespace pier::registry {
namespace {

std::vector<std::string> globs(std::string_view list) {
  std::vector<std::string> out;
  for (const std::string& item : split(list, ','))
    if (const std::string_view glob = trim(item); !glob.empty()) out.push_back(lower_ascii(glob));
  return out;
}

const std::string* matching(const std::vector<std::string>& list, const std::string& id) {
  for (const std::string& glob : list)
    if (::fnmatch(glob.c_str(), id.c_str(), 0) == 0) return &glob;
  return nullptr;
}

}  // namespace

Policy Policy::from_environment() {
  Policy policy;
  if (const auto value = get_env("PIER_ENABLE")) policy.enabled_ = globs(*value);
  if (const auto value = get_env("PIER_DISABLE")) policy.disabled_ = globs(*value);
  return policy;
}

std::optional<std::string> Policy::why_not(std::string_view id) const {
  const std::string name(id);
  if (enabled_ && !matching(*enabled_, name)) return text("PIER_ENABLE has '{}' only", join(*enabled_, ","));
  if (const std::string* const glob = matching(disabled_, name)) return text("PIER_DISABLE has '{}'", *glob);
  return std::nullopt;
}

}  // namespace pier::registry
