#include <pier/inspect.h>

#include <utility>

#include "inspect/formats.h"

namespace pier {
namespace inspection {

std::string hex(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    out += digits[static_cast<std::size_t>(byte >> 4)];
    out += digits[static_cast<std::size_t>(byte & std::byte{15})];
  }
  return out;
}

Binary inspect_bytes(std::span<const std::byte> bytes, std::string_view name, const Owner& owner) {
  const std::optional<BinaryFormat> format = library_format(bytes);
  if (!format) {
    const Content content = other_content(bytes, name);
    IntegrityError error(text("{} is not a library: it is {}", name, content.what));
    if (!content.remedy.empty()) error.note(content.remedy);
    throw error;
  }
  Binary binary;
  binary.name = name;
  binary.size = bytes.size();
  binary.format = *format;
  const Reader file(bytes, binary.name);
  switch (*format) {
    case BinaryFormat::elf: binary.images.push_back(read_elf(file, owner)); break;
    case BinaryFormat::macho: binary.images = read_macho(file, owner, binary.universal); break;
    case BinaryFormat::pe: binary.images.push_back(read_pe(file, owner)); break;
  }
  return binary;
}

Binary inspect_file(const MappedFile& file) {
  Binary binary = inspect_bytes(file.bytes(), file.path().string(), file.owner());
  binary.path = std::filesystem::absolute(file.path());
  return binary;
}

}  // namespace inspection

Binary inspect(const std::filesystem::path& path) { return inspection::inspect_file(MappedFile(path)); }

Binary inspect(std::span<const std::byte> bytes, std::string_view name) {
  return inspection::inspect_bytes(bytes, name, nullptr);
}

}  // namespace pier
