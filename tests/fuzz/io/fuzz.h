#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <pier/error.h>

#include "io/source.h"

namespace pier::io_fuzz {

// Reads the input as a file and looks at every array; Error is the only way out besides success.
template <class Read>
void read_all(const std::uint8_t* data, std::size_t size, Read read) {
  auto memory = std::make_shared<std::vector<std::byte>>(size);
  if (size) std::memcpy(memory->data(), data, size);
  try {
    for (const Entry& entry : read(Source{*memory, memory, "input"})) preview(entry.array, 1000);
  } catch (const Error&) {
  }
}

}  // namespace pier::io_fuzz
