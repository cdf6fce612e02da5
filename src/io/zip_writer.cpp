#include "io/zip_writer.h"

#include <pier/error.h>

#include "base/text.h"
#include "io/crc32.h"
#include "io/source.h"
#include "io/zip_format.h"

namespace pier {
namespace {

constexpr std::uint64_t boundary = 64;
// The field that Android's zipalign pads with; readers pass over it.
constexpr std::uint16_t extra_padding = 0xD935;
// 2.0 is the version with folders and deflate, 4.5 the one with zip64; 3 in the upper byte means Unix permissions.
constexpr std::uint16_t version_plain = 20, version_zip64 = 45, made_on_unix = 3 << 8;
// 1 January 1980, the earliest date that the format has: equal arrays give equal files.
constexpr std::uint16_t no_time = 0, no_date = (1 << 5) | 1;
constexpr std::uint32_t permissions = 0100644u << 16;

class Record {
 public:
  template <class T>
  Record& put(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

std::uint32_t narrow(std::uint64_t value, bool wide) {
  return wide || value >= zip::see_zip64 ? zip::see_zip64 : static_cast<std::uint32_t>(value);
}

std::uint16_t name_flag(std::string_view name) {
  for (const char c : name)
    if (static_cast<unsigned char>(c) >= 0x80) return zip::flag_utf8;
  return 0;
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::span<const std::span<const std::byte>> parts) {
  if (name.size() > 0xFFFF)
    throw Error(ErrorCode::invalid_argument,
                text("a member of a .npz cannot have a name of {} bytes; 65535 is the most", name.size()));
  Member member{name, 0, 0, written_};
  for (const std::span<const std::byte> part : parts) {
    member.crc = crc32(part, member.crc);
    member.size += part.size();
  }
  const bool wide = always_zip64_ || member.size >= zip::see_zip64;
  Record extra;
  std::uint64_t data = written_ + zip::local_size + name.size();
  if (wide) {
    extra.put(zip::extra_zip64).put(std::uint16_t{16}).put(member.size).put(member.size);
    data += 20;
  }
  if (data % boundary != 0) {
    const auto padding = static_cast<std::uint16_t>((boundary - (data + 4) % boundary) % boundary);
    extra.put(extra_padding).put(padding);
    for (std::uint16_t i = 0; i < padding; ++i) extra.put('\0');
  }
  const std::string fields = extra.take();
  Record local;
  local.put(zip::local_signature).put(wide ? version_zip64 : version_plain).put(name_flag(name)).put(zip::method_stored);
  local.put(no_time).put(no_date).put(member.crc).put(narrow(member.size, wide)).put(narrow(member.size, wide));
  local.put(static_cast<std::uint16_t>(name.size())).put(static_cast<std::uint16_t>(fields.size()));
  write(local.take() + name + fields);
  for (const std::span<const std::byte> part : parts) write(as_text(part));
  members_.push_back(std::move(member));
}

std::string ZipWriter::central_record(const Member& member) const {
  const bool wide_size = always_zip64_ || member.size >= zip::see_zip64;
  const bool wide_offset = always_zip64_ || member.offset >= zip::see_zip64;
  const bool wide = wide_size || wide_offset;
  Record extra;
  if (wide) {
    extra.put(zip::extra_zip64).put(static_cast<std::uint16_t>((wide_size ? 16 : 0) + (wide_offset ? 8 : 0)));
    if (wide_size) extra.put(member.size).put(member.size);
    if (wide_offset) extra.put(member.offset);
  }
  const std::string fields = extra.take();
  const std::uint16_t version = wide ? version_zip64 : version_plain;
  Record central;
  central.put(zip::central_signature).put(static_cast<std::uint16_t>(made_on_unix | version)).put(version);
  central.put(name_flag(member.name)).put(zip::method_stored).put(no_time).put(no_date).put(member.crc);
  central.put(narrow(member.size, wide_size)).put(narrow(member.size, wide_size));
  central.put(static_cast<std::uint16_t>(member.name.size())).put(static_cast<std::uint16_t>(fields.size()));
  // No comment, first disk, no internal attributes.
  central.put(std::uint16_t{0}).put(std::uint16_t{0}).put(std::uint16_t{0});
  central.put(permissions).put(narrow(member.offset, wide_offset));
  return central.take() + member.name + fields;
}

void ZipWriter::finish() {
  const std::uint64_t offset = written_;
  std::string directory;
  for (const Member& member : members_) directory += central_record(member);
  write(directory);
  const std::uint64_t size = written_ - offset, count = members_.size(), end = written_;
  const bool wide = always_zip64_ || count >= zip::see_zip64_16 || size >= zip::see_zip64 || offset >= zip::see_zip64;
  Record record;
  if (wide) {
    record.put(zip::end64_signature).put(std::uint64_t{zip::end64_size - 12});
    record.put(static_cast<std::uint16_t>(made_on_unix | version_zip64)).put(version_zip64);
    record.put(std::uint32_t{0}).put(std::uint32_t{0}).put(count).put(count).put(size).put(offset);
    record.put(zip::locator_signature).put(std::uint32_t{0}).put(end).put(std::uint32_t{1});
  }
  const auto short_count = wide ? zip::see_zip64_16 : static_cast<std::uint16_t>(count);
  record.put(zip::end_signature).put(std::uint16_t{0}).put(std::uint16_t{0}).put(short_count).put(short_count);
  record.put(narrow(size, wide)).put(narrow(offset, wide)).put(std::uint16_t{0});
  write(record.take());
}

}  // namespace pier
