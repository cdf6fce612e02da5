#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <pier/store.h>

#include "store/package_set.h"
#include "store/unpack.h"

namespace pier {

// A folder of ours where packages are unpacked, and which goes away with whatever is left in it.
class Staging {
 public:
  // Beside what is installed, so that the result can be renamed there.
  explicit Staging(const std::filesystem::path& parent);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // What becomes the plugin's folder. The plugin's own package is unpacked there at once.
  const std::filesystem::path& root() const { return root_; }
  // An empty folder for each package; that of the first is root().
  std::filesystem::path folder_for(std::size_t package) const;

  // Moves a package's files into the root, which the first fills; `files` has what is there. A path that two packages have
  // must have the same bytes. Throws IntegrityError that names the path.
  void merge(const PackageSet& packages, std::size_t package, const Unpacked& added, Unpacked& files);

 private:
  std::filesystem::path folder_;
  std::filesystem::path root_;
  MemberNames names_{UnpackLimits{}};
};

// The library that is the plugin: the pin's member; where the package lacks it and `any`, the only one that exports
// GetPjrtApi. Throws IntegrityError that lists the libraries it has.
std::string plugin_library(const Pin& pin, const Unpacked& files, const std::filesystem::path& root, bool any);

// Where those of the libraries lie that the plugin asks for, in the pin's order; what is not in the companion is noted.
std::vector<std::string> companion_libraries(const Pin& pin, const Unpacked& files, std::vector<std::string>& notes);

}  // namespace pier
