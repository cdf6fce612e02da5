#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <pier/store.h>

#include "store/layout.h"
#include "store/manifest.h"
#include "store/package_set.h"

namespace pier {

// What of a request is on this disk already.
class Presence {
 public:
  Presence(const PluginRequest& request, const PackageSet& packages, const Layout& layout)
      : request_(request), packages_(packages), layout_(layout) {}

  // The manifest of the id, whatever it names; a broken one is passed over with a warning.
  std::optional<Manifest> current();

  // What the manifest names, if that was installed from the same packages and is whole by a quick look.
  std::optional<Manifest> find();

  // What is wrong with what is installed, as far as find() has met it.
  const std::string& damage() const { return damage_; }

  // Folders of these very packages: that which counts, what an interrupted install left whole, an earlier copy.
  std::vector<std::filesystem::path> folders() const;

  // The manifest in a folder that holds the packages, every byte of them.
  std::optional<Manifest> read_whole(const std::filesystem::path& folder) const;

 private:
  bool is_wanted_library(const InstalledPlugin& plugin, const std::filesystem::path& root) const;
  bool is_whole(const Manifest& manifest) const;

  const PluginRequest& request_;
  const PackageSet& packages_;
  const Layout& layout_;
  std::string damage_;
};

}  // namespace pier
