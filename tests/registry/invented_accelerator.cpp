// invented_accelerator LIBRARY FOLDER: packs that library as a vendor would and writes the catalog entry that pins the package.
#include <exception>
#include <filesystem>
#include <iostream>

#include "base/platform.h"
#include "store/home.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const std::filesystem::path folder = argv[2];
    const std::string wheel = pier::test::WheelBuilder("zap_pjrt", "1.0").file("zap/libzap.so", pier::test::read_text(argv[1])).build();
    const std::string file = "zap_pjrt-1.0-py3-none-any.whl";
    pier::test::write_text(folder / "wheels" / file, wheel);
    pier::test::write_text(folder / "zap.toml",
                           "format = 1\nid = \"zap\"\ntitle = \"Zap\"\nlabels = [\"gpu\", \"zapper\"]\npriority = 450\nseen = [\"path:/dev/zap0\"]\n"
                           "variables = [\"ZAP_LIBRARY_PATH\"]\nfetch_unasked = false\n\n[[package]]\nname = \"zap-pjrt\"\nversion = \"1.0\"\n\n"
                           "[package.create_options]\nzaps = 3\n\n[[package.file]]\nplatform = \"" + to_string(pier::host_platform()) + "\"\nfile = \"" + file +
                               "\"\nsize = " + std::to_string(wheel.size()) + "\nsha256 = \"" + pier::test::sha256_hex(wheel) +
                               "\"\nmember = \"zap/libzap.so\"\n");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
