#include "store/format.h"

#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"

namespace pier {

std::optional<PackageFormat> format_of(std::string_view file) {
  static constexpr std::array<std::pair<std::string_view, PackageFormat>, 14> endings = {{
      {".whl", PackageFormat::wheel}, {".zip", PackageFormat::zip}, {".tar", PackageFormat::tar}, {".tar.gz", PackageFormat::tar},
      {".tgz", PackageFormat::tar}, {".tar.zst", PackageFormat::tar}, {".tzst", PackageFormat::tar}, {".tar.xz", PackageFormat::tar},
      {".txz", PackageFormat::tar}, {".tar.bz2", PackageFormat::tar}, {".tbz2", PackageFormat::tar}, {".so", PackageFormat::library},
      {".dylib", PackageFormat::library}, {".dll", PackageFormat::library}}};
  const std::string name = lower_ascii(file);
  for (const auto& [ending, format] : endings)
    if (name.size() > ending.size() && name.ends_with(ending)) return format;
  // "libx.so.1.2"
  const std::size_t so = name.rfind(".so.");
  if (so != std::string::npos && so > 0 && name.find_first_not_of("0123456789.", so + 4) == std::string::npos) return PackageFormat::library;
  return std::nullopt;
}

}  // namespace pier
