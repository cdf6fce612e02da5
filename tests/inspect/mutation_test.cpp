#include <gtest/gtest.h>

#include <pier/error.h>
#include <pier/inspect.h>

#include "inspect/elf_file.h"
#include "inspect/macho_file.h"
#include "inspect/pe_file.h"
#include "inspect/preflight.h"

namespace pier {
namespace {

using test::Bytes;

// Everything that reads from a file; whatever it holds, the only way out besides a result is pier::Error.
void read_all(std::span<const std::byte> bytes) {
  try {
    const Binary binary = inspect(bytes, "mutant");
    for (const Image& image : binary.images) {
      try {
        static_cast<void>(image.find_export("GetPjrtApi"));
      } catch (const Error&) {
      }
      try {
        static_cast<void>(image.similar_exports("GetPjrtApi"));
      } catch (const Error&) {
      }
    }
    PreflightOptions options;
    options.platform = binary.format == BinaryFormat::elf ? "linux-x86_64" : binary.format == BinaryFormat::pe ? "windows-x86_64" : "macos-arm64";
    static_cast<void>(inspection::preflight_on({}, binary, options));
  } catch (const Error&) {
  }
}

std::vector<Bytes> samples() {
  test::ElfFile elf;
  elf.needed = {"libc.so.6", "libnope.so"};
  elf.soname = "libplugin.so";
  elf.runpath = "$ORIGIN:/x";
  elf.build_id = "abcd";
  elf.x86_levels = 1;
  elf.versions_needed = {{"libc.so.6", {"GLIBC_2.9", "GLIBC_2.34"}}};
  elf.versions_defined = {"VERS_1.0"};
  elf.symbols = {{"GetPjrtApi", 2}, {"GetPjRtApi", 1}};
  test::ElfFile old = elf;
  old.hash = test::ElfFile::Hash::sysv;
  old.bits = 32;
  old.big_endian = true;
  test::ElfFile bare = elf;
  bare.hash = test::ElfFile::Hash::none;
  test::MachoFile macho;
  macho.libraries = {{"/usr/lib/libSystem.B.dylib"}, {"@rpath/libmlx.dylib"}};
  macho.rpath = {"@loader_path"};
  macho.exports = {"_GetPjrtApi", "_GetPjRtApi", "_Other"};
  test::MachoFile table = macho;
  table.exports_in = test::MachoFile::Exports::symbol_table;
  table.big_endian = true;
  table.bits = 32;
  test::PeFile pe;
  pe.imports = {"KERNEL32.dll"};
  pe.delay_imports = {"nvml.dll"};
  pe.certificate = true;
  return {elf.build(), old.build(), bare.build(), macho.build(), table.build(), test::universal({macho}, 32),
          test::universal({macho}, 64), pe.build()};
}

TEST(Mutation, NoFlippedByteDoesMoreThanFail) {
  for (const Bytes& sample : samples()) {
    std::vector<std::byte> bytes = sample.data();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const std::byte original = bytes[at];
      // The bytes between header and images of universal files are all alike.
      if (bytes.size() > 4096 && at >= 64 && at < 4096) continue;
      for (const std::byte value : {original ^ std::byte{1}, original ^ std::byte{0x80}, std::byte{0}, std::byte{0xff}}) {
        bytes[at] = value;
        read_all(bytes);
      }
      bytes[at] = original;
    }
  }
}

TEST(Mutation, NoTruncationDoesMoreThanFail) {
  for (const Bytes& sample : samples())
    for (std::size_t size = 0; size < sample.size(); ++size) {
      // A copy of exactly that size, so that a sanitizer sees a read beyond it.
      const std::vector<std::byte> bytes(sample.data().begin(), sample.data().begin() + static_cast<std::ptrdiff_t>(size));
      read_all(bytes);
    }
}

TEST(Mutation, NoFieldOfAllOnesDoesMoreThanFail) {
  for (const Bytes& sample : samples())
    for (const std::size_t width : {2u, 4u, 8u})
      for (std::size_t at = 0; at + width <= sample.size(); at += 2) {
        if (sample.size() > 4096 && at >= 64 && at < 4096) continue;
        Bytes mutant = sample;
        mutant.set(at, UINT64_MAX, width);
        read_all(mutant.span());
      }
}

}  // namespace
}  // namespace pier
