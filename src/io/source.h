#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <pier/dtype.h>
#include <pier/files.h>

namespace pier {

static_assert(std::endian::native == std::endian::little, "arrays are handed to plugins in little-endian order");

// NumPy takes 64 dimensions since 2.0, and 32 before.
constexpr std::size_t max_rank = 64;

// Memory with the bytes of a file or of a part of one.
struct Source {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  std::string name;  // how messages call it: "x.npz, member a.npy"
};

Source map_source(const std::filesystem::path& path);

Entry read_npy(const Source& source);
NamedArrays read_npz(const Source& source);
NamedArrays read_safetensors(const Source& source);

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The little-endian number at `offset`, which the caller has checked to lie inside.
template <class T>
T little(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Text from a file, shortened(), escaped() and in quotes.
std::string in_quotes(std::string_view text);

// Throws Error (invalid_argument) for a rank above max_rank.
void check_rank(std::size_t rank, std::string_view source);

// Throws Error (invalid_argument) on a type that holds no data, and when a name comes twice, has a NUL or is not UTF-8.
void check_savable(const std::filesystem::path& path, const NamedArrays& arrays);

}  // namespace pier
