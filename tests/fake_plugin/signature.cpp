#include <charconv>
#include <string>

#include "fake_plugin/program.h"
#include "fake_plugin/wire.h"

namespace fake {
namespace {

// Field numbers of HloModuleProto, ProgramShapeProto, ShapeProto and LayoutProto in XLA's protocol.
enum : std::uint32_t {
  with_config_module = 1,
  module_name = 1,
  module_entry_name = 2,
  module_program_shape = 4,
  program_parameters = 1,
  program_result = 2,
  shape_element_type = 2,
  shape_dimensions = 3,
  shape_tuple_shapes = 4,
  shape_layout = 5,
  layout_minor_to_major = 1,
};
constexpr std::uint64_t hlo_tuple = 13;

std::optional<std::int64_t> parse_extent(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Length of the text up to the bracket that closes the one it starts with; npos if none does.
std::size_t matching(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      else if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '(' || c == '<' || c == '{' || c == '[') {
      ++depth;
    } else if ((c == ')' || c == '}' || c == ']' || (c == '>' && text[i - 1] != '-')) && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

/// Splits at commas outside of brackets and strings.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') {
      const std::size_t length = matching(text.substr(i));
      if (length == std::string_view::npos) break;
      i += length;
    } else if (c == ',') {
      parts.push_back(trimmed(text.substr(start, i - start)));
      start = i + 1;
    }
  }
  if (const std::string_view last = trimmed(text.substr(start)); !last.empty()) parts.push_back(last);
  return parts;
}

/// The first type in "%arg0: tensor<2xf32> {attributes}" or "tensor<2xf32> {attributes}".
std::optional<TensorType> first_type(std::string_view text) {
  const std::size_t at = text.find("tensor<");
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t length = matching(text.substr(at + 6));
  if (length == std::string_view::npos) return std::nullopt;
  return parse_mlir_type(text.substr(at, 6 + length + 1));
}

/// Of mhlo.layout_mode = "{0,1}"; empty where there is none.
std::vector<std::int64_t> stated_order(std::string_view text) {
  constexpr std::string_view mark = "mhlo.layout_mode = \"{";
  const std::size_t at = text.find(mark);
  std::vector<std::int64_t> order;
  if (at == std::string_view::npos) return order;
  text.remove_prefix(at + mark.size());
  for (const std::string_view part : split(text.substr(0, text.find('}')))) {
    if (const auto dimension = parse_extent(part)) order.push_back(*dimension);
  }
  return order;
}

std::optional<std::string> encode_shape(const TensorType& type, const std::vector<std::int64_t>& order) {
  const ElementType* element = find_element(type.type);
  if (element == nullptr || element->hlo == 0) return std::nullopt;
  WireWriter layout;
  layout.packed(layout_minor_to_major, order);
  WireWriter shape;
  shape.number(shape_element_type, static_cast<std::uint64_t>(element->hlo));
  shape.packed(shape_dimensions, type.dims);
  shape.bytes(shape_layout, layout.message());
  return shape.message();
}

}  // namespace

std::optional<TensorType> parse_xla_type(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
  const ElementType* element = find_xla_element(text.substr(0, open));
  if (element == nullptr) return std::nullopt;
  TensorType type{element->type, {}};
  for (const std::string_view part : split(text.substr(open + 1, text.size() - open - 2))) {
    const auto extent = parse_extent(part);
    if (!extent) return std::nullopt;
    type.dims.push_back(*extent);
  }
  return type;
}

std::optional<TensorType> parse_mlir_type(std::string_view text) {
  if (!text.starts_with("tensor<") || !text.ends_with('>')) return std::nullopt;
  text = text.substr(7, text.size() - 8);
  TensorType type;
  for (;;) {
    if (const ElementType* element = find_mlir_element(text)) {
      type.type = element->type;
      return type;
    }
    const std::size_t x = text.find('x');
    if (x == std::string_view::npos) return std::nullopt;
    const auto extent = parse_extent(text.substr(0, x));
    if (!extent) return std::nullopt;
    type.dims.push_back(*extent);
    text.remove_prefix(x + 1);
  }
}

std::optional<MlirSignature> parse_main(std::string_view text) {
  const std::size_t main = text.find("@main(");
  if (main == std::string_view::npos) return std::nullopt;
  text.remove_prefix(main + 5);
  const std::size_t close = matching(text);
  if (close == std::string_view::npos) return std::nullopt;
  MlirSignature found;
  for (const std::string_view part : split(text.substr(1, close - 1))) {
    const auto type = first_type(part);
    if (!type) return std::nullopt;
    if (part.find("tf.aliasing_output") != std::string_view::npos ||
        part.find("jax.buffer_donor") != std::string_view::npos) {
      found.donated.insert(found.signature.arguments.size());
    }
    found.signature.arguments.push_back(*type);
    found.argument_orders.push_back(stated_order(part));
  }
  text = trimmed(text.substr(close + 1));
  if (const std::size_t end = text.find("return "); end != std::string_view::npos) {
    found.only_returns = trimmed(text.substr(0, end)).ends_with('{');
  }
  if (!text.starts_with("->")) return found;
  text = trimmed(text.substr(2));
  if (!text.starts_with('(')) {
    const auto type = first_type(text);
    if (!type) return std::nullopt;
    found.signature.results.push_back(*type);
    return found;
  }
  const std::size_t end = matching(text);
  if (end == std::string_view::npos) return std::nullopt;
  for (const std::string_view part : split(text.substr(1, end - 1))) {
    const auto type = first_type(part);
    if (!type) return std::nullopt;
    found.signature.results.push_back(*type);
    found.result_orders.push_back(stated_order(part));
  }
  return found;
}

std::optional<std::string> hlo_with_config(const Program& program) {
  if (!program.signature) return std::nullopt;
  WireWriter shapes;
  for (std::size_t i = 0; i < program.signature->arguments.size(); ++i) {
    const TensorType& type = program.signature->arguments[i];
    const auto shape = encode_shape(type, program.argument_layout(i, type.dims.size()));
    if (!shape) return std::nullopt;
    shapes.bytes(program_parameters, *shape);
  }
  std::vector<std::string> results;
  for (std::size_t i = 0; i < program.signature->results.size(); ++i) {
    const TensorType& type = program.signature->results[i];
    auto shape = encode_shape(type, program.output_layout(i, type.dims.size()));
    if (!shape) return std::nullopt;
    results.push_back(std::move(*shape));
  }
  if (results.size() == 1) {
    shapes.bytes(program_result, results.front());
  } else {
    WireWriter tuple;
    tuple.number(shape_element_type, hlo_tuple);
    for (const std::string& result : results) tuple.bytes(shape_tuple_shapes, result);
    shapes.bytes(program_result, tuple.message());
  }
  WireWriter module;
  module.bytes(module_name, program.name);
  module.bytes(module_entry_name, "main");
  module.bytes(module_program_shape, shapes.message());
  WireWriter with_config;
  with_config.bytes(with_config_module, module.message());
  return with_config.message();
}

}  // namespace fake
