#include "inspect/elf_file.h"

#include <algorithm>

namespace pier::test {
namespace {

constexpr std::uint64_t base = 0x1000;

std::uint32_t gnu_hash(std::string_view name) {
  std::uint32_t h = 5381;
  for (const char c : name) h = h * 33 + static_cast<unsigned char>(c);
  return h;
}

std::uint32_t sysv_hash(std::string_view name) {
  std::uint32_t h = 0;
  for (const char c : name) {
    h = (h << 4) + static_cast<unsigned char>(c);
    const std::uint32_t g = h & 0xf0000000u;
    if (g != 0) h ^= g >> 24;
    h &= ~g;
  }
  return h;
}

class Builder {
 public:
  explicit Builder(const ElfFile& file) : file_(file), out_(file.big_endian), strings_(file.big_endian) { strings_.u8(0); }

  Bytes build() {
    out_.pad_to(header_size() + 4 * segment_size());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> dynamic;
    for (const std::string& name : file_.needed) dynamic.emplace_back(1, string(name));
    if (!file_.soname.empty()) dynamic.emplace_back(14, string(file_.soname));
    if (!file_.rpath.empty()) dynamic.emplace_back(15, string(file_.rpath));
    if (!file_.runpath.empty()) dynamic.emplace_back(29, string(file_.runpath));
    if (file_.flags_1 != 0) dynamic.emplace_back(0x6ffffffb, file_.flags_1);
    if (!file_.versions_needed.empty()) {
      dynamic.emplace_back(0x6ffffffe, address());
      dynamic.emplace_back(0x6fffffff, file_.versions_needed.size());
      write_versions_needed();
    }
    if (!file_.versions_defined.empty()) {
      dynamic.emplace_back(0x6ffffffc, address());
      dynamic.emplace_back(0x6ffffffd, file_.versions_defined.size() + 1);
      write_versions_defined();
    }
    write_symbols(dynamic);
    out_.align(8);
    dynamic.emplace_back(5, address());
    dynamic.emplace_back(10, strings_.size());
    out_.append(strings_.span()).align(8);
    const std::size_t notes = out_.size();
    write_notes();
    const std::size_t notes_size = out_.size() - notes;
    out_.align(8);
    const std::size_t dynamic_at = out_.size();
    dynamic.emplace_back(0, 0);
    for (const auto& [tag, value] : dynamic) word(tag), word(value);
    const std::size_t end = out_.size();
    const std::size_t sections = file_.sections ? write_sections() : 0;
    write_header(sections);
    segment(0, 1, 5, 0, end);
    segment(1, 2, 6, dynamic_at, end - dynamic_at);
    segment(2, 4, 4, notes, notes_size);
    segment(3, 0x6474e551, file_.stack_flags, 0, 0);
    return out_;
  }

 private:
  std::size_t word_size() const { return file_.bits == 64 ? 8 : 4; }
  std::size_t header_size() const { return file_.bits == 64 ? 64 : 52; }
  std::size_t segment_size() const { return file_.bits == 64 ? 56 : 32; }
  std::uint64_t address() const { return base + out_.size(); }
  void word(std::uint64_t value) { out_.number(value, word_size()); }

  std::uint64_t string(const std::string& text) {
    const std::size_t at = strings_.size();
    strings_.string(text);
    return at;
  }

  void write_versions_needed() {
    for (std::size_t i = 0; i < file_.versions_needed.size(); ++i) {
      const ElfFile::Versions& need = file_.versions_needed[i];
      const bool last = i + 1 == file_.versions_needed.size();
      out_.u16(1).u16(need.versions.size()).u32(string(need.library)).u32(16);
      out_.u32(last ? 0 : 16 + 16 * need.versions.size());
      for (std::size_t k = 0; k < need.versions.size(); ++k)
        out_.u32(sysv_hash(need.versions[k])).u16(need.weak ? 2 : 0).u16(10 + k).u32(string(need.versions[k]))
            .u32(k + 1 == need.versions.size() ? 0 : 16);
    }
  }

  void write_versions_defined() {
    std::vector<std::string> names = {file_.soname.empty() ? "library" : file_.soname};
    names.insert(names.end(), file_.versions_defined.begin(), file_.versions_defined.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
      out_.u16(1).u16(i == 0 ? 1 : 0).u16(i + 1).u16(1).u32(sysv_hash(names[i])).u32(20);
      out_.u32(i + 1 == names.size() ? 0 : 28).u32(string(names[i])).u32(0);
    }
  }

  void write_symbols(std::vector<std::pair<std::uint64_t, std::uint64_t>>& dynamic) {
    // One hash bucket holds them all, in the order given.
    const std::vector<ElfFile::Symbol>& symbols = file_.symbols;
    out_.align(8);
    if (file_.hash == ElfFile::Hash::gnu) {
      dynamic.emplace_back(0x6ffffef5, address());
      out_.u32(1).u32(1).u32(1).u32(5);
      std::uint64_t bloom = 0;
      const auto width = static_cast<unsigned>(file_.bits);
      for (const ElfFile::Symbol& symbol : symbols) {
        const std::uint32_t h = gnu_hash(symbol.name);
        bloom |= std::uint64_t{1} << (h % width) | std::uint64_t{1} << ((h >> 5) % width);
      }
      word(bloom);
      out_.u32(symbols.empty() ? 0 : 1);
      for (std::size_t i = 0; i < symbols.size(); ++i)
        out_.u32((gnu_hash(symbols[i].name) & ~1u) | (i + 1 == symbols.size() ? 1u : 0u));
    } else if (file_.hash == ElfFile::Hash::sysv) {
      dynamic.emplace_back(4, address());
      out_.u32(1).u32(symbols.size() + 1).u32(symbols.empty() ? 0 : 1).u32(0);
      for (std::size_t i = 0; i < symbols.size(); ++i) out_.u32(i + 1 == symbols.size() ? 0 : i + 2);
    }
    if (std::any_of(symbols.begin(), symbols.end(), [](const ElfFile::Symbol& symbol) { return symbol.version != 0; })) {
      dynamic.emplace_back(0x6ffffff0, address());
      out_.u16(0);
      for (const ElfFile::Symbol& symbol : symbols) out_.u16(symbol.version);
    }
    out_.align(8);
    symbols_at_ = out_.size();
    dynamic.emplace_back(6, address());
    write_symbol({"", 0, 0, 0, 0}, 0);
    for (const ElfFile::Symbol& symbol : symbols) write_symbol(symbol, 0x2000);
    symbols_size_ = out_.size() - symbols_at_;
  }

  void write_symbol(const ElfFile::Symbol& symbol, std::uint64_t value) {
    out_.u32(symbol.name.empty() ? 0 : string(symbol.name));
    if (file_.bits == 32) out_.u32(value).u32(16);
    out_.u8(symbol.info).u8(symbol.other).u16(symbol.section);
    if (file_.bits == 64) out_.u64(value).u64(16);
  }

  void write_notes() {
    if (!file_.build_id.empty()) out_.u32(4).u32(file_.build_id.size()).u32(3).string("GNU").text(file_.build_id).align(4);
    if (file_.x86_levels) {
      out_.u32(4).u32(file_.bits == 64 ? 16 : 12).u32(5).string("GNU").u32(0xc0008002).u32(4).u32(*file_.x86_levels);
      if (file_.bits == 64) out_.u32(0);
    }
  }

  std::size_t write_sections() {
    out_.align(8);
    const std::size_t at = out_.size();
    const std::size_t size = file_.bits == 64 ? 64 : 40;
    out_.pad_to(at + size);
    out_.u32(0).u32(11);
    word(2), word(base + symbols_at_), word(symbols_at_), word(symbols_size_);
    out_.pad_to(at + 2 * size);
    return at;
  }

  void write_header(std::size_t sections) {
    constexpr unsigned char magic[] = {0x7f, 'E', 'L', 'F'};
    for (std::size_t i = 0; i < 4; ++i) out_.set(i, magic[i], 1);
    out_.set(4, file_.bits == 64 ? 2 : 1, 1);
    out_.set(5, file_.big_endian ? 2 : 1, 1);
    out_.set(6, 1, 1);
    out_.set(7, file_.abi, 1);
    out_.set(16, file_.type, 2);
    out_.set(18, file_.machine, 2);
    out_.set(20, 1, 4);
    out_.set(24 + word_size(), header_size(), word_size());
    out_.set(24 + 2 * word_size(), sections, word_size());
    const std::size_t tail = 24 + 3 * word_size() + 4;
    out_.set(tail, header_size(), 2);
    out_.set(tail + 2, segment_size(), 2);
    out_.set(tail + 4, 4, 2);
    out_.set(tail + 6, file_.bits == 64 ? 64 : 40, 2);
    out_.set(tail + 8, sections == 0 ? 0 : 2, 2);
  }

  void segment(std::size_t index, std::uint32_t type, std::uint32_t flags, std::uint64_t offset, std::uint64_t size) {
    const std::size_t at = header_size() + index * segment_size();
    const std::size_t w = word_size();
    out_.set(at, type, 4);
    out_.set(at + (w == 8 ? 4 : 24), flags, 4);
    const std::size_t first = at + (w == 8 ? 8 : 4);
    out_.set(first, offset, w);
    out_.set(first + w, base + offset, w);
    out_.set(first + 2 * w, base + offset, w);
    out_.set(first + 3 * w, size, w);
    out_.set(first + 4 * w, size, w);
    out_.set(at + (w == 8 ? 48 : 28), 4, w);
  }

  const ElfFile& file_;
  Bytes out_;
  Bytes strings_;
  std::size_t symbols_at_ = 0;
  std::size_t symbols_size_ = 0;
};

}  // namespace

Bytes ElfFile::build() const { return Builder(*this).build(); }

}  // namespace pier::test
