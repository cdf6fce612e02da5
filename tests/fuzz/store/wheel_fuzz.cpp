// Wheels: unpacked, compared with their directory and RECORD. Nothing may be written outside of the folder.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/file.h"
#include "store/unpack.h"

namespace {

class Input : public pier::ByteSource {
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

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "pier-fuzz-XXXXXX").native();
  if (!::mkdtemp(name.data())) std::abort();
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path home = new_folder();
  const std::filesystem::path root = home / "inner" / "root";
  std::filesystem::create_directories(root);
  const auto bytes = std::as_bytes(std::span(data, size));
  pier::UnpackLimits limits;
  limits.total_bytes = 1 << 20;
  limits.entries = 200;
  try {
    Input input(bytes);
    const pier::Unpacked unpacked = pier::unpack_zip(input, root, limits);
    const pier::Fd fd = pier::open_file(home / "package", O_RDWR | O_CREAT | O_TRUNC);
    pier::write_all(fd.get(), bytes, home / "package");
    pier::check_zip_directory(fd.get(), home / "package", unpacked, root, limits);
    pier::check_record(unpacked, root);
  } catch (const pier::Error&) {
  }
  std::filesystem::remove_all(root);
  for (const auto& entry : std::filesystem::directory_iterator(home / "inner"))
    if (!entry.path().empty()) std::abort();
  return 0;
}
