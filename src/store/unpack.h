#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "store/member_path.h"
#include "store/spool.h"

namespace pier {

// What was written for one member.
struct UnpackedFile {
  std::uint64_t size = 0;
  std::string sha256;  // raw
};

struct Unpacked {
  std::map<std::string, UnpackedFile, std::less<>> files;  // by clean path
  std::uint64_t bytes = 0;
};

// Writes a zip's members below `root`, which must be an empty folder of ours, while the zip still arrives: in one pass and
// with bounded memory. Every name is judged before its first byte is written; nothing is written outside of `root`.
// Throws IntegrityError, the Error of the file system, or Abandoned as the source does.
Unpacked unpack_zip(ByteSource& source, const std::filesystem::path& root, const UnpackLimits& limits = {});

// The same for a tar archive, plain or compressed. A name may start with "./", which is left out. What it marks as executable
// becomes so.
Unpacked unpack_tar(ByteSource& source, const std::filesystem::path& root, const UnpackLimits& limits = {});

// Writes a library that comes by itself, under that name.
Unpacked unpack_library(ByteSource& source, const std::filesystem::path& root, std::string_view name, const UnpackLimits& limits = {});

// Whoever may read it may run it: the user's umask stays in force.
void make_executable(const std::filesystem::path& path);

// The second look at a zip that is whole: its directory must list the same members with the same sizes, and only plain
// files and folders. What the zip marks as executable becomes so. `fd` is the zip, `package` its name for messages.
void check_zip_directory(int fd, const std::filesystem::path& package, const Unpacked& unpacked, const std::filesystem::path& root,
                         const UnpackLimits& limits = {});

// Compares what was written with the wheel's own RECORD: every file is listed, with its hash and size, and every listed
// file is there. Throws IntegrityError that names the file.
void check_record(const Unpacked& unpacked, const std::filesystem::path& root);

// Makes files and folders below `root` durable.
void sync_tree(const Unpacked& unpacked, const std::filesystem::path& root);

// Throws Error (resource_exhausted) when the file system of `folder` has fewer free bytes.
void require_free_space(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace pier
