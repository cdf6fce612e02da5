#include "registry/machine.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/platform.h"
#include "base/text.h"
#include "registry/catalog_lookup.h"
#include "registry/names.h"
#include "store/version.h"

namespace pier::registry {
namespace {

// What stands behind "pci:".
struct PciSign {
  std::string_view vendor;
  std::string_view device;      // empty: any
  std::string_view class_code;  // its first digits; empty: any
};

bool is_hex(std::string_view digits) { return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

std::optional<PciSign> parse_pci(std::string_view sign) {
  if (!sign.starts_with("pci:")) return std::nullopt;
  PciSign out{.vendor = sign.substr(4, 4), .device = {}, .class_code = {}};
  const std::string_view rest = sign.size() > 8 ? sign.substr(8) : std::string_view();
  if (rest.starts_with('/')) out.device = rest.substr(1);
  if (rest.starts_with(':')) out.class_code = rest.substr(1);
  const bool well_formed = rest.empty() || out.device.size() == 4 || out.class_code.size() == 2 || out.class_code.size() == 4 ||
                           out.class_code.size() == 6;
  if (out.vendor.size() != 4 || !well_formed || !is_hex(out.vendor) || !is_hex(out.device) || !is_hex(out.class_code))
    return std::nullopt;
  return out;
}

// The first line of one of the kernel's small files; empty when it cannot be read.
std::string first_line(const std::filesystem::path& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line.substr(0, 256);
}

// "0x10de" without its "0x".
std::string pci_number(const std::filesystem::path& path) {
  const std::string line = first_line(path);
  return line.starts_with("0x") ? line.substr(2) : std::string();
}

bool is_on_pci_bus(const PciSign& sign, const std::filesystem::path& root) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(root / "sys/bus/pci/devices", error), end; !error && at != end; at.increment(error)) {
    const std::filesystem::path& device = at->path();
    if (pci_number(device / "vendor") == sign.vendor &&
        (sign.device.empty() || pci_number(device / "device") == sign.device) &&
        (sign.class_code.empty() || pci_number(device / "class").starts_with(sign.class_code)))
      return true;
  }
  return false;
}

bool is_there(std::string_view sign, const std::filesystem::path& root) {
  if (sign == "always") return true;
  if (sign.starts_with("platform:")) return sign.substr(9) == to_string(host_platform());
  if (const auto pci = parse_pci(sign)) return is_on_pci_bus(*pci, root);
  std::error_code error;
  return sign.starts_with("path:/") && std::filesystem::exists(root / sign.substr(6), error);
}

}  // namespace

bool is_sign(std::string_view sign) {
  if (sign == "always" || parse_pci(sign)) return true;
  if (sign.starts_with("path:/")) return sign.find_first_of(", ") == std::string_view::npos;
  if (!sign.starts_with("platform:")) return false;
  try {
    return to_string(parse_platform(sign.substr(9))) == sign.substr(9);
  } catch (const Error&) {
    return false;
  }
}

bool any_sign_is_there(const std::vector<std::string>& signs, const std::filesystem::path& root) {
  return std::any_of(signs.begin(), signs.end(), [&](const std::string& sign) { return is_there(sign, root); });
}

std::optional<bool> device_is_seen(std::string_view id) {
  const auto signs = signs_of(id);
  if (!signs) return std::nullopt;
  return any_sign_is_there(*signs);
}

std::optional<std::string> why_file_lacking(const CatalogNeed& need, const std::filesystem::path& root) {
  const std::string line = first_line(root / std::filesystem::path(need.file).relative_path());
  const auto version = Version::parse(line.substr(0, line.find_first_not_of("0123456789.")));
  // A driver that is not there, or does not tell, is the plugin's own to complain of.
  if (!version) return std::nullopt;
  const auto fits = VersionSpecifiers::parse(need.version);
  if (!fits || fits->contains(*version)) return std::nullopt;
  return text("needs {}, {} says {}", need.version, need.file, version->text());
}

std::optional<std::string> why_lacking(const CatalogNeed& need) {
  if (!need.file.empty()) return why_file_lacking(need, "/");
  const auto places = inspection::host_search_places();
  if (!places) return text("{} cannot be looked for: this system's loader is not glibc's", need.library);
  return why_lacking(need, *places);
}

std::optional<std::string> why_lacking(const CatalogNeed& need, const inspection::SearchPlaces& places) {
  // Looked for as on behalf of a library that needs it.
  Image user;
  user.platform = to_string(host_platform());
  user.arch = user.platform.substr(user.platform.find('-') + 1);
  user.needed = {{need.library, false}};
  const Binary package{.name = "the package", .path = {}, .size = 0, .format = BinaryFormat::elf, .images = {}, .universal = false};
  const inspection::SearchResult result = inspection::search_elf(package, user, places, {});
  const LibraryLookup& found = result.libraries.front();
  if (!found.path) {
    for (const Finding& finding : result.findings)
      if (finding.code == "library-broken") return finding.message;
    return text("{} is not on this machine", need.library);
  }
  if (need.version.empty()) return std::nullopt;
  try {
    const Binary binary = inspect(*found.path);
    const Image* const image = binary.image_for(user.platform);
    if (image && contains(image->versions_defined, need.version)) return std::nullopt;
    return text("{} has no {}", found.path->native(), need.version);
  } catch (const Error& error) {
    return text("{} cannot be looked at: {}", found.path->native(), error.message());
  }
}

}  // namespace pier::registry
