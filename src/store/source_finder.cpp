#include "store/source_finder.h"

#include <utility>

#include <pier/error.h>
#include <pier/log.h>

#include "base/env.h"
#include "base/text.h"
#include "store/download.h"

namespace pier {

SourceFinder::SourceFinder(const Pin& pin, Wish wish) : pin_(pin), wish_(std::move(wish)) {}

void SourceFinder::look_here() {
  if (local_) return;
  if (!wish_.given) {
    local_ = find_local(wish_.config, pin_);
    return;
  }
  local_.emplace();
  (wish_.given->is_local() ? local_->files : local_->linked).push_back(*wish_.given);
}

void SourceFinder::require_local() {
  look_here();
  if (local_->files.empty() && !may_be_kept(pin_)) refuse_offline();
}

void SourceFinder::refuse_offline() {
  const std::string_view forbidden = env_flag("PIER_OFFLINE") ? "the network is forbidden (PIER_OFFLINE)" : "no network shall be used";
  const auto with_notes = [this](auto error) {
    error.note(text("where there is a network, run: {}", wish_.command));
    if (!wish_.given) error.note(text("or put {} into a folder and name that with --find-links", pin_.file));
    for (const std::string& line : local_->looked) error.note(line);
    return error;
  };
  if (local_->differs || next_local_ > 0)
    throw with_notes(IntegrityError(text("{} is here, but not the pinned bytes, and {}", pin_.file, forbidden)));
  throw with_notes(Error(ErrorCode::not_available, text("{} is not on this machine, and {}", pin_.file, forbidden)));
}

PackageSource SourceFinder::next(const ReportProgress& report) {
  look_here();
  if (next_local_ > 0) local_->looked.push_back(text("{}: is not the pinned file", local_->files[next_local_ - 1].from));
  if (next_local_ < local_->files.size()) return local_->files[next_local_++];
  if (wish_.given && wish_.given->is_local())
    throw Error(ErrorCode::io, text("{} was changed by another program while it was read", pin_.file)).note("nothing was installed; run the install again");
  if (wish_.offline) refuse_offline();
  const auto searching = [this, &report] { report({Phase::searching, 0, 0, pin_.package.empty() ? pin_.file : pin_.package}); };
  searching();
  client().on_wait(searching);
  PackageSource source = find_remote(client(), wish_.config, pin_, *local_);
  client().on_wait({});
  if (source.yanked) {
    notes_.push_back(text("{} {} is yanked from the index{}{}; the pinned bytes are used all the same", pin_.package, pin_.version,
                          source.yanked_reason.empty() ? "" : ": ", printable(source.yanked_reason)));
    log(LogLevel::warning, notes_.back());
  }
  return source;
}

HttpClient& SourceFinder::client() {
  if (!client_) client_ = std::make_unique<HttpClient>(wish_.config.http);
  return *client_;
}

}  // namespace pier
