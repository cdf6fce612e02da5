#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "inspect/formats.h"

namespace pier::inspection {

// Where a Mach-O image keeps its exported symbols; offsets count from the start of the image.
struct MachoTables {
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  std::optional<Range> trie;
  std::optional<Range> symbols;  // size counts entries
  Range strings;
};

std::shared_ptr<const Image::Symbols> make_macho_symbols(const Reader& image, const Owner& owner, int bits,
                                                         const MachoTables& tables);

}  // namespace pier::inspection
