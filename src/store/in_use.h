#pragma once

#include <filesystem>
#include <optional>

#include "base/file.h"

namespace pier {

// A folder of the store is in use while a process holds a shared kernel lock on the manifest in it.

// The folder of the store that holds a library of this machine's platform; empty for any other file.
std::filesystem::path store_root_of(const std::filesystem::path& library);

// Keeps the folder from being removed until the descriptor is closed; the kernel does that when the process ends. An invalid
// one where the file system has no locks, or there is no manifest, and for an empty path. Throws Error (not_available) when it is being removed now.
Fd hold_in_use(const std::filesystem::path& root);

// The right to remove the folder; nothing while a process has it in use. Held until the descriptor is closed.
std::optional<Fd> try_claim(const std::filesystem::path& root);

// Removes the folder tree unless it is in use; false then.
bool remove_unused_tree(const std::filesystem::path& root);

}  // namespace pier
