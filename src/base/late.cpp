#include "base/late.h"

#include <dlfcn.h>

#include <pier/error.h>

#include "base/text.h"

namespace pier {

LateLibrary::LateLibrary(const std::vector<std::string>& names, std::string_view package) {
  std::vector<std::string> reasons;
  std::string tried;
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) {
      name_ = name;
      return;
    }
    const char* reason = dlerror();
    reasons.emplace_back(reason ? reason : name);
    tried += text("{}{}", tried.empty() ? "" : ", ", name);
  }
  Error error(ErrorCode::not_available, text("a library that pier needs for this cannot be loaded: {}", tried));
  for (std::string& reason : reasons) error.note(std::move(reason));
  throw error.note(text("install {}", package));
}

void* LateLibrary::address(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (!found) throw Error(ErrorCode::not_available, text("{} has no {}", name_, name));
  return found;
}

}  // namespace pier
