#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <pier/module.h>

namespace pier::runtime {

// Whether the bytes read as an xla.HloModuleProto, or as a message that wraps one (HloProto, HloModuleProtoWithConfig); the
// result is the module itself. Nothing when they are something else.
std::optional<std::string_view> find_hlo_module(std::string_view bytes);

// Argument and result types that an HloModuleProto states for its entry computation. A tuple result is taken apart. Nothing
// when it states none, or has types without a PJRT element type. Field numbers: xla/service/hlo.proto, xla/xla_data.proto.
std::optional<Signature> hlo_signature(std::string_view module);

// In which order the arguments and results of the entry computation lie: for each its dimensions from the fastest to the
// slowest. Row-major where it states none. Nothing when the module states no shapes, or an order that is none.
struct HloOrders {
  std::vector<std::vector<std::int64_t>> arguments;
  std::vector<std::vector<std::int64_t>> results;
};
std::optional<HloOrders> hlo_orders(std::string_view module);

}  // namespace pier::runtime
