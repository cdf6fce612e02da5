#pragma once

#include <string_view>
#include <vector>

#include <pier/store.h>

#include "store/layout.h"

namespace pier {

// The versions of a plugin that lie in its folder, in no order, whether they count or not. What has no manifest that can be
// read is passed over.
std::vector<InstalledPlugin> kept_plugins(const Layout& layout, std::string_view id);

// What to ask for to install the same packages again. Sizes are in no manifest; libraries of this machine are left out.
PluginRequest request_of(const InstalledPlugin& plugin);

}  // namespace pier
