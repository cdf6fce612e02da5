#include "store/download.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/log.h>

#include "base/ascii.h"
#include "base/text.h"
#include "store/layout.h"
#include "store/noted.h"
#include "store/unpack.h"

namespace pier {
namespace {

// A pin without a size still has an end.
constexpr std::uint64_t size_limit = std::uint64_t{64} << 30;
constexpr std::uint64_t space_margin = std::uint64_t{16} << 20;
constexpr auto longest_kept = std::chrono::hours(24 * 30);
constexpr std::string_view other_file = "the file there is not the pinned one, or a proxy changes it: use another index (--index-url) or --find-links";

std::filesystem::path part_file(const Pin& pin) { return downloads_folder() / text("{}.part", lower_ascii(pin.sha256)); }

}  // namespace

// Writes the body to the spool; decides whether what is there can stay.
class Download::Sink : public HttpSink {
 public:
  explicit Sink(Download& download) : download_(download) {}

  std::uint64_t have() const override { return download_.spool_->size(); }
  bool complete() const override { return download_.pin_.size != 0 && have() == download_.pin_.size; }

  bool wants_more() const override { return have() < download_.pin_.size; }

  bool begin(const HttpHead& head) override {
    const Pin& pin = download_.pin_;
    const std::string from = redact_url(head.url.text);
    if (head.content_type == "text/html" || head.content_type == "application/xhtml+xml")
      throw noted(NetworkError(text("{} answered with a web page instead of the file", from)),
                  "a login page or a proxy stands in between, or the index is no package index");
    if (!head.content_encoding.empty() && head.content_encoding != "identity")
      throw noted(NetworkError(text("{} sent the file compressed ({}), although it was asked not to", from, head.content_encoding)),
                  "use another index (--index-url or PIER_INDEX_URL)");
    if (head.status == 206) {
      // The file on the server must be the one whose first part is here. If-Range would ask the server to decide, but some
      // then always send the whole file.
      const auto changed = [](const std::string& kept, const std::string& now) { return !kept.empty() && !now.empty() && kept != now; };
      if (head.range_total && pin.size != 0 && *head.range_total != pin.size) return false;
      const State& kept = download_.state_;
      return !changed(kept.etag, head.etag) && !changed(kept.last_modified, head.last_modified);
    }
    if (head.length && pin.size != 0 && *head.length != pin.size)
      throw noted(IntegrityError(text("{} announces {} bytes for {}, pinned are {}", from, *head.length, pin.file, pin.size)), other_file);
    // Only now is it an answer that may take the place of what is there.
    if (have() > 0) download_.drop();
    download_.state_.etag = head.etag;
    download_.state_.last_modified = head.last_modified;
    download_.write_state();
    return true;
  }

  void write(std::span<const std::byte> bytes) override {
    const std::uint64_t limit = download_.pin_.size != 0 ? download_.pin_.size : size_limit;
    if (bytes.size() > limit - have())
      throw noted(IntegrityError(text("more than {} bytes came for {}", limit, download_.pin_.file)), other_file);
    download_.spool_->append(bytes);
    if (download_.on_bytes) download_.on_bytes(have());
  }

 private:
  Download& download_;
};

std::uint64_t kept_bytes(const Pin& pin) {
  std::error_code error;
  const auto size = std::filesystem::file_size(part_file(pin), error);
  return error ? 0 : size;
}

bool may_be_kept(const Pin& pin) {
  const std::uint64_t size = kept_bytes(pin);
  return size > 0 && (pin.size == 0 || size == pin.size);
}

void discard_download(const Pin& pin) {
  const std::filesystem::path part = part_file(pin);
  const auto with = [&](const char* extension) { return std::filesystem::path(part).replace_extension(extension); };
  std::error_code ignored;
  if (!std::filesystem::exists(part, ignored)) return;
  try {
    // Whoever holds it installs the same file elsewhere, and removes it then.
    const auto lock = FileLock::try_acquire(with(".lock"));
    if (!lock) return;
    std::filesystem::remove(with(".state"), ignored);
    std::filesystem::remove(part, ignored);
  } catch (const Error& failure) {
    log(LogLevel::info, text("a download stays in the cache: {}", failure.message()));
  }
}

namespace {

constexpr std::array<const char*, 3> extensions = {".part", ".state", ".lock"};

std::filesystem::path with(std::filesystem::path path, const char* extension) { return path.replace_extension(extension); }

bool is_unused(const std::filesystem::path& file, std::chrono::hours unused_for) {
  std::error_code missing;
  const auto changed = std::filesystem::last_write_time(file, missing);
  return missing || std::filesystem::file_time_type::clock::now() - changed >= unused_for;
}

}  // namespace

std::vector<KeptDownload> kept_downloads(std::chrono::hours unused_for) {
  std::map<std::filesystem::path, std::uint64_t> downloads;
  std::error_code error;
  for (std::filesystem::directory_iterator it(downloads_folder(), error), end; !error && it != end; it.increment(error)) {
    if (!is_sha256(it->path().stem().native())) continue;
    std::error_code ignored;
    const auto size = it->file_size(ignored);
    downloads[with(it->path(), "")] += ignored ? 0 : size;
  }
  std::vector<KeptDownload> out;
  for (const auto& [path, bytes] : downloads)
    if (std::ranges::all_of(extensions, [&](const char* extension) { return is_unused(with(path, extension), unused_for); }))
      out.push_back({path, bytes});
  return out;
}

bool remove_download(const KeptDownload& download, std::chrono::hours unused_for) {
  const auto lock = FileLock::try_acquire(with(download.path, ".lock"));
  // Another process may have gone on meanwhile. Taking the lock has written to its file.
  if (!lock || !is_unused(with(download.path, ".part"), unused_for) || !is_unused(with(download.path, ".state"), unused_for)) return false;
  // The lock's file goes last: who waits for it notices, and makes a new one.
  std::error_code error;
  for (const char* extension : extensions) std::filesystem::remove(with(download.path, extension), error);
  return true;
}

void sweep_downloads() {
  for (const KeptDownload& download : kept_downloads(longest_kept)) {
    try {
      remove_download(download, longest_kept);
    } catch (const Error& failure) {
      log(LogLevel::info, text("an old download stays in the cache: {}", failure.message()));
    }
  }
}

Download::Download(const Pin& pin, std::chrono::milliseconds lock_timeout, const LockTurn& waiting) : pin_(pin), path_(part_file(pin)) {
  pin_.sha256 = lower_ascii(pin_.sha256);
  make_folders(path_.parent_path());
  std::filesystem::path lock = path_;
  lock_ = wait_for_lock(lock.replace_extension(".lock"), lock_timeout, waiting);
  spool_.emplace(path_, open_file(path_, O_RDWR | O_CREAT, 0644));
}

bool Download::take_over() {
  read_state();
  spool_->take_over(pin_.size != 0 ? pin_.size : size_limit);
  resumed_ = spool_->size() > 0;
  if (resumed_ && on_bytes) on_bytes(spool_->size());
  return resumed_ && is_whole();
}

bool Download::is_whole() const {
  if (pin_.size != 0 && spool_->size() != pin_.size) return false;
  return spool_->sha256() == pin_.sha256;
}

void Download::fetch(const PackageSource& source, const GetClient& client) {
  if (pin_.size != 0) {
    require_free_space(path_.parent_path(), pin_.size - std::min(pin_.size, spool_->size()) + space_margin);
    // Every byte is there, but they are not the pinned ones.
    if (spool_->size() == pin_.size) drop();
  }
  state_.source = source.from;
  if (const Url* url = std::get_if<Url>(&source.where)) fetch_url(client(), *url);
  else fetch_file(std::get<std::filesystem::path>(source.where));
}

void Download::fetch_url(HttpClient& client, const Url& url) {
  Sink sink(*this);
  const HttpRequest request{.accept = "*/*", .compressed = false, .tick = [this] {
                              if (on_bytes) on_bytes(spool_->size());
                            }};
  client.get(url, request, sink);
}

void Download::fetch_file(const std::filesystem::path& file) {
  if (spool_->size() > 0) {
    // What is there may be the start of the right bytes, and this file a wrong one.
    const std::string hash = file_sha256(file);
    if (hash != pin_.sha256)
      throw noted(IntegrityError(text("{} is not the pinned file", file.native())), text("pinned: SHA-256 {}", pin_.sha256),
                  text("it has: SHA-256 {}", hash), other_file);
    drop();
  }
  write_state();
  const Fd fd = open_file(file, O_RDONLY);
  std::vector<std::byte> buffer(std::size_t{256} << 10);
  const std::uint64_t limit = pin_.size != 0 ? pin_.size : size_limit;
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno(errno, "read", file);
    if (got == 0) break;
    if (static_cast<std::uint64_t>(got) > limit - spool_->size()) {
      drop();
      throw noted(IntegrityError(text("{} has more than the {} bytes that are pinned", file.native(), limit)), other_file);
    }
    spool_->append(std::span(buffer).first(static_cast<std::size_t>(got)));
    if (on_bytes) on_bytes(spool_->size());
  }
  if (is_whole()) return;
  const IntegrityError error = mismatch(file.native());
  drop();
  throw error;
}

void Download::drop() {
  spool_->restart();
  state_.etag.clear();
  state_.last_modified.clear();
  resumed_ = false;
  if (on_restart) on_restart();
}

void Download::discard() {
  std::error_code ignored;
  std::filesystem::remove(state_file(), ignored);
  std::filesystem::remove(path_, ignored);
  // The lock's file stays until it is old: others may wait for it.
}

IntegrityError Download::mismatch(std::string_view source) const {
  std::array<char, 512> start{};
  const std::string_view head(start.data(), read_at(spool_->fd(), std::as_writable_bytes(std::span(start)), 0, path_));
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  const bool page = first != std::string_view::npos && head[first] == '<';
  if (pin_.size != 0 && spool_->size() < pin_.size && !page)
    return noted(IntegrityError(text("{} gave {} of the {} bytes of {}", source, spool_->size(), pin_.size, pin_.file)), other_file);
  IntegrityError error(text("{} is not the pinned file", pin_.file));
  error.note(text("it came from {}", source));
  error.note(text("pinned: {} bytes, SHA-256 {}", pin_.size, pin_.sha256));
  error.note(text("came: {} bytes, SHA-256 {}", spool_->size(), spool_->sha256()));
  if (page) error.note("what came is a web page: a login page or a proxy stands in between");
  else error.note("it was changed on the index or on the way; nothing of it was kept");
  return error;
}

std::filesystem::path Download::state_file() const {
  std::filesystem::path path = path_;
  return path.replace_extension(".state");
}

void Download::read_state() {
  try {
    std::istringstream lines(read_file(state_file(), 16384));
    std::getline(lines, state_.etag);
    std::getline(lines, state_.last_modified);
    std::getline(lines, state_.source);
  } catch (const Error&) {
    // Without it the length and, at the end, the hash decide.
  }
  if (state_.source.empty()) state_.source = "an earlier download";
}

void Download::write_state() const {
  const std::string content = text("{}\n{}\n{}\n", state_.etag, state_.last_modified, state_.source);
  if (content.size() > 8192) return;
  // A torn one only costs a download from the start, so it needs no care.
  const Fd fd = open_file(state_file(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  write_all(fd.get(), std::as_bytes(std::span(content)), state_file());
}

}  // namespace pier
