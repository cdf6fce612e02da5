// Tar archives, plain and compressed. Nothing may be written outside of the folder.

#include <cstdint>

#include "unpack_apart.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  pier::fuzz::unpack_apart(bytes, [](pier::ByteSource& input, const auto&, const auto& root, const pier::UnpackLimits& limits) {
    pier::unpack_tar(input, root, limits);
  });
  return 0;
}
