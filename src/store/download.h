#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/error.h>
#include <pier/store.h>

#include "base/file.h"
#include "store/http.h"
#include "store/index.h"
#include "store/lock_wait.h"
#include "store/spool.h"

namespace pier {

// Makes the client when it is first needed: what is on this machine needs none.
using GetClient = std::function<HttpClient&()>;

// The pinned file on its way into the cache. What arrived is kept under the pin's hash when the download is interrupted,
// and the next one goes on from there. One process at a time: a kernel lock beside the file.
class Download {
 public:
  Download(const Pin& pin, std::chrono::milliseconds lock_timeout, const LockTurn& waiting);

  // Called while bytes come, on the caller's thread, with how many are there.
  std::function<void(std::uint64_t done)> on_bytes;
  // Called after the bytes so far were dropped.
  std::function<void()> on_restart;

  // Hashes what an earlier download left. True when that is the whole file.
  bool take_over();
  // Whether the bytes are those of the pin.
  bool is_whole() const;
  // Bytes of an earlier download are part of what is there.
  bool resumed() const { return resumed_; }

  // From a local file: all of it. Throws IntegrityError for one that is not the pinned file; of that nothing is kept, and what
  // was there before stays. From a URL: what is missing; whether it is the pin's is for is_whole() to tell.
  void fetch(const PackageSource& source, const GetClient& client);
  void drop();     // forgets the bytes and starts anew
  void discard();  // removes the files; the download is over

  // The error for bytes that are not the pin's.
  IntegrityError mismatch(std::string_view source) const;

  // Where the bytes that are there came from, as far as that was kept.
  const std::string& kept_source() const { return state_.source; }

  Spool& spool() { return *spool_; }

 private:
  class Sink;
  // What is kept beside the bytes: by what they can be told from those of a changed file.
  struct State {
    std::string etag;
    std::string last_modified;
    std::string source;
  };
  void fetch_url(HttpClient& client, const Url& url);
  void fetch_file(const std::filesystem::path& file);
  void read_state();
  void write_state() const;
  std::filesystem::path state_file() const;

  Pin pin_;
  std::filesystem::path path_;
  std::optional<FileLock> lock_;
  std::optional<Spool> spool_;
  State state_;
  bool resumed_ = false;
};

// Whether a download of the pin that may be whole is in the cache.
bool may_be_kept(const Pin& pin);

// Removes what is in the cache of a pin that is installed now, unless another process is at it.
void discard_download(const Pin& pin);

// Bytes of the pin that an earlier download left.
std::uint64_t kept_bytes(const Pin& pin);

// A download in the cache, unfinished or whole.
struct KeptDownload {
  std::filesystem::path path;  // without extension
  std::uint64_t bytes = 0;
};

// Those that nobody went on with for that long.
std::vector<KeptDownload> kept_downloads(std::chrono::hours unused_for);

// False when a process is busy with it.
bool remove_download(const KeptDownload& download, std::chrono::hours unused_for);

// Removes downloads that nobody went on with for 30 days. Those in use are passed over.
void sweep_downloads();

}  // namespace pier
