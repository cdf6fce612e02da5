#pragma once

#include <optional>
#include <string_view>

namespace pier {

// What a plugin can come in.
enum class PackageFormat {
  wheel,    // a zip with a RECORD
  zip,
  tar,      // plain or compressed by gzip, zstd, xz or bzip2
  library,  // the library by itself
  folder,   // of this machine
};

// By the file's name; nothing for a name that tells nothing.
std::optional<PackageFormat> format_of(std::string_view file);

}  // namespace pier
