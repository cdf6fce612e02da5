#pragma once

#include <string>
#include <vector>

#include "base/platform.h"
#include "cli/command.h"
#include "store/home.h"

namespace pier::cli_test {

/// A sandbox with a folder of wheels, and a catalog with accelerators of which each is the fake plugin.
class Shop : public Sandbox {
 public:
  Shop() {
    std::filesystem::create_directories(path("wheels"));
    std::filesystem::create_directories(path("catalog"));
    set("PIER_CATALOG", path("catalog").native());
    set("PIP_FIND_LINKS", "wheels");  // white space parts places
  }

  /// Puts a wheel of that version into the folder and pins it. Another version takes the place of the first in the catalog; its
  /// wheel stays.
  void sell(const std::string& id, const std::string& version = "1.0", const std::string& platform = to_string(host_platform())) const {
    const std::string wheel = test::WheelBuilder(id + "_plugin", version).file(id + "/lib" + id + ".so", test::read_text(fake())).build();
    const std::string file = id + "_plugin-" + version + "-py3-none-any.whl";
    write("wheels/" + file, wheel);
    write("catalog/" + id + ".toml", "format = 1\nid = \"" + id + "\"\nlabels = [\"gpu\"]\nseen = [\"always\"]\n[[package]]\nname = \"" + id +
                                         "-plugin\"\nversion = \"" + version + "\"\n[[package.file]]\nplatform = \"" + platform + "\"\nfile = \"" + file +
                                         "\"\nsize = " + std::to_string(wheel.size()) + "\nsha256 = \"" + test::sha256_hex(wheel) +
                                         "\"\nmember = \"" + id + "/lib" + id + ".so\"\n");
  }

  /// Where the library of an installed plugin lies, as `pier which` tells.
  std::string library(const std::string& id) const {
    std::string out = pier({"which", id}).out;
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
  }
};

}  // namespace pier::cli_test
