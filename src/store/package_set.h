#pragma once

#include <string>
#include <vector>

#include <pier/store.h>

#include "store/format.h"

namespace pier {

// The packages of a request: a plugin's own and its companions. Together they fill one folder.
class PackageSet {
 public:
  // Throws Error (invalid_argument) that names what is wrong with the request. Hashes come in lower case. Of a file or folder
  // that shall be installed instead, the pin is made here; that reads it.
  explicit PackageSet(const PluginRequest& request);

  const std::vector<Pin>& pins() const { return pins_; }  // the plugin's own first
  const Pin& own() const { return pins_.front(); }
  PackageFormat format(std::size_t index) const { return index == 0 ? format_ : PackageFormat::wheel; }

  // Of the hashes of all, so that another set of companions is another folder. Needs the library that hashes.
  std::string folder_name() const;

  // Whether the plugin was installed from the same packages.
  bool is_set_of(const InstalledPlugin& plugin) const;
  // Writes down which packages they are; where their libraries lie is not known yet.
  void describe(InstalledPlugin& plugin) const;

 private:
  std::vector<Pin> pins_;
  PackageFormat format_ = PackageFormat::wheel;
};

// "jax-cuda13-pjrt 0.12.0 (SHA-256 ...)", or the file's name where nothing names a package.
std::string package_text(const InstalledPlugin& plugin);

}  // namespace pier
