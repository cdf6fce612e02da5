#include <algorithm>
#include <bit>

#include "base/file.h"
#include "inspect/reader.h"
#include "inspect/search.h"

namespace pier::inspection {
namespace {

constexpr std::string_view what = "the loader cache";

// Flags of glibc's cache entries (sysdeps/generic/ldconfig.h): ELF of the glibc 2 family and the processor.
std::optional<std::uint32_t> flags_of(std::string_view arch) {
  if (arch == "x86_64") return 0x0303;
  if (arch == "x32") return 0x0803;
  if (arch == "aarch64") return 0x0a03;
  if (arch == "i386") return 0x0003;
  if (arch == "ppc64" || arch == "ppc64le") return 0x0503;
  if (arch == "s390x") return 0x0403;
  if (arch == "riscv64") return 0x1003;
  if (arch == "loongarch64") return 0x1203;
  return std::nullopt;
}

// The current layout, alone or behind the one of glibc 2.1, whose entries precede it.
Reader find_table(const Reader& file) {
  constexpr std::string_view magic = "glibc-ld.so.cache1.1", old_magic = "ld.so-1.7.0";
  const auto starts_with = [](const Reader& at, std::string_view text) {
    return at.has(0, text.size()) &&
           std::string_view(reinterpret_cast<const char*>(at.bytes().data()), text.size()) == text;
  };
  if (starts_with(file, magic)) return file;
  if (!starts_with(file, old_magic)) file.fail("this is not a loader cache that pier knows", 0);
  constexpr std::uint64_t old_header = 16, old_entry = 12;
  const std::uint64_t end = old_header + old_entry * file.u32(12, what);
  const Reader table = file.rest((end + 7) / 8 * 8, what);
  if (!starts_with(table, magic)) table.fail("the loader cache lacks the table of glibc 2.2 and later", 0);
  return table;
}

}  // namespace

LoaderCache LoaderCache::read(const std::filesystem::path& path, std::string_view arch) {
  std::error_code none;
  if (path.empty() || !std::filesystem::exists(path, none)) return {};
  const MappedFile file(path);
  return parse(file.bytes(), path.string(), arch);
}

LoaderCache LoaderCache::parse(std::span<const std::byte> bytes, const std::string& name, std::string_view arch) {
  LoaderCache cache;
  const std::optional<std::uint32_t> wanted = flags_of(arch);
  if (!wanted) return cache;
  // The file is written by the machine that reads it, in its own byte order.
  const Reader table = find_table(Reader(bytes, name).with_order(std::endian::native == std::endian::big));
  constexpr std::uint64_t header = 48, entry_size = 24;
  const std::uint32_t count = table.u32(20, what);
  constexpr std::uint32_t most_libraries = 1'000'000;
  if (count > most_libraries) table.fail("the loader cache promises too many libraries", 20);
  const Reader entries = table.part(header, entry_size * count, what);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Reader entry = entries.part(i * entry_size, entry_size, what);
    if (entry.u32(0, what) != *wanted) continue;
    cache.entries_.push_back({std::string(table.string(entry.u32(4, what), what)),
                              std::string(table.string(entry.u32(8, what), what)), entry.u64(16, what) != 0});
  }
  return cache;
}

std::vector<std::string> LoaderCache::paths(std::string_view name) const {
  std::vector<std::string> plain;
  std::vector<std::string> special;
  for (const Entry& entry : entries_)
    if (entry.name == name) (entry.special ? special : plain).push_back(entry.path);
  // Copies for newer processors have the same name and versions as the plain one, which is there for every processor.
  plain.insert(plain.end(), special.begin(), special.end());
  return plain;
}

}  // namespace pier::inspection
