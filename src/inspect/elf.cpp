#include "inspect/elf.h"

#include <algorithm>
#include <array>

#include "base/platform.h"

namespace pier::inspection {
namespace {

// Numbers of the ELF specification (System V gABI), its GNU extensions and the processor supplements.
constexpr std::uint16_t type_object = 1, type_executable = 2, type_dynamic = 3;
constexpr std::uint32_t segment_load = 1, segment_dynamic = 2, segment_note = 4, segment_stack = 0x6474e551,
                        segment_property = 0x6474e553;
constexpr std::uint64_t tag_needed = 1, tag_hash = 4, tag_strings = 5, tag_symbols = 6, tag_strings_size = 10, tag_soname = 14,
                        tag_rpath = 15, tag_runpath = 29, tag_gnu_hash = 0x6ffffef5, tag_versions = 0x6ffffff0,
                        tag_flags_1 = 0x6ffffffb, tag_defined = 0x6ffffffc, tag_defined_count = 0x6ffffffd,
                        tag_required = 0x6ffffffe, tag_required_count = 0x6fffffff;
constexpr std::uint64_t flag_no_open = 0x40, flag_no_default = 0x800, flag_stub = 0x4000000, flag_pie = 0x8000000;

std::string machine_name(std::uint16_t machine, int bits, bool big_endian) {
  const auto little = [&](std::string_view base) { return std::string(base) + (big_endian ? "_be" : ""); };
  switch (machine) {
    case 62: return little(bits == 64 ? "x86_64" : "x32");
    case 183: return little(bits == 64 ? "aarch64" : "aarch64_ilp32");
    case 3: return little("i386");
    case 40: return little("arm");
    case 243: return little(bits == 64 ? "riscv64" : "riscv32");
    case 258: return little(bits == 64 ? "loongarch64" : "loongarch32");
    case 20: return "ppc";
    case 21: return big_endian ? "ppc64" : "ppc64le";
    case 22: return bits == 64 ? "s390x" : "s390";
    case 8: return std::string(bits == 64 ? "mips64" : "mips") + (big_endian ? "" : "el");
    case 2: return "sparc";
    case 43: return "sparc64";
    case 190: return "cuda";
    case 224: return "amdgpu";
    case 247: return "bpf";
    default: return text("machine-{}", machine);
  }
}

std::string system_name(std::uint8_t abi) {
  switch (abi) {
    case 0:
    case 3: return "linux";
    case 2: return "netbsd";
    case 6: return "solaris";
    case 9: return "freebsd";
    case 12: return "openbsd";
    default: return text("osabi-{}", abi);
  }
}

struct Segment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t align = 0;
};

struct Header {
  std::uint64_t segments_at = 0;
  std::uint64_t sections_at = 0;
  std::uint16_t segment_size = 0;
  std::uint16_t segments = 0;
  std::uint16_t section_size = 0;
  std::uint16_t sections = 0;
};

Header read_header(const Reader& file, int bits) {
  constexpr std::string_view what = "the ELF header";
  Header header;
  const std::uint64_t tail = bits == 64 ? 52 : 40;
  header.segments_at = file.word(bits == 64 ? 32 : 28, bits, what);
  header.sections_at = file.word(bits == 64 ? 40 : 32, bits, what);
  header.segment_size = file.u16(tail + 2, what);
  header.segments = file.u16(tail + 4, what);
  header.section_size = file.u16(tail + 6, what);
  header.sections = file.u16(tail + 8, what);
  return header;
}

std::vector<Segment> read_segments(const Reader& file, const Header& header, int bits) {
  constexpr std::string_view what = "the program header table";
  std::vector<Segment> segments;
  if (header.segments == 0) return segments;
  const std::uint16_t size = bits == 64 ? 56 : 32;
  if (header.segment_size != size)
    file.fail(text("a program header has {} bytes instead of {}", header.segment_size, size), bits == 64 ? 54 : 42);
  const Reader table = file.part(header.segments_at, std::uint64_t{size} * header.segments, what);
  segments.reserve(header.segments);
  for (std::uint64_t i = 0; i < header.segments; ++i) {
    const Reader entry = table.part(i * size, size, what);
    Segment segment;
    segment.type = entry.u32(0, what);
    segment.flags = entry.u32(bits == 64 ? 4 : 24, what);
    segment.offset = entry.word(bits == 64 ? 8 : 4, bits, what);
    segment.address = entry.word(bits == 64 ? 16 : 8, bits, what);
    segment.file_size = entry.word(bits == 64 ? 32 : 16, bits, what);
    segment.align = entry.word(bits == 64 ? 48 : 28, bits, what);
    segments.push_back(segment);
  }
  return segments;
}

// The section headers close the file, and the loader does not read them: their absence shows that the tail is missing.
void check_sections(const Reader& file, const Header& header) {
  if (header.sections_at == 0) return;
  constexpr std::string_view what = "the section header table";
  const std::uint64_t count = std::max<std::uint64_t>(header.sections, 1);
  file.require(header.sections_at, count * header.section_size, what);
}

void read_property(const Reader& note, int bits, Image& image) {
  constexpr std::uint32_t x86_levels_needed = 0xc0008002;
  constexpr std::string_view what = "a property note";
  const std::uint64_t align = bits == 64 ? 8 : 4;
  std::uint64_t at = 0;
  while (note.has(at, 8)) {
    const std::uint32_t type = note.u32(at, what);
    const std::uint64_t size = note.u32(at + 4, what);
    note.require(at + 8, size, what);
    if (type == x86_levels_needed && size >= 4 && image.arch == "x86_64") {
      const std::uint32_t bitmap = note.u32(at + 8, what);
      for (int level = 1; level <= 4; ++level)
        if (bitmap >> (level - 1) & 1) image.x86_level = level;
    }
    at += 8 + (size + align - 1) / align * align;
  }
}

void read_notes(const Reader& file, const Segment& segment, int bits, Image& image) {
  constexpr std::string_view what = "a note";
  constexpr std::uint32_t note_build_id = 3, note_property = 5;
  const Reader notes = file.part(segment.offset, segment.file_size, "a note segment");
  const std::uint64_t align = segment.align == 8 ? 8 : 4;
  std::uint64_t at = 0;
  for (std::size_t count = 0; count < most_entries && notes.has(at, 12); ++count) {
    const std::uint64_t name_size = notes.u32(at, what);
    const std::uint64_t size = notes.u32(at + 4, what);
    const std::uint32_t type = notes.u32(at + 8, what);
    const std::uint64_t data_at = (at + 12 + name_size + align - 1) / align * align;
    notes.require(at + 12, name_size, what);
    notes.require(data_at, size, what);
    if (name_size == 4 && notes.string(at + 12, what) == "GNU") {
      if (type == note_build_id && size <= 64)
        image.build_id = hex(notes.part(data_at, size, what).bytes());
      if (type == note_property) read_property(notes.part(data_at, size, what), bits, image);
    }
    at = (data_at + size + align - 1) / align * align;
  }
}

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t colon = path.find(':');
    out.emplace_back(path.substr(0, colon));
    if (colon == std::string_view::npos) return out;
    path.remove_prefix(colon + 1);
  }
}

struct Dynamic {
  std::vector<std::uint64_t> needed;
  std::optional<std::uint64_t> soname, rpath, runpath, strings, strings_size, required, defined;
  std::uint64_t required_count = 0, defined_count = 0, flags = 0;
  ElfTables tables;
};

Dynamic read_dynamic(const ElfMemory& memory, const Segment& segment) {
  constexpr std::string_view what = "the dynamic section";
  const int bits = memory.bits;
  const std::uint64_t entry = bits == 64 ? 16 : 8;
  const Reader table = memory.at(segment.address, what);
  const std::uint64_t count = std::min(segment.file_size, table.size()) / entry;
  Dynamic out;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t tag = table.word(i * entry, bits, what);
    const std::uint64_t value = table.word(i * entry + entry / 2, bits, what);
    switch (tag) {
      case 0: return out;
      case tag_needed:
        if (out.needed.size() == most_entries) table.fail(text("more than {} needed libraries", most_entries), i * entry);
        out.needed.push_back(value);
        break;
      case tag_hash: out.tables.hash = value; break;
      case tag_gnu_hash: out.tables.gnu_hash = value; break;
      case tag_strings: out.strings = value; break;
      case tag_strings_size: out.strings_size = value; break;
      case tag_symbols: out.tables.symbols = value; break;
      case tag_versions: out.tables.versions = value; break;
      case tag_soname: out.soname = value; break;
      case tag_rpath: out.rpath = value; break;
      case tag_runpath: out.runpath = value; break;
      case tag_flags_1: out.flags = value; break;
      case tag_required: out.required = value; break;
      case tag_required_count: out.required_count = value; break;
      case tag_defined: out.defined = value; break;
      case tag_defined_count: out.defined_count = value; break;
      default: break;
    }
  }
  table.fail("the dynamic section has no end", 0);
}

void read_versions_needed(const Reader& table, std::uint64_t count, const Reader& strings, Image& image) {
  constexpr std::string_view what = "the needed versions";
  std::uint64_t at = 0;
  std::size_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (table.u16(at, what) != 1) table.fail("the needed versions have an unknown layout", at);
    const std::uint16_t aux_count = table.u16(at + 2, what);
    const std::string library(strings.string(table.u32(at + 4, what), "the name of a needed library"));
    std::uint64_t aux = at + table.u32(at + 8, what);
    for (std::uint16_t k = 0; k < aux_count; ++k) {
      if (++total > most_entries) table.fail(text("more than {} needed versions", most_entries), aux);
      SymbolVersion version{library, std::string(strings.string(table.u32(aux + 8, what), "the name of a needed version")),
                            (table.u16(aux + 4, what) & 2) != 0};
      image.versions_needed.push_back(std::move(version));
      const std::uint32_t next = table.u32(aux + 12, what);
      if (next == 0) break;
      aux += next;
    }
    const std::uint32_t next = table.u32(at + 12, what);
    if (next == 0) break;
    // A file without versions in its entries would otherwise keep this loop busy for 4 billion rounds.
    if (i == most_entries) table.fail(text("versions of more than {} libraries", most_entries), at);
    at += next;
  }
}

void read_versions_defined(const Reader& table, std::uint64_t count, const Reader& strings, Image& image, ElfTables& tables) {
  constexpr std::string_view what = "the defined versions";
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i == most_entries) table.fail(text("more than {} defined versions", most_entries), at);
    if (table.u16(at, what) != 1) table.fail("the defined versions have an unknown layout", at);
    const bool is_file_itself = (table.u16(at + 2, what) & 1) != 0;
    const std::uint16_t index = table.u16(at + 4, what);
    const std::uint64_t aux = at + table.u32(at + 12, what);
    std::string version(strings.string(table.u32(aux, what), "the name of a defined version"));
    if (!is_file_itself) {
      tables.version_names.emplace_back(static_cast<std::uint16_t>(index & 0x7fff), version);
      image.versions_defined.push_back(std::move(version));
    }
    const std::uint32_t next = table.u32(at + 16, what);
    if (next == 0) break;
    at += next;
  }
}

std::optional<ReleaseNumber> release_number(std::string_view version) {
  const auto parts = leading_version(version);
  if (!parts) return std::nullopt;
  const auto part = [&](std::size_t i) { return static_cast<std::uint32_t>((*parts)[i]); };
  return ReleaseNumber{part(0), part(1), part(2)};
}

void fill_from_dynamic(const ElfMemory& memory, Dynamic& dynamic, Image& image) {
  image.no_default_folders = (dynamic.flags & flag_no_default) != 0;
  if (dynamic.flags & (flag_no_open | flag_stub)) image.loadable = false;
  if (dynamic.flags & flag_pie) image.kind = ObjectKind::executable;
  if (!dynamic.strings) {
    if (dynamic.needed.empty() && !dynamic.soname) return;
    memory.file.fail("the dynamic section names no string table", 0);
  }
  Reader strings = memory.at(*dynamic.strings, "the dynamic string table");
  if (dynamic.strings_size) strings = strings.part(0, *dynamic.strings_size, "the dynamic string table");
  const auto string = [&](std::uint64_t offset, std::string_view what, std::size_t longest = longest_string) {
    return std::string(strings.string(offset, what, longest));
  };
  for (const std::uint64_t offset : dynamic.needed)
    image.needed.push_back({string(offset, "the name of a needed library"), false});
  if (dynamic.soname) image.soname = string(*dynamic.soname, "the soname");
  // Search paths may hold many folders.
  constexpr std::size_t longest_path = 65536;
  if (dynamic.rpath) image.rpath = split_path(string(*dynamic.rpath, "the RPATH", longest_path));
  if (dynamic.runpath) image.runpath = split_path(string(*dynamic.runpath, "the RUNPATH", longest_path));
  if (dynamic.required)
    read_versions_needed(memory.at(*dynamic.required, "the needed versions"), dynamic.required_count, strings, image);
  if (dynamic.defined)
    read_versions_defined(memory.at(*dynamic.defined, "the defined versions"), dynamic.defined_count, strings, image,
                          dynamic.tables);
  if (const std::optional<std::string> glibc = image.newest_needed("GLIBC_")) image.minimum_system = release_number(*glibc);
  if (dynamic.tables.symbols) image.symbols = make_elf_symbols(memory, strings, *dynamic.strings, std::move(dynamic.tables));
}

}  // namespace

Reader ElfMemory::at(std::uint64_t address, std::string_view what) const {
  for (const Load& load : loads)
    if (address >= load.address && address - load.address < load.size)
      return file.part(load.offset, load.size, what).rest(address - load.address, what);
  file.fail(text("{} lies at address {:#x}, which no loaded segment has in the file", what, address), 0);
}

Image read_elf(const Reader& whole, const Owner& owner) {
  constexpr std::string_view what = "the ELF header";
  const std::uint8_t word_size = whole.u8(4, what);
  const std::uint8_t order = whole.u8(5, what);
  if (word_size != 1 && word_size != 2) whole.fail(text("unknown ELF class {}", word_size), 4);
  if (order != 1 && order != 2) whole.fail(text("unknown ELF byte order {}", order), 5);
  if (const std::uint8_t version = whole.u8(6, what); version != 1) whole.fail(text("unknown ELF version {}", version), 6);

  Image image;
  image.bits = word_size == 2 ? 64 : 32;
  image.big_endian = order == 2;
  image.size = whole.size();
  Reader file = whole.with_order(image.big_endian);
  image.arch = machine_name(file.u16(18, what), image.bits, image.big_endian);
  image.platform = system_name(file.u8(7, what)) + "-" + image.arch;
  switch (file.u16(16, what)) {
    case type_object: image.kind = ObjectKind::object_file; break;
    case type_executable: image.kind = ObjectKind::executable; break;
    case type_dynamic: image.kind = ObjectKind::shared_library; break;
    default: break;
  }
  // From here on damage is reported together with what the file is for: it may be the wrong file altogether.
  file = file.with_label(text("{} ({} {})", whole.label(), image.platform, name(image.kind)));

  const Header header = read_header(file, image.bits);
  const std::vector<Segment> segments = read_segments(file, header, image.bits);
  ElfMemory memory{file, owner, image.bits, {}};
  const Segment* dynamic = nullptr;
  for (const Segment& segment : segments) {
    if (segment.type == segment_load) {
      file.require(segment.offset, segment.file_size, "a loaded segment");
      if (segment.file_size > UINT64_MAX - segment.address) file.fail("a loaded segment ends beyond all addresses", 0);
      memory.loads.push_back({segment.address, segment.offset, segment.file_size});
    } else if (segment.type == segment_dynamic) {
      dynamic = &segment;
    } else if (segment.type == segment_note || segment.type == segment_property) {
      read_notes(file, segment, image.bits, image);
    } else if (segment.type == segment_stack) {
      image.executable_stack = (segment.flags & 1) != 0;
    }
  }
  check_sections(file, header);
  // Files with debug information only keep the segment and drop its bytes.
  if (dynamic == nullptr || dynamic->file_size == 0) {
    image.loadable = false;
    return image;
  }
  Dynamic entries = read_dynamic(memory, *dynamic);
  if (header.sections_at != 0 && header.section_size == (image.bits == 64 ? 64 : 40)) {
    entries.tables.sections_at = header.sections_at;
    entries.tables.sections = header.sections;
  }
  // s390x is the one live architecture with 8-byte entries in DT_HASH; there the symbols are walked instead.
  if (image.arch == "s390x") entries.tables.hash.reset();
  fill_from_dynamic(memory, entries, image);
  return image;
}

}  // namespace pier::inspection
