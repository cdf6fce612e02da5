#include "fuzz/io/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pier::io_fuzz::read_all(data, size,
                          [](const pier::Source& source) { return pier::NamedArrays{pier::read_npy(source)}; });
  return 0;
}
