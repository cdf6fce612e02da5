// Installs the wheel of a test in a process of its own, which the test may kill: WHEEL ID [force]

#include <cstdio>
#include <exception>
#include <string_view>

#include <pier/store.h>

#include "store/home.h"

int main(int count, char** arguments) {
  if (count < 3) return 2;
  pier::PluginRequest request = pier::test::plugin_request(pier::test::read_text(arguments[1]));
  request.id = arguments[2];
  pier::InstallOptions options;
  options.force = count > 3 && std::string_view(arguments[3]) == "force";
  options.load_test = [](const pier::InstalledPlugin&) { return std::string("0.115"); };
  try {
    pier::install(request, options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
