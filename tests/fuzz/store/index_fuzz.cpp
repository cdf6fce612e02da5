// Project pages of a package index: JSON by the first byte, else HTML.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pier/error.h>

#include "store/index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const pier::IndexVisitor keep = [](pier::IndexFile&& file) {
    if (file.name.empty()) std::abort();
  };
  try {
    if (body.starts_with('{')) pier::read_index_json(body, keep);
    else pier::read_index_html(body, keep);
  } catch (const pier::Error&) {
  }
  return 0;
}
