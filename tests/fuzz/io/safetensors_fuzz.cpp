#include "fuzz/io/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pier::io_fuzz::read_all(data, size, pier::read_safetensors);
  return 0;
}
