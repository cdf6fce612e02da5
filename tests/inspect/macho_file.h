#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inspect/bytes.h"

namespace pier::test {

// A dylib put together byte by byte.
struct MachoFile {
  static constexpr std::uint32_t x86_64 = 0x01000007, arm64 = 0x0100000c;
  enum class Exports { trie_in_dyld_info, trie, symbol_table };
  struct Library {
    std::string name;
    std::uint32_t command = 0xc;  // LC_LOAD_DYLIB
  };

  std::uint32_t cpu = arm64;
  std::uint32_t subtype = 0;
  int bits = 64;
  bool big_endian = false;
  std::uint32_t type = 6;
  std::string install_name = "@rpath/libplugin.dylib";
  std::vector<Library> libraries;
  std::vector<std::string> rpath;
  std::string uuid = "0123456789abcdef";  // 16 bytes
  std::optional<std::uint32_t> minimum = 13u << 16;  // packed 16.8.8
  std::uint32_t sdk = 15u << 16;
  bool old_version_command = false;  // LC_VERSION_MIN_MACOSX
  std::uint32_t platform = 1;
  std::vector<std::string> exports = {"_GetPjrtApi"};
  Exports exports_in = Exports::trie_in_dyld_info;
  bool is_signed = true;
  bool ad_hoc = true;

  Bytes build() const;
};

// A universal file: cpu types, their subtypes and images; 4 KiB apart. `bits` is 32 or 64 (fat64).
Bytes universal(const std::vector<MachoFile>& files, int bits);

// A trie of exported names as the linker writes it, every name an edge from the root unless names share their start.
Bytes export_trie(const std::vector<std::string>& names);

}  // namespace pier::test
