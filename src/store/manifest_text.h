#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace pier {

// What whoever reads and whoever writes manifests agree on.
struct ManifestText {
  static constexpr std::uint64_t size_limit = std::uint64_t{256} << 10;
  static constexpr std::int64_t schema = 1;

  // Paths below the parent of the manifest's folder are written relative to it, so that the whole can be moved.
  static std::string relative_to(const std::filesystem::path& manifest, const std::filesystem::path& path);
  static std::filesystem::path absolute_from(const std::filesystem::path& manifest, const std::filesystem::path& path);
};

}  // namespace pier
