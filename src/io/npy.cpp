#include <pier/npy.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "io/npy_header.h"
#include "io/source.h"
#include "io/write.h"

namespace pier {

Entry read_npy(const Source& source) {
  const std::span<const std::byte> bytes = source.bytes;
  const std::size_t size = npy_header_size(bytes.first(std::min(bytes.size(), npy_prefix)), bytes.size(), source.name);
  const NpyHeader header = parse_npy_header(bytes.first(size), bytes.size() - size, source.name);
  return {"", view_elements(header.elements, bytes.subspan(size), source.owner), header.untyped};
}

NpyBytes npy_bytes(const Array& array, bool untyped) {
  NpyBytes out;
  const bool fortran_order = !array.is_row_major() && is_column_major(array);
  out.array = fortran_order ? array : array.row_major();
  out.header = make_npy_header(array.dtype(), array.shape(), fortran_order, untyped);
  return out;
}

void write_npy(AtomicFile& file, const NamedArrays& arrays) {
  if (arrays.size() != 1)
    throw Error(ErrorCode::invalid_argument, text("{}: a .npy file holds one array, not {}", file.target().native(), arrays.size()))
        .note("save them as .npz or .safetensors");
  check_savable(file.target(), arrays);
  const NpyBytes content = npy_bytes(arrays.front().array, arrays.front().untyped);
  file.write(content.header);
  file.write(content.data());
}

Array load_npy(const std::filesystem::path& path) { return read_npy(map_source(path)).array; }

void save_npy(const std::filesystem::path& path, const Array& array, SaveMode mode) {
  save_with(write_npy, path, {{"", array}}, mode);
}

}  // namespace pier
