#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/dtype.h>

namespace pier {

// One tensor as the header has it; begin and end are bytes from the end of the header.
struct TensorRecord {
  std::string name;
  DType dtype = DType::invalid;
  Shape shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The format's name for the type ("BF16"), or empty when it has none.
std::string_view safetensors_name(DType type);

// Bytes of the tensor in the file; nothing when they are not whole or leave 63 bits.
std::optional<std::uint64_t> safetensors_nbytes(DType type, const Shape& shape);

// The tensors of a header, in order of name. Throws IntegrityError for malformed JSON, missing, doubled or wrong keys, and
// Error (invalid_argument) for unknown element types and ranks above max_rank; both name `source`. Offsets are not compared.
std::vector<TensorRecord> parse_safetensors_header(std::string_view json, std::string_view source);

// The header without its length, padded with blanks so that the data after it starts on a 64-byte boundary of the file.
std::string make_safetensors_header(const std::vector<TensorRecord>& tensors);

}  // namespace pier
