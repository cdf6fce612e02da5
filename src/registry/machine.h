#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>

#include "inspect/search.h"

namespace pier::registry {

// Signs of a device: "always", "platform:macos-arm64", "path:/dev/kfd", and devices on the PCI bus by hexadecimal numbers:
// "pci:10de" (a vendor's), "pci:10de:03" (whose class begins so), "pci:1ae0/005e" (of that kind).
bool is_sign(std::string_view sign);

// Whether one of the signs is there. `root` stands in for "/", under which /dev and /sys are.
bool any_sign_is_there(const std::vector<std::string>& signs, const std::filesystem::path& root = "/");

// Whether a device of that accelerator is seen on this machine; nothing for one that the catalog does not know.
std::optional<bool> device_is_seen(std::string_view id);

// Why this machine lacks what a package needs ("libstdc++.so.6 has no GLIBCXX_3.4.22"), or nothing. Looks where this
// machine's loader would, and reads the library without loading it.
std::optional<std::string> why_lacking(const CatalogNeed& need);
// The same for a machine of this kind with those places, and with `root` in place of "/" for files.
std::optional<std::string> why_lacking(const CatalogNeed& need, const inspection::SearchPlaces& places);
std::optional<std::string> why_file_lacking(const CatalogNeed& need, const std::filesystem::path& root);

}  // namespace pier::registry
