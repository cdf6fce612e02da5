#pragma once

#include <filesystem>
#include <string>

#include <pier/store.h>

#include "store/format.h"
#include "store/unpack.h"

namespace pier {

// What somebody names for an install, instead of what an index has.
struct GivenPackage {
  PackageFormat format;
  Pin pin;  // of that very file or folder
};

// Finds out what `request.from` is. A file or folder of this machine is read and hashed; a hash that was asked for must be
// its own. Throws Error (not_found, invalid_argument, io) and IntegrityError.
GivenPackage given_package(const PluginRequest& request);

// Whether that is a place on the network.
bool is_given_by_url(const PluginRequest& request);

// The last part of what was named: a file's or folder's name.
std::string given_name(const std::string& from);

// Hashes every file below a folder, as if it had been unpacked; of links only those to files of the folder are followed.
Unpacked hash_folder(const std::filesystem::path& folder);

// Copies what hash_folder() saw into `root`. Throws Error (io) when a file is another one by now.
void copy_folder(const std::filesystem::path& folder, const Unpacked& files, const std::filesystem::path& root);

}  // namespace pier
