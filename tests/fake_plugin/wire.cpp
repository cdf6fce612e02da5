#include "fake_plugin/wire.h"

namespace fake {
namespace {

enum : std::uint64_t { wire_varint = 0, wire_fixed64 = 1, wire_bytes = 2, wire_fixed32 = 5 };

std::optional<std::uint64_t> take_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80u) == 0) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> take_bytes(std::string_view& rest, std::uint64_t size) {
  if (size > rest.size()) return std::nullopt;
  const std::string_view taken = rest.substr(0, static_cast<std::size_t>(size));
  rest.remove_prefix(taken.size());
  return taken;
}

}  // namespace

std::optional<std::vector<WireField>> read_wire(std::string_view message) {
  std::vector<WireField> fields;
  while (!message.empty()) {
    const auto key = take_varint(message);
    if (!key || *key >> 3 == 0 || *key >> 3 > 0xffffffffu) return std::nullopt;
    WireField field;
    field.number = static_cast<std::uint32_t>(*key >> 3);
    const std::uint64_t type = *key & 7;
    if (type == wire_varint) {
      const auto value = take_varint(message);
      if (!value) return std::nullopt;
      field.value = *value;
    } else if (type == wire_fixed64 || type == wire_fixed32) {
      const auto bytes = take_bytes(message, type == wire_fixed64 ? 8 : 4);
      if (!bytes) return std::nullopt;
      for (std::size_t i = bytes->size(); i-- > 0;) field.value = field.value << 8 | static_cast<unsigned char>((*bytes)[i]);
    } else if (type == wire_bytes) {
      const auto size = take_varint(message);
      const auto bytes = size ? take_bytes(message, *size) : std::nullopt;
      if (!bytes) return std::nullopt;
      field.bytes = *bytes;
    } else {
      return std::nullopt;
    }
    fields.push_back(field);
  }
  return fields;
}

std::optional<std::vector<std::uint64_t>> read_packed(std::string_view bytes) {
  std::vector<std::uint64_t> values;
  while (!bytes.empty()) {
    const auto value = take_varint(bytes);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

void WireWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) message_ += static_cast<char>(value | 0x80);
  message_ += static_cast<char>(value);
}

void WireWriter::number(std::uint32_t field, std::uint64_t value) {
  varint(std::uint64_t{field} << 3 | wire_varint);
  varint(value);
}

void WireWriter::bytes(std::uint32_t field, std::string_view value) {
  varint(std::uint64_t{field} << 3 | wire_bytes);
  varint(value.size());
  message_ += value;
}

void WireWriter::packed(std::uint32_t field, const std::vector<std::int64_t>& values) {
  if (values.empty()) return;
  WireWriter list;
  for (const std::int64_t value : values) list.varint(static_cast<std::uint64_t>(value));
  bytes(field, list.message());
}

}  // namespace fake
