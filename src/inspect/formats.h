#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pier/inspect.h>

#include "base/file.h"
#include "inspect/reader.h"

namespace pier {

// The lazy half of an image: each format reads its own tables of exported symbols.
class Image::Symbols {
 public:
  virtual ~Symbols() = default;
  // The symbol as the file spells it.
  virtual std::optional<std::string> find(std::string_view symbol) const = 0;
  // Exported names, as C spells them, until `visit` returns false; only as far as NameReader goes.
  virtual void each(const std::function<bool(std::string_view)>& visit) const = 0;
};

namespace inspection {

// Keeps the bytes alive that readers look at; null when the caller does.
using Owner = std::shared_ptr<const void>;

Image read_elf(const Reader& file, const Owner& owner);
std::vector<Image> read_macho(const Reader& file, const Owner& owner, bool& universal);
Image read_pe(const Reader& file, const Owner& owner);

// What the bytes are when they are not a library: "a zip archive (a wheel?)", with what to do.
struct Content {
  std::string what;
  std::string remedy;
};
std::optional<BinaryFormat> library_format(std::span<const std::byte> bytes);
Content other_content(std::span<const std::byte> bytes, std::string_view name);

// Reads names for Symbols::each. Every symbol of a hostile table may name one long string, so what is too long to be a
// misspelling of anything is passed over, and after so many bytes there are no more names.
class NameReader {
 public:
  static constexpr std::size_t longest = 1024;

  // The name there, empty when it is too long; nothing when it is time to stop.
  std::optional<std::string_view> at(const Reader& strings, std::uint64_t offset) {
    const std::string_view name = strings.prefix(offset, longest + 1, "the name of a symbol");
    if (!take(name.size() + 16)) return std::nullopt;
    return name.size() > longest ? std::string_view() : name;
  }
  // Counts bytes that were read elsewhere; false when it is time to stop.
  bool take(std::size_t bytes) {
    const bool enough = bytes <= left_;
    left_ -= enough ? bytes : left_;
    return enough;
  }

 private:
  std::size_t left_ = std::size_t{64} << 20;
};

Binary inspect_bytes(std::span<const std::byte> bytes, std::string_view name, const Owner& owner);
Binary inspect_file(const MappedFile& file);

}  // namespace inspection
}  // namespace pier
