#include "store/in_use.h"

#include <cerrno>
#include <chrono>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <pier/error.h>

#include "base/text.h"
#include "store/layout.h"

namespace pier {
namespace {

int lock(const Fd& file, int operation) {
  int error = 0;
  do error = ::flock(file.get(), operation | LOCK_NB) == 0 ? 0 : errno;
  while (error == EINTR);
  return error;
}

Fd open_manifest(const std::filesystem::path& root) { return Fd(::open((root / Layout::own_manifest).c_str(), O_RDONLY | O_CLOEXEC)); }

bool is_named(const Fd& file, const std::filesystem::path& root) {
  struct stat open {};
  struct stat named {};
  return ::fstat(file.get(), &open) == 0 && ::stat((root / Layout::own_manifest).c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

std::filesystem::path store_root_of(const std::filesystem::path& library) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(library, error);
  if (error) return {};
  const std::filesystem::path plugins = std::filesystem::weakly_canonical(Layout(host_platform()).data / "plugins", error);
  if (error) return {};
  // <plugins>/<id>/<version>-<hash>/...
  const std::filesystem::path below = real.lexically_relative(plugins);
  if (std::distance(below.begin(), below.end()) < 3 || *below.begin() == "..") return {};
  return plugins / *below.begin() / *std::next(below.begin());
}

Fd hold_in_use(const std::filesystem::path& root) {
  if (root.empty()) return {};
  // Whoever only looks whether it may be removed holds it for a moment.
  for (int turn = 0; turn < 100; ++turn) {
    Fd file = open_manifest(root);
    if (!file.valid()) return file;
    const int error = lock(file, LOCK_SH);
    if (error == 0 && is_named(file, root)) return file;
    if (error != 0 && error != EWOULDBLOCK) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw Error(ErrorCode::not_available, text("{} is being removed by another process", root.native())).note("install it again when that is over");
}

std::optional<Fd> try_claim(const std::filesystem::path& root) {
  Fd file = open_manifest(root);
  if (!file.valid()) return file;
  if (lock(file, LOCK_EX) == EWOULDBLOCK) return std::nullopt;
  return file;
}

bool remove_unused_tree(const std::filesystem::path& root) {
  const auto claim = try_claim(root);
  if (claim) remove_tree(root);
  return claim.has_value();
}

}  // namespace pier
