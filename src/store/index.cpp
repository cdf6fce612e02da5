#include "store/index.h"

#include <algorithm>

#include <pier/error.h>
#include <pier/log.h>

#include "base/file.h"
#include "base/text.h"
#include "store/noted.h"
#include "store/version.h"

namespace pier {
namespace {

// The largest page of a real index is about 20 MB.
constexpr std::uint64_t page_limit = std::uint64_t{128} << 20;
constexpr std::string_view json_type = "application/vnd.pypi.simple.v1+json";

// JSON is asked for first; some servers know only the newer name of HTML, most only the old one.
std::string accepted_types() {
  return std::string(json_type) + ", application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1, */*;q=0.01";
}

std::string project_url(std::string_view index, std::string_view project) {
  std::string url(index);
  while (url.ends_with('/')) url.pop_back();
  return text("{}/{}/", url, normalize_name(project));
}

std::filesystem::path local_path(std::string_view place) {
  return looks_like_url(place) ? std::filesystem::path(parse_url(place).path) : std::filesystem::path(place);
}

bool is_local(std::string_view place) { return !looks_like_url(place) || place.starts_with("file:") || place.starts_with("FILE:"); }

IndexProject read_page(HttpDocument document) {
  IndexProject project{.page = std::move(document.url), .files = {}};
  const IndexVisitor keep = [&](IndexFile&& file) {
    project.files.push_back(std::move(file));
    return true;
  };
  try {
    // The type may be missing or wrong; what the text starts with is not.
    const std::size_t start = document.body.find_first_not_of(" \t\r\n");
    const bool looks_like_json = start != std::string::npos && document.body[start] == '{';
    if (document.content_type.ends_with("json") || looks_like_json) {
      read_index_json(document.body, keep);
    } else {
      const std::string base = read_index_html(document.body, keep);
      if (!base.empty()) project.page = resolve_url(project.page, base);
    }
  } catch (NetworkError& error) {
    error.note(text("the page is {}", redact_url(project.page.text)));
    throw;
  }
  return project;
}

std::optional<IndexProject> local_project(const std::filesystem::path& index, std::string_view project) {
  const std::filesystem::path folder = index / normalize_name(project);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(folder / "index.html", ignored)) {
    HttpDocument page{.url = {}, .content_type = "text/html", .body = read_file(folder / "index.html", page_limit)};
    page.url.scheme = "file";
    page.url.path = (folder / "index.html").native();
    page.url.text = "file://" + page.url.path;
    return read_page(std::move(page));
  }
  return std::nullopt;
}

// A link on a local page names a file next to it.
std::filesystem::path beside(const Url& page, std::string_view link) {
  const std::string_view plain = link.substr(0, link.find_first_of("?#"));
  if (looks_like_url(plain)) return parse_url(plain).path;
  return std::filesystem::path(page.path).parent_path() / percent_decode(plain);
}

PackageSource source_of(const IndexProject& project, const IndexFile& file, std::string from) {
  PackageSource source{.where = Url{}, .from = std::move(from), .yanked_reason = file.yanked_reason, .yanked = file.yanked};
  if (project.page.is_file() && is_local(file.url)) source.where = beside(project.page, file.url);
  else source.where = resolve_url(project.page, file.url);
  if (const Url* url = std::get_if<Url>(&source.where)) {
    if (url->is_file()) throw NetworkError(text("the page {} names a file on this machine: {}", redact_url(project.page.text), url->path));
    if (project.page.scheme == "https" && url->scheme != "https")
      throw NetworkError(text("the page {} leaves https: {}", redact_url(project.page.text), redact_url(url->text)));
  }
  return source;
}

void compare_with_pin(const IndexFile& file, const Pin& pin, std::string_view where) {
  std::string wanted = pin.sha256;
  std::ranges::transform(wanted, wanted.begin(), [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (!file.sha256.empty() && file.sha256 != wanted)
    throw noted(IntegrityError(text("{} offers other bytes under the name {}", where, pin.file)),
              text("pinned: SHA-256 {}", wanted),
              text("offered: SHA-256 {}", file.sha256));
  if (file.size && pin.size != 0 && *file.size != pin.size)
    throw IntegrityError(text("{} offers {} with {} bytes, pinned are {}", where, pin.file, *file.size, pin.size));
}

}  // namespace

std::optional<IndexProject> fetch_project(HttpClient& client, const IndexConfig::Index& index, std::string_view project) {
  if (is_local(index.url)) return local_project(local_path(index.url), project);
  auto document = client.get_document(parse_url(project_url(index.url, project)), accepted_types(), page_limit);
  if (!document) return std::nullopt;
  return read_page(std::move(*document));
}

std::optional<PackageSource> find_local(const IndexConfig& config, const Pin& pin) {
  for (const auto& place : config.find_links) {
    if (!is_local(place.url)) continue;
    std::filesystem::path path = local_path(place.url);
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) path /= pin.file;
    if (path.filename() != pin.file || !std::filesystem::is_regular_file(path, error)) continue;
    const auto size = std::filesystem::file_size(path, error);
    if (!error && pin.size != 0 && size != pin.size) {
      log(LogLevel::warning, text("{} ({}) is passed over: it has {} bytes, pinned are {}", path.native(), place.from, size, pin.size));
      continue;
    }
    return PackageSource{.where = path, .from = path.parent_path().native()};
  }
  return std::nullopt;
}

PackageSource find_remote(HttpClient& client, const IndexConfig& config, const Pin& pin) {
  std::vector<std::string> looked;
  std::optional<NetworkError> failed;
  const auto search = [&](const IndexProject& project, std::string_view place) -> std::optional<PackageSource> {
    const auto found = std::ranges::find(project.files, pin.file, &IndexFile::name);
    if (found == project.files.end()) {
      looked.push_back(text("{}: has {} files of {}, but not this one", place, project.files.size(), pin.package));
      return std::nullopt;
    }
    compare_with_pin(*found, pin, place);
    return source_of(project, *found, std::string(place));
  };
  const auto attempt = [&](const IndexConfig::Index& index, bool is_page) -> std::optional<PackageSource> {
    const std::string place = redact_url(index.url);
    try {
      std::optional<IndexProject> project;
      if (is_page) {
        const Url url = parse_url(index.url);
        // A link may name the file itself.
        if (url.file_name() == pin.file) return PackageSource{.where = url, .from = place};
        if (auto page = client.get_document(url, "text/html", page_limit)) project = read_page(std::move(*page));
      } else {
        project = fetch_project(client, index, pin.package);
      }
      if (project) return search(*project, place);
      looked.push_back(text("{} ({}): knows no project {}", place, index.from, pin.package));
    } catch (const NetworkError& error) {
      looked.push_back(text("{} ({}): {}", place, index.from, error.message()));
      if (!failed) failed = error;
    }
    return std::nullopt;
  };
  for (const auto& place : config.find_links)
    if (!is_local(place.url))
      if (auto source = attempt(place, true)) return *source;
  for (const auto& index : config.indexes)
    if (auto source = attempt(index, false)) return *source;

  if (config.indexes.empty() && looked.empty())
    throw noted(NetworkError(text("no package index is set, so {} cannot be fetched", pin.file)),
              "name one with --index-url, PIER_INDEX_URL or PIP_INDEX_URL, or in pip's configuration (index-url)");
  NetworkError error(text("{} was not found on any index", pin.file));
  if (failed) error = looked.size() == 1 ? *failed : NetworkError(text("{} cannot be fetched from any index", pin.file));
  for (std::string& line : looked) error.note(std::move(line));
  error.note("another index is named with --index-url or PIER_INDEX_URL; a folder with the file with --find-links");
  throw error;
}

}  // namespace pier
