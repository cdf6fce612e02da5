#include "io/npy_header.h"

#include <algorithm>
#include <array>
#include <optional>

#include <pier/error.h>

#include "base/text.h"
#include "io/literal.h"
#include "io/source.h"

namespace pier {
namespace {

// Layout: NumPy enhancement proposal 1 and numpy.lib.format.
constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_header = std::size_t{1} << 20;
constexpr std::size_t alignment = 64;
// numpy.save leaves room for the first extent to grow to 8 * 2^64 in place.
constexpr std::size_t growth_digits = 21;

struct Code {
  std::string_view text;
  DType type;
  bool untyped = false;
};
// The first row of a type is the one that is written.
constexpr std::array<Code, 18> codes = {{
    {"b1", DType::boolean},
    {"i1", DType::int8},
    {"i2", DType::int16},
    {"i4", DType::int32},
    {"i8", DType::int64},
    {"u1", DType::uint8},
    {"u2", DType::uint16},
    {"u4", DType::uint32},
    {"u8", DType::uint64},
    {"f2", DType::float16},
    {"f4", DType::float32},
    {"f8", DType::float64},
    {"c8", DType::complex64},
    {"c16", DType::complex128},
    // ml_dtypes (0.6.0) registers float8_e5m2 with the kind 'f', its other types with 'V'.
    {"f1", DType::float8_e5m2},
    {"V1", DType::uint8, true},
    {"V2", DType::uint16, true},
}};

std::string_view why_refused(std::string_view descr, bool is_text) {
  if (!is_text) return "records have several values for each element";
  const std::size_t kind = descr.find_first_not_of("<>|=");
  switch (kind == std::string_view::npos ? '\0' : descr[kind]) {
    case 'O': return "these are Python objects";
    case 'S':
    case 'a':
    case 'U':
    case 'T': return "these are strings";
    case 'M':
    case 'm': return "these are dates or times";
    case 'V': return "no element type of PJRT is stored as void of this width";
    case 'f':
    case 'c':
    case 'g':
    case 'G': return "PJRT has no float of this width";
    default: return "PJRT has no such type";
  }
}

const Code& find_code(const NpyLiteral& literal, std::string_view source) {
  std::string_view code = literal.descr;
  if (literal.descr_is_text) {
    if (code.starts_with('<') || code.starts_with('>') || code.starts_with('|') || code.starts_with('='))
      code.remove_prefix(1);
    for (const Code& row : codes)
      if (row.text == code && !code.empty()) return row;
  }
  throw Error(ErrorCode::invalid_argument,
              text("{}: elements of the type {} cannot be loaded: {}", source, in_quotes(literal.descr),
                   why_refused(literal.descr, literal.descr_is_text)))
      .note("convert the array first, for example with array.astype('float32'), and save it again");
}

std::string dimensions(std::span<const std::int64_t> shape) {
  std::string out;
  for (std::size_t i = 0; i < shape.size(); ++i) out += text("{}{}", i ? ", " : "", shape[i]);
  return shape.size() == 1 ? out + "," : out;
}

// numpy.load refuses '<f1'.
const Code* code_of(DType type) {
  for (const Code& row : codes)
    if (row.type == type && row.text != "f1") return &row;
  return nullptr;
}

std::string descr_of(DType type, bool untyped) {
  const Code* const code = untyped ? nullptr : code_of(type);
  return code ? text("{}{}", host_bytes(type) == 1 ? '|' : '<', code->text) : text("<V{}", host_bytes(type));
}

}  // namespace

bool is_void_in_npy(DType type) { return !code_of(type); }

bool has_npy_magic(std::span<const std::byte> bytes) { return as_text(bytes).starts_with(magic); }

std::size_t npy_header_size(std::span<const std::byte> front, std::uint64_t total, std::string_view source) {
  if (!has_npy_magic(front))
    throw IntegrityError(text("{}: not a .npy array: it begins with {} instead of {}", source,
                              in_quotes(as_text(front).substr(0, magic.size())), in_quotes(magic)));
  if (front.size() < 8)
    throw IntegrityError(text("{}: the .npy file ends after {} bytes, inside its header", source, total));
  const auto major = std::to_integer<unsigned>(front[6]);
  const auto minor = std::to_integer<unsigned>(front[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw Error(ErrorCode::invalid_argument,
                text("{}: .npy format version {}.{} is not known; pier reads 1.0, 2.0 and 3.0", source, major, minor));
  const std::size_t fixed = major == 1 ? 10 : 12;
  if (front.size() < fixed)
    throw IntegrityError(text("{}: the .npy file ends after {} bytes, inside its header", source, total));
  const std::uint64_t length = major == 1 ? little<std::uint16_t>(front, 8) : little<std::uint32_t>(front, 8);
  if (fixed + length > total)
    throw IntegrityError(text("{}: the .npy file promises a header of {} bytes, but holds {} bytes in all", source,
                              fixed + length, total));
  if (fixed + length > max_header)
    throw Error(ErrorCode::invalid_argument,
                text("{}: a .npy header of {} bytes; pier reads up to {}", source, fixed + length, max_header));
  return fixed + static_cast<std::size_t>(length);
}

NpyHeader parse_npy_header(std::span<const std::byte> header, std::uint64_t data_bytes, std::string_view source) {
  const std::size_t fixed = std::to_integer<unsigned>(header[6]) == 1 ? 10 : 12;
  NpyLiteral literal = parse_npy_literal(as_text(header.subspan(fixed)), source);
  const Code& code = find_code(literal, source);
  check_rank(literal.shape.size(), source);

  NpyHeader out;
  out.untyped = code.untyped;
  out.elements = {code.type, std::move(literal.shape), literal.fortran_order, literal.descr.starts_with('>')};
  const std::optional<std::uint64_t> nbytes = elements_nbytes(out.elements);
  const std::string promised =
      text("a shape of ({}) and elements of {}", dimensions(out.elements.shape), in_quotes(literal.descr));
  if (!nbytes) throw IntegrityError(text("{}: the .npy header promises {}, more than 2^63 bytes", source, promised));
  if (*nbytes != data_bytes)
    throw IntegrityError(text("{}: the .npy header promises {}, which take {} bytes, but {} bytes follow it", source,
                              promised, *nbytes, data_bytes));
  return out;
}

std::string make_npy_header(DType type, std::span<const std::int64_t> shape, bool fortran_order, bool untyped) {
  std::string dictionary = text("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", descr_of(type, untyped),
                                fortran_order ? "True" : "False", dimensions(shape));
  if (!shape.empty()) {
    const std::size_t digits = std::to_string(fortran_order ? shape.back() : shape.front()).size();
    dictionary.append(growth_digits - digits, ' ');
  }
  const std::size_t unpadded = magic.size() + 4 + dictionary.size() + 1;
  dictionary.append(alignment - unpadded % alignment, ' ');
  dictionary += '\n';
  // Up to max_rank dimensions stay below 2000 bytes, so version 1.0 is enough.
  const std::size_t length = dictionary.size();
  std::string out(magic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(length & 0xFF);
  out += static_cast<char>(length >> 8);
  return out + dictionary;
}

}  // namespace pier
