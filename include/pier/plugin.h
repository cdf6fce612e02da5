#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <pier/attribute.h>
#include <pier/export.h>

namespace pier {

namespace runtime {
struct PluginState;
}

/// Major and minor version of the PJRT C API.
struct ApiVersion {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const ApiVersion&, const ApiVersion&) = default;
};

/// "0.115"
PIER_API std::string to_string(ApiVersion version);

/// The newest PJRT version that this pier knows.
PIER_API ApiVersion newest_known_api() noexcept;

/// A function that this pier can call and the plugin does not have.
struct MissingFunction {
  std::string name;   ///< "PJRT_Buffer_Bitcast"
  ApiVersion since;   ///< The version that brought it.
};

/// An extension that the plugin offers.
struct ExtensionInfo {
  int type = 0;            ///< PJRT_Extension_Type
  std::string name;        ///< "Layouts", or "unknown" for a type this pier does not know.
  std::size_t size = 0;    ///< Bytes of its entry, as the plugin reports them.
};

/// A loaded plugin. A value that shares one loaded library with its copies; libraries are never unloaded.
class PIER_API Plugin {
 public:
  /// Loads and initialises the library. Loading the same file again, from any thread, gives the same plugin. Throws Error:
  /// not_found, not_available (not loadable here; the loader's own words are in the message), invalid_argument (not a
  /// PJRT plugin), unsupported (another major version), or the plugin's own when it cannot initialise. A load that failed may
  /// be tried again.
  static Plugin load(const std::filesystem::path& library);

  /// A plugin whose table lives in this process already: what its GetPjrtApi() returned. It must stay valid for the rest of
  /// the process.
  static Plugin from_api(const void* pjrt_api, std::string description);

  /// Canonical path of the library, or the description given to from_api().
  const std::string& path() const;
  ApiVersion api_version() const;
  /// What the plugin says of itself: "xla_version", "stablehlo_current_version" and so on. Empty for one that says nothing.
  Attributes attributes() const;
  std::vector<ExtensionInfo> extensions() const;
  std::vector<MissingFunction> missing_functions() const;

  explicit Plugin(std::shared_ptr<const runtime::PluginState> state) noexcept;
  const std::shared_ptr<const runtime::PluginState>& state() const noexcept { return state_; }

 private:
  const runtime::PluginState& own() const;
  std::shared_ptr<const runtime::PluginState> state_;
};

}  // namespace pier
