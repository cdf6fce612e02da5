#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <pier/store.h>

#include "store/package_set.h"
#include "store/source_finder.h"
#include "store/staging.h"

namespace pier {

// What lies in the staging folder when all packages are there and verified.
struct FetchedSet {
  Unpacked files;                       // in the root
  std::vector<Unpacked> packages;       // each by itself
  PackageSource source;                 // of the plugin's own package
  std::vector<std::string> notes;
};

// Brings all packages of a plugin into one folder.
class SetFetch {
 public:
  // `request` and `options` must outlive this.
  SetFetch(const PluginRequest& request, const InstallOptions& options, const PackageSet& packages, std::string command);

  // Without the network: throws Error (not_available) unless everything may be on this machine.
  void require_local();

  // Throws Error (resource_exhausted) when what is still to come has no room.
  void require_space(const std::filesystem::path& home) const;

  // Downloads and unpacks side by side; merges at the end. What was downloaded stays in the cache until discard().
  FetchedSet fetch(Staging& staging);

  void discard() const;

 private:
  StagedPackage stage(std::size_t package, Staging& staging, const ReportProgress& report);
  SourceFinder finder(std::size_t package) const;

  const PluginRequest& request_;
  const InstallOptions& options_;
  const PackageSet& packages_;
  std::string command_;
  IndexConfig config_;
};

}  // namespace pier
