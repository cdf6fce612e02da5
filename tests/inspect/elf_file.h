#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inspect/bytes.h"

namespace pier::test {

// A shared library put together byte by byte: one segment that holds everything, at address 0x1000.
struct ElfFile {
  enum class Hash { none, gnu, sysv };
  struct Symbol {
    std::string name;
    std::uint16_t version = 0;  // entry of .gnu.version; 0 in all symbols: no such table
    std::uint16_t section = 1;
    std::uint8_t info = 0x12;   // a global function
    std::uint8_t other = 0;
  };
  struct Versions {
    std::string library;
    std::vector<std::string> versions;
    bool weak = false;
  };

  int bits = 64;
  bool big_endian = false;
  std::uint16_t type = 3;
  std::uint16_t machine = 62;
  std::uint8_t abi = 0;
  std::vector<std::string> needed;
  std::string soname, rpath, runpath, build_id;
  std::vector<Versions> versions_needed;
  std::vector<std::string> versions_defined;  // numbered from 2 on
  std::vector<Symbol> symbols;
  Hash hash = Hash::gnu;
  std::uint64_t flags_1 = 0;
  std::uint32_t stack_flags = 6;
  std::optional<std::uint32_t> x86_levels;
  bool sections = true;  // a section header table with .dynsym in it at the end

  Bytes build() const;
};

}  // namespace pier::test
