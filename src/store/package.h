#pragma once

#include <filesystem>
#include <optional>

#include <pier/store.h>

#include "store/download.h"
#include "store/format.h"
#include "store/index.h"
#include "store/unpack.h"

namespace pier {

// A pinned package whose files lie in a folder, every byte verified.
struct StagedPackage {
  Unpacked unpacked;
  PackageSource source;
  std::vector<std::string> notes;
};

// Tells where the package can be had when its bytes are not in the cache; asked again for the next place when a local file was
// not the pinned one. Throws when there is none left.
using FindSource = std::function<PackageSource()>;
using ReportProgress = std::function<void(const Progress&)>;

// Fetches until the bytes in the download are the pinned ones. Returns where they came from. Throws as install() does.
PackageSource fetch_pinned(Download& download, const GetClient& client, const FindSource& find);

// A package to be staged, and what its bytes are.
struct StageJob {
  const Pin& pin;
  PackageFormat format = PackageFormat::wheel;
  std::filesystem::path root;  // an empty folder of ours
};

// Brings the package's files below the job's root: takes over what an earlier download left, fetches the rest, hashes and
// unpacks while the bytes come. Throws as install() does; the root is then to be thrown away. What was downloaded is discarded
// only when it is whole and will never do.
StagedPackage stage_package(const StageJob& job, Download& download, const GetClient& client, const FindSource& find,
                            const ReportProgress& report);

}  // namespace pier
