#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pier/store.h>

#include "store/index.h"
#include "store/package.h"

namespace pier {

// Where one pinned file can be had: places of this machine first, then the network. For one thread at a time.
class SourceFinder {
 public:
  struct Wish {
    const IndexConfig& config;
    std::optional<PackageSource> given;  // the place that somebody named; no other is looked at then
    bool offline = false;
    std::string command;  // what installs it where there is a network
  };
  SourceFinder(const Pin& pin, Wish wish);

  // Without the network: throws Error (not_available) unless something on this machine may do.
  void require_local();

  // The next place that may have the file. Throws when there is none left, as find_remote() does.
  PackageSource next(const ReportProgress& report);

  HttpClient& client();

  // What the user should know: a yanked version.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void look_here();
  [[noreturn]] void refuse_offline();

  const Pin& pin_;
  Wish wish_;
  std::optional<LocalFiles> local_;
  std::size_t next_local_ = 0;
  std::unique_ptr<HttpClient> client_;
  std::vector<std::string> notes_;
};

}  // namespace pier
