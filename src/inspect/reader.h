#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <pier/error.h>

#include "base/text.h"

namespace pier::inspection {

// Names and paths inside binaries; PATH_MAX of Linux.
inline constexpr std::size_t longest_string = 4096;
// Entries of one table: far above the largest real library, far below what would hurt.
inline constexpr std::size_t most_entries = 4096;

// A stretch of a file with a byte order. Every read is checked against its end; a failed check is an IntegrityError that
// names the file, the thing being read and its offset in the file. Copies are cheap and keep the label alive.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::string label)
      : bytes_(bytes), label_(std::make_shared<const std::string>(std::move(label))) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  const std::string& label() const { return *label_; }
  // Offset of this stretch in the file.
  std::uint64_t base() const { return base_; }

  Reader with_order(bool big_endian) const {
    Reader out = *this;
    out.big_endian_ = big_endian;
    return out;
  }
  Reader with_label(std::string label) const {
    Reader out = *this;
    out.label_ = std::make_shared<const std::string>(std::move(label));
    return out;
  }

  bool has(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  Reader part(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    require(offset, size, what);
    Reader out = *this;
    out.bytes_ = bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    out.base_ = base_ + offset;
    return out;
  }
  // From the offset to the end.
  Reader rest(std::uint64_t offset, std::string_view what) const {
    require(offset, 0, what);
    return part(offset, bytes_.size() - offset, what);
  }

  template <std::unsigned_integral T>
  T get(std::uint64_t offset, std::string_view what) const {
    require(offset, sizeof(T), what);
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    if (big_endian_ != (std::endian::native == std::endian::big)) value = swapped(value);
    return value;
  }
  std::uint8_t u8(std::uint64_t offset, std::string_view what) const { return get<std::uint8_t>(offset, what); }
  std::uint16_t u16(std::uint64_t offset, std::string_view what) const { return get<std::uint16_t>(offset, what); }
  std::uint32_t u32(std::uint64_t offset, std::string_view what) const { return get<std::uint32_t>(offset, what); }
  std::uint64_t u64(std::uint64_t offset, std::string_view what) const { return get<std::uint64_t>(offset, what); }
  // A field that is 8 bytes wide in 64-bit files and 4 in others.
  std::uint64_t word(std::uint64_t offset, int bits, std::string_view what) const {
    return bits == 64 ? u64(offset, what) : u32(offset, what);
  }

  // A zero-terminated string that ends inside this stretch.
  std::string_view string(std::uint64_t offset, std::string_view what, std::size_t longest = longest_string) const {
    const std::string_view out = prefix(offset, longest + 1, what);
    if (out.size() > longest) fail(text("{} is longer than {} bytes", what, longest), offset);
    return out;
  }

  // At most `most` bytes of the zero-terminated string there.
  std::string_view prefix(std::uint64_t offset, std::size_t most, std::string_view what) const {
    require(offset, 1, what);
    const char* const start = reinterpret_cast<const char*>(bytes_.data() + offset);
    const std::size_t room = std::min<std::size_t>(bytes_.size() - static_cast<std::size_t>(offset), most);
    const void* const end = std::memchr(start, 0, room);
    if (end == nullptr && room < most) fail(text("{} has no end", what), offset);
    return {start, end == nullptr ? room : static_cast<std::size_t>(static_cast<const char*>(end) - start)};
  }

  // Whether the zero-terminated string there is that one.
  bool holds(std::uint64_t offset, std::string_view string, std::string_view what) const {
    require(offset, 1, what);
    return has(offset, string.size() + 1) && std::memcmp(bytes_.data() + offset, string.data(), string.size()) == 0 &&
           bytes_[static_cast<std::size_t>(offset) + string.size()] == std::byte{0};
  }

  void require(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    if (has(offset, size)) return;
    throw IntegrityError(text("{} is damaged or cut off: {} needs {} bytes at byte {} of the file, which has only {} there",
                              *label_, what, size, saturating(base_, offset), remaining(offset)));
  }

  [[noreturn]] void fail(std::string_view message, std::uint64_t offset) const {
    throw IntegrityError(text("{} is damaged: {} (byte {} of the file)", *label_, message, saturating(base_, offset)));
  }

 private:
  template <std::unsigned_integral T>
  static T swapped(T value) {
    T out = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      out = static_cast<T>((sizeof(T) > 1 ? out << 8 : 0) | (value & 0xff));
      if constexpr (sizeof(T) > 1) value = static_cast<T>(value >> 8);
    }
    return out;
  }
  static std::uint64_t saturating(std::uint64_t a, std::uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }
  std::uint64_t remaining(std::uint64_t offset) const { return offset < bytes_.size() ? bytes_.size() - offset : 0; }

  std::span<const std::byte> bytes_;
  std::shared_ptr<const std::string> label_;
  std::uint64_t base_ = 0;
  bool big_endian_ = false;
};

// Sums and products of numbers from a file. The caller's reader names the file when they do not fit.
inline std::uint64_t add(std::uint64_t a, std::uint64_t b, const Reader& reader, std::string_view what) {
  if (b > UINT64_MAX - a) reader.fail(text("the size of {} overflows", what), 0);
  return a + b;
}
inline std::uint64_t times(std::uint64_t a, std::uint64_t b, const Reader& reader, std::string_view what) {
  if (b != 0 && a > UINT64_MAX / b) reader.fail(text("the size of {} overflows", what), 0);
  return a * b;
}

std::string hex(std::span<const std::byte> bytes);

}  // namespace pier::inspection
