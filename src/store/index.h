#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pier/store.h>

#include "store/http.h"

namespace pier {

// Where packages come from on this machine, and how to get there.
struct IndexConfig {
  struct Index {
    std::string url;   // may hold credentials: show it through redact_url() only
    std::string from;  // the option, variable or file that named it
  };
  std::vector<Index> indexes;     // the index, then extra ones
  std::string no_index;           // the option, variable or file that forbids every index; empty when none does
  std::vector<Index> find_links;  // folders, files, pages; searched first
  HttpSettings http;
};

// In this order: the options given, PIER_INDEX_URL, PIP_INDEX_URL, UV_DEFAULT_INDEX, UV_INDEX_URL, pip's configuration
// files, the index that pier was built for.
IndexConfig index_config(std::string_view index_url = {}, const std::vector<std::string>& find_links = {});

// Whether the network must not be used: the options or PIER_OFFLINE say so.
bool is_offline(const InstallOptions& options);

// A file that an index offers.
struct IndexFile {
  std::string name;
  std::string url;     // as written; may be relative to the page
  std::string sha256;  // lower case; empty when the index gives none
  std::optional<std::uint64_t> size;
  std::string requires_python;
  bool yanked = false;
  std::string yanked_reason;
};

// Gets a project's files one by one.
using IndexVisitor = std::function<void(IndexFile&&)>;

// A project's page as JSON (PEP 691) or HTML (PEP 503). Throws NetworkError that says what is wrong with the page.
void read_index_json(std::string_view body, const IndexVisitor& visit);
// Returns the page's <base href>, or nothing. `visit` gets file names from the links.
std::string read_index_html(std::string_view body, const IndexVisitor& visit);

// A project as an index shows it.
struct IndexProject {
  Url page;  // where it was read: what its links are judged by
  Url base;  // what relative links are relative to
  std::vector<IndexFile> files;
};

// A file of this machine as the address of a page.
Url file_url(const std::filesystem::path& path);

// The largest page of a real index is about 20 MB.
inline constexpr std::uint64_t index_page_limit = std::uint64_t{128} << 20;

// A page that was fetched, in JSON or HTML. Throws NetworkError that says what is wrong with it.
IndexProject read_page(HttpDocument document);

// The page in a file of this machine.
IndexProject read_local_page(const std::filesystem::path& file);

// A place that packages come from, asked for a project: an index, or a find-links folder, file or page. Nothing when it has no
// such project. Local places need no client. Throws NetworkError, Error (io, invalid_argument).
std::optional<IndexProject> read_project(HttpClient* client, const IndexConfig::Index& place, bool is_index, std::string_view package);

// Where the pinned file can be had.
struct PackageSource {
  std::variant<Url, std::filesystem::path> where;
  std::string from;           // for the manifest: the index, page or folder, without credentials
  std::string yanked_reason;  // set when it is yanked
  bool yanked = false;

  bool is_local() const { return std::holds_alternative<std::filesystem::path>(where); }
};

// Where a link of a page leads. Throws NetworkError when a page of the network names a file of this machine or leaves https,
// whatever its <base> says.
PackageSource source_of(const IndexProject& project, const IndexFile& file, std::string from);

// What the places of this machine have.
struct LocalFiles {
  std::vector<PackageSource> files;   // of the pin's name; their bytes are compared with the pin when they are read
  std::vector<PackageSource> linked;  // on other machines, linked from pages here
  std::vector<std::string> looked;    // a line for each place without the file, and why
  bool differs = false;               // one of them has the pin's name with other bytes
};

// Looks into find-links folders, files and pages, and into indexes that are folders: no network.
LocalFiles find_local(const IndexConfig& config, const Pin& pin);

// Takes what local pages link to, else asks find-links pages, then the indexes in turn. Throws NetworkError that lists every
// place with what it said, local ones included, and IntegrityError when an index offers other bytes under the pinned name.
PackageSource find_remote(HttpClient& client, const IndexConfig& config, const Pin& pin, const LocalFiles& local = {});

// A project's page on one index.
struct ProjectPage {
  std::string place;  // the index, without credentials
  IndexProject project;
};

// The pages of every index that knows the project, in the order of the configuration; find-links are not asked. Throws
// Error (not_available) when there is no index at all, and NetworkError when one cannot be asked.
std::vector<ProjectPage> project_pages(HttpClient& client, const IndexConfig& config, std::string_view project);

}  // namespace pier
