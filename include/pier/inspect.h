#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pier/export.h>

namespace pier {

enum class BinaryFormat { elf, macho, pe };
enum class ObjectKind { shared_library, executable, object_file, other };
enum class CodeSignature { none, ad_hoc, signed_by_someone };

/// "elf", "mach-o", "pe".
PIER_API std::string_view name(BinaryFormat format) noexcept;
/// "shared library", "executable", "object file", "other".
PIER_API std::string_view name(ObjectKind kind) noexcept;
/// "none", "ad hoc", "signed".
PIER_API std::string_view name(CodeSignature signature) noexcept;

/// A version of an operating system, its SDK or its C library: 13.0.0, 2.36.
struct ReleaseNumber {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const ReleaseNumber&, const ReleaseNumber&) = default;
};
/// "13.0", or "13.0.1" when the patch number is not zero.
PIER_API std::string to_string(ReleaseNumber number);

/// A library that must be (or, when optional, may be) found when this one is loaded.
struct NeededLibrary {
  std::string name;       ///< As the file says it: "libc.so.6", "@rpath/libmlx.dylib", "KERNEL32.dll".
  bool optional = false;  ///< Mach-O weak load, PE delay load: loading goes on without it.
  friend bool operator==(const NeededLibrary&, const NeededLibrary&) = default;
};

/// A symbol version that another library must define (ELF): GLIBC_2.34 of libc.so.6.
struct SymbolVersion {
  std::string library;
  std::string version;
  bool weak = false;  ///< The loader only warns when it is missing.
  friend bool operator==(const SymbolVersion&, const SymbolVersion&) = default;
};

/// One architecture's library inside a file. Its tables of exported symbols are read when asked for.
struct PIER_API Image {
  std::string arch;      ///< The processor as its system spells it: "x86_64", "aarch64" (Linux), "arm64" (macOS), "riscv64".
  std::string platform;  ///< "linux-x86_64", "macos-arm64", "windows-x86_64", "ios-arm64", "freebsd-x86_64".
  int bits = 64;
  bool big_endian = false;
  ObjectKind kind = ObjectKind::other;
  std::uint64_t offset = 0;  ///< Where the image starts in the file, in bytes.
  std::uint64_t size = 0;    ///< Bytes of the image.

  std::string soname;                 ///< DT_SONAME, install name or PE export name; may be empty.
  std::string build_id;               ///< Build id, UUID or PDB GUID in hexadecimal; may be empty.
  std::vector<NeededLibrary> needed;  ///< In the file's order.
  std::vector<std::string> rpath;     ///< DT_RPATH or LC_RPATH, one folder each, as written ($ORIGIN, @loader_path kept).
  std::vector<std::string> runpath;   ///< DT_RUNPATH; when there is one, the loader ignores rpath.
  std::vector<SymbolVersion> versions_needed;   ///< ELF, in the file's order.
  std::vector<std::string> versions_defined;    ///< ELF: what other libraries can ask of this one.
  std::optional<ReleaseNumber> minimum_system;  ///< Mach-O: least macOS. PE: subsystem version. ELF: newest GLIBC_ version needed.
  std::optional<ReleaseNumber> sdk;             ///< Mach-O: the SDK it was built with.
  int x86_level = 0;                            ///< ELF: x86-64 level that a property note demands (1 to 4), 0 without one.
  bool no_default_folders = false;              ///< ELF DF_1_NODEFLIB: the loader skips the system's folders.
  bool executable_stack = false;                ///< ELF: asks for a stack with code in it, which glibc 2.41 and later refuse.
  bool loadable = true;  ///< False when the loader has nothing to work with: no dynamic section, a stub without code.
  CodeSignature signature = CodeSignature::none;

  /// The newest version with that prefix in versions_needed, without the prefix: newest_needed("GLIBCXX_") is "3.4.22".
  std::optional<std::string> newest_needed(std::string_view prefix) const;

  /// Whether the loader's lookup of that C name would succeed: through the hash table, the export trie or the export
  /// directory. Mach-O's leading underscore is added here. Throws IntegrityError when those tables are damaged.
  bool exports(std::string_view symbol) const;
  /// The exported symbol as the file spells it: "GetPjrtApi@@VERS_1.0", "_GetPjrtApi".
  std::optional<std::string> find_export(std::string_view symbol) const;
  /// Exported names that could be a misspelling of `symbol`, C++ mangled ones too; at most `limit`, closest first.
  std::vector<std::string> similar_exports(std::string_view symbol, std::size_t limit = 8) const;

  /// How the readers hand over the lazy tables; nothing for callers.
  class Symbols;
  std::shared_ptr<const Symbols> symbols;
};

/// A library file read without loading it.
struct PIER_API Binary {
  std::string name;            ///< The path or the given name, for messages.
  std::filesystem::path path;  ///< Absolute; empty when read from bytes.
  std::uint64_t size = 0;      ///< Bytes of the file.
  BinaryFormat format = BinaryFormat::elf;
  std::vector<Image> images;  ///< At least one; several only in a universal Mach-O file.
  bool universal = false;     ///< A Mach-O file with a table of architectures, even if it holds only one.

  /// The image for "linux-x86_64", "macos-arm64" ... or null. Throws Error (invalid_argument) on an unknown platform.
  const Image* image_for(std::string_view platform) const;
  /// "linux-x86_64", or "macos-x86_64, macos-arm64".
  std::string platforms() const;
};

/// Reads the headers of an ELF, Mach-O (thin or universal) or PE file. The file is mapped, and only the pages that hold
/// headers and tables are touched. The mapping lives as long as the Binary or one of its images does.
/// Throws IntegrityError that says what the file is instead (web page, archive, text ...) or where it is damaged or cut
/// off; Error (not_found, permission_denied, io) when it cannot be read.
PIER_API Binary inspect(const std::filesystem::path& path);

/// The same for bytes in memory, which must outlive the Binary and its images. `name` stands in messages.
PIER_API Binary inspect(std::span<const std::byte> bytes, std::string_view name);

enum class Severity { error, warning, info };
/// "error", "warning", "info".
PIER_API std::string_view name(Severity severity) noexcept;

/// One thing that preflight noticed.
struct Finding {
  Severity severity = Severity::info;
  /// For programs: not-a-library, damaged, wrong-architecture, wrong-platform, not-shared, entry-missing, glibc-too-old,
  /// libstdcxx-too-old, symbol-version, library-missing, library-broken, library-shadowed, search-incomplete,
  /// no-version-information, macos-too-old, unsigned, quarantined, cpu-too-old, noexec, executable-stack, foreign.
  std::string code;
  std::string message;
  std::string remedy;  ///< What to do; may be empty.
};

/// Where a needed library was found, or was looked for.
struct LibraryLookup {
  std::string name;
  std::string needed_by;                    ///< Path of the library that needs it.
  bool optional = false;
  std::optional<std::filesystem::path> path;
  std::string how;                          ///< "RUNPATH of <path>", "already loaded", "LD_LIBRARY_PATH", "/etc/ld.so.cache" ...
  std::vector<std::string> looked_in;       ///< Every place tried, in the loader's order, with why it was not taken.
};

struct PreflightOptions {
  /// The platform that shall load it; empty for this machine.
  std::string platform;
  /// The C function that it must export; empty for none.
  std::string entry_symbol = "GetPjrtApi";
  /// Version of the target's system (macOS, or glibc on Linux) when it is not this machine and is known.
  std::optional<ReleaseNumber> system;
  /// Libraries that will be loaded before this one by absolute path; they satisfy needs by soname.
  std::vector<std::filesystem::path> preloaded;
  /// Processor features that the plugin is known to need, named as /proc/cpuinfo does: "avx2", "sve".
  std::vector<std::string> cpu_features;
};

struct PIER_API Preflight {
  std::optional<Binary> binary;  ///< Nothing when the file could not be read as a library.
  std::vector<Finding> findings;
  /// Needed libraries, direct and indirect, in the loader's order. For a foreign platform only the folders that the file
  /// names relative to itself are looked at; what is not there is left to the other machine and is no finding.
  std::vector<LibraryLookup> libraries;

  /// No finding is an error.
  bool ok() const noexcept;
};

/// Everything that can be known without loading: format, architecture, entry symbol, system version, symbol versions and
/// needed libraries, found as this machine's loader finds them. A foreign platform's library is checked as far as its file
/// tells. Throws Error (invalid_argument) on an unknown platform only.
PIER_API Preflight preflight(const Binary& binary, const PreflightOptions& options = {});

/// Reads the file first; what is wrong with it becomes a finding. Throws Error when it cannot be read at all (missing,
/// no permission).
PIER_API Preflight preflight(const std::filesystem::path& path, const PreflightOptions& options = {});

}  // namespace pier
