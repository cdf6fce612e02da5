#include "inspect/macho.h"

#include <algorithm>

namespace pier::inspection {
namespace {

// Numbers of Mach-O as Apple documents them (loader.h, fat.h, cs_blobs.h of the open XNU and cctools sources).
constexpr std::uint32_t magic_32 = 0xfeedface, magic_64 = 0xfeedfacf, magic_fat = 0xcafebabe, magic_fat_64 = 0xcafebabf;

enum Command : std::uint32_t {
  must_understand = 0x80000000,
  segment_32 = 0x1,
  symbol_table = 0x2,
  load_dylib = 0xc,
  id_dylib = 0xd,
  load_weak_dylib = 0x18 | must_understand,
  segment_64 = 0x19,
  uuid = 0x1b,
  runtime_path = 0x1c | must_understand,
  code_signature = 0x1d,
  reexport_dylib = 0x1f | must_understand,
  lazy_load_dylib = 0x20,
  dyld_info = 0x22,
  dyld_info_only = 0x22 | must_understand,
  load_upward_dylib = 0x23 | must_understand,
  version_min_macos = 0x24,
  version_min_ios = 0x25,
  version_min_tvos = 0x2f,
  version_min_watchos = 0x30,
  build_version = 0x32,
  exports_trie = 0x33 | must_understand,
};

constexpr std::string_view in_header = "the Mach-O header";
constexpr std::string_view in_command = "a load command";
constexpr std::string_view in_signature = "the code signature";

std::string cpu_name(std::uint32_t type, std::uint32_t subtype) {
  constexpr std::uint32_t wide = 0x01000000;
  const std::uint32_t model = subtype & 0x00ffffff;
  switch (type) {
    case 7 | wide: return model == 8 ? "x86_64h" : "x86_64";
    case 12 | wide: return model == 2 ? "arm64e" : "arm64";
    case 12 | 0x02000000: return "arm64_32";
    case 7: return "i386";
    case 12: return "arm";
    case 18: return "ppc";
    case 18 | wide: return "ppc64";
    default: return text("cpu-{}", type);
  }
}

std::string system_name(std::uint32_t platform) {
  switch (platform) {
    case 1: return "macos";
    case 2: return "ios";
    case 3: return "tvos";
    case 4: return "watchos";
    case 5: return "bridgeos";
    case 6: return "maccatalyst";
    case 7: return "iossimulator";
    case 8: return "tvossimulator";
    case 9: return "watchossimulator";
    case 10: return "driverkit";
    case 11: return "visionos";
    case 12: return "visionossimulator";
    default: return text("apple-{}", platform);
  }
}

ObjectKind kind_of(std::uint32_t type) {
  switch (type) {
    case 1: return ObjectKind::object_file;
    case 2: return ObjectKind::executable;
    case 6:
    case 8: return ObjectKind::shared_library;  // a dylib, a bundle: dlopen takes both
    default: return ObjectKind::other;
  }
}

// Versions are packed as 16.8.8 bits.
ReleaseNumber release(std::uint32_t packed) { return {packed >> 16, packed >> 8 & 0xff, packed & 0xff}; }

CodeSignature read_signature(const Reader& image, std::uint64_t offset, std::uint64_t size) {
  constexpr std::uint32_t super_blob = 0xfade0cc0, code_directory = 0xfade0c02, flag_ad_hoc = 0x2;
  const Reader blob = image.part(offset, size, in_signature).with_order(true);
  if (blob.u32(0, in_signature) != super_blob) blob.fail("the code signature has an unknown layout", 0);
  const std::uint64_t count = blob.u32(8, in_signature);
  if (count > most_entries) blob.fail("the code signature has too many parts", 8);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (blob.u32(12 + i * 8, in_signature) != 0) continue;
    const std::uint64_t directory = blob.u32(16 + i * 8, in_signature);
    if (blob.u32(directory, in_signature) != code_directory) blob.fail("the code directory has an unknown layout", directory);
    return blob.u32(directory + 12, in_signature) & flag_ad_hoc ? CodeSignature::ad_hoc : CodeSignature::signed_by_someone;
  }
  return CodeSignature::none;
}

class ImageReader {
 public:
  ImageReader(const Reader& bytes, const Owner& owner) : bytes_(bytes), owner_(owner) {}

  Image read() {
    image_.offset = bytes_.base();
    image_.size = bytes_.size();
    read_order();
    const std::uint32_t header = image_.bits == 64 ? 32 : 28;
    image_.arch = cpu_name(bytes_.u32(4, in_header), bytes_.u32(8, in_header));
    const std::uint32_t type = bytes_.u32(12, in_header);
    image_.kind = kind_of(type);
    const std::uint32_t commands = bytes_.u32(16, in_header);
    const std::uint32_t commands_size = bytes_.u32(20, in_header);
    bytes_ = bytes_.with_label(text("{} ({} {})", bytes_.label(), image_.arch, name(image_.kind)));
    read_commands(bytes_.part(header, commands_size, "the load commands"), commands);
    // Before LC_VERSION_MIN commands existed there was only macOS.
    if (system_.empty()) system_ = "macos";
    image_.platform = system_ + "-" + image_.arch;
    image_.loadable = image_.kind == ObjectKind::shared_library;
    if (tables_.trie || tables_.symbols) image_.symbols = make_macho_symbols(bytes_, owner_, image_.bits, tables_);
    return std::move(image_);
  }

 private:
  void read_order() {
    const std::uint32_t magic = bytes_.with_order(true).u32(0, in_header);
    const std::uint32_t other = bytes_.with_order(false).u32(0, in_header);
    image_.big_endian = magic == magic_32 || magic == magic_64;
    if (!image_.big_endian && other != magic_32 && other != magic_64)
      bytes_.fail("the table of architectures points at something that is not Mach-O", 0);
    image_.bits = (image_.big_endian ? magic : other) == magic_64 ? 64 : 32;
    bytes_ = bytes_.with_order(image_.big_endian);
  }

  void read_commands(const Reader& commands, std::uint32_t count) {
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t size = commands.u32(at + 4, in_command);
      if (size < 8) commands.fail(text("a load command has {} bytes, fewer than its own header", size), at);
      read_command(commands.part(at, size, in_command));
      at += size;
    }
  }

  void read_command(const Reader& command) {
    switch (command.u32(0, in_command)) {
      case segment_32: check_segment(command, 32); break;
      case segment_64: check_segment(command, 64); break;
      case load_dylib:
      case reexport_dylib:
      case lazy_load_dylib:
      case load_upward_dylib: add_needed(command, false); break;
      case load_weak_dylib: add_needed(command, true); break;
      case id_dylib: image_.soname = string_of(command, "the install name"); break;
      case runtime_path:
        if (image_.rpath.size() == most_entries) command.fail("too many LC_RPATH commands", 0);
        image_.rpath.push_back(string_of(command, "an LC_RPATH folder"));
        break;
      case uuid: image_.build_id = hex(command.part(8, 16, "the UUID").bytes()); break;
      case symbol_table:
        tables_.symbols = {command.u32(8, in_command), command.u32(12, in_command)};
        tables_.strings = {command.u32(16, in_command), command.u32(20, in_command)};
        bytes_.require(tables_.symbols->offset, tables_.symbols->size * (image_.bits == 64 ? 16 : 12), "the symbol table");
        bytes_.require(tables_.strings.offset, tables_.strings.size, "the string table");
        break;
      case dyld_info:
      case dyld_info_only: set_trie(command, 40); break;
      case exports_trie: set_trie(command, 8); break;
      case code_signature:
        image_.signature = read_signature(bytes_, command.u32(8, in_command), command.u32(12, in_command));
        break;
      case build_version: set_system(command, system_name(command.u32(8, in_command)), 12); break;
      case version_min_macos: set_system(command, "macos", 8); break;
      case version_min_ios: set_system(command, "ios", 8); break;
      case version_min_tvos: set_system(command, "tvos", 8); break;
      case version_min_watchos: set_system(command, "watchos", 8); break;
      default: break;
    }
  }

  void check_segment(const Reader& command, int bits) const {
    const std::uint64_t offset = command.word(bits == 64 ? 40 : 32, bits, in_command);
    const std::uint64_t size = command.word(bits == 64 ? 48 : 36, bits, in_command);
    // Only files that can be loaded hold their segments' bytes: debug companions do not.
    if (image_.kind == ObjectKind::shared_library || image_.kind == ObjectKind::executable)
      bytes_.require(offset, size, "a segment");
  }

  static std::string string_of(const Reader& command, std::string_view what) {
    return std::string(command.string(command.u32(8, in_command), what));
  }

  void add_needed(const Reader& command, bool optional) {
    if (image_.needed.size() == most_entries) command.fail(text("more than {} needed libraries", most_entries), 0);
    // Newer linkers put flags behind the usual fields and mark that in the time stamp.
    constexpr std::uint32_t flags_marker = 0x1a741800, flag_weak = 1;
    if (command.u32(8, in_command) >= 28 && command.u32(12, in_command) == flags_marker)
      optional = optional || (command.u32(24, in_command) & flag_weak) != 0;
    image_.needed.push_back({string_of(command, "the name of a needed library"), optional});
  }

  void set_trie(const Reader& command, std::uint64_t at) {
    const MachoTables::Range range{command.u32(at, in_command), command.u32(at + 4, in_command)};
    bytes_.require(range.offset, range.size, "the export trie");
    if (range.size != 0) tables_.trie = range;
  }

  void set_system(const Reader& command, std::string system, std::uint64_t version_at) {
    // A zippered library is built for macOS and Mac Catalyst at once: macOS counts, wherever it stands.
    if (system_ == "macos" && system != "macos") return;
    system_ = std::move(system);
    image_.minimum_system = release(command.u32(version_at, in_command));
    const std::uint32_t sdk = command.u32(version_at + 4, in_command);
    if (sdk != 0) image_.sdk = release(sdk);
  }

  Reader bytes_;
  Owner owner_;
  Image image_;
  std::string system_;
  MachoTables tables_;
};

std::vector<Image> read_universal(const Reader& file, const Owner& owner, int bits) {
  constexpr std::string_view what = "the table of architectures";
  constexpr std::uint32_t most_architectures = 44;
  const std::uint32_t count = file.u32(4, what);
  if (count == 0) file.fail("the universal file holds no architecture", 4);
  if (count > most_architectures) file.fail(text("{} architectures in one file are not believable", count), 4);
  const std::uint64_t entry_size = bits == 64 ? 32 : 20;
  const Reader table = file.part(8, count * entry_size, what);
  std::vector<Image> images;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Reader entry = table.part(i * entry_size, entry_size, what);
    const std::string arch = cpu_name(entry.u32(0, what), entry.u32(4, what));
    const std::uint64_t offset = entry.word(8, bits, what);
    const std::uint64_t size = entry.word(bits == 64 ? 16 : 12, bits, what);
    const Reader slice = file.part(offset, size, text("the {} image of the universal file", arch));
    Image image = ImageReader(slice, owner).read();
    if (image.arch != arch)
      table.fail(text("the table of architectures says {}, the image there is {}", arch, image.arch), i * entry_size);
    images.push_back(std::move(image));
  }
  return images;
}

}  // namespace

std::vector<Image> read_macho(const Reader& file, const Owner& owner, bool& universal) {
  for (const bool big_endian : {true, false}) {
    const Reader ordered = file.with_order(big_endian);
    const std::uint32_t magic = ordered.u32(0, in_header);
    if (magic != magic_fat && magic != magic_fat_64) continue;
    universal = true;
    return read_universal(ordered, owner, magic == magic_fat_64 ? 64 : 32);
  }
  universal = false;
  std::vector<Image> images;
  images.push_back(ImageReader(file, owner).read());
  return images;
}

}  // namespace pier::inspection
