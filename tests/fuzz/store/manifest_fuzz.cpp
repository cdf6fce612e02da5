// Manifests: what is accepted must come back the same when it is written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pier/error.h>

#include "store/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path place = "/data/manifests/x.toml";
  pier::Manifest manifest;
  try {
    manifest = pier::parse_manifest({reinterpret_cast<const char*>(data), size}, place);
  } catch (const pier::Error&) {
    return 0;
  }
  const pier::Manifest again = pier::parse_manifest(pier::format_manifest(manifest, place), place);
  if (again.plugin.id != manifest.plugin.id || again.plugin.library != manifest.plugin.library ||
      again.plugin.labels != manifest.plugin.labels || again.plugin.environment != manifest.plugin.environment)
    std::abort();
  return 0;
}
