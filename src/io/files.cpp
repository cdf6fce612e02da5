#include <pier/files.h>

#include <array>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/text.h"
#include "io/npy_header.h"
#include "io/source.h"
#include "io/write.h"

namespace pier {
namespace {

// There is no magic number; a header begins with '{' and its length fits in five digits of base 256.
bool is_safetensors(std::span<const std::byte> bytes) {
  return bytes.size() > 8 && bytes[8] == std::byte{'{'} && little<std::uint64_t>(bytes, 0) < (std::uint64_t{1} << 40);
}

bool is_zip(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  // A member first, or the end record of an empty archive. A safetensors header of 0x04034b50 bytes begins so, too; no zip
  // file has a '{' behind, where the method of compression stands.
  return (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) && !is_safetensors(bytes);
}

NamedArrays read_one(const Source& source) { return {read_npy(source)}; }

constexpr std::array<ArrayFormat, 3> formats = {{
    {".npy", false, has_npy_magic, read_one, write_npy},
    {".npz", true, is_zip, read_npz, write_npz},
    {".safetensors", true, is_safetensors, read_safetensors, write_safetensors},
}};

std::string known_suffixes() {
  std::string out;
  for (const ArrayFormat& format : formats) out += text("{}{}", out.empty() ? "" : ", ", format.suffix);
  return out;
}

// The suffix helps only where the content is no help: its format's own message says best what is wrong.
const ArrayFormat& format_of(const Source& source, const std::filesystem::path& path) {
  for (const ArrayFormat& format : formats)
    if (format.recognise(source.bytes)) return format;
  if (const ArrayFormat* format = format_by_suffix(path)) return *format;
  throw IntegrityError(text("{}: neither content nor name tell a format of arrays: {} bytes that begin with {}", source.name,
                            source.bytes.size(), in_quotes(as_text(source.bytes).substr(0, 8))))
      .note(text("the known formats are {}", known_suffixes()));
}

}  // namespace

NamedArrays load_arrays(const std::filesystem::path& path) {
  const Source source = map_source(path);
  const ArrayFormat& format = format_of(source, path);
  NamedArrays arrays = format.read(source);
  if (format.read == read_one) arrays.front().name = path.stem().native();
  return arrays;
}

void save_arrays(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode) {
  const ArrayFormat* format = format_by_suffix(path);
  if (!format)
    throw Error(ErrorCode::invalid_argument,
                text("{}: {} is no format of arrays", path.native(),
                     path.has_extension() ? in_quotes(path.extension().native()) : "a name without a suffix"))
        .note(text("the known formats are {}", known_suffixes()));
  save_with(format->write, path, arrays, mode);
}

const ArrayFormat* format_by_suffix(const std::filesystem::path& path) {
  const std::string suffix = lower_ascii(path.extension().native());
  for (const ArrayFormat& format : formats)
    if (format.suffix == suffix) return &format;
  return nullptr;
}

void save_with(ArrayWriter write, const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode) {
  AtomicFile file(path, mode == SaveMode::replace ? AtomicFile::Existing::replace : AtomicFile::Existing::refuse);
  write(file, arrays);
  file.commit();
}

}  // namespace pier
