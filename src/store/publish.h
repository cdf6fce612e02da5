#pragma once

#include <filesystem>

#include <pier/store.h>

#include "store/layout.h"
#include "store/lock_wait.h"
#include "store/manifest.h"
#include "store/package_set.h"
#include "store/staging.h"

namespace pier {

// Puts verified files in their final place and makes them count. Only for whoever holds the id's lock.
class Publisher {
 public:
  Publisher(const Layout& layout, std::chrono::milliseconds lock_timeout, LockTurn waiting)
      : layout_(layout), lock_timeout_(lock_timeout), waiting_(std::move(waiting)) {}

  // Writes manifest and record beside the files, makes all durable and moves the folder into its place; the manifest's paths
  // follow. It does not count yet.
  void move_into_place(const Staging& staging, const PackageSet& packages, const Unpacked& files, Manifest& manifest) const;

  // From here on the manifest counts.
  void publish(Manifest& manifest) const;

 private:
  const Layout& layout_;
  std::chrono::milliseconds lock_timeout_;
  LockTurn waiting_;
};

// Removes damaged or replaced copies of the same packages, but none that a process has in use; other versions stay for going
// back. `copies`: all of them, the one that counts too.
void drop_copies(const std::vector<std::filesystem::path>& copies, const std::filesystem::path& kept);

}  // namespace pier
