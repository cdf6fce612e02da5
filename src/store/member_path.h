#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace pier {

// Bounds of what is unpacked. Real plugin packages: up to 1,100 files, 1.9 GB unpacked, 4.6 times their packed size.
struct UnpackLimits {
  std::uint64_t entries = 100'000;
  std::uint64_t total_bytes = std::uint64_t{64} << 30;
  std::uint64_t ratio = 20;                            // unpacked to packed bytes ...
  std::uint64_t ratio_free = std::uint64_t{64} << 20;  // ... beyond these bytes
  std::uint64_t packed_bytes = 0;                      // of the whole package; 0: what has come so far counts
  std::size_t path_bytes = 1024;
  std::size_t component_bytes = 255;
  std::size_t depth = 64;
};

// The names that an archive has shown so far. Decides before anything is written whether a name is safe: relative, without
// "..", readable everywhere, and not the same as an earlier one on a file system that ignores case.
class MemberNames {
 public:
  explicit MemberNames(const UnpackLimits& limits) : limits_(limits) {}

  // Throws IntegrityError that names the member and the fault. Returns the clean path: '/' between parts, none at the end.
  std::string add_file(std::string_view name);
  std::string add_folder(std::string_view name);

 private:
  enum class Kind { folder, file };
  struct Seen {
    std::string spelling;
    Kind kind;
  };
  std::string check(std::string_view name) const;
  void add(const std::string& path, Kind kind);

  UnpackLimits limits_;
  std::map<std::string, Seen, std::less<>> seen_;  // by the name without case
};

// A name as messages show it: control characters and bytes that are not UTF-8 as \x escapes, and not endless.
std::string printable(std::string_view name);

}  // namespace pier
