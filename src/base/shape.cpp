#include "base/shape.h"

#include <algorithm>

namespace pier {
namespace {

// Tells for each dimension, innermost first, how far apart its elements lie.
template <class Visit>
void walk_dense(std::int64_t element, std::span<const std::int64_t> shape, Order order, Visit visit) {
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::size_t i = order == Order::row_major ? shape.size() - 1 - n : n;
    visit(i, element);
    element *= std::max<std::int64_t>(shape[i], 1);
  }
}

}  // namespace

std::optional<std::int64_t> checked_product(std::int64_t first, std::span<const std::int64_t> extents) {
  bool empty = false;
  for (const std::int64_t extent : extents) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) empty = true;
    else if (__builtin_mul_overflow(first, extent, &first)) return std::nullopt;
  }
  return empty ? 0 : first;
}

std::vector<std::int64_t> dense_strides(std::int64_t element, std::span<const std::int64_t> shape, Order order) {
  std::vector<std::int64_t> strides(shape.size());
  walk_dense(element, shape, order, [&](std::size_t i, std::int64_t step) { strides[i] = step; });
  return strides;
}

bool strides_are_dense(std::int64_t element, std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, Order order) {
  bool dense = true;
  walk_dense(element, shape, order, [&](std::size_t i, std::int64_t step) { dense &= shape[i] == 1 || strides[i] == step; });
  return dense || std::ranges::find(shape, 0) != shape.end();
}

}  // namespace pier
