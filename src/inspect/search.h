#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pier/inspect.h>

namespace pier::inspection {

// What a machine's ELF loader works with besides the library itself.
struct SearchPlaces {
  struct Loaded {
    std::filesystem::path path;
    std::string soname;  // or the file's name when it has no soname
  };
  std::vector<Loaded> loaded;
  // DT_RPATH of the program, already expanded; it serves every library that has no RUNPATH.
  std::vector<std::string> program_rpath;
  std::vector<std::string> library_path;  // LD_LIBRARY_PATH
  std::filesystem::path cache;            // empty: there is none
  std::vector<std::string> default_folders;
  std::string lib = "lib64";  // $LIB
  std::string platform;       // $PLATFORM
  // False for a foreign machine: then only folders relative to the library mean anything here.
  bool complete = true;
};

// The running machine's places; nothing where its loader is not glibc's.
std::optional<SearchPlaces> host_search_places();

// Tells the folders that the loader reports (first those of program_rpath, then those of LD_LIBRARY_PATH, then the
// system's) apart, by the value of LD_LIBRARY_PATH.
void sort_folders(const std::vector<std::string>& folders, std::string_view library_path, SearchPlaces& places);

struct SearchResult {
  std::vector<LibraryLookup> libraries;
  std::vector<Finding> findings;
};

// Finds every needed library as glibc's loader does, those of the found libraries too, and compares symbol versions.
// Source of the order and the rules: ld.so(8) and the loader's behaviour in glibc 2.36.
SearchResult search_elf(const Binary& binary, const Image& image, const SearchPlaces& places,
                        std::span<const std::filesystem::path> preloaded);

// The same for Mach-O: @rpath, @loader_path, @executable_path and absolute names. On a machine that is not a Mac only what
// lies beside the library can be found.
SearchResult search_macho(const Binary& binary, const Image& image, bool host_is_macos,
                          std::span<const std::filesystem::path> preloaded);

// Symbol versions that `provider` should define for `user`, and does not.
void compare_versions(const Image& user, const std::string& user_name, const std::string& library, const Image& provider,
                      const std::string& provider_path, std::vector<Finding>& findings);

// Paths that a loader cache (ld.so.cache) has for the name, for that architecture, best first.
class LoaderCache {
 public:
  // An absent cache is empty; a damaged one throws IntegrityError.
  static LoaderCache read(const std::filesystem::path& file, std::string_view arch);
  static LoaderCache parse(std::span<const std::byte> bytes, const std::string& name, std::string_view arch);
  std::vector<std::string> paths(std::string_view name) const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string name;
    std::string path;
    bool special = false;  // for a processor with extra abilities
  };
  std::vector<Entry> entries_;
};

}  // namespace pier::inspection
