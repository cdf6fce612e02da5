#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pier/store.h>

#include "base/platform.h"
#include "store/index.h"
#include "store/version.h"

namespace pier {

// Which release of a package somebody wants.
struct ReleaseQuery {
  std::string package;
  VersionSpecifiers wanted;   // every version without
  bool exact = false;         // one version was named: a yanked one counts, and so does a prerelease
  bool prereleases = false;
  Platform platform;
  std::optional<SystemVersion> system;  // glibc or macOS; not known: any
  std::string sha256;         // of the file, where somebody said so
};

// The best file among those that a project has: of the newest version that is wanted, the one that asks most of the system and
// still gets it. Yanked files are passed over, prereleases as well while there is anything else. Python and ABI tags mean
// nothing here. An index into `files`; nothing when none will do.
std::optional<std::size_t> newest_file(const std::vector<IndexFile>& files, const ReleaseQuery& query);

// Why files were passed over, newest versions first, a line each.
std::vector<std::string> passed_over(const std::vector<IndexFile>& files, const ReleaseQuery& query, std::size_t limit = 8);

// Asks every place for the project and takes the best of all files. The pin has what the index says, hash and size included; of
// a file of this machine the hash is taken here. Throws Error (not_available) that lists what there is, NetworkError when
// places failed and nothing was found, Error (failed_precondition) for an index that gives no hash, and IntegrityError when it
// gives another than is wanted.
Pin find_release(const ReleaseQuery& query, const InstallOptions& options);

// The newest version that is wanted among those that are installed under the id, older ones kept for going back included, as it
// would be asked for again: for a machine without a network. Pins, companions and library are filled in.
std::optional<PluginRequest> kept_release(std::string_view id, const ReleaseQuery& query);

}  // namespace pier
