// Any bytes as the loader's cache. Only pier::Error may come out.
#include <cstddef>
#include <cstdint>
#include <span>

#include <pier/error.h>

#include "inspect/search.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto cache = pier::inspection::LoaderCache::parse(std::as_bytes(std::span(data, size)), "fuzzed", "x86_64");
    static_cast<void>(cache.paths("libc.so.6"));
  } catch (const pier::Error&) {
  }
  return 0;
}
