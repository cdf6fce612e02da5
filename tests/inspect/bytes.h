#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pier::test {

// Bytes of a made-up file, appended or overwritten in a byte order.
class Bytes {
 public:
  explicit Bytes(bool big_endian = false) : big_endian_(big_endian) {}

  std::size_t size() const { return data_.size(); }
  std::span<const std::byte> span() const { return data_; }
  const std::vector<std::byte>& data() const { return data_; }

  Bytes& number(std::uint64_t value, std::size_t width) {
    const std::size_t at = data_.size();
    data_.resize(at + width);
    set(at, value, width);
    return *this;
  }
  Bytes& u8(std::uint64_t value) { return number(value, 1); }
  Bytes& u16(std::uint64_t value) { return number(value, 2); }
  Bytes& u32(std::uint64_t value) { return number(value, 4); }
  Bytes& u64(std::uint64_t value) { return number(value, 8); }
  Bytes& text(std::string_view value) {
    for (const char c : value) data_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Bytes& string(std::string_view value) { return text(value).u8(0); }
  Bytes& append(std::span<const std::byte> value) {
    data_.insert(data_.end(), value.begin(), value.end());
    return *this;
  }
  Bytes& pad_to(std::size_t size) {
    if (data_.size() < size) data_.resize(size);
    return *this;
  }
  Bytes& align(std::size_t step) { return pad_to((data_.size() + step - 1) / step * step); }

  void set(std::size_t at, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t shift = 8 * (big_endian_ ? width - 1 - i : i);
      data_.at(at + i) = static_cast<std::byte>(value >> shift & 0xff);
    }
  }

 private:
  bool big_endian_;
  std::vector<std::byte> data_;
};

inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// A folder of one test, removed with it.
class Folder {
 public:
  Folder() {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() / ("pier-inspect-" + std::to_string(random()) + std::to_string(random()));
    std::filesystem::create_directories(path_);
    path_ = std::filesystem::canonical(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::filesystem::path& name, std::span<const std::byte> bytes) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()),
                                                static_cast<std::streamsize>(bytes.size()));
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace pier::test
