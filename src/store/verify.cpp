#include "store/verify.h"

#include <algorithm>
#include <set>

#include <sys/stat.h>

#include <pier/error.h>
#include <pier/store.h>

#include "base/file.h"
#include "base/text.h"
#include "store/layout.h"
#include "store/record.h"
#include "store/unpack.h"

namespace pier {
namespace {

constexpr std::uint64_t record_limit = std::uint64_t{32} << 20;

std::string hash_text(HashKind kind, const Unpacked& unpacked, const std::filesystem::path& root, const std::string& path) {
  if (kind == HashKind::sha256) return to_base64url(unpacked.files.find(path)->second.sha256);
  return to_base64url(file_hash(root / path, kind));
}

// Everything that differs from a record; the first one is all that an install needs.
std::vector<std::string> differences(const Unpacked& unpacked, const std::filesystem::path& root, const std::string& record) {
  std::vector<std::string> out;
  std::set<std::string, std::less<>> listed;
  for (const RecordEntry& entry : parse_record(read_file(root / record, record_limit))) {
    listed.insert(entry.path);
    const auto found = unpacked.files.find(entry.path);
    if (found == unpacked.files.end()) {
      out.push_back(text("{} is listed in RECORD but is not there", printable(entry.path)));
      continue;
    }
    if (!entry.kind) {
      if (entry.path != record && !is_record_signature(entry.path))
        out.push_back(text("{} has no hash in RECORD", printable(entry.path)));
      continue;
    }
    if (entry.size && *entry.size != found->second.size)
      out.push_back(text("{} has {} bytes, RECORD says {}", printable(entry.path), found->second.size, *entry.size));
    else if (const std::string hash = hash_text(*entry.kind, unpacked, root, entry.path); hash != entry.hash)
      out.push_back(text("{} has the hash {}, RECORD says {}", printable(entry.path), hash, printable(entry.hash)));
  }
  for (const auto& [path, file] : unpacked.files)
    if (!listed.contains(path) && path != record && !is_record_signature(path))
      out.push_back(text("{} is there but is not listed in RECORD", printable(path)));
  return out;
}

// As differences() for a package, which has its RECORD among its files.
std::vector<std::string> differences(const Unpacked& unpacked, const std::filesystem::path& root) {
  std::string record;
  for (const auto& [path, file] : unpacked.files) {
    if (!is_record(path)) continue;
    if (!record.empty()) return {text("the package has two RECORD files: {} and {}", printable(record), printable(path))};
    record = path;
  }
  if (record.empty()) return {"the package has no RECORD, so its files cannot be verified: it is no wheel"};
  return differences(unpacked, root, record);
}

bool has_own_record(const std::filesystem::path& root) {
  std::error_code error;
  return std::filesystem::is_regular_file(root / Layout::own_record, error);
}

std::string own_record() { return std::string(Layout::own_record); }

}  // namespace

void check_record(const Unpacked& unpacked, const std::filesystem::path& root) {
  const auto wrong = differences(unpacked, root);
  if (wrong.empty()) return;
  IntegrityError error(text("the package does not agree with its own record: {}", wrong.front()));
  for (std::size_t i = 1; i < wrong.size(); ++i) error.note(wrong[i]);
  error.note("nothing was installed; tell the package's makers");
  throw error;
}

std::string format_record(const Unpacked& files) {
  std::string out;
  for (const auto& [path, file] : files.files) out += record_row(path, file.sha256, file.size);
  return out;
}

std::vector<std::string> verify_tree(const std::filesystem::path& root) {
  std::vector<std::string> wrong;
  Unpacked found;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().lexically_relative(root).generic_string();
    if (path == Layout::own_manifest || path == Layout::own_record) continue;
    const auto status = it->symlink_status(error);
    if (error) break;
    if (std::filesystem::is_directory(status)) continue;
    if (!std::filesystem::is_regular_file(status)) {
      wrong.push_back(text("{} is no plain file", printable(path)));
      continue;
    }
    const auto size = it->file_size(error);
    if (error) break;
    try {
      found.files[path] = {size, file_hash(it->path(), HashKind::sha256)};
    } catch (const Error& failure) {
      wrong.push_back(failure.message());
    }
  }
  if (error) return {text("cannot read {}: {}", root.native(), error.message())};
  try {
    for (std::string& line : has_own_record(root) ? differences(found, root, own_record()) : differences(found, root)) wrong.push_back(std::move(line));
  } catch (const Error& failure) {
    wrong.push_back(failure.message());
  }
  return wrong;
}

bool has_recorded_files(const std::filesystem::path& root) {
  std::filesystem::path record = root / Layout::own_record;
  std::error_code error;
  if (!has_own_record(root)) {
    record.clear();
    for (std::filesystem::directory_iterator it(root, error), end; !error && it != end; it.increment(error))
      if (it->path().extension() == ".dist-info") record = it->path() / "RECORD";
    if (error || record.empty()) return false;
  }
  try {
    const std::string folder = root.native() + "/";
    return std::ranges::all_of(parse_record(read_file(record, record_limit)), [&](const RecordEntry& entry) {
      struct stat status {};
      return ::lstat((folder + entry.path).c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
             (!entry.size || static_cast<std::uint64_t>(status.st_size) == *entry.size);
    });
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::string> verify_plugin(const InstalledPlugin& plugin) {
  if (!plugin.root.empty()) {
    auto wrong = verify_tree(plugin.root);
    std::error_code error;
    if (wrong.empty() && !std::filesystem::is_regular_file(plugin.library, error))
      wrong.push_back(text("the library {} is not there", plugin.library.native()));
    return wrong;
  }
  std::vector<std::string> wrong;
  try {
    const std::string now = file_sha256(plugin.library);
    if (!plugin.library_sha256.empty() && now != plugin.library_sha256)
      wrong.push_back(text("{} has SHA-256 {}, registered was {}", plugin.library.native(), now, plugin.library_sha256));
  } catch (const Error& failure) {
    wrong.push_back(failure.message());
  }
  return wrong;
}

}  // namespace pier
