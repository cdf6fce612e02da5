#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include <pier/error.h>
#include <pier/lock.h>

#include "base/file.h"
#include "base/text.h"
#include "store/download.h"
#include "store/layout.h"
#include "store/lock_text.h"
#include "store/lock_wait.h"
#include "store/package.h"
#include "store/package_set.h"
#include "store/source_finder.h"
#include "store/tar_writer.h"
#include "store/unpack.h"

namespace pier {
namespace {

constexpr const char* lock_name = "pier.lock";
constexpr const char* packages_name = "packages";

// Every package of the lock file once, in its order.
std::vector<Pin> packages_of(const LockFile& lock) {
  std::vector<Pin> pins;
  std::set<std::string> hashes;
  std::set<std::string> names;
  for (const PluginRequest& plugin : lock.plugins) {
    const PackageSet packages(plugin);
    for (const Pin& pin : packages.pins()) {
      if (!hashes.insert(pin.sha256).second) continue;
      if (!names.insert(pin.file).second)
        throw Error(ErrorCode::invalid_argument, text("two different packages of the lock file are called {}", pin.file))
            .note("make a bundle for each of their plugins");
      pins.push_back(pin);
    }
  }
  return pins;
}

// Brings the packages into the cache, one by one, and keeps them there until the bundle is written.
class Gathering {
 public:
  explicit Gathering(const InstallOptions& options)
      : options_(options), config_(index_config(options.index_url, options.find_links)) {}

  Download& get(const Pin& pin) {
    const LockTurn waiting = [this](std::string_view holder) { report({Phase::waiting, 0, 0, holder}); };
    auto& download = *downloads_.emplace_back(std::make_unique<Download>(pin, options_.lock_timeout, waiting));
    download.on_bytes = [this, &pin](std::uint64_t done) { report({Phase::downloading, done, pin.size, pin.file}); };
    if (download.take_over()) return download;
    const bool offline = is_offline(options_);
    SourceFinder finder(pin, {.config = config_, .given = {}, .offline = offline, .command = "pier bundle"});
    if (offline) finder.require_local();
    fetch_pinned(download, [&]() -> HttpClient& { return finder.client(); },
                 [&] { return finder.next([this](const Progress& progress) { report(progress); }); });
    download.on_bytes = nullptr;
    return download;
  }

  void discard() {
    for (const auto& download : downloads_) download->discard();
  }

 private:
  void report(const Progress& progress) const {
    if (options_.progress) options_.progress(progress);
  }

  const InstallOptions& options_;
  IndexConfig config_;
  std::vector<std::unique_ptr<Download>> downloads_;
};

void copy_to(TarWriter& tar, Download& download) {
  std::vector<std::byte> block(std::size_t{1} << 20);
  const Spool& spool = download.spool();
  std::uint64_t at = 0;
  while (at < spool.size()) {
    const std::size_t count = read_at(spool.fd(), block, at, spool.path());
    if (count == 0) throw Error(ErrorCode::io, text("{} was cut short by another program", spool.path().native()));
    tar.write(std::span(block).first(count));
    at += count;
  }
}

// Reads a file of this machine from start to end.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : path_(path), fd_(open_file(path, O_RDONLY)) {}
  std::size_t read(std::span<std::byte> bytes) override {
    const std::size_t count = read_at(fd_.get(), bytes, at_, path_);
    at_ += count;
    return count;
  }

 private:
  std::filesystem::path path_;
  Fd fd_;
  std::uint64_t at_ = 0;
};

}  // namespace

void write_bundle(const LockFile& lock, const std::filesystem::path& file, const InstallOptions& options) {
  if (file.extension() != ".tar") throw Error(ErrorCode::invalid_argument, text("{}: a bundle is a .tar file", file.native()));
  if (lock.plugins.empty()) throw Error(ErrorCode::invalid_argument, "there is no plugin to bundle");
  const std::vector<Pin> pins = packages_of(lock);
  AtomicFile target(file, options.force ? AtomicFile::Existing::replace : AtomicFile::Existing::refuse);
  Gathering gathering(options);
  TarWriter tar(target);
  const std::string content = format_lock(lock, lock_name);
  tar.begin(lock_name, content.size());
  tar.write(std::as_bytes(std::span(content)));
  for (const Pin& pin : pins) {
    Download& download = gathering.get(pin);
    tar.begin(text("{}/{}", packages_name, pin.file), download.spool().size());
    copy_to(tar, download);
  }
  tar.finish();
  if (options.progress) options.progress({Phase::finishing, 0, 0, file.native()});
  target.commit();
  gathering.discard();
}

Bundle::Bundle(const std::filesystem::path& file) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) throw_errno(error.value(), "read", file);
  make_folders(downloads_folder());
  folder_ = make_temporary_folder(downloads_folder());
  try {
    FileSource source(file);
    const std::filesystem::path root = folder_ / "bundle";
    std::filesystem::create_directory(root);
    require_free_space(root, size);
    try {
      unpack_tar(source, root);
    } catch (IntegrityError& refused) {
      throw IntegrityError(text("{} is no bundle, or a damaged one: {}", file.native(), refused.message())).note("`pier bundle` makes one");
    }
    if (!std::filesystem::is_regular_file(root / lock_name, error))
      throw IntegrityError(text("{} is no bundle: it has no {}", file.native(), lock_name)).note("`pier bundle` makes one");
    packages_ = root / packages_name;
    lock_ = read_lock(root / lock_name);
  } catch (...) {
    std::filesystem::remove_all(folder_, error);
    throw;
  }
}

Bundle::~Bundle() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace pier
