#include "runtime/layout.h"

#include <algorithm>
#include <charconv>

#include <pier/log.h>

#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/hlo.h"
#include "runtime/optimized.h"

namespace pier::runtime {
namespace {

using abi::Api;
using Layouts = abi::PJRT_Layouts_Extension;

bool is_permutation(const Order& order) {
  const Order all = row_major_order(order.size());
  return std::is_permutation(order.begin(), order.end(), all.begin());
}

DeviceLayout read_layout(const PluginState& plugin, abi::PJRT_Layouts_MemoryLayout* layout) {
  constexpr std::string_view function = "PJRT_Layouts_MemoryLayout_Serialize";
  const auto args = plugin.layouts->call<&Layouts::PJRT_Layouts_MemoryLayout_Serialize>({.layout = layout});
  const auto held = abi::hold(args.serialized_layout, args.serialized_layout_deleter);
  return parse_layout(checked_text(plugin.table, args.serialized_bytes, args.serialized_bytes_size, function, "serialized_bytes"));
}

// From PJRT 0.51; before it, and in plugins that have dropped it, the older function or none.
DeviceLayout layout_by_extension(const PluginState& plugin, abi::PJRT_Buffer* buffer) {
  constexpr std::string_view function = "PJRT_Layouts_PJRT_Buffer_MemoryLayout";
  const auto layout = plugin.layouts->call<&Layouts::PJRT_Layouts_PJRT_Buffer_MemoryLayout>({.buffer = buffer}).layout;
  plugin.table.require_out(layout, function, "layout");
  const auto destroy = [&] {
    offered([&] { plugin.layouts->call<&Layouts::PJRT_Layouts_MemoryLayout_Destroy>({.layout = layout}); });
  };
  try {
    DeviceLayout read = read_layout(plugin, layout);
    destroy();
    return read;
  } catch (const Error&) {
    destroy();
    throw;
  }
}

// The orders of all parameters or results. Nothing when the plugin does not tell, for whatever reason: programs that were
// loaded rather than compiled may not know.
template <auto Function, auto Count>
std::optional<std::vector<Order>> told_orders(const ExecutableState& executable, std::string_view function) try {
  const PluginState& plugin = *executable.client->plugin;
  if (!plugin.layouts || !plugin.layouts->has<Function>()) return std::nullopt;
  // They live as long as the executable.
  const auto args = plugin.layouts->template call<Function>({.executable = executable.plain.get()});
  std::vector<Order> orders;
  for (abi::PJRT_Layouts_MemoryLayout* const layout :
       checked_handles(plugin.table, args.layouts, args.*Count, function, "layouts")) {
    DeviceLayout read = read_layout(plugin, layout);
    if (!read.order) return std::nullopt;
    orders.push_back(std::move(*read.order));
  }
  return orders;
} catch (const Error&) {
  return std::nullopt;
}

bool all_row_major(const std::vector<Order>& orders) { return std::all_of(orders.begin(), orders.end(), is_row_major); }

bool may_state_layouts(const Module& module) {
  if (module.format() == ModuleFormat::hlo) {
    const auto stated = hlo_orders(module.bytes());
    return !stated || !all_row_major(stated->arguments) || !all_row_major(stated->results);
  }
  return module.bytes().find("layout_mode") != std::string_view::npos ||
         module.bytes().find("xla_entry_computation_") != std::string_view::npos;
}

}  // namespace

Order row_major_order(std::size_t rank) {
  Order order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(rank - 1 - i);
  return order;
}

std::string order_text(const Order& order) {
  std::string out = "{";
  for (const std::int64_t dimension : order) out += text("{}{}", out.size() == 1 ? "" : ",", dimension);
  return out + "}";
}

DeviceLayout parse_layout(std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}')) return {};
  text = text.substr(1, text.size() - 2);
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view rest = text.substr(colon);
  std::string_view list = text.substr(0, colon);
  DeviceLayout layout{Order(), rest.find('T') != rest.npos};
  while (!list.empty()) {
    std::int64_t dimension = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), dimension);
    if (error != std::errc()) return {};
    list.remove_prefix(static_cast<std::size_t>(end - list.data()));
    if (!list.empty() && !list.starts_with(',')) return {};
    list.remove_prefix(std::min<std::size_t>(1, list.size()));
    layout.order->push_back(dimension);
  }
  if (!is_permutation(*layout.order)) return {};
  return layout;
}

DeviceLayout device_layout(const PluginState& plugin, abi::PJRT_Buffer* buffer, std::size_t rank) try {
  abi::PJRT_Buffer_MemoryLayout layout{};
  bool told = false;
  try {
    layout = plugin.table.call<&Api::PJRT_Buffer_GetMemoryLayout>({.buffer = buffer}).layout;
    told = true;
  } catch (const Error&) {
    // Deprecated since 0.54; the extension tells the same in a roundabout way.
    if (!plugin.layouts) throw;
  }
  if (!told) {
    DeviceLayout read = layout_by_extension(plugin, buffer);
    return read.order && read.order->size() == rank ? read : DeviceLayout{};
  }
  if (layout.type != abi::PJRT_Buffer_MemoryLayout_Type_Tiled) return {};
  const auto list = checked_list(plugin.table, layout.tiled.minor_to_major, layout.tiled.minor_to_major_size,
                                 "PJRT_Buffer_GetMemoryLayout", "minor_to_major");
  Order order(list.begin(), list.end());
  if (order.size() != rank || !is_permutation(order)) return {};
  return {std::move(order), layout.tiled.num_tiles != 0};
} catch (const Error&) {
  return {};
}

void learn_arguments(ExecutableState& executable, const Module& module) {
  using Parameters = abi::PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args;
  using Results = abi::PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args;
  auto arguments = told_orders<&Layouts::PJRT_Layouts_PJRT_Executable_GetParameterLayouts, &Parameters::num_parameters>(
      executable, "PJRT_Layouts_PJRT_Executable_GetParameterLayouts");
  auto results = told_orders<&Layouts::PJRT_Layouts_PJRT_Executable_GetOutputLayouts, &Results::num_outputs>(
      executable, "PJRT_Layouts_PJRT_Executable_GetOutputLayouts");
  if ((!arguments || !results) && may_state_layouts(module)) {
    const auto code = optimized_hlo(executable);
    if (auto compiled = code ? hlo_orders(*code) : std::nullopt) {
      if (!arguments) arguments = std::move(compiled->arguments);
      if (!results) results = std::move(compiled->results);
    } else {
      log(LogLevel::warning,
          text("{}: {} speaks of layouts, and the plugin does not tell what it made of them: arguments are given and results are read "
               "as the plugin orders them by itself",
               executable.client->table().plugin_text(), module.name()));
    }
  }
  if (arguments) {
    executable.num_arguments = arguments->size();
  } else if (const auto signature = module.signature()) {
    executable.num_arguments = signature->arguments.size();
  }
  if ((arguments && !all_row_major(*arguments)) || (results && !all_row_major(*results))) executable.client->orders_differ = true;
  if (arguments && !all_row_major(*arguments)) executable.argument_orders = std::move(*arguments);
}

}  // namespace pier::runtime
