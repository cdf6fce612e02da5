#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>
#include <pier/registry.h>

namespace pier::registry {

// What somebody asks for.
struct Query {
  enum class Kind { automatic, path, name };
  Kind kind = Kind::automatic;
  std::string text;  // The path, or the name in lower case.
  std::string said;  // As it was given.
  SearchDepth depth = SearchDepth::everything;

  // Whether a plugin of that id with those labels is an answer.
  bool wants(std::string_view id, const std::vector<std::string>& labels) const;
};

// Throws Error (invalid_argument) for what cannot be a selector.
Query parse_selector(std::string_view selector);

// The places that plugins come from, in the order of the search; each appends what it knows. A candidate with an empty reason
// can be taken, any other cannot. A new place is one function here and one file.
void search_path(const Query& query, Resolution& out);
void search_variables(const Query& query, Resolution& out);
void search_manifests(const Query& query, Resolution& out);
void search_python(const Query& query, Resolution& out);
void search_workspace(const Query& query, Resolution& out);  // Nothing of it can be taken: it is there to be registered.
void search_catalog(const Query& query, Resolution& out);

// A candidate for a library that somebody named, with what the catalog knows of an accelerator of that id. Does not look at the
// file: it may not be wanted.
Candidate candidate_for(const std::filesystem::path& library, std::string source, std::string id);

// Fills in the file's own path, its platform and, when it cannot be used here, the reason. Reads the file's header.
void check_file(Candidate& candidate);

// Gives a candidate the labels, the priority and, where the library or the name belongs to a package, the create options
// and environment that the catalog has for its id. `registered_as`: the name another framework uses; may be empty.
void complete_from_catalog(Candidate& candidate, const CatalogEntry& entry, std::string_view registered_as = {});

// A named file, or the libraries of a named folder that look like a plugin for the id (any id when it is empty), by name.
std::vector<std::filesystem::path> libraries_at(const std::filesystem::path& place, std::string_view id);

// "installed", "registered", ... with the library or the package: how messages name a candidate.
std::string describe(const Candidate& candidate);

}  // namespace pier::registry
