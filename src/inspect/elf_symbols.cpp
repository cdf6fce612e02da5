#include <algorithm>

#include "inspect/elf.h"

namespace pier::inspection {
namespace {

constexpr std::string_view in_symbols = "the dynamic symbol table";
constexpr std::string_view in_gnu_hash = "the GNU hash table";
constexpr std::string_view in_hash = "the hash table";
constexpr std::string_view in_versions = "the symbol versions";

struct Symbol {
  std::uint32_t name = 0;  // where it is among the strings
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
};

// Hash functions of the GNU and System V hash sections.
std::uint32_t gnu_hash_of(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

std::uint32_t sysv_hash_of(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t high = hash & 0xf0000000u;
    hash = (hash ^ high >> 24) & ~high;
  }
  return hash;
}

class ElfSymbols final : public Image::Symbols {
 public:
  ElfSymbols(const ElfMemory& memory, const Reader& strings, std::uint64_t strings_address, ElfTables tables)
      : memory_(memory), strings_(strings), strings_address_(strings_address), tables_(std::move(tables)),
        symbols_(memory_.at(*tables_.symbols, in_symbols)) {}

  std::optional<std::string> find(std::string_view symbol) const override {
    Wanted wanted{symbol, {}, {}};
    if (tables_.versions) wanted.versions = memory_.at(*tables_.versions, in_versions);
    if (tables_.gnu_hash) find_gnu(wanted);
    else if (tables_.hash) find_sysv(wanted);
    else
      for (std::uint64_t i = 1, end = count(); i < end && !wanted.found; ++i) match(i, wanted);
    return wanted.found;
  }

  void each(const std::function<bool(std::string_view)>& visit) const override {
    NameReader names;
    for (std::uint64_t i = 1, end = count(); i < end; ++i) {
      const Symbol symbol = at(i);
      if (!visible(symbol)) continue;
      const auto name = names.at(strings_, symbol.name);
      if (!name || (!name->empty() && !visit(*name))) return;
    }
  }

 private:
  Symbol at(std::uint64_t index) const {
    const bool wide = memory_.bits == 64;
    const std::uint64_t size = wide ? 24 : 16;
    const Reader entry = symbols_.part(times(index, size, symbols_, in_symbols), size, in_symbols);
    Symbol out;
    out.name = entry.u32(0, in_symbols);
    out.info = entry.u8(wide ? 4 : 12, in_symbols);
    out.other = entry.u8(wide ? 5 : 13, in_symbols);
    out.section = entry.u16(wide ? 6 : 14, in_symbols);
    out.value = entry.word(wide ? 8 : 4, memory_.bits, in_symbols);
    return out;
  }

  // What dlsym takes: defined, of a kind that can be looked up, not local and not hidden.
  static bool visible(const Symbol& symbol) {
    constexpr std::uint16_t absolute = 0xfff1;
    constexpr unsigned kinds = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 10;
    constexpr unsigned bindings = 1u << 1 | 1u << 2 | 1u << 10;
    constexpr unsigned thread_local_kind = 6;
    const unsigned kind = symbol.info & 15u;
    const unsigned visibility = symbol.other & 3u;
    if (symbol.section == 0 || visibility == 1 || visibility == 2) return false;
    if (symbol.value == 0 && symbol.section != absolute && kind != thread_local_kind) return false;
    return (kinds >> kind & 1) && (bindings >> (symbol.info >> 4) & 1);
  }

  struct Wanted {
    std::string_view name;
    std::optional<Reader> versions;
    std::optional<std::string> found;
  };

  void match(std::uint64_t index, Wanted& wanted) const {
    const Symbol symbol = at(index);
    if (!visible(symbol) || !strings_.holds(symbol.name, wanted.name, "the name of a symbol")) return;
    std::string spelled(wanted.name);
    if (wanted.versions) {
      const std::uint16_t entry = wanted.versions->u16(times(index, 2, *wanted.versions, in_versions), in_versions);
      const std::uint16_t version = entry & 0x7fff;
      const bool old_version = (entry & 0x8000) != 0;
      // A lookup without a version never lands on one that is kept for old programs only.
      if (version >= 2 && old_version) return;
      if (version >= 2)
        for (const auto& [number, name] : tables_.version_names)
          if (number == version) spelled += "@@" + name;
    }
    wanted.found = std::move(spelled);
  }

  struct GnuHash {
    std::uint32_t buckets, first, bloom_words, bloom_shift;
    Reader bloom, bucket_table, chains;
  };

  GnuHash gnu_table() const {
    const Reader table = memory_.at(*tables_.gnu_hash, in_gnu_hash);
    const std::uint32_t buckets = table.u32(0, in_gnu_hash);
    const std::uint32_t bloom_words = table.u32(8, in_gnu_hash);
    const std::uint64_t bloom_size = std::uint64_t{bloom_words} * static_cast<unsigned>(memory_.bits / 8);
    const std::uint64_t buckets_at = 16 + bloom_size;
    const std::uint64_t chains_at = buckets_at + std::uint64_t{buckets} * 4;
    return {buckets, table.u32(4, in_gnu_hash), bloom_words, table.u32(12, in_gnu_hash),
            table.part(16, bloom_size, in_gnu_hash), table.part(buckets_at, std::uint64_t{buckets} * 4, in_gnu_hash),
            table.rest(chains_at, in_gnu_hash)};
  }

  void find_gnu(Wanted& wanted) const {
    const GnuHash table = gnu_table();
    if (table.buckets == 0) return;
    if (table.bloom_words == 0 || (table.bloom_words & (table.bloom_words - 1)) != 0 || table.bloom_shift > 31)
      table.bloom.fail("the GNU hash table has a filter of an impossible size", 0);
    const std::uint32_t hash = gnu_hash_of(wanted.name);
    const auto width = static_cast<std::uint32_t>(memory_.bits);
    const std::uint64_t word_at = std::uint64_t{hash / width & (table.bloom_words - 1)} * (width / 8);
    const std::uint64_t word = table.bloom.word(word_at, memory_.bits, in_gnu_hash);
    if (!(word >> (hash % width) & word >> ((hash >> table.bloom_shift) % width) & 1)) return;
    std::uint64_t index = table.bucket_table.u32(std::uint64_t{hash % table.buckets} * 4, in_gnu_hash);
    if (index == 0) return;
    if (index < table.first) table.bucket_table.fail("a bucket of the GNU hash table points before its symbols", 0);
    for (; !wanted.found; ++index) {
      const std::uint32_t link = table.chains.u32((index - table.first) * 4, in_gnu_hash);
      if ((link | 1) == (hash | 1)) match(index, wanted);
      if (link & 1) return;
    }
  }

  void find_sysv(Wanted& wanted) const {
    const Reader table = memory_.at(*tables_.hash, in_hash);
    const std::uint32_t buckets = table.u32(0, in_hash);
    const std::uint32_t symbols = table.u32(4, in_hash);
    if (buckets == 0) return;
    const Reader chains = table.part(8 + std::uint64_t{buckets} * 4, std::uint64_t{symbols} * 4, in_hash);
    std::uint64_t index = table.u32(8 + std::uint64_t{sysv_hash_of(wanted.name) % buckets} * 4, in_hash);
    for (std::uint64_t step = 0; index != 0 && !wanted.found; ++step) {
      if (step > symbols) table.fail("a chain of the hash table runs in a circle", 0);
      match(index, wanted);
      index = chains.u32(index * 4, in_hash);
    }
  }

  // Number of dynamic symbols, which no field of the dynamic section tells.
  std::uint64_t count() const {
    if (tables_.gnu_hash) return count_gnu();
    if (tables_.hash) return memory_.at(*tables_.hash, in_hash).u32(4, in_hash);
    const std::uint64_t size = memory_.bits == 64 ? 24 : 16;
    if (const std::optional<std::uint64_t> bytes = section_bytes()) return std::min(*bytes, symbols_.size()) / size;
    // Linkers place the strings right behind the symbols.
    if (strings_address_ > *tables_.symbols)
      return std::min(strings_address_ - *tables_.symbols, symbols_.size()) / size;
    return 0;
  }

  std::uint64_t count_gnu() const {
    const GnuHash table = gnu_table();
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < table.buckets; ++i)
      last = std::max<std::uint64_t>(last, table.bucket_table.u32(i * 4, in_gnu_hash));
    if (last < table.first) return 0;
    while (!(table.chains.u32((last - table.first) * 4, in_gnu_hash) & 1)) ++last;
    return last + 1;
  }

  std::optional<std::uint64_t> section_bytes() const {
    constexpr std::string_view what = "the section header table";
    constexpr std::uint32_t dynamic_symbols = 11;
    const bool wide = memory_.bits == 64;
    const std::uint64_t size = wide ? 64 : 40;
    for (std::uint64_t i = 0; i < tables_.sections; ++i) {
      const Reader header = memory_.file.part(add(tables_.sections_at, i * size, memory_.file, what), size, what);
      if (header.u32(4, what) == dynamic_symbols) return header.word(wide ? 32 : 20, memory_.bits, what);
    }
    return std::nullopt;
  }

  ElfMemory memory_;
  Reader strings_;
  std::uint64_t strings_address_;
  ElfTables tables_;
  Reader symbols_;
};

}  // namespace

std::shared_ptr<const Image::Symbols> make_elf_symbols(const ElfMemory& memory, const Reader& strings,
                                                       std::uint64_t strings_address, ElfTables tables) {
  return std::make_shared<ElfSymbols>(memory, strings, strings_address, std::move(tables));
}

}  // namespace pier::inspection
