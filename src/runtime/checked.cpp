#include "runtime/checked.h"

#include "abi/limits.h"
#include "base/text.h"

namespace pier::runtime {

void refuse_empty(std::string_view what) {
  throw Error(ErrorCode::failed_precondition, text("{} that holds nothing was used; it was moved from or never filled", what))
      .note("use the object that it was moved to");
}

std::string checked_text(const abi::Table& table, const char* text, std::size_t size, std::string_view function,
                         std::string_view member) {
  if (size > abi::sane_text)
    table.refuse_answer(function, pier::text("{} says that its {} has {} bytes", function, member, size));
  if (size == 0) return {};
  return {table.require_out(text, function, member), size};
}

std::size_t checked_count(const abi::Table& table, std::size_t count, std::string_view function, std::string_view member) {
  if (count > abi::sane_count) table.refuse_answer(function, text("{} says that its {} are {}", function, member, count));
  return count;
}

DType checked_dtype(const abi::Table& table, int type, std::string_view function) {
  if (type < 0 || type > static_cast<int>(DType::float6_e3m2fn))
    throw Unsupported(text("the plugin gave the element type {}, which this pier does not know", type))
        .in_function(std::string(function))
        .in_plugin(table.plugin_text())
        .note("a newer pier may know it");
  return static_cast<DType>(type);
}

Shape checked_shape(const abi::Table& table, const std::int64_t* dims, std::size_t rank, std::string_view function) {
  const auto list = checked_list(table, dims, rank, function, "dims");
  Shape shape(list.begin(), list.end());
  // The widest element has 16 bytes.
  std::int64_t bytes = 16;
  for (const std::int64_t extent : shape)
    if (extent < 0 || (extent > 0 && __builtin_mul_overflow(bytes, extent, &bytes)))
      table.refuse_answer(function, text("{} gave the shape {}, which nothing can have", function,
                                          describe(DType::invalid, shape).substr(name(DType::invalid).size())));
  return shape;
}

}  // namespace pier::runtime
