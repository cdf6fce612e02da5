#include "io/zip_reader.h"

#include <algorithm>
#include <optional>

#include <pier/error.h>

#include "base/text.h"
#include "base/utf8.h"
#include "io/zip_format.h"

namespace pier {
namespace {

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

struct Range {
  std::uint64_t begin = 0, end = 0;
  std::size_t member = 0;
};

// The 64-bit values that replace saturated 32-bit ones, in the order of the zip64 field.
class Zip64Values {
 public:
  explicit Zip64Values(std::span<const std::byte> values) : values_(values) {}
  // False when the field is too short.
  bool replace(std::uint64_t& value) {
    if (value != zip::see_zip64) return true;
    if (values_.size() < 8) return false;
    value = little<std::uint64_t>(values_, 0);
    values_ = values_.subspan(8);
    return true;
  }

 private:
  std::span<const std::byte> values_;
};

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), bytes_(source.bytes) {}

  std::vector<ZipMember> read() {
    const Directory directory = find_directory();
    std::span<const std::byte> rest =
        bytes_.subspan(static_cast<std::size_t>(directory.offset), static_cast<std::size_t>(directory.size));
    std::vector<ZipMember> members;
    std::vector<Range> ranges;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
      ranges.push_back({0, 0, members.size()});
      rest = rest.subspan(read_entry(rest, directory, members.emplace_back(), ranges.back()));
    }
    if (!rest.empty()) fail(text("{} bytes of its directory belong to no member", rest.size()));
    check_apart(members, ranges);
    check_names(members);
    return members;
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw IntegrityError(text("{}: broken zip file: {}", source_.name, why));
  }
  [[noreturn]] void fail(const ZipMember& member, std::string_view why) const {
    throw IntegrityError(text("{}, member {}: {}", source_.name, in_quotes(member.name), why));
  }
  [[noreturn]] void refuse(const ZipMember& member, std::string_view why) const {
    throw Error(ErrorCode::invalid_argument, text("{}, member {}: {}", source_.name, in_quotes(member.name), why))
        .note("write it with numpy.savez or numpy.savez_compressed");
  }

  std::size_t find_end() const {
    const std::size_t total = bytes_.size();
    // The end record closes the file, but for a comment of up to 65535 bytes whose length it tells.
    for (std::size_t comment = 0; comment <= 0xFFFF && zip::end_size + comment <= total; ++comment) {
      const std::size_t at = total - zip::end_size - comment;
      if (little<std::uint32_t>(bytes_, at) == zip::end_signature && little<std::uint16_t>(bytes_, at + 20) == comment)
        return at;
    }
    fail(text("no directory at the end of its {} bytes; the file may be cut short", total));
  }

  Directory find_directory() const {
    const std::size_t at = find_end();
    const auto disk = little<std::uint16_t>(bytes_, at + 4), directory_disk = little<std::uint16_t>(bytes_, at + 6);
    const auto here = little<std::uint16_t>(bytes_, at + 8), entries = little<std::uint16_t>(bytes_, at + 10);
    const auto size = little<std::uint32_t>(bytes_, at + 12), offset = little<std::uint32_t>(bytes_, at + 16);
    Directory directory{offset, size, entries};
    std::uint64_t end = at;
    const bool wide =
        at >= zip::locator_size && little<std::uint32_t>(bytes_, at - zip::locator_size) == zip::locator_signature;
    if (wide) {
      end = read_end64(at - zip::locator_size, directory);
      if ((entries != zip::see_zip64_16 && entries != directory.entries) ||
          (size != zip::see_zip64 && size != directory.size) || (offset != zip::see_zip64 && offset != directory.offset))
        fail("its two end records contradict each other");
    } else if (disk != 0 || directory_disk != 0 || here != entries) {
      fail("it is one part of several");
    }
    if (directory.offset > end || directory.size != end - directory.offset)
      fail(text("its directory of {} bytes at {} does not end where the end record begins, at {}", directory.size,
                directory.offset, end));
    if (directory.entries > directory.size / zip::central_size)
      fail(text("its directory of {} bytes cannot hold {} members", directory.size, directory.entries));
    return directory;
  }

  std::uint64_t read_end64(std::size_t locator, Directory& directory) const {
    const auto at = little<std::uint64_t>(bytes_, locator + 8);
    if (little<std::uint32_t>(bytes_, locator + 4) != 0 || little<std::uint32_t>(bytes_, locator + 16) > 1)
      fail("it is one part of several");
    if (at > locator || locator - at < zip::end64_size) fail("its zip64 end record lies outside");
    const auto start = static_cast<std::size_t>(at);
    if (little<std::uint32_t>(bytes_, start) != zip::end64_signature)
      fail("its zip64 end record is not where it should be");
    // The size does not count the signature and itself.
    if (little<std::uint64_t>(bytes_, start + 4) != locator - at - 12) fail("its zip64 end record has the wrong size");
    if (little<std::uint32_t>(bytes_, start + 16) != 0 || little<std::uint32_t>(bytes_, start + 20) != 0)
      fail("it is one part of several");
    directory.entries = little<std::uint64_t>(bytes_, start + 32);
    if (little<std::uint64_t>(bytes_, start + 24) != directory.entries) fail("it is one part of several");
    directory.size = little<std::uint64_t>(bytes_, start + 40);
    directory.offset = little<std::uint64_t>(bytes_, start + 48);
    return at;
  }

  std::span<const std::byte> zip64_field(const ZipMember& member, std::span<const std::byte> extra) const {
    std::optional<std::span<const std::byte>> found;
    while (extra.size() >= 4) {
      const std::size_t length = little<std::uint16_t>(extra, 2);
      if (length > extra.size() - 4) fail(member, "an extra field is longer than its place");
      if (little<std::uint16_t>(extra, 0) == zip::extra_zip64) {
        if (found) fail(member, "two zip64 fields");
        found = extra.subspan(4, length);
      }
      extra = extra.subspan(4 + length);
    }
    return found.value_or(std::span<const std::byte>());
  }

  // Reads one record at the front of `rest` and the local header that it points to; returns the record's length.
  std::size_t read_entry(std::span<const std::byte> rest, const Directory& directory, ZipMember& member,
                         Range& range) const {
    if (rest.size() < zip::central_size || little<std::uint32_t>(rest, 0) != zip::central_signature)
      fail("its directory has fewer members than it promises");
    const std::size_t name = little<std::uint16_t>(rest, 28), extra = little<std::uint16_t>(rest, 30);
    const std::size_t comment = little<std::uint16_t>(rest, 32);
    const std::size_t length = zip::central_size + name + extra + comment;
    if (length > rest.size()) fail("the last record of its directory is cut short");
    member.name = as_text(rest.subspan(zip::central_size, name));

    const auto flags = little<std::uint16_t>(rest, 8), method = little<std::uint16_t>(rest, 10);
    if (flags & (zip::flag_encrypted | zip::flag_strong | zip::flag_masked)) refuse(member, "it is encrypted");
    if (method != zip::method_stored && method != zip::method_deflated)
      refuse(member, text("compression method {} is not known; pier reads 0 (stored) and 8 (deflated)", method));
    member.deflated = method == zip::method_deflated;
    member.crc = little<std::uint32_t>(rest, 16);

    std::uint64_t packed = little<std::uint32_t>(rest, 20);
    std::uint64_t local = little<std::uint32_t>(rest, 42);
    member.size = little<std::uint32_t>(rest, 24);
    Zip64Values wide(zip64_field(member, rest.subspan(zip::central_size + name, extra)));
    if (!wide.replace(member.size) || !wide.replace(packed) || !wide.replace(local))
      fail(member, "its zip64 field is too short");
    const auto disk = little<std::uint16_t>(rest, 34);
    if (disk != 0 && disk != zip::see_zip64_16) fail("it is one part of several");

    if (local > directory.offset || directory.offset - local < zip::local_size)
      fail(member, text("its header should be at {}, inside or behind the directory", local));
    const std::uint64_t data = local + check_local(member, static_cast<std::size_t>(local), packed, flags, method);
    if (data > directory.offset || packed > directory.offset - data)
      fail(member, text("its {} bytes at {} do not fit before the directory at {}", packed, data, directory.offset));
    if (!member.deflated && packed != member.size)
      fail(member, text("stored, but with {} bytes for {}", packed, member.size));
    // Deflate makes at most 258 bytes of 2 bits.
    if (member.deflated && member.size / 1032 > packed)
      fail(member, text("{} bytes cannot come out of {} deflated ones", member.size, packed));
    member.data = bytes_.subspan(static_cast<std::size_t>(data), static_cast<std::size_t>(packed));
    range.begin = local;
    range.end = data + packed;
    return length;
  }

  // Checks the local header against the directory; returns its length.
  std::uint64_t check_local(const ZipMember& member, std::size_t at, std::uint64_t packed, std::uint16_t flags,
                            std::uint16_t method) const {
    const std::span<const std::byte> header = bytes_.subspan(at);
    if (little<std::uint32_t>(header, 0) != zip::local_signature) fail(member, text("no header at {}", at));
    const std::size_t name = little<std::uint16_t>(header, 26), extra = little<std::uint16_t>(header, 28);
    const std::size_t length = zip::local_size + name + extra;
    if (length > header.size()) fail(member, "its header is cut short");
    if (as_text(header.subspan(zip::local_size, name)) != member.name)
      fail(member, text("its header names it {}", in_quotes(as_text(header.subspan(zip::local_size, name)))));
    const auto local_flags = little<std::uint16_t>(header, 6);
    constexpr std::uint16_t compared = zip::flag_encrypted | zip::flag_descriptor | zip::flag_strong;
    if (little<std::uint16_t>(header, 8) != method || ((local_flags ^ flags) & compared) != 0)
      fail(member, "its header and the directory name different methods");
    // With a descriptor behind the data, the writer did not know these when it wrote the header.
    if (flags & zip::flag_descriptor) return length;
    std::uint64_t size = little<std::uint32_t>(header, 22), local_packed = little<std::uint32_t>(header, 18);
    Zip64Values wide(zip64_field(member, header.subspan(zip::local_size + name, extra)));
    if (!wide.replace(size) || !wide.replace(local_packed)) fail(member, "its zip64 field is too short");
    if (size != member.size || local_packed != packed || little<std::uint32_t>(header, 14) != member.crc)
      fail(member, text("its header promises {} bytes in {}, the directory {} in {}, or their CRC-32 differ", size,
                        local_packed, member.size, packed));
    return length;
  }

  void check_apart(const std::vector<ZipMember>& members, std::vector<Range>& ranges) const {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < ranges.size(); ++i)
      if (ranges[i].begin < ranges[i - 1].end)
        fail(members[ranges[i].member], text("it overlaps the member {}", in_quotes(members[ranges[i - 1].member].name)));
  }

  void check_names(const std::vector<ZipMember>& members) const {
    std::vector<std::string_view> names;
    for (const ZipMember& member : members) {
      if (!valid_utf8(member.name) || member.name.find('\0') != std::string::npos)
        fail(member, "its name is not UTF-8 without NUL");
      names.push_back(member.name);
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail(text("two members are named {}", in_quotes(*twice)));
  }

  const Source& source_;
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<ZipMember> read_zip(const Source& source) { return Reader(source).read(); }

}  // namespace pier
