#include <algorithm>
#include <array>
#include <filesystem>

#include "base/ascii.h"
#include "inspect/formats.h"

namespace pier::inspection {
namespace {

using namespace std::string_view_literals;

std::string_view head_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 4096)};
}

std::uint32_t big_endian_word(std::string_view head, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = offset; i < offset + 4; ++i) value = value << 8 | static_cast<unsigned char>(head[i]);
  return value;
}

// Java class files share the magic of universal Mach-O; their next word is a version of at least 45, where a Mach-O file
// has a handful of architectures.
bool is_java_class(std::string_view head) {
  return head.starts_with("\xca\xfe\xba\xbe"sv) && head.size() >= 8 && big_endian_word(head, 4) >= 45;
}

bool is_text(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t' && byte != '\f') || byte == 0x7f;
  });
}

// The first line, for a message: at most 60 bytes, never cut inside a UTF-8 character.
std::string first_line(std::string_view head) {
  std::size_t end = std::min({head.find_first_of("\r\n"), head.size()});
  if (end > 60) {
    end = 60;
    while (end > 0 && (static_cast<unsigned char>(head[end]) & 0xc0) == 0x80) --end;
    return std::string(head.substr(0, end)) + "...";
  }
  return std::string(head.substr(0, end));
}

Content text_content(std::string_view head) {
  const std::string start = lower_ascii(head.substr(0, 1024));
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  const std::string_view trimmed = first == std::string::npos ? std::string_view() : std::string_view(start).substr(first);
  const std::string again = "download it again; a sign-in page, a proxy or a wrong address answers with such text";
  if (trimmed.starts_with("<!doctype html") || trimmed.starts_with("<html") || trimmed.starts_with("<head") ||
      trimmed.find("<html") != std::string_view::npos)
    return {"a web page (HTML)", again};
  if (trimmed.starts_with("<?xml") || trimmed.starts_with("<")) return {"an XML text", again};
  if (trimmed.starts_with("version https://git-lfs"))
    return {"a Git LFS pointer: the real file was not fetched", "run 'git lfs pull' in its repository"};
  const bool has_command = trimmed.find("input(") != std::string_view::npos || trimmed.find("group(") != std::string_view::npos ||
                           trimmed.find("gnu ld script") != std::string_view::npos;
  if (has_command && (trimmed.starts_with("/*") || trimmed.starts_with("input") || trimmed.starts_with("group")))
    return {"a linker script, which only names the real library", "give the library that the script names"};
  if (trimmed.starts_with("--- !tapi")) return {"a stub for the linker (.tbd)", "give the library itself"};
  if (trimmed.starts_with("#!")) return {text("a script ('{}')", first_line(head)), ""};
  if (trimmed.starts_with("{") || trimmed.starts_with("[")) return {text("a JSON text ('{}')", first_line(head)), again};
  return {text("a text file ('{}')", first_line(head)), "give the plugin's shared library"};
}

}  // namespace

std::optional<BinaryFormat> library_format(std::span<const std::byte> bytes) {
  const std::string_view head = head_of(bytes);
  if (head.starts_with("\x7f" "ELF"sv)) return BinaryFormat::elf;
  for (const std::string_view magic : {"\xfe\xed\xfa\xce"sv, "\xce\xfa\xed\xfe"sv, "\xfe\xed\xfa\xcf"sv, "\xcf\xfa\xed\xfe"sv,
                                       "\xca\xfe\xba\xbe"sv, "\xbe\xba\xfe\xca"sv, "\xca\xfe\xba\xbf"sv, "\xbf\xba\xfe\xca"sv})
    if (head.starts_with(magic) && !is_java_class(head)) return BinaryFormat::macho;
  if (head.starts_with("MZ")) return BinaryFormat::pe;
  return std::nullopt;
}

Content other_content(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view head = head_of(bytes);
  const std::string unpack = "unpack it and give the library inside";
  if (head.empty()) return {"an empty file (0 bytes)", "fetch or build it again"};
  if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv)) {
    const std::string folder = std::filesystem::path(name).parent_path().string();
    return {"a zip archive (a wheel?)", text("if it is the wheel that the catalog pins, use: pier install ID --find-links {}; else {}",
                                             folder.empty() ? "." : folder, unpack)};
  }
  struct Magic {
    std::string_view bytes;
    std::string_view what;
  };
  constexpr std::array archives = {
      Magic{"\x1f\x8b"sv, "a gzip archive (.tar.gz?)"sv}, Magic{"\x28\xb5\x2f\xfd"sv, "a zstd archive (.tar.zst?)"sv},
      Magic{"\xfd" "7zXZ"sv, "an xz archive (.tar.xz?)"sv}, Magic{"BZh"sv, "a bzip2 archive (.tar.bz2?)"sv}};
  for (const Magic& magic : archives)
    if (head.starts_with(magic.bytes)) return {std::string(magic.what), unpack};
  if (head.size() > 262 && head.substr(257, 5) == "ustar") return {"a tar archive", unpack};
  if (head.starts_with("7z\xbc\xaf"sv)) return {"a 7z archive", unpack};
  if (head.starts_with("!<arch>\n"))
    return {"a static or import library (an ar archive)", "give the shared library: .so, .dylib or .dll"};
  if (head.starts_with("BC\xc0\xde"sv)) return {"LLVM bitcode", "give the linked shared library"};
  if (head.starts_with("ML\xefR"sv)) return {"an MLIR module", "use: pier run " + std::string(name)};
  if (is_java_class(head)) return {"a Java class file", ""};
  if (std::all_of(head.begin(), head.end(), [](char c) { return c == '\0'; }))
    return {"zeros at the start, as a download that was not finished leaves it", "fetch it again"};
  if (is_text(head)) return text_content(head);
  return {text("data of an unknown kind (it starts with {})", hex(bytes.first(std::min<std::size_t>(bytes.size(), 8)))),
          "a plugin is an ELF, Mach-O or PE shared library"};
}

}  // namespace pier::inspection
