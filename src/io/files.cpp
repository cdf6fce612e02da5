#include <pier/files.h>

#include <array>
#include <optional>

#include <pier/error.h>
#include <pier/npz.h>
#include <pier/safetensors.h>

#include "base/ascii.h"
#include "base/text.h"
#include "io/npy_header.h"
#include "io/source.h"
#include "io/write.h"

namespace pier {
namespace {

struct Format {
  std::string_view suffix;
  bool (*recognise)(std::span<const std::byte>);
  NamedArrays (*read)(const Source&);
  void (*save)(const std::filesystem::path&, const NamedArrays&, SaveMode);
};

bool is_zip(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  // A member first, or the end record of an empty archive.
  return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

// There is no magic number; a header begins with '{' and its length fits in five digits of base 256.
bool is_safetensors(std::span<const std::byte> bytes) {
  return bytes.size() > 8 && bytes[8] == std::byte{'{'} && little<std::uint64_t>(bytes, 0) < (std::uint64_t{1} << 40);
}

NamedArrays read_one(const Source& source) { return {read_npy(source)}; }

void save_one(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode) {
  if (arrays.size() != 1)
    throw Error(ErrorCode::invalid_argument,
                text("{}: a .npy file holds one array, not {}", path.native(), arrays.size()))
        .note("save them as .npz or .safetensors");
  write_npy(path, arrays.front(), mode);
}

constexpr std::array<Format, 3> formats = {{
    {".npy", has_npy_magic, read_one, save_one},
    {".npz", is_zip, read_npz, save_npz},
    {".safetensors", is_safetensors, read_safetensors, save_safetensors},
}};

const Format* by_suffix(const std::filesystem::path& path) {
  const std::string suffix = lower_ascii(path.extension().native());
  for (const Format& format : formats)
    if (format.suffix == suffix) return &format;
  return nullptr;
}

std::string known_suffixes() {
  std::string out;
  for (const Format& format : formats) out += text("{}{}", out.empty() ? "" : ", ", format.suffix);
  return out;
}

// The suffix helps only where the content is no help: its format's own message says best what is wrong.
const Format& format_of(const Source& source, const std::filesystem::path& path) {
  for (const Format& format : formats)
    if (format.recognise(source.bytes)) return format;
  if (const Format* format = by_suffix(path)) return *format;
  throw Error(ErrorCode::invalid_argument,
              text("{}: neither content nor name tell a format of arrays: {} bytes that begin with {}", source.name,
                   source.bytes.size(), in_quotes(as_text(source.bytes).substr(0, 8))))
      .note(text("the known formats are {}", known_suffixes()));
}

}  // namespace

NamedArrays load_arrays(const std::filesystem::path& path) {
  const Source source = map_source(path);
  const Format& format = format_of(source, path);
  NamedArrays arrays = format.read(source);
  if (format.read == read_one) arrays.front().name = path.stem().native();
  return arrays;
}

void save_arrays(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode) {
  const Format* format = by_suffix(path);
  if (!format)
    throw Error(ErrorCode::invalid_argument,
                text("{}: {} is no format of arrays", path.native(),
                     path.has_extension() ? in_quotes(path.extension().native()) : "a name without a suffix"))
        .note(text("the known formats are {}", known_suffixes()));
  format->save(path, arrays, mode);
}

}  // namespace pier
