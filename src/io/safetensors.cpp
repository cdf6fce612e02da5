#include <pier/safetensors.h>

#include <algorithm>

#include <pier/error.h>

#include "base/text.h"
#include "io/elements.h"
#include "io/packed.h"
#include "io/safetensors_header.h"
#include "io/source.h"
#include "io/write.h"

namespace pier {
namespace {

constexpr std::size_t length_bytes = 8;
// The reference implementation refuses longer headers.
constexpr std::uint64_t max_header = 100'000'000;
constexpr std::uint64_t boundary = 64;

std::string where(const std::string& source, const TensorRecord& tensor) {
  return text("{}, tensor {}", source, in_quotes(tensor.name));
}

// Sizes must be those of type and shape, and the tensors must tile the data: no hole, no overlap, nothing left.
void check_layout(const std::vector<TensorRecord>& tensors, std::uint64_t data_bytes, const std::string& source) {
  std::vector<const TensorRecord*> order;
  for (const TensorRecord& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const TensorRecord* a, const TensorRecord* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
  std::uint64_t expected = 0;
  for (const TensorRecord* tensor : order) {
    if (tensor->end < tensor->begin || tensor->end > data_bytes)
      throw IntegrityError(text("{}: data_offsets [{}, {}], but the file holds {} bytes of data", where(source, *tensor),
                                tensor->begin, tensor->end, data_bytes));
    if (tensor->begin != expected)
      throw IntegrityError(
          text("{}: begins at {}, where {} was the end of what is before it: tensors must neither overlap nor "
               "leave holes",
               where(source, *tensor), tensor->begin, expected));
    const std::optional<std::uint64_t> nbytes = safetensors_nbytes(tensor->dtype, tensor->shape);
    if (!nbytes)
      throw IntegrityError(text("{}: {} does not take a whole number of bytes below 2^60", where(source, *tensor),
                                describe(tensor->dtype, tensor->shape)));
    if (*nbytes != tensor->end - tensor->begin)
      throw IntegrityError(text("{}: {} takes {} bytes, but data_offsets [{}, {}] give it {}", where(source, *tensor),
                                describe(tensor->dtype, tensor->shape), *nbytes, tensor->begin, tensor->end,
                                tensor->end - tensor->begin));
    expected = tensor->end;
  }
  if (expected != data_bytes)
    throw IntegrityError(
        text("{}: the tensors take {} bytes, but the file holds {} bytes of data", source, expected, data_bytes));
}

Array load_tensor(const TensorRecord& tensor, std::span<const std::byte> bytes,
                  const std::shared_ptr<const void>& owner) {
  const Elements elements{tensor.dtype, tensor.shape, false, false};
  const std::size_t width = bits(tensor.dtype);
  if (width >= 8) return view_elements(elements, bytes, owner);
  return new_elements(elements,
                      [&](std::span<std::byte> target) { unpack_bits(bytes, static_cast<unsigned>(width), target); });
}

TensorRecord record_of(const std::filesystem::path& path, const Entry& entry) {
  const DType type = entry.array.dtype();
  const std::string place = text("{}: the tensor {}", path.native(), in_quotes(entry.name));
  if (entry.name == "__metadata__")
    throw Error(ErrorCode::invalid_argument, text("{} has the name that the format keeps for itself", place));
  if (entry.untyped)
    throw Error(ErrorCode::invalid_argument, text("{} has elements of which only the width is known", place))
        .note("give them a type with Array::as, or save as .npy or .npz");
  if (safetensors_name(type).empty())
    throw Error(ErrorCode::invalid_argument, text("{} is {}, a type that safetensors does not have", place, name(type)))
        .note("save it as .npy or .npz");
  const std::optional<std::uint64_t> nbytes = safetensors_nbytes(type, entry.array.shape());
  if (!nbytes)
    throw Error(ErrorCode::invalid_argument, text("{} is {}: safetensors packs it, and it does not fill its last byte",
                                                  place, describe(type, entry.array.shape())))
        .note("save it as .npy or .npz, or give it a multiple of 8 elements");
  return {entry.name, type, entry.array.shape(), 0, *nbytes};
}

struct Placed {
  TensorRecord record;
  const Array* array;
};

// The order of the file: multiples of 64 bytes first, then by falling size of element, as the reference implementation
// does, so that each tensor keeps the alignment of its type without padding, which the format forbids.
bool comes_before(const Placed& a, const Placed& b) {
  const bool a_ragged = a.record.end % boundary != 0, b_ragged = b.record.end % boundary != 0;
  if (a_ragged != b_ragged) return b_ragged;
  if (bits(a.record.dtype) != bits(b.record.dtype)) return bits(a.record.dtype) > bits(b.record.dtype);
  return a.record.name < b.record.name;
}

}  // namespace

NamedArrays read_safetensors(const Source& source) {
  const std::size_t total = source.bytes.size();
  if (total < length_bytes)
    throw IntegrityError(
        text("{}: a safetensors file begins with the length of its header, 8 bytes; this one holds {} bytes", source.name,
             total));
  const auto length = little<std::uint64_t>(source.bytes, 0);
  if (length > max_header)
    throw IntegrityError(
        text("{}: promises a safetensors header of {} bytes; the format allows {}", source.name, length, max_header));
  if (length > total - length_bytes)
    throw IntegrityError(text("{}: promises a safetensors header of {} bytes, but holds {} bytes after the length",
                              source.name, length, total - length_bytes));
  const auto header = static_cast<std::size_t>(length);
  const std::vector<TensorRecord> tensors =
      parse_safetensors_header(as_text(source.bytes.subspan(length_bytes, header)), source.name);
  const std::span<const std::byte> data = source.bytes.subspan(length_bytes + header);
  check_layout(tensors, data.size(), source.name);
  NamedArrays arrays;
  arrays.reserve(tensors.size());
  for (const TensorRecord& tensor : tensors) {
    const auto begin = static_cast<std::size_t>(tensor.begin), size = static_cast<std::size_t>(tensor.end - tensor.begin);
    arrays.push_back({tensor.name, load_tensor(tensor, data.subspan(begin, size), source.owner)});
  }
  return arrays;
}

NamedArrays load_safetensors(const std::filesystem::path& path) { return read_safetensors(map_source(path)); }

void write_safetensors(AtomicFile& file, const NamedArrays& arrays) {
  const std::filesystem::path& path = file.target();
  check_savable(path, arrays);
  std::vector<Placed> placed;
  for (const Entry& entry : arrays) placed.push_back({record_of(path, entry), &entry.array});
  std::sort(placed.begin(), placed.end(), comes_before);
  std::vector<TensorRecord> records;
  std::uint64_t offset = 0;
  for (const Placed& each : placed) {
    records.push_back(each.record);
    records.back().begin = offset;
    if (__builtin_add_overflow(offset, each.record.end, &offset))
      throw Error(ErrorCode::invalid_argument, text("{}: the tensors take more than 2^64 bytes", path.native()));
    records.back().end = offset;
  }
  const std::string header = make_safetensors_header(records);
  if (header.size() > max_header)
    throw Error(ErrorCode::invalid_argument, text("{}: {} tensors need a header of {} bytes; the format allows {}",
                                                  path.native(), arrays.size(), header.size(), max_header));
  const auto length = static_cast<std::uint64_t>(header.size());
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const Placed& each : placed) {
    const Array dense = each.array->row_major();
    const std::span<const std::byte> bytes(dense.data(), dense.nbytes());
    const std::size_t width = bits(dense.dtype());
    if (width < 8) file.write(pack_bits(bytes, static_cast<unsigned>(width)));
    else file.write(bytes);
  }
}

void save_safetensors(const std::filesystem::path& path, const NamedArrays& arrays, SaveMode mode) {
  save_with(write_safetensors, path, arrays, mode);
}

}  // namespace pier
