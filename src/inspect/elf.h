#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inspect/formats.h"

namespace pier::inspection {

// The part of an ELF file that gets loaded, by address.
struct ElfMemory {
  struct Load {
    std::uint64_t address;
    std::uint64_t offset;
    std::uint64_t size;
  };
  Reader file;
  Owner owner;
  int bits = 64;
  std::vector<Load> loads;

  // From the address to the end of what the file holds of its segment.
  Reader at(std::uint64_t address, std::string_view what) const;
};

// Addresses of the tables that describe exported symbols.
struct ElfTables {
  std::optional<std::uint64_t> symbols, gnu_hash, hash, versions;
  std::vector<std::pair<std::uint16_t, std::string>> version_names;
  // The section header table, when it has the usual layout: the last resort for counting symbols.
  std::uint64_t sections_at = 0;
  std::uint16_t sections = 0;
};

std::shared_ptr<const Image::Symbols> make_elf_symbols(const ElfMemory& memory, const Reader& strings,
                                                       std::uint64_t strings_address, ElfTables tables);

}  // namespace pier::inspection
