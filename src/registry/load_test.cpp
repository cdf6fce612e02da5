#include "registry/load_test.h"

#include <pier/error.h>
#include <pier/probe.h>

#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/libraries.h"
#include "registry/machine.h"
#include "registry/names.h"

namespace pier::registry {

LoadTest probe_load_test(std::string_view id, std::chrono::milliseconds time_limit, std::vector<std::string>& notes) {
  return [signs = signs_of(id).value_or(std::vector<std::string>()), time_limit, &notes](const InstalledPlugin& installed) {
    ProbeOptions probe;
    probe.create_options = installed.create_options;
    probe.environment = installed.environment;
    probe.preload = libraries_to_load_first(installed.preload, companion_libraries(installed));
    probe.time_limit = time_limit;
    probe.create_client = contains(signs, "always");
    const ProbeReport report = probe_plugin(installed.library, probe);
    if (!probe.create_client && any_sign_is_there(signs)) {
      probe.create_client = true;
      try {
        probe_plugin(installed.library, probe);
      } catch (const Error& error) {
        // A device may be busy, or its driver not ready: that is no fault of the package.
        notes.push_back(text("the library loads, but its devices did not start: {}", error.what()));
      }
    }
    return to_string(report.api_version);
  };
}

}  // namespace pier::registry
