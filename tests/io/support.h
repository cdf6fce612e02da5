#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/array.h>
#include <pier/error.h>
#include <pier/files.h>

#include "io/source.h"

namespace pier::io_test {

// A folder of its own for one test, gone with it.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pier-io-XXXXXX").native();
    if (!mkdtemp(pattern.data())) ADD_FAILURE() << "no temporary folder";
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path golden(const std::string& name) { return std::filesystem::path(PIER_GOLDEN_FOLDER) / name; }

inline std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The bytes in memory of just their size, so that a sanitizer sees a read beyond the end.
inline Source source_of(std::string_view bytes, std::string name = "memory") {
  auto memory = std::make_shared<std::vector<std::byte>>(bytes.size());
  if (!bytes.empty()) std::memcpy(memory->data(), bytes.data(), bytes.size());
  return {*memory, memory, std::move(name)};
}

// The array of make_golden.py: element i has the bits (37 * i + 11) % 2^bits, repeated in each byte of wide elements.
inline Array pattern(DType type, const Shape& shape) {
  Array array = Array::uninitialized(type, shape);
  const unsigned bit_count = type == DType::boolean ? 1 : static_cast<unsigned>(std::min<std::size_t>(bits(type), 8));
  std::size_t i = 0;
  for (std::byte& byte : array.mutable_bytes())
    byte = static_cast<std::byte>((37 * (i++ / host_bytes(type)) + 11) & ((1u << bit_count) - 1));
  return array;
}

// The elements in row-major order.
inline std::string element_bytes(const Array& array) {
  const Array dense = array.row_major();
  return dense.nbytes() ? std::string(reinterpret_cast<const char*>(dense.data()), dense.nbytes()) : std::string();
}

inline void expect_same(const Array& found, const Array& expected, const std::string& what = "") {
  EXPECT_EQ(found.type(), expected.type())
      << what << ": " << to_string(found.type()) << " for " << to_string(expected.type());
  EXPECT_EQ(element_bytes(found), element_bytes(expected)) << what;
}

// The error that `action` throws; fails the test when it throws none.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::unknown, "nothing was thrown");
}

// Expects an error of that code whose whole text has each of the parts.
inline void expect_error(const std::function<void()>& action, ErrorCode code, const std::vector<std::string>& parts) {
  const Error error = error_of(action);
  EXPECT_EQ(error.code(), code) << error.what();
  for (const std::string& part : parts) EXPECT_THAT(error.what(), testing::HasSubstr(part));
}

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A .npy file of version 1.0 with this dictionary.
inline std::string npy(std::string_view dictionary, std::string_view data) {
  return std::string("\x93NUMPY\x01\x00", 8) + raw(static_cast<std::uint16_t>(dictionary.size())) +
         std::string(dictionary) + std::string(data);
}

// A .safetensors file with this header.
inline std::string safetensors(std::string_view header, std::string_view data) {
  return raw(static_cast<std::uint64_t>(header.size())) + std::string(header) + std::string(data);
}

inline const Array& find(const NamedArrays& arrays, const std::string& name) {
  for (const Entry& entry : arrays)
    if (entry.name == name) return entry.array;
  throw std::out_of_range(name);
}

}  // namespace pier::io_test
