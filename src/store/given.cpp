#include "store/given.h"

#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/digest.h"
#include "store/noted.h"
#include "store/unpack_writer.h"
#include "store/url.h"
#include "store/verify.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace pier {
namespace {

constexpr std::string_view known_kinds = "known are .whl, .zip, .tar.gz, .tar.zst, .tar.xz, .tar, libraries, and folders";

// A library may have any name.
bool is_library(const std::filesystem::path& file) {
  try {
    inspect(file);
    return true;
  } catch (const IntegrityError&) {
    return false;
  }
}

PackageFormat format_of_file(const std::filesystem::path& file) {
  if (const auto format = format_of(file.filename().native())) return *format;
  if (is_library(file)) return PackageFormat::library;
  throw Error(ErrorCode::invalid_argument, text("{} is nothing that a plugin can be installed from", file.native())).note(std::string(known_kinds));
}

// What the name of a wheel tells; other names tell nothing that counts.
void name_package(Pin& pin, PackageFormat format) {
  if (format != PackageFormat::wheel) return;
  const auto wheel = parse_wheel_name(pin.file);
  if (!wheel) return;
  pin.package = wheel->project;
  if (const auto version = Version::parse(wheel->version)) pin.version = version->text();
}

void compare(const Pin& pin, const std::string& asked, std::string_view what) {
  if (asked.empty() || lower_ascii(asked) == pin.sha256) return;
  throw noted(IntegrityError(text("{} is not what was asked for", what)), text("asked for: SHA-256 {}", lower_ascii(asked)),
              text("it has: SHA-256 {}", pin.sha256), "nothing was installed");
}

// The file that a folder's entry stands for; empty for a folder.
std::filesystem::path file_of(const std::filesystem::directory_entry& entry, const std::filesystem::path& folder) {
  if (entry.is_directory() && !entry.is_symlink()) return {};
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(entry.path(), error);
  if (error) throw_errno(error.value(), "read", entry.path());
  const auto relative = real.lexically_relative(folder);
  if (!std::filesystem::is_regular_file(real) || relative.empty() || *relative.begin() == "..")
    throw Error(ErrorCode::invalid_argument, text("{} is no plain file, and no link to one in {}", entry.path().native(), folder.native()))
        .note("remove it from the folder, or put a copy of the file in its place");
  return real;
}

}  // namespace

bool is_given_by_url(const PluginRequest& request) { return looks_like_url(request.from) && !is_local(request.from); }

std::string given_name(const std::string& from) {
  if (looks_like_url(from)) return std::string(parse_url(from).file_name());
  const std::filesystem::path path(from);
  return (path.has_filename() ? path : path.parent_path()).filename();
}

GivenPackage given_package(const PluginRequest& request) {
  GivenPackage given{.format = PackageFormat::wheel, .pin = request.pin};
  Pin& pin = given.pin;
  pin.package.clear();
  pin.version.clear();
  if (pin.platform.empty()) pin.platform = to_string(host_platform());
  if (is_given_by_url(request)) {
    const Url url = parse_url(request.from);
    pin.file = url.file_name();
    const auto format = format_of(pin.file);
    if (!format)
      throw Error(ErrorCode::invalid_argument, text("{} names nothing that a plugin can be installed from", redact_url(request.from)))
          .note(std::string(known_kinds));
    if (!is_sha256(pin.sha256))
      throw Error(ErrorCode::invalid_argument, text("the SHA-256 of {} is not given", redact_url(request.from)))
          .note("what comes from a network is compared with --sha256 before anything of it is used");
    given.format = *format;
    pin.size = 0;
    name_package(pin, *format);
    return given;
  }
  std::filesystem::path path = looks_like_url(request.from) ? std::filesystem::path(parse_url(request.from).path) : std::filesystem::path(request.from);
  std::error_code error;
  path = std::filesystem::canonical(path, error);
  if (error) throw_errno(error.value(), "read", request.from);
  pin.file = path.filename();
  // A file's name need not be text, as a manifest is.
  if (!valid_utf8(pin.file)) pin.file = printable(pin.file);
  const std::string asked = std::move(pin.sha256);
  if (std::filesystem::is_directory(path, error)) {
    given.format = PackageFormat::folder;
    const Unpacked files = hash_folder(path);
    const std::string record = format_record(files);
    Digest digest;
    digest.update(std::as_bytes(std::span(record)));
    pin.sha256 = to_hex(digest.finish());
    pin.size = pin.unpacked_size = files.bytes;
  } else if (!std::filesystem::is_regular_file(path, error)) {
    throw Error(ErrorCode::invalid_argument, text("{} is neither a file nor a folder", path.native()));
  } else {
    given.format = format_of_file(path);
    pin.sha256 = file_sha256(path);
    pin.size = std::filesystem::file_size(path);
    name_package(pin, given.format);
  }
  compare(pin, asked, path.native());
  return given;
}

Unpacked hash_folder(const std::filesystem::path& folder) {
  const UnpackLimits limits;
  MemberNames names(limits);
  Unpacked found;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().lexically_relative(folder).generic_string();
    const std::filesystem::path file = file_of(*it, folder);
    if (file.empty()) {
      names.add_folder(name);
      continue;
    }
    const std::string path = names.add_file(name);
    const std::uint64_t size = std::filesystem::file_size(file);
    found.bytes += size;
    if (found.bytes > limits.total_bytes)
      throw Error(ErrorCode::invalid_argument, text("{} holds more than {}", folder.native(), bytes_text(limits.total_bytes)));
    found.files[path] = {size, file_hash(file, HashKind::sha256)};
  }
  if (error) throw_errno(error.value(), "list", folder);
  return found;
}

void copy_folder(const std::filesystem::path& folder, const Unpacked& files, const std::filesystem::path& root) {
  MemberWriter writer(root);
  std::vector<std::byte> buffer(std::size_t{256} << 10);
  std::vector<std::string> executables;
  for (const auto& [path, file] : files.files) {
    const Fd fd = open_file(folder / path, O_RDONLY);
    struct stat status {};
    if (::fstat(fd.get(), &status) == 0 && (status.st_mode & 0111) != 0) executables.push_back(path);
    writer.open(path);
    for (std::uint64_t at = 0;;) {
      const std::size_t got = read_at(fd.get(), buffer, at, folder / path);
      if (got == 0) break;
      writer.data(std::span(buffer).first(got));
      at += got;
    }
    writer.close();
  }
  const Unpacked copied = writer.finish();
  if (format_record(copied) != format_record(files))
    throw Error(ErrorCode::io, text("{} was changed by another program while it was copied", folder.native())).note("nothing was installed; run the install again");
  for (const std::string& path : executables) make_executable(root / path);
}

}  // namespace pier
