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

/// Something that must be on a machine for a package to work there: a library, or the version of a driver.
struct CatalogNeed {
  std::string library;  ///< "libstdc++.so.6"; empty where a file is named.
  std::string version;  ///< The library defines it, "GLIBCXX_3.4.22", or empty; the file holds one of it, ">=580" (PEP 440).
  std::string file;     ///< "/sys/module/nvidia/version": text that begins with a version. Where it is not there nothing is held.
};

/// One file of a package: a platform's.
struct CatalogFile {
  Pin pin;
  std::vector<CatalogNeed> needs;
};

/// Another package whose files a plugin looks for beside its own: NVIDIA's libraries.
struct CatalogCompanion {
  std::string name;
  std::string version;                 ///< PEP 440.
  std::vector<std::string> libraries;  ///< Names by which the plugin asks the loader, in the order in which they are to be loaded.
  std::string fits;       ///< PEP 440: which versions found on the machine may take its place; empty: none.
  bool optional = false;  ///< The plugin loads and runs without it.
  std::vector<Pin> files; ///< One for each platform that needs it; no member.
};

/// One package that serves an accelerator.
struct CatalogPackage {
  std::string name;
  std::string version;
  std::string api_version;   ///< PJRT API version of its library: "0.115".
  std::string licence;       ///< As the package states it.
  std::string registers_as;  ///< The name under which it registers with other frameworks; may be empty.
  std::string note;          ///< For whoever has to choose.
  bool old = false;          ///< Never chosen unless someone names it.
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<CatalogFile> files;
  std::vector<CatalogCompanion> companions;
};

/// A package that somebody may ask for and that cannot be used.
struct UnusablePackage {
  std::string name;
  std::string id;       ///< The accelerator it is for; may be empty.
  std::string reason;
  std::string instead;  ///< The id to install instead; empty when there is none.
};

/// What pier knows about an accelerator. The keys are documented in catalog/README.md.
struct CatalogEntry {
  std::string id;
  std::string title;
  std::vector<std::string> labels;
  int priority = 0;
  std::vector<std::string> seen;       ///< Signs that its device is there, "path:/dev/kfd" or "pci:10de:03"; one is enough.
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

/// What is known of a package that cannot be used, by its name in any spelling (PEP 503); nothing for all others. Looks into
/// unusable.toml of the folder that PIER_CATALOG names, then into the built-in one. Throws as catalog_entry() does.
PIER_API std::optional<UnusablePackage> unusable_package(std::string_view name);

/// Parses unusable.toml; `source` stands in messages. Throws as catalog_entry() does.
PIER_API std::vector<UnusablePackage> parse_unusable_packages(std::string_view toml, std::string_view source);

}  // namespace pier
