#include <pier/npz.h>

#include <algorithm>
#include <array>

#include <pier/error.h>

#include "base/text.h"
#include "io/crc32.h"
#include "io/inflate.h"
#include "io/npy_header.h"
#include "io/source.h"
#include "io/write.h"
#include "io/zip_reader.h"
#include "io/zip_writer.h"

namespace pier {
namespace {

constexpr std::string_view suffix = ".npy";

void check_crc(std::uint32_t found, const ZipMember& member, const std::string& source) {
  if (found != member.crc)
    throw IntegrityError(text("{}: the CRC-32 of its {} bytes is {:08x}, the file promises {:08x}", source, member.size,
                              found, member.crc));
}

Entry read_stored(const Source& archive, const ZipMember& member, const std::string& source) {
  check_crc(crc32(member.data), member, source);
  return read_npy({member.data, archive.owner, source});
}

Entry read_deflated(const ZipMember& member, const std::string& source) {
  Inflater inflater(member.data, source);
  std::uint32_t crc = 0;
  const auto read = [&](std::span<std::byte> target) {
    inflater.read(target);
    crc = crc32(target, crc);
  };
  std::vector<std::byte> header(static_cast<std::size_t>(std::min<std::uint64_t>(member.size, npy_prefix)));
  const std::size_t prefix = header.size();
  read(header);
  header.resize(npy_header_size(header, member.size, source));
  read(std::span(header).subspan(std::min(prefix, header.size())));
  const NpyHeader parsed = parse_npy_header(header, member.size - header.size(), source);
  Array array = new_elements(parsed.elements, [&](std::span<std::byte> target) {
    read(target);
    inflater.finish();
    check_crc(crc, member, source);
  });
  return {"", std::move(array), parsed.untyped};
}

}  // namespace

NamedArrays read_npz(const Source& source) {
  NamedArrays arrays;
  for (const ZipMember& member : read_zip(source)) {
    const std::string where = text("{}, member {}", source.name, in_quotes(member.name));
    Entry entry = member.deflated ? read_deflated(member, where) : read_stored(source, member, where);
    std::string_view name = member.name;
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
    entry.name = name;
    arrays.push_back(std::move(entry));
  }
  std::sort(arrays.begin(), arrays.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  // "a" and "a.npy" are two members and one name.
  const auto twice =
      std::adjacent_find(arrays.begin(), arrays.end(), [](const Entry& a, const Entry& b) { return a.name == b.name; });
  if (twice != arrays.end())
    throw IntegrityError(text("{}: two arrays are named {}", source.name, in_quotes(twice->name)));
  return arrays;
}

NamedArrays load_npz(const std::filesystem::path& path) { return read_npz(map_source(path)); }

void write_npz(AtomicFile& file, const NamedArrays& arrays) {
  check_savable(file.target(), arrays);
  ZipWriter writer(file);
  for (const Entry& entry : arrays) {
    const NpyBytes content = npy_bytes(entry.array, entry.untyped);
    const std::array parts = {std::as_bytes(std::span(content.header)), content.data()};
    writer.add(entry.name + std::string(suffix), parts);
  }
  writer.finish();
}

void save_npz(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode) {
  save_with(write_npz, path, arrays, mode);
}

}  // namespace pier
