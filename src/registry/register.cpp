#include <pier/catalog.h>
#include <pier/error.h>
#include <pier/probe.h>
#include <pier/registry.h>

#include "base/text.h"
#include "registry/library_walk.h"
#include "registry/names.h"
#include "registry/trust.h"

namespace pier {

InstallResult register_library(const std::filesystem::path& given, const RegisterRequest& request) {
  std::error_code error;
  const std::filesystem::path library = std::filesystem::is_directory(given, error) ? registry::only_plugin_in(given) : given;
  if (const auto status = std::filesystem::status(library, error); std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(ErrorCode::io, text("{} is not a regular file", library.native()));
  if (!request.allow_others)
    if (const auto why = registry::why_untrusted(library))
      throw Error(ErrorCode::permission_denied, text("{} is not registered: {}", library.native(), *why))
          .note("--allow accepts what other users can write");

  Registration registration;
  registration.id = request.id;
  registration.library = library;
  registration.labels = request.labels;
  registration.create_options = request.create_options;
  registration.environment = request.environment;
  const auto entry = catalog_entry(request.id);
  if (registration.labels.empty() && entry) registration.labels = entry->labels;
  registration.priority = request.priority ? *request.priority
                          : entry          ? entry->priority
                                           : registry::default_priority(request.id, registration.labels);

  RegisterOptions options;
  options.allow_others = request.allow_others;
  if (request.probe) {
    options.load_test = [&](const InstalledPlugin& plugin) {
      ProbeOptions probe;
      probe.create_client = request.create_client;
      probe.create_options = plugin.create_options;
      probe.environment = plugin.environment;
      probe.time_limit = request.probe_limit;
      return to_string(probe_plugin(plugin.library, probe).api_version);
    };
  }
  return register_plugin(registration, options);
}

}  // namespace pier
