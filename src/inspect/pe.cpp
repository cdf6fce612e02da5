#include <algorithm>

#include "inspect/formats.h"

namespace pier::inspection {
namespace {

// Numbers of Microsoft's "PE Format" specification.
constexpr std::string_view in_header = "the PE header";
constexpr std::string_view in_exports = "the export directory";
constexpr std::string_view in_imports = "the import directory";

struct Section {
  std::uint64_t address;
  std::uint64_t offset;
  std::uint64_t size;
};

struct Directory {
  std::uint32_t address = 0;
  std::uint32_t size = 0;
};

// A DLL as it lies in memory: addresses relative to its base, each section from its place in the file.
struct PeMemory {
  Reader file;
  std::vector<Section> sections;

  Reader at(std::uint64_t address, std::string_view what) const {
    for (const Section& section : sections)
      if (address >= section.address && address - section.address < section.size)
        return file.part(section.offset, section.size, what).rest(address - section.address, what);
    file.fail(text("{} lies at address {:#x}, which no section has in the file", what, address), 0);
  }
};

std::string machine_name(std::uint16_t machine) {
  switch (machine) {
    case 0x8664: return "x86_64";
    case 0xaa64: return "arm64";
    case 0xa641: return "arm64ec";
    case 0x14c: return "i386";
    case 0x1c0:
    case 0x1c4: return "arm";
    case 0x5064: return "riscv64";
    default: return text("machine-{:#x}", machine);
  }
}

class PeSymbols final : public Image::Symbols {
 public:
  PeSymbols(PeMemory memory, Owner owner, std::uint32_t directory)
      : memory_(std::move(memory)), owner_(std::move(owner)), directory_(directory) {}

  std::optional<std::string> find(std::string_view symbol) const override {
    const Names names = names_of();
    // The names are sorted, and Windows counts on that.
    std::uint64_t low = 0, high = names.count;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const std::string_view name =
          place_of(names, middle).string(0, "the name of an exported function", std::size_t{1} << 20);
      if (name == symbol) return std::string(name);
      if (name < symbol) low = middle + 1;
      else high = middle;
    }
    return std::nullopt;
  }

  void each(const std::function<bool(std::string_view)>& visit) const override {
    const Names names = names_of();
    NameReader reader;
    for (std::uint64_t i = 0; i < names.count; ++i) {
      // Each name's section is looked for among all.
      if (!reader.take(memory_.sections.size())) return;
      const auto name = reader.at(place_of(names, i), 0);
      if (!name || (!name->empty() && !visit(*name))) return;
    }
  }

  std::string library_name() const {
    const std::uint32_t address = memory_.at(directory_, in_exports).u32(12, in_exports);
    return address == 0 ? "" : std::string(memory_.at(address, in_exports).string(0, "the DLL's own name"));
  }

 private:
  struct Names {
    Reader table;
    std::uint64_t count;
  };
  Names names_of() const {
    const Reader directory = memory_.at(directory_, in_exports);
    const std::uint64_t count = directory.u32(24, in_exports);
    if (count == 0) return {directory, 0};
    return {memory_.at(directory.u32(32, in_exports), in_exports).part(0, count * 4, in_exports), count};
  }
  // From the name to the end of its section.
  Reader place_of(const Names& names, std::uint64_t index) const {
    return memory_.at(names.table.u32(index * 4, in_exports), in_exports);
  }

  PeMemory memory_;
  Owner owner_;
  std::uint32_t directory_;
};

void read_imports(const PeMemory& memory, Directory directory, bool delayed, Image& image) {
  if (directory.address == 0) return;
  const Reader table = memory.at(directory.address, in_imports);
  const std::uint64_t entry = delayed ? 32 : 20;
  for (std::uint64_t at = 0;; at += entry) {
    const std::uint32_t name = table.u32(at + (delayed ? 4 : 12), in_imports);
    if (name == 0) return;
    // Before 1999 delay loads held absolute addresses; no 64-bit DLL does.
    if (delayed && !(table.u32(at, in_imports) & 1)) return;
    if (image.needed.size() == most_entries) table.fail(text("more than {} imported libraries", most_entries), at);
    image.needed.push_back({std::string(memory.at(name, in_imports).string(0, "the name of an imported DLL")), delayed});
  }
}

void read_debug(const PeMemory& memory, Directory directory, Image& image) {
  constexpr std::string_view what = "the debug directory";
  constexpr std::uint32_t code_view = 2, signature = 0x53445352;  // "RSDS"
  if (directory.address == 0) return;
  const Reader table = memory.at(directory.address, what).part(0, directory.size, what);
  for (std::uint64_t at = 0; table.has(at, 28); at += 28) {
    if (table.u32(at + 12, what) != code_view) continue;
    const Reader record = memory.file.part(table.u32(at + 24, what), table.u32(at + 16, what), what);
    if (record.size() < 20 || record.u32(0, what) != signature) continue;
    // A GUID is written with its first three numbers in big-endian order.
    image.build_id = text("{:08x}{:04x}{:04x}", record.u32(4, what), record.u16(8, what), record.u16(10, what)) +
                     hex(record.part(12, 8, what).bytes());
    return;
  }
}

std::vector<Section> read_sections(const Reader& file, std::uint64_t at, std::uint16_t count, std::uint64_t headers_size) {
  constexpr std::string_view what = "the section table";
  std::vector<Section> sections;
  const Reader table = file.part(at, std::uint64_t{40} * count, what);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Reader entry = table.part(i * 40, 40, what);
    const std::uint64_t raw_size = entry.u32(16, what);
    const std::uint64_t offset = entry.u32(20, what);
    if (raw_size == 0) continue;
    file.require(offset, raw_size, "a section");
    sections.push_back({entry.u32(12, what), offset, raw_size});
  }
  // The headers themselves are mapped at address 0.
  sections.push_back({0, 0, std::min<std::uint64_t>(headers_size, file.size())});
  return sections;
}

}  // namespace

Image read_pe(const Reader& whole, const Owner& owner) {
  const std::uint64_t start = whole.u32(0x3c, "the DOS header");
  if (!whole.has(start, 4) || whole.u32(start, in_header) != 0x4550)
    whole.fail("there is no PE header: a DOS program, or a damaged file", start);
  Image image;
  image.size = whole.size();
  const std::uint64_t coff = start + 4;
  image.arch = machine_name(whole.u16(coff, in_header));
  const std::uint16_t section_count = whole.u16(coff + 2, in_header);
  const std::uint16_t optional_size = whole.u16(coff + 16, in_header);
  const std::uint16_t flags = whole.u16(coff + 18, in_header);
  constexpr std::uint16_t flag_executable = 0x0002, flag_dll = 0x2000;
  if (flags & flag_dll) image.kind = ObjectKind::shared_library;
  else if (flags & flag_executable) image.kind = ObjectKind::executable;
  image.platform = "windows-" + image.arch;
  const Reader file = whole.with_label(text("{} ({} {})", whole.label(), image.platform, name(image.kind)));

  const Reader optional = file.part(coff + 20, optional_size, in_header);
  const std::uint16_t magic = optional.u16(0, in_header);
  if (magic != 0x10b && magic != 0x20b) optional.fail(text("unknown PE kind {:#x}", magic), 0);
  image.bits = magic == 0x20b ? 64 : 32;
  image.minimum_system = ReleaseNumber{optional.u16(48, in_header), optional.u16(50, in_header), 0};
  const std::uint16_t subsystem = optional.u16(68, in_header);
  if (subsystem >= 10 && subsystem <= 13) image.platform = "efi-" + image.arch;

  const std::uint64_t directories_at = image.bits == 64 ? 112 : 96;
  const std::uint32_t directory_count = optional.u32(directories_at - 4, in_header);
  const auto directory = [&](std::uint32_t index) -> Directory {
    if (index >= directory_count) return {};
    const std::uint64_t at = directories_at + std::uint64_t{index} * 8;
    return {optional.u32(at, in_header), optional.u32(at + 4, in_header)};
  };
  PeMemory memory{file, read_sections(file, coff + 20 + optional_size, section_count, optional.u32(60, in_header))};

  constexpr std::uint32_t exports = 0, imports = 1, certificates = 4, debug = 6, delay_imports = 13;
  read_imports(memory, directory(imports), false, image);
  read_imports(memory, directory(delay_imports), true, image);
  read_debug(memory, directory(debug), image);
  if (const Directory table = directory(certificates); table.size != 0) {
    // The one directory that holds a place in the file, not an address.
    file.require(table.address, table.size, "the certificate table");
    image.signature = CodeSignature::signed_by_someone;
  }
  if (const Directory table = directory(exports); table.address != 0) {
    auto symbols = std::make_shared<PeSymbols>(memory, owner, table.address);
    image.soname = symbols->library_name();
    image.symbols = std::move(symbols);
  }
  return image;
}

}  // namespace pier::inspection
