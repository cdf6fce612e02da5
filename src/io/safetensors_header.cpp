#include "io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include <pier/error.h>

#include "base/shape.h"
#include "base/text.h"
#include "io/source.h"

namespace pier {
namespace {

// Types: enum Dtype of the reference implementation, safetensors 0.8.
struct TypeName {
  std::string_view name;
  DType type;
};
constexpr std::array<TypeName, 22> type_names = {{
    {"BOOL", DType::boolean},
    {"F4", DType::float4_e2m1fn},
    {"F6_E2M3", DType::float6_e2m3fn},
    {"F6_E3M2", DType::float6_e3m2fn},
    {"U8", DType::uint8},
    {"I8", DType::int8},
    {"F8_E5M2", DType::float8_e5m2},
    {"F8_E4M3", DType::float8_e4m3fn},
    {"F8_E8M0", DType::float8_e8m0fnu},
    {"F8_E4M3FNUZ", DType::float8_e4m3fnuz},
    {"F8_E5M2FNUZ", DType::float8_e5m2fnuz},
    {"I16", DType::int16},
    {"U16", DType::uint16},
    {"F16", DType::float16},
    {"BF16", DType::bfloat16},
    {"I32", DType::int32},
    {"U32", DType::uint32},
    {"F32", DType::float32},
    {"C64", DType::complex64},
    {"F64", DType::float64},
    {"I64", DType::int64},
    {"U64", DType::uint64},
}};

DType type_of(std::string_view type_name, std::string_view source, std::string_view tensor) {
  std::string known;
  for (const TypeName& row : type_names) {
    if (row.name == type_name) return row.type;
    known += text("{}{}", known.empty() ? "" : ", ", row.name);
  }
  throw Error(ErrorCode::invalid_argument,
              text("{}, tensor {}: the element type {} is not known", source, in_quotes(tensor), in_quotes(type_name)))
      .note(text("the types of the format are {}", known));
}

// Receives the header piece by piece, so that neither its depth nor its size turns into a tree.
class Handler {
 public:
  using Json = nlohmann::json;

  explicit Handler(std::string_view source) : source_(source) {}

  std::vector<TensorRecord> take() { return std::move(tensors_); }

  bool null() {
    if (place_ == Place::metadata_wanted) place_ = Place::names;
    else scalar("null");
    return true;
  }
  bool boolean(bool) { return scalar("a boolean"); }
  bool number_integer(Json::number_integer_t) { return scalar("a negative number"); }
  bool number_float(Json::number_float_t, const std::string&) { return scalar("a fraction"); }
  bool binary(Json::binary_t&) { return scalar("binary data"); }

  bool number_unsigned(Json::number_unsigned_t value) {
    if (place_ == Place::shape) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        fail(text("an extent of {}, beyond 2^63", value));
      check_rank(tensor().shape.size() + 1, text("{}, tensor {}", source_, in_quotes(tensor().name)));
      tensor().shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (place_ != Place::offsets) return scalar("a number");
    if (offsets_ == 2) fail("more than two data_offsets");
    (offsets_++ == 0 ? tensor().begin : tensor().end) = value;
    return true;
  }

  bool string(std::string& value) {
    if (place_ == Place::dtype) {
      tensor().dtype = type_of(value, source_, tensor().name);
      place_ = Place::fields;
    } else if (place_ == Place::metadata_value) {
      check_text(value, "a value of __metadata__");
      place_ = Place::metadata;
    } else {
      scalar("a string");
    }
    return true;
  }

  bool start_object(std::size_t) {
    switch (place_) {
      case Place::start: place_ = Place::names; break;
      case Place::tensor_wanted: place_ = Place::fields; break;
      case Place::metadata_wanted: place_ = Place::metadata; break;
      default: enter("an object");
    }
    return true;
  }

  bool start_array(std::size_t) {
    switch (place_) {
      case Place::shape_wanted: place_ = Place::shape; break;
      case Place::offsets_wanted: place_ = Place::offsets; break;
      default: enter("a list");
    }
    return true;
  }

  bool key(std::string& name) {
    switch (place_) {
      case Place::names: return top_key(name);
      case Place::fields: return field_key(name);
      case Place::metadata:
        check_text(name, "a key of __metadata__");
        if (!metadata_keys_.insert(name).second) fail(text("__metadata__ has the key {} twice", in_quotes(name)));
        place_ = Place::metadata_value;
        return true;
      default: return true;  // inside a value that is passed over
    }
  }

  bool end_object() {
    switch (place_) {
      case Place::names: place_ = Place::end; break;
      case Place::metadata: place_ = Place::names; break;
      case Place::fields:
        for (std::size_t i = 0; i < fields_.size(); ++i)
          if (!fields_[i]) fail(text("no {}", field_names[i]));
        place_ = Place::names;
        break;
      default: leave();
    }
    return true;
  }

  bool end_array() {
    switch (place_) {
      case Place::shape: place_ = Place::fields; break;
      case Place::offsets:
        if (offsets_ != 2) fail("fewer than two data_offsets");
        place_ = Place::fields;
        break;
      default: leave();
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    // The library's text repeats the token it stopped at, which may be as long as the header.
    const std::string_view reason = error.what();
    throw IntegrityError(text("{}: the safetensors header is not valid JSON at byte {}{}{}", source_, position,
                              reason.size() <= 400 ? ": " : "", reason.size() <= 400 ? reason : ""));
  }

 private:
  enum class Place {
    start,
    names,
    tensor_wanted,
    fields,
    dtype,
    shape_wanted,
    shape,
    offsets_wanted,
    offsets,
    metadata_wanted,
    metadata,
    metadata_value,
    passed_over,
    end,
  };
  static constexpr std::array<std::string_view, 3> field_names = {"dtype", "shape", "data_offsets"};
  // serde_json, on which the reference implementation stands, goes 128 deep.
  static constexpr std::size_t max_depth = 128;

  TensorRecord& tensor() { return tensors_.back(); }

  [[noreturn]] void fail(std::string_view why) const {
    const bool inside = place_ != Place::names && place_ != Place::start && !in_metadata_ && !tensors_.empty();
    if (inside) throw IntegrityError(text("{}, tensor {}: {}", source_, in_quotes(tensors_.back().name), why));
    throw IntegrityError(text("{}: in the safetensors header: {}", source_, why));
  }

  void check_text(std::string_view value, std::string_view what) const {
    if (value.find('\0') != std::string_view::npos) fail(text("{} has a NUL: {}", what, in_quotes(value)));
  }

  bool top_key(const std::string& name) {
    in_metadata_ = name == "__metadata__";
    if (in_metadata_) {
      if (has_metadata_) fail("a second __metadata__");
      has_metadata_ = true;
      place_ = Place::metadata_wanted;
      return true;
    }
    check_text(name, "the name of a tensor");
    tensors_.emplace_back().name = name;
    fields_ = {};
    offsets_ = 0;
    place_ = Place::tensor_wanted;
    return true;
  }

  bool field_key(const std::string& name) {
    constexpr std::array wanted = {Place::dtype, Place::shape_wanted, Place::offsets_wanted};
    for (std::size_t i = 0; i < field_names.size(); ++i) {
      if (name != field_names[i]) continue;
      if (fields_[i]) fail(text("a second {}", name));
      fields_[i] = true;
      place_ = wanted[i];
      return true;
    }
    // Unknown keys are for later versions of the format; the reference implementation passes over them too.
    place_ = Place::passed_over;
    return true;
  }

  bool scalar(std::string_view what) {
    if (place_ != Place::passed_over) fail(text("{} in a place where the format has something else", what));
    if (depth_ == 0) place_ = Place::fields;
    return true;
  }

  void enter(std::string_view what) {
    if (place_ != Place::passed_over) fail(text("{} in a place where the format has something else", what));
    if (++depth_ > max_depth) fail("values nested too deep");
  }

  void leave() {
    if (--depth_ == 0) place_ = Place::fields;
  }

  std::string_view source_;
  std::vector<TensorRecord> tensors_;
  std::set<std::string> metadata_keys_;
  std::array<bool, 3> fields_{};
  std::size_t offsets_ = 0;
  std::size_t depth_ = 0;
  Place place_ = Place::start;
  bool has_metadata_ = false;
  bool in_metadata_ = false;
};

}  // namespace

std::string_view safetensors_name(DType type) {
  for (const TypeName& row : type_names)
    if (row.type == type) return row.name;
  return {};
}

std::optional<std::uint64_t> safetensors_nbytes(DType type, const Shape& shape) {
  const auto total = checked_product(static_cast<std::int64_t>(bits(type)), shape);
  if (!total || *total % 8 != 0) return std::nullopt;
  return static_cast<std::uint64_t>(*total / 8);
}

std::vector<TensorRecord> parse_safetensors_header(std::string_view json, std::string_view source) {
  if (!json.starts_with('{')) throw IntegrityError(text("{}: the safetensors header does not begin with '{{'", source));
  // The JSON library takes a NUL for the end of its input.
  const std::size_t nul = json.find('\0');
  if (nul != std::string_view::npos)
    throw IntegrityError(text("{}: a NUL at byte {} of the safetensors header", source, nul));
  Handler handler(source);
  nlohmann::json::sax_parse(json.begin(), json.end(), &handler);
  std::vector<TensorRecord> tensors = handler.take();
  std::sort(tensors.begin(), tensors.end(), [](const TensorRecord& a, const TensorRecord& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(tensors.begin(), tensors.end(),
                                        [](const TensorRecord& a, const TensorRecord& b) { return a.name == b.name; });
  if (twice != tensors.end()) throw IntegrityError(text("{}: two tensors are named {}", source, in_quotes(twice->name)));
  return tensors;
}

std::string make_safetensors_header(const std::vector<TensorRecord>& tensors) {
  std::string out = "{";
  for (const TensorRecord& tensor : tensors) {
    std::string extents;
    for (const std::int64_t extent : tensor.shape) extents += text("{}{}", extents.empty() ? "" : ",", extent);
    if (out.size() > 1) out += ',';
    out += nlohmann::json(tensor.name).dump();
    out += text(R"(:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", safetensors_name(tensor.dtype), extents,
                tensor.begin, tensor.end);
  }
  out += '}';
  constexpr std::size_t boundary = 64, length_bytes = 8;
  out.append((boundary - (length_bytes + out.size()) % boundary) % boundary, ' ');
  return out;
}

}  // namespace pier
