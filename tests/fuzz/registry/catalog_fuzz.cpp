// Catalog files: whatever they hold is read or refused as an invalid argument.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pier/catalog.h>
#include <pier/error.h>

#include "registry/catalog_check.h"
#include "store/version.h"

namespace {

template <class Parse>
void parse(Parse parse) {
  try {
    parse();
  } catch (const pier::Error& error) {
    if (error.code() != pier::ErrorCode::invalid_argument) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view toml(reinterpret_cast<const char*>(data), size);
  parse([&] {
    const pier::CatalogEntry entry = pier::parse_catalog_entry(toml, "x.toml");
    for (const pier::Pin& pin : pier::registry::pins_of(entry))
      if (pin.sha256.size() != 64 || pin.size == 0 || pin.file.empty() || pin.file.find('/') != std::string::npos) std::abort();
    for (const auto& package : entry.packages)
      for (const auto& companion : package.companions)
        if (!companion.fits.empty() && !pier::VersionSpecifiers::parse(companion.fits)) std::abort();
  });
  parse([&] { pier::parse_unusable_packages(toml, "x.toml"); });
  return 0;
}
