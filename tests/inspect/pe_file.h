#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspect/bytes.h"

namespace pier::test {

// A DLL put together byte by byte: one section at address 0x1000 that holds all directories.
struct PeFile {
  std::uint16_t machine = 0x8664;
  int bits = 64;
  std::uint16_t flags = 0x2022;  // DLL, executable, large addresses
  std::string name = "plugin.dll";
  std::vector<std::string> exports = {"GetPjrtApi"};  // sorted, as linkers write them
  std::vector<std::string> imports;
  std::vector<std::string> delay_imports;
  std::uint16_t system_major = 6, system_minor = 2;
  std::uint16_t subsystem = 2;
  bool debug = true;
  bool certificate = false;

  Bytes build() const;
};

}  // namespace pier::test
