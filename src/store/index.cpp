#include "store/index.h"

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "store/noted.h"

namespace pier {
namespace {

// A link on a local page names a file next to it.
std::filesystem::path beside(const Url& page, std::string_view link) {
  const std::string_view plain = link.substr(0, link.find_first_of("?#"));
  if (looks_like_url(plain)) return parse_url(plain).path;
  return std::filesystem::path(page.path).parent_path() / percent_decode(plain);
}

}  // namespace

Url file_url(const std::filesystem::path& path) {
  Url url;
  url.scheme = "file";
  url.path = path.native();
  url.text = "file://" + url.path;
  return url;
}

IndexProject read_page(HttpDocument document) {
  IndexProject project{.page = document.url, .base = document.url, .files = {}};
  const IndexVisitor keep = [&](IndexFile&& file) { project.files.push_back(std::move(file)); };
  try {
    // The type may be missing or wrong; what the text starts with is not.
    const std::size_t start = document.body.find_first_not_of(" \t\r\n");
    const bool looks_like_json = start != std::string::npos && document.body[start] == '{';
    if (document.content_type.ends_with("json") || looks_like_json) {
      read_index_json(document.body, keep);
    } else {
      const std::string base = read_index_html(document.body, keep);
      if (base.empty()) return project;
      if (project.page.is_file() && is_local(base)) project.base = file_url(beside(project.page, base));
      else project.base = resolve_url(project.page, base);
    }
  } catch (NetworkError& error) {
    error.note(text("the page is {}", redact_url(project.page.text)));
    throw;
  }
  return project;
}

IndexProject read_local_page(const std::filesystem::path& file) {
  return read_page({.url = file_url(file), .content_type = "text/html", .body = read_file(file, index_page_limit)});
}

PackageSource source_of(const IndexProject& project, const IndexFile& file, std::string from) {
  PackageSource source{.where = Url{}, .from = std::move(from), .yanked_reason = file.yanked_reason, .yanked = file.yanked};
  const Url& page = project.page;
  if (page.is_file() && project.base.is_file() && is_local(file.url)) {
    source.where = beside(project.base, file.url);
    return source;
  }
  Url url = resolve_url(project.base, file.url);
  if (url.is_file()) {
    if (!page.is_file()) throw NetworkError(text("the page {} names a file on this machine: {}", redact_url(page.text), url.path));
    source.where = std::filesystem::path(url.path);
    return source;
  }
  if (page.scheme == "https" && url.scheme != "https")
    throw NetworkError(text("the page {} leaves https: {}", redact_url(page.text), redact_url(url.text)));
  source.where = std::move(url);
  return source;
}

}  // namespace pier
