#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pier {

// A shared library opened when it is first needed. Loading the network and archive libraries takes about as long as half
// the start of a plugin, and a program whose plugin is installed never needs them.
class LateLibrary {
 public:
  // Tries the names in order; throws Error (not_available) that lists each with the loader's reason. `package` is what to
  // install where none is found.
  LateLibrary(const std::vector<std::string>& names, std::string_view package);

  // The function or object of that name; throws when the library lacks it. Type: the declaration from the library's header,
  // as in symbol<decltype(&::curl_easy_init)>("curl_easy_init").
  template <class Function>
  Function symbol(const char* name) const {
    return reinterpret_cast<Function>(address(name));
  }

 private:
  void* address(const char* name) const;
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace pier
