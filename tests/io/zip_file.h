#pragma once

#include <optional>

#include "io/crc32.h"
#include "io/support.h"
#include "io/zip_format.h"

namespace pier::io_test {

// A zip file in which every field can lie.
struct ZipEntry {
  std::string name;
  std::string data;  // as the file has it
  std::uint16_t method = zip::method_stored;
  std::uint16_t flags = 0;
  std::optional<std::uint64_t> size = {};  // when decompressed; the data's own by default
  std::optional<std::uint32_t> crc = {};   // the data's own by default
  // What the local header says instead.
  std::optional<std::string> local_name = {};
  std::optional<std::uint32_t> local_size = {}, local_packed = {}, local_crc = {};
  std::optional<std::uint16_t> local_method = {};
  // What the directory says instead.
  std::optional<std::uint32_t> packed = {}, offset = {};
  std::string local_extra = {}, central_extra = {};
  std::uint16_t disk = 0;
};

struct ZipEnd {
  std::optional<std::uint16_t> entries = {};
  std::optional<std::uint32_t> size = {}, offset = {};
  std::uint16_t disk = 0;
  std::string before = {};  // between directory and end record
  std::string comment = {};
};

inline std::string zip_file(const std::vector<ZipEntry>& entries, const ZipEnd& end = {}) {
  std::string out, directory;
  for (const ZipEntry& e : entries) {
    const auto own = static_cast<std::uint32_t>(e.data.size());
    const auto size = static_cast<std::uint32_t>(e.size.value_or(own));
    const std::uint32_t crc = e.crc.value_or(crc32(std::as_bytes(std::span(e.data))));
    const std::string local_name = e.local_name.value_or(e.name);
    const auto offset = static_cast<std::uint32_t>(out.size());
    out += raw(zip::local_signature) + raw(std::uint16_t{20}) + raw(e.flags) + raw(e.local_method.value_or(e.method));
    out += raw(std::uint32_t{0}) + raw(e.local_crc.value_or(crc)) + raw(e.local_packed.value_or(own)) +
           raw(e.local_size.value_or(size));
    out += raw(static_cast<std::uint16_t>(local_name.size())) + raw(static_cast<std::uint16_t>(e.local_extra.size()));
    out += local_name + e.local_extra + e.data;
    directory +=
        raw(zip::central_signature) + raw(std::uint16_t{20}) + raw(std::uint16_t{20}) + raw(e.flags) + raw(e.method);
    directory += raw(std::uint32_t{0}) + raw(crc) + raw(e.packed.value_or(own)) + raw(size);
    directory += raw(static_cast<std::uint16_t>(e.name.size())) + raw(static_cast<std::uint16_t>(e.central_extra.size()));
    directory += raw(std::uint16_t{0}) + raw(e.disk) + raw(std::uint16_t{0}) + raw(std::uint32_t{0});
    directory += raw(e.offset.value_or(offset)) + e.name + e.central_extra;
  }
  const auto offset = static_cast<std::uint32_t>(out.size());
  const auto count = end.entries.value_or(static_cast<std::uint16_t>(entries.size()));
  out +=
      directory + end.before + raw(zip::end_signature) + raw(end.disk) + raw(std::uint16_t{0}) + raw(count) + raw(count);
  out += raw(end.size.value_or(static_cast<std::uint32_t>(directory.size()))) + raw(end.offset.value_or(offset));
  return out + raw(static_cast<std::uint16_t>(end.comment.size())) + end.comment;
}

}  // namespace pier::io_test
