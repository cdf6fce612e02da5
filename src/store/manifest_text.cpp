#include "store/manifest_text.h"

#include "base/file.h"

namespace pier {
namespace {

std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code error;
  auto whole = std::filesystem::absolute(path, error);
  if (error) throw_errno(error.value(), "find the folder of", path);
  return whole;
}

// One spelling for each folder: without a slash at its end, so that paths can be compared.
std::filesystem::path normal(const std::filesystem::path& path) {
  const std::filesystem::path clean = path.lexically_normal();
  return clean.has_filename() || clean == clean.root_path() ? clean : clean.parent_path();
}

}  // namespace

std::filesystem::path ManifestText::absolute_from(const std::filesystem::path& manifest, const std::filesystem::path& path) {
  return normal(path.is_absolute() ? path : whole_path(manifest).parent_path() / path);
}

std::string ManifestText::relative_to(const std::filesystem::path& manifest, const std::filesystem::path& path) {
  const std::filesystem::path base = whole_path(manifest).parent_path();
  const std::filesystem::path relative = path.lexically_relative(base);
  const std::filesystem::path below = path.lexically_relative(base.parent_path());
  const bool inside = !below.empty() && *below.begin() != "..";
  return inside && !relative.empty() ? relative.native() : path.native();
}

}  // namespace pier
