// Any bytes as a library: read, looked up in, searched for near names, judged. Only pier::Error may come out.
#include <cstddef>
#include <cstdint>
#include <span>

#include <pier/error.h>
#include <pier/inspect.h>

#include "inspect/preflight.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes = std::as_bytes(std::span(data, size));
  try {
    const pier::Binary binary = pier::inspect(bytes, "fuzzed");
    for (const pier::Image& image : binary.images) {
      try {
        static_cast<void>(image.find_export("GetPjrtApi"));
        static_cast<void>(image.similar_exports("GetPjrtApi"));
      } catch (const pier::Error&) {
      }
    }
    pier::PreflightOptions options;
    for (const char* platform : {"linux-x86_64", "macos-arm64", "windows-x86_64"}) {
      options.platform = platform;
      static_cast<void>(pier::inspection::preflight_on({}, binary, options));
    }
  } catch (const pier::Error&) {
  }
  return 0;
}
