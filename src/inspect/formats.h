#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pier/inspect.h>

#include "inspect/reader.h"

namespace pier {

// The lazy half of an image: each format reads its own tables of exported symbols.
class Image::Symbols {
 public:
  virtual ~Symbols() = default;
  // The symbol as the file spells it.
  virtual std::optional<std::string> find(std::string_view symbol) const = 0;
  // Every exported name, as C spells it, until `visit` returns false.
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

Binary inspect_bytes(std::span<const std::byte> bytes, std::string_view name, const Owner& owner);

}  // namespace inspection
}  // namespace pier
