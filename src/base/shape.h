#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pier {

// first * extents. 0 when an extent is 0, but nothing when an extent is negative or the product of the others leaves 63 bits: a
// zero elsewhere does not excuse strides that cannot be expressed.
std::optional<std::int64_t> checked_product(std::int64_t first, std::span<const std::int64_t> extents);

enum class Order { row_major, column_major };

// Strides in bytes of elements that lie without gaps. The shape is one that checked_product(element, shape) takes.
std::vector<std::int64_t> dense_strides(std::int64_t element, std::span<const std::int64_t> shape, Order order);

// Whether elements at these strides lie as dense_strides() says. The stride of a dimension of one element does not matter, and
// none does where there are no elements.
bool strides_are_dense(std::int64_t element, std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, Order order);

}  // namespace pier
