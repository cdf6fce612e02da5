#include "paths.h"

#include "base/file.h"
#include "base/text.h"
#include "usage.h"

namespace pier::cli {

namespace fs = std::filesystem;

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return a.filename() == b.filename() && fs::equivalent(parent_of(a), parent_of(b), error);
}

void require_apart(const std::string& plugin_log, const std::vector<std::string>& files, std::string_view verb) {
  if (plugin_log == "auto" || plugin_log == "off" || plugin_log == "stderr") return;
  for (const std::string& file : files)
    if (same_file(plugin_log, file))
      throw UsageError(std::string(verb), text("--plugin-log {}: the plugin's text would go into {}", plugin_log, file));
}

}  // namespace pier::cli
