#include "store/preflight.h"

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/platform.h"
#include "base/text.h"

namespace pier {

void require_preflight(const InstalledPlugin& plugin, std::vector<std::string>& notes) {
  PreflightOptions options;
  if (parse_platform(plugin.platform) != host_platform()) options.platform = plugin.platform;
  options.preloaded = plugin.preload;
  const Preflight result = preflight(plugin.library, options);
  // A package's library still lies in a temporary folder, whose name would tell nobody anything.
  const std::string folder = plugin.root.empty() ? std::string() : plugin.root.native() + "/";
  const auto shown = [&](std::string message) {
    for (std::size_t at = 0; !folder.empty() && (at = message.find(folder, at)) != std::string::npos;) message.erase(at, folder.size());
    return message;
  };
  if (result.ok()) {
    for (const Finding& finding : result.findings)
      if (finding.severity == Severity::warning) notes.push_back(shown(finding.message));
    return;
  }
  bool damaged = false;
  bool fits_nowhere = true;
  std::vector<std::string> reasons;
  for (const Finding& finding : result.findings) {
    if (finding.severity != Severity::error) continue;
    damaged = damaged || finding.code == "not-a-library" || finding.code == "damaged";
    fits_nowhere = fits_nowhere && (finding.code == "entry-missing" || finding.code == "not-shared");
    reasons.push_back(shown(finding.message));
    if (!finding.remedy.empty()) reasons.push_back(shown(finding.remedy));
  }
  const std::string what = plugin.file.empty() ? shown(plugin.library.native()) : text("{} of {}", shown(plugin.library.native()), plugin.file);
  const std::string message = damaged ? text("{} is no usable library: {}", what, reasons.front())
                    : fits_nowhere ? text("{} is no PJRT plugin: {}", what, reasons.front())
                                   : text("{} cannot be loaded on {}: {}", what, plugin.platform, reasons.front());
  const auto with_reasons = [&](auto error) {
    for (std::size_t i = 1; i < reasons.size(); ++i) error.note(reasons[i]);
    return error;
  };
  if (damaged) throw with_reasons(IntegrityError(message));
  throw with_reasons(Error(fits_nowhere ? ErrorCode::invalid_argument : ErrorCode::not_available, message));
}

}  // namespace pier
