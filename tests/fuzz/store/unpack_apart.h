#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

#include <unistd.h>

#include <pier/error.h>

#include "store/unpack.h"

namespace pier::fuzz {

class Input : public ByteSource {
 public:
  explicit Input(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::size_t read(std::span<std::byte> bytes) override {
    const std::size_t count = std::min(bytes.size(), rest_.size());
    std::copy_n(rest_.begin(), count, bytes.begin());
    rest_ = rest_.subspan(count);
    return count;
  }

 private:
  std::span<const std::byte> rest_;
};

inline std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "pier-fuzz-XXXXXX").native();
  if (!::mkdtemp(name.data())) std::abort();
  return name;
}

// Unpacks in a folder within a folder, and ends the process when anything came to lie beside it.
template <class Unpack>
void unpack_apart(std::span<const std::byte> bytes, const Unpack& unpack) {
  static const std::filesystem::path home = new_folder();
  const std::filesystem::path root = home / "inner" / "root";
  std::filesystem::create_directories(root);
  UnpackLimits limits;
  limits.total_bytes = 1 << 20;
  limits.entries = 200;
  try {
    Input input(bytes);
    unpack(input, home, root, limits);
  } catch (const Error&) {
  }
  std::filesystem::remove_all(root);
  for (const auto& entry : std::filesystem::directory_iterator(home / "inner"))
    if (!entry.path().empty()) std::abort();
}

}  // namespace pier::fuzz
