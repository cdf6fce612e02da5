#include <pier/error.h>
#include <pier/registry.h>

#include "base/env.h"
#include "base/text.h"
#include "registry/load_test.h"
#include "registry/order.h"
#include "registry/trust.h"

namespace pier {
namespace {

// What others could have written is never loaded, so it is no good to install there. A folder that is yet to be made is judged by
// the one that it will be in.
void require_trusted(std::filesystem::path place, std::string_view id) {
  std::error_code error;
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  if (const auto why = registry::why_untrusted(place))
    throw Error(ErrorCode::permission_denied, text("the {} plugin cannot be used where pier installs it: {}", id, *why))
        .note("PIER_HOME names another place for everything that pier keeps");
}

}  // namespace

InstallResult install_plugin(std::string_view id, const InstallRequest& request) {
  const registry::Target target = registry::make_target(request.platform, request.system);
  registry::Order order = registry::make_order(id, request, target);
  const std::string& own_id = order.plugin.id;
  if (target.host) require_trusted(data_home(), own_id);

  std::vector<std::string> notes = std::move(order.notes);
  InstallOptions options = request.options;
  if (!options.load_test) options.load_test = registry::probe_load_test(own_id, request.probe_limit, notes);

  InstallResult result = install(order.plugin, options);
  if (target.host) require_trusted(result.plugin.library, own_id);
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  // For this machine the choice is made by what it has; `pier which --explain` tells the rest. Of another one pier may know too little.
  if (!target.host)
    for (const std::string& other : order.others) result.notes.push_back("also in the catalog: " + other);
  return result;
}

}  // namespace pier
