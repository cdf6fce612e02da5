#include "registry/load_first.h"

#include <dlfcn.h>

#include <pier/error.h>

#include "base/text.h"

namespace pier::registry {

void load_first(const std::vector<std::filesystem::path>& libraries) {
  for (const std::filesystem::path& library : libraries) {
    // Never closed: the plugin may open it at any time.
    if (::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) continue;
    const char* const reason = ::dlerror();
    throw Error(ErrorCode::not_available,
                text("cannot load {}, which the plugin needs: {}", library.native(), reason ? reason : "no reason given"));
  }
}

}  // namespace pier::registry
