#include "store/unpack.h"

#include <cerrno>
#include <exception>
#include <memory>
#include <set>
#include <vector>

#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <pier/error.h>

#include "base/ascii.h"
#include "base/text.h"
#include "store/noted.h"
#include "store/archive.h"
#include "store/unpack_writer.h"
#include "store/zip_directory.h"

namespace pier {
namespace {

constexpr std::size_t read_block = std::size_t{256} << 10;
constexpr std::uint64_t space_margin = std::uint64_t{16} << 20;

// libarchive turns names into the thread's character set; without UTF-8 it would garble or refuse them.
class Utf8Locale {
 public:
  Utf8Locale() {
    for (const char* name : {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"}) {
      locale_ = newlocale(LC_CTYPE_MASK, name, nullptr);
      if (locale_) break;
    }
    if (locale_) before_ = uselocale(locale_);
  }
  ~Utf8Locale() {
    if (!locale_) return;
    uselocale(before_);
    freelocale(locale_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t locale_ = nullptr;
  locale_t before_ = nullptr;
};

struct FreeReader {
  void operator()(::archive* reader) const { pier::archive().read_free(reader); }
};
using Reader = std::unique_ptr<::archive, FreeReader>;

Reader new_reader() {
  Reader reader(archive().read_new());
  if (!reader) throw Error(ErrorCode::resource_exhausted, "no memory to read an archive").in_function("archive_read_new");
  return reader;
}

std::string why(const Reader& reader) {
  const char* text = archive().error_string(reader.get());
  // Some of its messages end in a line feed.
  return text && *text ? printable(trim(text)) : "it is damaged";
}

// What the reading callback shares with the loop around it.
struct Input {
  ByteSource& source;
  std::vector<std::byte> buffer;
  std::exception_ptr thrown;
  std::uint64_t consumed = 0;

  static la_ssize_t read(::archive*, void* self, const void** bytes) {
    auto& input = *static_cast<Input*>(self);
    try {
      const std::size_t got = input.source.read(input.buffer);
      input.consumed += got;
      *bytes = input.buffer.data();
      return static_cast<la_ssize_t>(got);
    } catch (...) {
      input.thrown = std::current_exception();
      return -1;
    }
  }
};

std::string name_of(const Reader& reader, ::archive_entry* entry, int status) {
  if (status == ARCHIVE_WARN)
    throw IntegrityError(text("the package has a member whose name cannot be read: {}", why(reader)));
  const char* name = archive().pathname_utf8(entry);
  if (!name) name = archive().pathname(entry);
  if (!name) throw IntegrityError("the package has a member whose name cannot be read: it is not UTF-8");
  return name;
}

[[noreturn]] void refuse_member(std::string_view shown, std::string_view fault) {
  throw noted(IntegrityError(text("the package has a member that is refused: '{}' {}", shown, fault)),
              "nothing was installed; tell the package's makers");
}

// Whether it is a folder; refuses everything that is neither file nor folder.
bool is_folder(::archive_entry* entry, std::string_view name) {
  const Archive& lib = archive();
  if (lib.is_encrypted(entry)) throw IntegrityError(text("the package has an encrypted member: '{}'", printable(name)));
  if (lib.hardlink(entry) || lib.symlink(entry) || lib.filetype(entry) == AE_IFLNK) refuse_member(printable(name), "is a link");
  if (lib.filetype(entry) == AE_IFDIR) return true;
  if (lib.filetype(entry) != AE_IFREG) refuse_member(printable(name), "is no plain file");
  return false;
}

// Copies one member's bytes to the writer, within the bounds.
std::uint64_t copy_member(const Reader& reader, const std::string& path, std::uint64_t total, const Input& input,
                          const UnpackLimits& limits, MemberWriter& writer) {
  std::uint64_t size = 0;
  for (;;) {
    const void* bytes = nullptr;
    std::size_t count = 0;
    la_int64_t offset = 0;
    const int status = archive().data_block(reader.get(), &bytes, &count, &offset);
    if (input.thrown) std::rethrow_exception(input.thrown);
    if (status == ARCHIVE_EOF) return size;
    if (status != ARCHIVE_OK)
      throw IntegrityError(text("the package's member '{}' cannot be unpacked: {}", printable(path), why(reader)));
    if (offset < 0 || static_cast<std::uint64_t>(offset) != size)
      throw IntegrityError(text("the package's member '{}' has a hole", printable(path)));
    size += count;
    const std::uint64_t all = total + size;
    if (all > limits.total_bytes)
      throw IntegrityError(text("the package unpacks to more than {}", bytes_text(limits.total_bytes)));
    const std::uint64_t packed = limits.packed_bytes != 0 ? limits.packed_bytes : input.consumed;
    if (all > limits.ratio_free && (all - limits.ratio_free) / limits.ratio > packed)
      throw IntegrityError(text("the package unpacks to more than {} times its size: '{}' looks like a bomb", limits.ratio,
                                printable(path)));
    writer.data({static_cast<const std::byte*>(bytes), count});
  }
}

void support_tar(const Reader& reader) {
  const Archive& lib = archive();
  lib.support_tar(reader.get());
  // A filter that this libarchive lacks it would leave to a program; none is ever started for a package.
  for (const auto support : {lib.support_gzip, lib.support_zstd, lib.support_xz, lib.support_bzip2})
    if (support(new_reader().get()) == ARCHIVE_OK) support(reader.get());
}

// One pass over the members, whatever they are packed in.
Unpacked unpack_archive(ByteSource& source, const std::filesystem::path& root, const UnpackLimits& limits, bool is_tar) {
  const Archive& lib = archive();
  const Utf8Locale locale;
  Input input{.source = source, .buffer = std::vector<std::byte>(read_block), .thrown = nullptr, .consumed = 0};
  const Reader reader = new_reader();
  MemberWriter writer(root);
  MemberNames names(limits);
  std::vector<std::string> executables;
  const std::string_view kind = is_tar ? "tar" : "zip";
  if (is_tar) support_tar(reader);
  else lib.support_zip_streamable(reader.get());
  int status = lib.read_open(reader.get(), &input, nullptr, &Input::read, nullptr);
  if (input.thrown) std::rethrow_exception(input.thrown);
  if (status != ARCHIVE_OK) throw IntegrityError(text("the package is no {} archive: {}", kind, why(reader)));

  std::uint64_t total = 0;
  for (;;) {
    ::archive_entry* entry = nullptr;
    status = lib.next_header(reader.get(), &entry);
    if (input.thrown) std::rethrow_exception(input.thrown);
    if (status == ARCHIVE_EOF) break;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
      throw IntegrityError(text("the package is no {} archive, or a damaged one: {}", kind, why(reader)));
    std::string name = name_of(reader, entry, status);
    if (is_tar && name.starts_with("./")) name.erase(0, 2);
    if (is_folder(entry, name)) {
      // The folder that was packed.
      if (is_tar && (name.empty() || name == ".")) continue;
      writer.folder(names.add_folder(name));
      continue;
    }
    const std::string path = names.add_file(name);
    const bool sized = lib.size_is_set(entry) != 0;
    const auto promised = static_cast<std::uint64_t>(sized ? lib.size(entry) : 0);
    if (promised > limits.total_bytes)
      throw IntegrityError(text("the package's member '{}' claims {} bytes", printable(path), promised));
    if (promised > space_margin) require_free_space(root, promised);
    writer.open(path);
    const std::uint64_t size = copy_member(reader, path, total, input, limits, writer);
    writer.close();
    if (sized && size != promised)
      throw IntegrityError(text("the package's member '{}' has {} bytes instead of {}", printable(path), size, promised));
    // A zip that still arrives does not say it here.
    if (is_tar && (lib.perm(entry) & 0111) != 0) executables.push_back(path);
    total += size;
  }
  Unpacked unpacked = writer.finish();
  for (const std::string& path : executables) make_executable(root / path);
  return unpacked;
}

}  // namespace

void require_free_space(const std::filesystem::path& folder, std::uint64_t bytes) {
  struct statvfs status {};
  // An unknown amount is found out by writing.
  if (::statvfs(folder.c_str(), &status) != 0) return;
  const std::uint64_t free = static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
  if (free >= bytes) return;
  throw Error(ErrorCode::resource_exhausted,
              text("not enough space in {}: {} are needed, {} are free", folder.native(), bytes_text(bytes), bytes_text(free)))
      .note("free some space, or choose another place with PIER_HOME");
}

void make_executable(const std::filesystem::path& path) {
  const Fd file = open_file(path, O_RDONLY | O_NOFOLLOW);
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) throw_errno(errno, "stat", path);
  if (::fchmod(file.get(), (now.st_mode & 0777) | ((now.st_mode & 0444) >> 2)) != 0) throw_errno(errno, "chmod", path);
}

Unpacked unpack_zip(ByteSource& source, const std::filesystem::path& root, const UnpackLimits& limits) {
  return unpack_archive(source, root, limits, false);
}

Unpacked unpack_tar(ByteSource& source, const std::filesystem::path& root, const UnpackLimits& limits) {
  return unpack_archive(source, root, limits, true);
}

Unpacked unpack_library(ByteSource& source, const std::filesystem::path& root, std::string_view name, const UnpackLimits& limits) {
  MemberNames names(limits);
  MemberWriter writer(root);
  writer.open(names.add_file(name));
  std::vector<std::byte> buffer(read_block);
  std::uint64_t size = 0;
  while (const std::size_t got = source.read(buffer)) {
    size += got;
    if (size > limits.total_bytes) throw IntegrityError(text("the library has more than {}", bytes_text(limits.total_bytes)));
    writer.data(std::span(buffer).first(got));
  }
  writer.close();
  return writer.finish();
}

void check_zip_directory(int fd, const std::filesystem::path& package, const Unpacked& unpacked, const std::filesystem::path& root,
                         const UnpackLimits& limits) {
  MemberNames names(limits);
  std::size_t files = 0;
  read_zip_directory(fd, package, limits.entries, [&](const ZipEntry& entry) {
    const std::string shown = printable(entry.name);
    if (entry.is_encrypted()) throw IntegrityError(text("the package has an encrypted member: '{}'", shown));
    const std::uint32_t type = entry.mode & S_IFMT;
    if (type == S_IFLNK) refuse_member(shown, "is a link");
    if (type != 0 && type != S_IFREG && type != S_IFDIR) refuse_member(shown, "is no plain file");
    const bool folder = entry.name.ends_with('/');
    if (folder != (type == S_IFDIR) && type != 0) refuse_member(shown, "is a file by its name and a folder by its mode, or the other way round");
    if (folder) {
      names.add_folder(entry.name);
      return;
    }
    const std::string path = names.add_file(entry.name);
    const auto found = unpacked.files.find(path);
    if (found == unpacked.files.end())
      throw IntegrityError(text("the package's directory lists '{}', which is not among its members", shown));
    if (entry.size != found->second.size)
      throw IntegrityError(text("the package's directory gives '{}' {} bytes, its member has {}", shown, entry.size, found->second.size));
    ++files;
    if ((entry.mode & 0111) != 0) make_executable(root / path);
  });
  if (files != unpacked.files.size())
    throw IntegrityError(text("the package's directory lists {} files, but {} are in it", files, unpacked.files.size()));
}

void sync_tree(const Unpacked& unpacked, const std::filesystem::path& root) {
  std::set<std::filesystem::path> folders = {root};
#if defined(__linux__)
  // One call for thousands of small files.
  if (unpacked.files.size() > 256) {
    const Fd fd = open_file(root, O_RDONLY | O_DIRECTORY);
    if (::syncfs(fd.get()) == 0) return;
  }
#endif
  for (const auto& [path, file] : unpacked.files) {
    const Fd fd = open_file(root / path, O_RDONLY | O_NOFOLLOW);
    sync_fd(fd.get(), root / path);
    for (auto folder = std::filesystem::path(path).parent_path(); !folder.empty(); folder = folder.parent_path())
      folders.insert(root / folder);
  }
  for (const auto& folder : folders) sync_folder(folder);
}

}  // namespace pier
