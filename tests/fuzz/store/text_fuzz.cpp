// The small texts: versions, conditions on versions, wheel file names, RECORD, pip's configuration. The first byte chooses.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pier/error.h>

#include "store/pip_config.h"
#include "store/record.h"
#include "store/version.h"
#include "store/wheel_name.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 5) {
      case 0: {
        const auto version = pier::Version::parse(text);
        if (version && pier::Version::parse(version->text()) != version) std::abort();
        break;
      }
      case 1: {
        const auto set = pier::VersionSpecifiers::parse(text);
        if (set) set->contains(std::string_view("1.0"));
        break;
      }
      case 2: pier::parse_wheel_name(text); break;
      case 3: pier::parse_record(text); break;
      default: {
        pier::PipConfig config;
        config.read_text(text, "fuzz");
      }
    }
  } catch (const pier::Error&) {
  }
  return 0;
}
