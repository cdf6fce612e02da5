#include "store/staging.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <sys/stat.h>

#include <pier/error.h>
#include <pier/inspect.h>

#include "base/file.h"
#include "base/text.h"
#include "store/format.h"
#include "store/layout.h"
#include "store/noted.h"

namespace pier {
namespace {

void make_folder(const std::filesystem::path& folder) {
  if (::mkdir(folder.c_str(), 0755) != 0) throw_errno(errno, "make the folder", folder);
}

// Names that only pier may use.
void refuse_own_files(const Pin& pin, const Unpacked& files) {
  for (const std::string_view own : {Layout::own_manifest, Layout::own_record})
    if (files.files.contains(own))
      throw noted(IntegrityError(text("{} brings a {}, which only pier may write", pin.file, own)),
                  "nothing was installed; tell the package's makers");
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_plugin(const std::filesystem::path& file, std::string_view platform) {
  try {
    const Binary binary = inspect(file);
    const Image* const image = binary.image_for(platform);
    return image && image->kind == ObjectKind::shared_library && image->exports("GetPjrtApi");
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Staging::Staging(const std::filesystem::path& parent) : folder_(make_temporary_folder(parent)), root_(folder_for(0)) {}

Staging::~Staging() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Staging::folder_for(std::size_t package) const {
  std::filesystem::path folder = folder_ / (package == 0 ? std::string("root") : text("companion-{}", package));
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) make_folder(folder);
  return folder;
}

void Staging::merge(const PackageSet& packages, std::size_t package, const Unpacked& added, Unpacked& files) {
  const Pin& pin = packages.pins()[package];
  const std::filesystem::path from = folder_for(package);
  refuse_own_files(pin, added);
  std::string last_folder;
  for (const auto& [path, file] : added.files) {
    if (const auto there = files.files.find(path); there != files.files.end()) {
      if (there->second.sha256 == file.sha256) continue;
      throw noted(IntegrityError(text("{} brings another {} than the packages before it", pin.file, printable(path))),
                  "they cannot be installed together; nothing was installed, and the catalog needs mending");
    }
    names_.add_file(path);
    if (package != 0) {
      const std::size_t slash = path.rfind('/');
      if (slash != std::string::npos && last_folder != path.substr(0, slash)) {
        last_folder = path.substr(0, slash);
        std::error_code error;
        std::filesystem::create_directories(root_ / last_folder, error);
        if (error) throw_errno(error.value(), "make the folder", root_ / last_folder);
      }
      if (std::rename((from / path).c_str(), (root_ / path).c_str()) != 0) throw_errno(errno, "rename to", root_ / path);
    }
    files.files[path] = file;
    files.bytes += file.size;
  }
}

std::string plugin_library(const Pin& pin, const Unpacked& files, const std::filesystem::path& root, bool any) {
  if (!pin.member.empty() && files.files.contains(pin.member)) return pin.member;
  std::vector<std::string> libraries;
  std::vector<std::string> plugins;
  for (const auto& [path, file] : files.files) {
    if (format_of(file_name(path)) != PackageFormat::library && files.files.size() > 1) continue;
    libraries.push_back(path);
    if (any && is_plugin(root / path, pin.platform)) plugins.push_back(path);
  }
  if (plugins.size() == 1) return plugins.front();
  IntegrityError error(!any              ? text("{} has no member {}", pin.file, pin.member)
                       : plugins.empty() ? text("{} has no library for {} that exports GetPjrtApi", pin.file, pin.platform)
                                         : text("{} has {} libraries that export GetPjrtApi", pin.file, plugins.size()));
  for (const std::string& path : plugins.empty() ? libraries : plugins) error.note(text("it has {}", printable(path)));
  error.note(!any              ? "the catalog names another file than the package has; nothing was installed, and the catalog needs mending"
             : plugins.empty() ? "nothing was installed; a package may be for another platform, or only a front end of the plugin's"
                               : "nothing was installed; install the one you mean by itself: pier install ID --from LIBRARY");
  throw error;
}

std::vector<std::string> companion_libraries(const Pin& pin, const Unpacked& files, std::vector<std::string>& notes) {
  std::vector<std::string> out;
  for (const std::string& name : pin.libraries) {
    const auto found = std::ranges::find_if(files.files, [&](const auto& file) { return file_name(file.first) == name; });
    if (found != files.files.end()) out.push_back(found->first);
    else notes.push_back(text("{} has no {}", pin.file, name));
  }
  return out;
}

}  // namespace pier
