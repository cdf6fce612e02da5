#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pier/module.h>

#include "runtime/state.h"

// In which order plugins keep arrays and programs want them.

namespace pier::runtime {

Order row_major_order(std::size_t rank);
inline bool is_row_major(const Order& order) { return order == row_major_order(order.size()); }
/// "{1,0}"
std::string order_text(const Order& order);

struct DeviceLayout {
  std::optional<Order> order;  // where the plugin tells
  bool tiled = false;          // the elements lie in tiles, which follow each other in that order
};

/// XLA's spelling: "{1,0}", "{1,0:T(8,128)(2,1)}". Without an order when it is no permutation.
DeviceLayout parse_layout(std::string_view text);

/// How the device keeps a buffer of that rank.
DeviceLayout device_layout(const PluginState& plugin, abi::PJRT_Buffer* buffer, std::size_t rank);

/// Fills in how many arguments the program takes and in which order they must lie, and marks the client when something is not
/// row-major. A plugin from PJRT 0.93 on tells; an older one is asked for the compiled program, which costs a serialization,
/// only when the module speaks of layouts.
void learn_arguments(ExecutableState& executable, const Module& module);

}  // namespace pier::runtime
