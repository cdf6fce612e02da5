#include "runtime/hlo.h"

#include <algorithm>
#include <numeric>

#include <protozero/pbf_reader.hpp>

namespace pier::runtime {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

// xla.HloModuleProto
constexpr std::uint32_t module_name = 1;
constexpr std::uint32_t module_computations = 3;
constexpr std::uint32_t module_program_shape = 4;
// xla.ProgramShapeProto
constexpr std::uint32_t program_parameters = 1;
constexpr std::uint32_t program_result = 2;
// xla.ShapeProto
constexpr std::uint32_t shape_element_type = 2;
constexpr std::uint32_t shape_dimensions = 3;
constexpr std::uint32_t shape_tuple = 4;
constexpr std::uint32_t shape_layout = 5;
constexpr std::uint32_t shape_is_dynamic = 6;

// xla.LayoutProto
constexpr std::uint32_t layout_minor_to_major = 1;

constexpr std::int32_t tuple_type = 13;

std::string_view view(protozero::data_view data) { return {data.data(), data.size()}; }

// xla.PrimitiveType to PJRT_Buffer_Type: the same kinds under other numbers.
DType dtype_of_primitive(std::int32_t primitive) {
  switch (primitive) {
    case 1: return DType::boolean;
    case 2: return DType::int8;
    case 3: return DType::int16;
    case 4: return DType::int32;
    case 5: return DType::int64;
    case 6: return DType::uint8;
    case 7: return DType::uint16;
    case 8: return DType::uint32;
    case 9: return DType::uint64;
    case 10: return DType::float16;
    case 11: return DType::float32;
    case 12: return DType::float64;
    case 15: return DType::complex64;
    case 16: return DType::bfloat16;
    case 17: return DType::token;
    case 18: return DType::complex128;
    case 19: return DType::float8_e5m2;
    case 20: return DType::float8_e4m3fn;
    case 21: return DType::int4;
    case 22: return DType::uint4;
    case 23: return DType::float8_e4m3b11fnuz;
    case 24: return DType::float8_e5m2fnuz;
    case 25: return DType::float8_e4m3fnuz;
    case 26: return DType::int2;
    case 27: return DType::uint2;
    case 28: return DType::float8_e4m3;
    case 29: return DType::float8_e3m4;
    case 30: return DType::int1;
    case 31: return DType::uint1;
    case 32: return DType::float4_e2m1fn;
    case 33: return DType::float8_e8m0fnu;
    // Not in the published list yet; read from programs that a plugin of PJRT 0.115 compiled.
    case 35: return DType::float6_e3m2fn;
    case 36: return DType::float6_e2m3fn;
    default: return DType::invalid;
  }
}

// A repeated int64, packed or not.
void append_numbers(pbf_reader& reader, std::vector<std::int64_t>& out) {
  if (reader.wire_type() == pbf_wire_type::varint) return out.push_back(reader.get_int64());
  for (const std::int64_t number : reader.get_packed_int64()) out.push_back(number);
}

bool is_numbers(const pbf_reader& reader) {
  return reader.wire_type() == pbf_wire_type::varint || reader.wire_type() == pbf_wire_type::length_delimited;
}

std::vector<std::int64_t> minor_to_major(std::string_view layout) {
  std::vector<std::int64_t> order;
  pbf_reader reader(layout.data(), layout.size());
  while (reader.next()) {
    if (reader.tag() == layout_minor_to_major && is_numbers(reader)) append_numbers(reader, order);
    else reader.skip();
  }
  return order;
}

// One leaf of a shape. The type is invalid when PJRT has none for it; the order is empty when the shape tells none.
struct Leaf {
  TensorType type;
  std::vector<std::int64_t> order;
};

// Appends the leaves of a shape; false when the nesting is deeper than any program's.
bool append_shape(std::string_view bytes, std::vector<Leaf>& out, int depth = 0) {
  if (depth > 16) return false;
  pbf_reader reader(bytes.data(), bytes.size());
  std::int32_t element = 0;
  Shape extents;
  std::vector<std::int64_t> order;
  std::vector<std::string_view> parts;
  bool dynamic = false;
  while (reader.next()) {
    if (reader.tag() == shape_element_type && reader.wire_type() == pbf_wire_type::varint) {
      element = reader.get_enum();
    } else if (reader.tag() == shape_dimensions && is_numbers(reader)) {
      append_numbers(reader, extents);
    } else if (reader.tag() == shape_layout && reader.wire_type() == pbf_wire_type::length_delimited) {
      order = minor_to_major(view(reader.get_view()));
    } else if (reader.tag() == shape_tuple && reader.wire_type() == pbf_wire_type::length_delimited) {
      parts.push_back(view(reader.get_view()));
    } else if (reader.tag() == shape_is_dynamic && reader.wire_type() == pbf_wire_type::length_delimited) {
      for (const bool flag : reader.get_packed_bool()) dynamic = dynamic || flag;
    } else if (reader.tag() == shape_is_dynamic && reader.wire_type() == pbf_wire_type::varint) {
      dynamic = reader.get_bool() || dynamic;
    } else {
      reader.skip();
    }
  }
  if (element == tuple_type) {
    for (const std::string_view part : parts)
      if (!append_shape(part, out, depth + 1)) return false;
    return true;
  }
  const bool sound = !dynamic && std::all_of(extents.begin(), extents.end(), [](std::int64_t extent) { return extent >= 0; });
  out.push_back({{sound ? dtype_of_primitive(element) : DType::invalid, std::move(extents)}, std::move(order)});
  return true;
}

struct Entry {
  std::vector<Leaf> arguments;
  std::vector<Leaf> results;
};

// What the module tells of its entry computation; nothing when it does not, or is damaged.
std::optional<Entry> entry_of(std::string_view module) try {
  pbf_reader reader(module.data(), module.size());
  if (!reader.next(module_program_shape, pbf_wire_type::length_delimited)) return std::nullopt;
  pbf_reader program = reader.get_message();
  Entry entry;
  while (program.next()) {
    const bool lengthy = program.wire_type() == pbf_wire_type::length_delimited;
    if (program.tag() == program_parameters && lengthy) {
      if (!append_shape(view(program.get_view()), entry.arguments)) return std::nullopt;
    } else if (program.tag() == program_result && lengthy) {
      if (!append_shape(view(program.get_view()), entry.results)) return std::nullopt;
    } else {
      program.skip();
    }
  }
  return entry;
} catch (const protozero::exception&) {
  return std::nullopt;
}

enum class Likeness { none, module, wrapper };

// Both kinds start with field 1: a module's is its name, that of a wrapper (xla.HloProto, xla.HloModuleProtoWithConfig) is a module. A module has computations or tells its
// shape besides.
Likeness liken(std::string_view bytes, std::string_view& inner) {
  bool named = false;
  bool computed = false;
  std::string_view first;
  pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    const bool lengthy = reader.wire_type() == pbf_wire_type::length_delimited;
    if (reader.tag() == module_name && lengthy) {
      first = view(reader.get_view());
      named = true;
    } else {
      if ((reader.tag() == module_computations || reader.tag() == module_program_shape) && lengthy) computed = true;
      reader.skip();
    }
  }
  inner = first;
  if (!named) return Likeness::none;
  return computed ? Likeness::module : Likeness::wrapper;
}

}  // namespace

std::optional<std::string_view> find_hlo_module(std::string_view bytes) try {
  std::string_view inner;
  // HloProto has a field 3 too, so a wrapper is told by what its first field holds.
  const Likeness outer = liken(bytes, inner);
  if (outer == Likeness::none) return std::nullopt;
  try {
    std::string_view innermost;
    if (liken(inner, innermost) == Likeness::module) return inner;
  } catch (const protozero::exception&) {
    // A name, not a message.
  }
  if (outer == Likeness::module) return bytes;
  return std::nullopt;
} catch (const protozero::exception&) {
  return std::nullopt;
}

std::optional<Signature> hlo_signature(std::string_view module) {
  const auto entry = entry_of(module);
  if (!entry) return std::nullopt;
  Signature signature;
  const auto append = [](const std::vector<Leaf>& leaves, std::vector<TensorType>& types) {
    for (const Leaf& leaf : leaves) types.push_back(leaf.type);
    return std::none_of(types.begin(), types.end(), [](const TensorType& type) { return type.dtype == DType::invalid; });
  };
  if (!append(entry->arguments, signature.arguments) || !append(entry->results, signature.results)) return std::nullopt;
  return signature;
}

std::optional<HloOrders> hlo_orders(std::string_view module) {
  const auto entry = entry_of(module);
  if (!entry) return std::nullopt;
  HloOrders orders;
  const auto append = [](const std::vector<Leaf>& leaves, std::vector<std::vector<std::int64_t>>& out) {
    for (const Leaf& leaf : leaves) {
      std::vector<std::int64_t> rising(leaf.type.shape.size());
      std::iota(rising.begin(), rising.end(), 0);
      if (leaf.order.empty()) out.emplace_back(rising.rbegin(), rising.rend());
      else if (std::is_permutation(leaf.order.begin(), leaf.order.end(), rising.begin(), rising.end())) out.push_back(leaf.order);
      else return false;
    }
    return true;
  };
  if (!append(entry->arguments, orders.arguments) || !append(entry->results, orders.results)) return std::nullopt;
  return orders;
}

}  // namespace pier::runtime
