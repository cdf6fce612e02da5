#include "store/zip_directory.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <sys/stat.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "store/noted.h"
#include "store/spool.h"

namespace pier {
namespace {

constexpr std::size_t end_size = 22;
constexpr std::size_t longest_comment = 65535;
constexpr std::size_t end64_locator_size = 20;
constexpr std::size_t end64_size = 56;
constexpr std::size_t entry_size = 46;

[[noreturn]] void refuse(std::string_view fault) {
  throw noted(IntegrityError(text("the package's directory is refused: {}", fault)), "nothing was installed; tell the package's makers");
}

// Little-endian numbers out of bytes that are there; the caller has checked the size.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

std::string read_range(int fd, std::uint64_t offset, std::uint64_t size, const std::filesystem::path& path) {
  std::string out(static_cast<std::size_t>(size), '\0');
  if (read_at(fd, std::as_writable_bytes(std::span(out)), offset, path) != out.size()) refuse("the file ends early");
  return out;
}

struct Place {
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  // where the directory must end
};

// The record at the very end, whose comment reaches exactly to the end of the file.
Place find_directory(int fd, std::uint64_t file_size, const std::filesystem::path& path) {
  const std::uint64_t tail_size = std::min<std::uint64_t>(file_size, end_size + longest_comment);
  const std::uint64_t tail_start = file_size - tail_size;
  const std::string tail = read_range(fd, tail_start, tail_size, path);
  if (tail.size() < end_size) refuse("there is none");
  std::size_t at = tail.size() - end_size;
  for (;; --at) {
    if (number(tail, at, 4) == 0x06054b50 && at + end_size + number(tail, at + 20, 2) == tail.size()) break;
    if (at == 0) refuse("there is none at the end of the file");
  }
  if (number(tail, at + 4, 2) != 0 || number(tail, at + 6, 2) != 0) refuse("the archive has several parts");
  Place place{.entries = number(tail, at + 10, 2), .size = number(tail, at + 12, 4), .offset = number(tail, at + 16, 4), .end = tail_start + at};
  if (number(tail, at + 8, 2) != place.entries) refuse("the archive has several parts");
  if (place.entries != 0xffff && place.size != 0xffffffff && place.offset != 0xffffffff) return place;

  if (place.end < end64_locator_size + end64_size) refuse("the end for large archives is missing");
  const std::string locator = read_range(fd, place.end - end64_locator_size, end64_locator_size, path);
  if (number(locator, 0, 4) != 0x07064b50) {
    // Exactly 65,535 entries or 4 GiB are possible without it.
    return place;
  }
  const std::uint64_t end64 = number(locator, 8, 8);
  if (end64 > place.end - end64_locator_size - end64_size) refuse("the end for large archives lies outside");
  const std::string record = read_range(fd, end64, end64_size, path);
  if (number(record, 0, 4) != 0x06064b50) refuse("the end for large archives is damaged");
  return {.entries = number(record, 32, 8), .size = number(record, 40, 8), .offset = number(record, 48, 8), .end = end64};
}

// The 64-bit size in an entry's extra fields.
std::uint64_t size_from_extra(std::string_view extra) {
  while (extra.size() >= 4) {
    const auto id = number(extra, 0, 2);
    const auto size = static_cast<std::size_t>(number(extra, 2, 2));
    if (size > extra.size() - 4) break;
    if (id == 1 && size >= 8) return number(extra, 4, 8);
    extra.remove_prefix(4 + size);
  }
  refuse("an entry lacks its size");
}

}  // namespace

void read_zip_directory(int fd, const std::filesystem::path& path, std::uint64_t limit,
                        const std::function<void(const ZipEntry&)>& visit) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw_errno(errno, "stat", path);
  const Place place = find_directory(fd, static_cast<std::uint64_t>(status.st_size), path);
  if (place.entries > limit) refuse(text("it has {} entries, more than {}", place.entries, limit));
  if (place.offset > place.end || place.size != place.end - place.offset) refuse("it does not reach from its start to its end");
  // An entry is at most 46 bytes and three texts of 64 KiB; real ones are about 100 bytes.
  if (place.size > limit * 4096) refuse(text("it has {} bytes", place.size));
  const std::string bytes = read_range(fd, place.offset, place.size, path);
  std::string_view rest = bytes;
  for (std::uint64_t i = 0; i < place.entries; ++i) {
    if (rest.size() < entry_size || number(rest, 0, 4) != 0x02014b50) refuse(text("entry {} is damaged", i + 1));
    const auto name = static_cast<std::size_t>(number(rest, 28, 2));
    const auto extra = static_cast<std::size_t>(number(rest, 30, 2));
    const auto comment = static_cast<std::size_t>(number(rest, 32, 2));
    if (name + extra + comment > rest.size() - entry_size) refuse(text("entry {} is cut off", i + 1));
    ZipEntry entry;
    entry.name = rest.substr(entry_size, name);
    entry.size = number(rest, 24, 4);
    if (entry.size == 0xffffffff) entry.size = size_from_extra(rest.substr(entry_size + name, extra));
    entry.flags = static_cast<std::uint16_t>(number(rest, 8, 2));
    const auto system = number(rest, 5, 1);
    if (system == 3 || system == 19) entry.mode = static_cast<std::uint32_t>(number(rest, 38, 4) >> 16);
    rest.remove_prefix(entry_size + name + extra + comment);
    visit(entry);
  }
  if (!rest.empty()) refuse("it has more than its entries");
}

}  // namespace pier
