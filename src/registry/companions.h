#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <pier/catalog.h>

#include "registry/select.h"

namespace pier::registry {

// Where a machine may have the libraries that a plugin needs.
struct LibraryPlaces {
  std::vector<std::filesystem::path> folders;  // CUDA's
  std::vector<std::filesystem::path> sites;    // folders of Python environments where packages lie
  std::filesystem::path loader_cache;          // empty: none
};

// This machine's: CUDA_HOME, CUDA_PATH, /usr/local/cuda*; VIRTUAL_ENV, CONDA_PREFIX; the loader's cache.
LibraryPlaces library_places();

struct CompanionWishes {
  bool bundled = false;              // all are fetched, whatever the machine has
  std::vector<std::string> without;  // optional ones that are left out
};

struct CompanionChoice {
  std::vector<Pin> fetched;
  std::vector<std::filesystem::path> preload;  // libraries of the machine in place of what is left out
  std::vector<std::string> notes;
};

// Decides for each companion of a package whether it is fetched, or the machine has a version of all its libraries that fits.
// A library that others can write, or that is for another processor, does not count. Throws Error (invalid_argument) when
// something is to be left out that is no optional companion.
CompanionChoice choose_companions(const CatalogPackage& package, const Target& target, const CompanionWishes& wishes,
                                  const LibraryPlaces& places);

}  // namespace pier::registry
