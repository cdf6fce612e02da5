// Wheels: unpacked, compared with their directory and RECORD. Nothing may be written outside of the folder.

#include <cstdint>

#include <fcntl.h>

#include "base/file.h"
#include "unpack_apart.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  pier::fuzz::unpack_apart(bytes, [&](pier::ByteSource& input, const auto& home, const auto& root, const pier::UnpackLimits& limits) {
    const pier::Unpacked unpacked = pier::unpack_zip(input, root, limits);
    const pier::Fd fd = pier::open_file(home / "package", O_RDWR | O_CREAT | O_TRUNC);
    pier::write_all(fd.get(), bytes, home / "package");
    pier::check_zip_directory(fd.get(), home / "package", unpacked, root, limits);
    pier::check_record(unpacked, root);
  });
  return 0;
}
