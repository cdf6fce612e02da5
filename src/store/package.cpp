#include "store/package.h"

#include <cerrno>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <system_error>

#include <sys/stat.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/file.h"
#include "base/text.h"
#include "store/digest.h"

namespace pier {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto report_interval = std::chrono::milliseconds(50);

// Unpacks on a thread of its own what the download has brought so far.
class Unpacking {
 public:
  Unpacking(Spool& spool, const StageJob& job) : spool_(spool), job_(job), root_(job.root) { limits_.packed_bytes = job.pin.size; }
  ~Unpacking() {
    spool_.abandon();
    if (result_.valid()) result_.wait();
  }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  void start() {
    try {
      result_ = std::async(std::launch::async, [this, reader = std::make_unique<Spool::Reader>(spool_)] {
        return unpack(*reader);
      });
    } catch (const std::system_error& failure) {
      throw_no_thread(failure);
    }
  }

  // After the spool has started anew: what was unpacked goes.
  void restart() {
    if (result_.valid()) result_.wait();
    settled_ = false;
    error_ = nullptr;
    std::error_code error;
    std::filesystem::remove_all(root_, error);
    if (::mkdir(root_.c_str(), 0755) != 0) throw_errno(errno, "make the folder", root_);
    start();
  }

  // Throws early when there is no use in going on: a full disk, no permission. What is wrong with the bytes is told when
  // all are there, because only then it is known whether they are the pinned ones.
  void check() {
    if (settled_ || result_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    settled_ = true;
    try {
      unpacked_ = result_.get();
    } catch (const IntegrityError&) {
      error_ = std::current_exception();
    }
  }

  Unpacked finish(const std::function<void()>& waiting) {
    while (!settled_ && result_.wait_for(report_interval) != std::future_status::ready) waiting();
    check();
    if (error_) std::rethrow_exception(error_);
    return std::move(unpacked_);
  }

 private:
  Unpacked unpack(ByteSource& source) const {
    switch (job_.format) {
      case PackageFormat::tar: return unpack_tar(source, root_, limits_);
      case PackageFormat::library: return unpack_library(source, root_, job_.pin.file, limits_);
      default: return unpack_zip(source, root_, limits_);
    }
  }

  Spool& spool_;
  const StageJob& job_;
  std::filesystem::path root_;
  UnpackLimits limits_;
  std::future<Unpacked> result_;
  bool settled_ = false;
  std::exception_ptr error_;
  Unpacked unpacked_;
};

// Until the bytes in the spool are the pinned ones.
void fetch_remote(const PackageSource& source, Download& download, const GetClient& client) {
  for (;;) {
    const bool resumed = download.resumed();
    download.fetch(source, client);
    if (download.is_whole()) return;
    const IntegrityError error = download.mismatch(redact_url(std::get<Url>(source.where).text));
    if (!resumed || !download.resumed()) {
      download.discard();
      throw error;
    }
    // What an earlier download left may be to blame.
    log(LogLevel::info, error.what());
    download.drop();
  }
}

}  // namespace

PackageSource fetch_pinned(Download& download, const GetClient& client, const FindSource& find) {
  for (;;) {
    PackageSource source = find();
    if (!source.is_local()) {
      fetch_remote(source, download, client);
      return source;
    }
    try {
      download.fetch(source, client);
      return source;
    } catch (const IntegrityError& error) {
      // The next place may have the right ones.
      log(LogLevel::warning, error.what());
    }
  }
}

StagedPackage stage_package(const StageJob& job, Download& download, const GetClient& client, const FindSource& find,
                            const ReportProgress& report) {
  const Pin& pin = job.pin;
  StagedPackage staged;
  Unpacking unpacking(download.spool(), job);
  auto last = Clock::time_point{};
  Phase phase = Phase::unpacking;
  const auto tell = [&](std::uint64_t done) {
    const auto now = Clock::now();
    if (now - last < report_interval && (done != pin.size || phase != Phase::downloading)) return;
    last = now;
    report({phase, done, pin.size, pin.file});
  };
  download.on_bytes = [&](std::uint64_t done) {
    unpacking.check();
    tell(done);
  };
  download.on_restart = [&] { unpacking.restart(); };
  unpacking.start();
  if (download.take_over()) {
    staged.source = {.where = download.spool().path(), .from = download.kept_source()};
  } else {
    phase = Phase::downloading;
    staged.source = fetch_pinned(download, client, find);
  }
  download.spool().finish();
  phase = Phase::unpacking;
  try {
    staged.unpacked = unpacking.finish([&] { tell(download.spool().consumed()); });
    if (job.format == PackageFormat::wheel || job.format == PackageFormat::zip)
      check_zip_directory(download.spool().fd(), download.spool().path(), staged.unpacked, job.root);
    if (job.format == PackageFormat::wheel) check_record(staged.unpacked, job.root);
  } catch (IntegrityError& error) {
    // What arrived are the pinned bytes; somebody else may have written to their file since.
    const bool changed = file_sha256(download.spool().path()) != pin.sha256;
    download.discard();
    if (changed)
      throw Error(ErrorCode::io, text("{} was changed by another program while it was read", download.spool().path().native()))
          .note("nothing was installed; run the install again, and keep other programs out of pier's cache meanwhile");
    if (error.notes().empty()) error.note("nothing was installed; tell the package's makers");
    throw;
  }
  return staged;
}

}  // namespace pier
