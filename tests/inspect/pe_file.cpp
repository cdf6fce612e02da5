#include "inspect/pe_file.h"

namespace pier::test {

Bytes PeFile::build() const {
  constexpr std::size_t base = 0x1000, raw_at = 0x400;
  Bytes section;
  const auto rva = [&] { return base + section.size(); };
  const auto string = [&](const std::string& text) {
    const std::size_t at = rva();
    section.string(text);
    return at;
  };

  // Export directory, its tables, and the code that the names stand for.
  std::vector<std::size_t> names;
  for (const std::string& symbol : exports) names.push_back(string(symbol));
  const std::size_t dll_name = string(name);
  section.align(4);
  const std::size_t functions_at = rva();
  for (std::size_t i = 0; i < exports.size(); ++i) section.u32(base + 0x200);
  const std::size_t names_at = rva();
  for (const std::size_t at : names) section.u32(at);
  const std::size_t ordinals_at = rva();
  for (std::size_t i = 0; i < exports.size(); ++i) section.u16(i);
  section.align(4);
  const std::size_t exports_at = rva();
  section.u32(0).u32(0).u32(0).u32(dll_name).u32(1).u32(exports.size()).u32(exports.size()).u32(functions_at).u32(names_at).u32(ordinals_at);

  std::vector<std::size_t> import_names, delay_names;
  for (const std::string& library : imports) import_names.push_back(string(library));
  for (const std::string& library : delay_imports) delay_names.push_back(string(library));
  section.align(4);
  const std::size_t imports_at = rva();
  for (const std::size_t at : import_names) section.u32(0).u32(0).u32(0).u32(at).u32(base);
  section.u32(0).u32(0).u32(0).u32(0).u32(0);
  const std::size_t delays_at = rva();
  for (const std::size_t at : delay_names) section.u32(1).u32(at).u32(0).u32(0).u32(0).u32(0).u32(0).u32(0);
  for (int i = 0; i < 8; ++i) section.u32(0);

  const std::size_t debug_at = rva();
  const std::size_t record_at = section.size() + 28;
  section.u32(0).u32(0).u32(0).u32(2).u32(30).u32(base + record_at).u32(raw_at + record_at);
  section.u32(0x53445352).u32(0x00112233).u16(0x4455).u16(0x6677).text("89abcdef").u32(1).string("a.pdb");
  section.pad_to(0x300);

  Bytes out;
  out.text("MZ").pad_to(0x3c).u32(0x80).pad_to(0x80).u32(0x4550);
  const std::size_t optional_size = (bits == 64 ? 112 : 96) + 16 * 8;
  out.u16(machine).u16(1).u32(0).u32(0).u32(0).u16(optional_size).u16(flags);
  const std::size_t optional = out.size();
  out.pad_to(optional + optional_size);
  out.set(optional, bits == 64 ? 0x20b : 0x10b, 2);
  out.set(optional + 48, system_major, 2);
  out.set(optional + 50, system_minor, 2);
  out.set(optional + 56, 0x2000, 4);
  out.set(optional + 60, raw_at, 4);
  out.set(optional + 68, subsystem, 2);
  const std::size_t directories = optional + (bits == 64 ? 112 : 96);
  out.set(directories - 4, 16, 4);
  const auto directory = [&](std::size_t index, std::size_t address, std::size_t size) {
    out.set(directories + index * 8, address, 4);
    out.set(directories + index * 8 + 4, size, 4);
  };
  directory(0, exports_at, 40);
  if (!imports.empty()) directory(1, imports_at, 20 * (imports.size() + 1));
  if (!delay_imports.empty()) directory(13, delays_at, 32 * (delay_imports.size() + 1));
  if (debug) directory(6, debug_at, 28);
  if (certificate) directory(4, raw_at + section.size(), 16);
  out.string(".rdata").pad_to(optional + optional_size + 8);
  out.u32(section.size()).u32(base).u32(section.size()).u32(raw_at).pad_to(raw_at);
  out.append(section.span());
  if (certificate) out.pad_to(out.size() + 16);
  return out;
}

}  // namespace pier::test
