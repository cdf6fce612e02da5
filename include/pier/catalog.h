#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/attribute.h>
#include <pier/export.h>
#include <pier/store.h>

namespace pier {

/// Something that must be on a machine for a package to work there: a library, and a symbol version that it defines.
struct CatalogNeed {
  std::string library;  ///< "libstdc++.so.6"
  std::string version;  ///< "GLIBCXX_3.4.22"; empty when the library alone is enough.
};

/// One file of a package: a platform's.
struct CatalogFile {
  Pin pin;
  std::vector<CatalogNeed> needs;
};

/// One package that serves an accelerator.
struct CatalogPackage {
  std::string name;
  std::string version;
  std::string api_version;   ///< PJRT API version of its library: "0.115".
  std::string licence;       ///< As the package states it.
  std::string registers_as;  ///< The name under which it registers with other frameworks; may be empty.
  std::string note;          ///< For whoever has to choose.
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<CatalogFile> files;
};

/// What pier knows about an accelerator. The keys are documented in catalog/README.md.
struct CatalogEntry {
  std::string id;
  std::string title;
  std::vector<std::string> labels;
  int priority = 0;
  std::vector<std::string> seen;       ///< Signs that its device is there, "always" or "path:/dev/kfd"; one is enough.
  std::vector<std::string> variables;  ///< In which users of other tools name its library or folder.
  bool fetch_unasked = false;          ///< May be fetched when someone connects to it and it is missing.
  std::vector<CatalogPackage> packages;  ///< In order of preference.
  std::string source;                  ///< The file it was read from, or "built in".
};

/// Ids of all entries, in alphabetical order: those built in, and those of the folder that PIER_CATALOG names. Throws Error
/// (permission_denied) when others can write that folder, or not_found when there is none.
PIER_API std::vector<std::string> catalog_ids();

/// The entry of that id, or nothing. Only this entry is parsed. Throws Error (invalid_argument) that names file, line and key
/// when the entry is not well-formed.
PIER_API std::optional<CatalogEntry> catalog_entry(std::string_view id);

/// Parses one entry; `source` stands in messages. Throws as catalog_entry() does.
PIER_API CatalogEntry parse_catalog_entry(std::string_view toml, std::string_view source);

}  // namespace pier
