#include <algorithm>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"
#include "store/index.h"
#include "store/noted.h"
#include "store/version.h"

namespace pier {
namespace {

// JSON is asked for first; some servers know only the newer name of HTML, most only the old one.
constexpr std::string_view accepted_types =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1, */*;q=0.01";

std::string project_url(std::string_view index, std::string_view project) {
  std::string url(index);
  while (url.ends_with('/')) url.pop_back();
  return text("{}/{}/", url, normalize_name(project));
}

std::filesystem::path local_path(std::string_view place) {
  return looks_like_url(place) ? std::filesystem::path(parse_url(place).path) : std::filesystem::path(place);
}

IndexProject files_of_folder(const std::filesystem::path& folder) {
  IndexProject project;
  project.page = project.base = file_url(folder / "index.html");
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".whl") project.files.push_back({.name = it->path().filename(), .url = it->path().filename()});
  if (error) throw_errno(error.value(), "list", folder);
  return project;
}

IndexProject file_by_itself(const std::filesystem::path& file) {
  IndexProject project;
  project.page = project.base = file_url(file);
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) project.files.push_back({.name = file.filename(), .url = file.filename()});
  return project;
}

void compare_with_pin(const IndexFile& file, const Pin& pin, std::string_view where) {
  const std::string wanted = lower_ascii(pin.sha256);
  const std::string_view remedy = "use another index (--index-url or PIER_INDEX_URL), or a folder with the pinned file (--find-links)";
  if (!file.sha256.empty() && file.sha256 != wanted)
    throw noted(IntegrityError(text("{} offers other bytes under the name {}", where, pin.file)), text("pinned: SHA-256 {}", wanted),
                text("offered: SHA-256 {}", file.sha256), remedy);
  if (file.size && pin.size != 0 && *file.size != pin.size)
    throw noted(IntegrityError(text("{} offers {} with {} bytes, pinned are {}", where, pin.file, *file.size, pin.size)), remedy);
}

// The pinned file on a page; nothing, and a line about it, when the page has none.
std::optional<PackageSource> search(const IndexProject& project, const Pin& pin, std::string_view place, std::vector<std::string>& looked) {
  const auto found = std::ranges::find(project.files, pin.file, &IndexFile::name);
  if (found == project.files.end()) {
    looked.push_back(text("{}: has {} files of {}, but not this one", place, project.files.size(), pin.package));
    return std::nullopt;
  }
  compare_with_pin(*found, pin, place);
  return source_of(project, *found, std::string(place));
}

// One place of this machine: a folder with the file or with a page of the project, the file itself, or a page that links to it.
void search_here(const IndexConfig::Index& place, bool is_index, const Pin& pin, LocalFiles& local) {
  const std::filesystem::path path = local_path(place.url);
  const auto passed_over = [&](std::string_view why) {
    local.looked.push_back(text("{} ({}): {}", path.native(), place.from, why));
  };
  std::error_code error;
  const auto take_file = [&](const std::filesystem::path& file) {
    const auto size = std::filesystem::file_size(file, error);
    if (error) passed_over(text("{} cannot be read: {}", pin.file, error.message()));
    else if (pin.size != 0 && size != pin.size) {
      passed_over(text("{} has {} bytes, pinned are {}", pin.file, size, pin.size));
      local.differs = true;
    } else local.files.push_back({.where = file, .from = file.parent_path().native()});
  };
  const auto take_page = [&](const std::filesystem::path& page) {
    auto source = search(read_local_page(page), pin, path.native(), local.looked);
    if (!source) return;
    if (!source->is_local()) local.linked.push_back(std::move(*source));
    else if (const auto& file = std::get<std::filesystem::path>(source->where); std::filesystem::is_regular_file(file, error))
      local.files.push_back(std::move(*source));
    else passed_over(text("its page links to {}, which is not there", file.native()));
  };
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return passed_over("there is no such file or folder");
  if (std::filesystem::is_directory(status)) {
    const std::filesystem::path page = path / normalize_name(pin.package) / "index.html";
    if (!is_index && std::filesystem::is_regular_file(path / pin.file, error)) return take_file(path / pin.file);
    if (is_index && std::filesystem::is_regular_file(page, error)) return take_page(page);
    return passed_over(is_index ? text("knows no project {}", pin.package) : text("has no {}", pin.file));
  }
  if (path.filename() == pin.file) return take_file(path);
  if (path.filename().native().ends_with(".whl")) return passed_over("is another file");
  take_page(path);
}

}  // namespace

std::optional<IndexProject> read_project(HttpClient* client, const IndexConfig::Index& place, bool is_index, std::string_view package) {
  if (is_local(place.url)) {
    std::filesystem::path path = local_path(place.url);
    std::error_code error;
    const bool folder = std::filesystem::is_directory(path, error);
    if (is_index) path = path / normalize_name(package) / "index.html";
    if ((!folder || is_index) && !path.native().ends_with(".whl")) {
      if (!std::filesystem::exists(path, error)) return std::nullopt;
      return read_local_page(path);
    }
    return folder ? files_of_folder(path) : file_by_itself(path);
  }
  if (!client) return std::nullopt;
  const Url url = parse_url(is_index ? project_url(place.url, package) : place.url);
  if (!is_index && url.file_name().ends_with(".whl")) {
    IndexProject project{.page = url, .base = url, .files = {}};
    project.files.push_back({.name = std::string(url.file_name()), .url = url.text});
    return project;
  }
  auto document = client->get_document(url, std::string(is_index ? accepted_types : "text/html"), index_page_limit);
  if (!document) return std::nullopt;
  return read_page(std::move(*document));
}

LocalFiles find_local(const IndexConfig& config, const Pin& pin) {
  LocalFiles local;
  const auto look = [&](const IndexConfig::Index& place, bool is_index) {
    if (!is_local(place.url)) return;
    try {
      search_here(place, is_index, pin, local);
    } catch (const Error& error) {
      local.differs = local.differs || error.code() == ErrorCode::integrity;
      local.looked.push_back(text("{} ({}): {}", redact_url(place.url), place.from, error.message()));
    }
  };
  for (const auto& place : config.find_links) look(place, false);
  for (const auto& index : config.indexes) look(index, true);
  return local;
}

std::vector<ProjectPage> project_pages(HttpClient& client, const IndexConfig& config, std::string_view project) {
  if (config.indexes.empty())
    throw Error(ErrorCode::not_available, config.no_index.empty() ? std::string("no package index is set")
                                                                  : text("{} forbids every package index", config.no_index))
        .note("name one with --index-url, PIER_INDEX_URL or PIP_INDEX_URL, or in pip's configuration (index-url)");
  std::vector<ProjectPage> pages;
  for (const auto& index : config.indexes) {
    if (is_local(index.url)) {
      const std::filesystem::path page = local_path(index.url) / normalize_name(project) / "index.html";
      std::error_code error;
      if (std::filesystem::is_regular_file(page, error)) pages.push_back({redact_url(index.url), read_local_page(page)});
    } else if (auto document = client.get_document(parse_url(project_url(index.url, project)), std::string(accepted_types), index_page_limit)) {
      pages.push_back({redact_url(index.url), read_page(std::move(*document))});
    }
  }
  return pages;
}

PackageSource find_remote(HttpClient& client, const IndexConfig& config, const Pin& pin, const LocalFiles& local) {
  if (!local.linked.empty()) return local.linked.front();
  std::vector<std::string> looked = local.looked;
  std::optional<NetworkError> failed;
  const auto attempt = [&](const IndexConfig::Index& index, bool is_page) -> std::optional<PackageSource> {
    const std::string place = redact_url(index.url);
    try {
      // A link may name the file itself.
      if (is_page && parse_url(index.url).file_name() == pin.file) return PackageSource{.where = parse_url(index.url), .from = place};
      if (auto project = read_project(&client, index, !is_page, pin.package)) return search(*project, pin, place, looked);
      looked.push_back(text("{} ({}): knows no project {}", place, index.from, pin.package));
    } catch (const IntegrityError&) {
      throw;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) throw;
      looked.push_back(text("{} ({}): {}", place, index.from, error.message()));
      const auto* network = dynamic_cast<const NetworkError*>(&error);
      if (network && !failed) failed = *network;
    }
    return std::nullopt;
  };
  for (const auto& place : config.find_links)
    if (!is_local(place.url))
      if (auto source = attempt(place, true)) return *source;
  for (const auto& index : config.indexes)
    if (!is_local(index.url))
      if (auto source = attempt(index, false)) return *source;

  NetworkError error(text("{} was not found on any index", pin.file));
  if (config.indexes.empty())
    error = NetworkError(config.no_index.empty() ? text("no package index is set, so {} cannot be fetched", pin.file)
                                                 : text("{} forbids every package index, so {} cannot be fetched", config.no_index, pin.file));
  else if (failed)
    error = looked.size() == 1 ? *failed : NetworkError(text("{} cannot be fetched from any index", pin.file));
  for (std::string& line : looked) error.note(std::move(line));
  if (config.indexes.empty() && config.no_index.empty())
    error.note("name one with --index-url, PIER_INDEX_URL or PIP_INDEX_URL, or in pip's configuration (index-url)");
  else error.note("another index is named with --index-url or PIER_INDEX_URL; a folder with the file with --find-links");
  throw error;
}

}  // namespace pier
