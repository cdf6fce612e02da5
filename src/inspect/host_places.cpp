#include "inspect/search.h"

#include <algorithm>
#include <cstddef>

namespace pier::inspection {
namespace {

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

// Whether the loader's folder came from that entry; what a $ stands for only the loader knows.
bool comes_from(const std::string& folder, const std::string& entry) {
  if (entry.empty()) return folder.empty() || folder == ".";
  return entry.find('$') != std::string::npos || without_slashes(folder) == without_slashes(entry);
}

}  // namespace

void sort_folders(const std::vector<std::string>& folders, std::string_view library_path, SearchPlaces& places) {
  std::size_t at = 0;
  for (const std::string& entry : places.program_rpath)
    if (at < folders.size() && comes_from(folders[at], entry)) ++at;
  // The loader drops repeated entries, so one that does not match is passed over.
  for (bool more = !library_path.empty(); more;) {
    const std::size_t end = std::min(library_path.find_first_of(":;"), library_path.size());
    const std::string entry(library_path.substr(0, end));
    more = end < library_path.size();
    library_path.remove_prefix(more ? end + 1 : end);
    if (at >= folders.size() || !comes_from(folders[at], entry)) continue;
    places.library_path.push_back(folders[at].empty() ? "." : folders[at]);
    ++at;
  }
  places.default_folders.assign(folders.begin() + static_cast<std::ptrdiff_t>(at), folders.end());
}

}  // namespace pier::inspection

#if defined(__GLIBC__)

#include <fstream>
#include <memory>
#include <new>
#include <system_error>

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <pier/error.h>

namespace pier::inspection {
namespace {

namespace fs = std::filesystem;

struct CloseHandle {
  void operator()(void* handle) const { ::dlclose(handle); }
};

std::string soname_of(const fs::path& path) {
  try {
    const Binary binary = inspect(path);
    if (!binary.images.front().soname.empty()) return binary.images.front().soname;
  } catch (const Error&) {
    // The file may be gone since it was loaded; its name is the best guess then.
  }
  return path.filename().string();
}

int collect_loaded(dl_phdr_info* info, std::size_t, void* out) {
  const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  // The program itself has no name here, and the kernel's own library no path.
  if (name.find('/') == std::string_view::npos) return 0;
  static_cast<std::vector<fs::path>*>(out)->emplace_back(name);
  return 0;
}

// Every folder that the loader would search for a library without a path of its own, as settled when the program
// started: RPATH of the program, LD_LIBRARY_PATH, the system's.
std::vector<std::string> folders_of_loader() {
  std::vector<std::string> out;
  const std::unique_ptr<void, CloseHandle> library(::dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD));
  Dl_serinfo size{};
  if (!library || ::dlinfo(library.get(), RTLD_DI_SERINFOSIZE, &size) != 0) return out;
  const auto memory = std::make_unique<std::byte[]>(size.dls_size);
  auto* const info = new (memory.get()) Dl_serinfo(size);
  if (::dlinfo(library.get(), RTLD_DI_SERINFO, info) != 0) return out;
  const Dl_serpath* const paths = &info->dls_serpath[0];
  for (unsigned i = 0; i < info->dls_cnt; ++i) out.emplace_back(paths[i].dls_name);
  return out;
}

// LD_LIBRARY_PATH as the program was started with: later changes do not reach the loader.
std::string first_library_path() {
  if (::getauxval(AT_SECURE) != 0) return {};
  std::ifstream file("/proc/self/environ", std::ios::binary);
  constexpr std::string_view name = "LD_LIBRARY_PATH=";
  for (std::string entry; std::getline(file, entry, '\0');)
    if (entry.starts_with(name)) return entry.substr(name.size());
  return {};
}

void read_program(SearchPlaces& places) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (none) return;
  try {
    const Binary binary = inspect(program);
    const Image& image = binary.images.front();
    if (!image.runpath.empty()) return;
    for (std::string folder : image.rpath) {
      for (const std::string_view token : {"${ORIGIN}", "$ORIGIN"})
        if (const std::size_t at = folder.find(token); at != std::string::npos)
          folder.replace(at, token.size(), program.parent_path().string());
      places.program_rpath.push_back(folder.empty() ? "." : folder);
    }
  } catch (const Error&) {
    // Without the program's file its RPATH is unknown; the other places still hold.
  }
}

}  // namespace

std::optional<SearchPlaces> host_search_places() {
  SearchPlaces places;
  std::vector<fs::path> loaded;
  ::dl_iterate_phdr(collect_loaded, &loaded);
  for (const fs::path& path : loaded) places.loaded.push_back({path, soname_of(path)});
  read_program(places);
  sort_folders(folders_of_loader(), first_library_path(), places);
  places.cache = "/etc/ld.so.cache";
  // $LIB is the name of the system's library folder below /usr, which the default folders show.
  for (const std::string& folder : places.default_folders) {
    if (!folder.starts_with("/usr/")) continue;
    places.lib = folder.substr(5);
    break;
  }
  if (const auto* const platform = reinterpret_cast<const char*>(::getauxval(AT_PLATFORM))) places.platform = platform;
  return places;
}

}  // namespace pier::inspection

#else

namespace pier::inspection {

std::optional<SearchPlaces> host_search_places() { return std::nullopt; }

}  // namespace pier::inspection

#endif
