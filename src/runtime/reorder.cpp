#include "runtime/reorder.h"

#include <algorithm>

#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/compile.h"
#include "runtime/layout.h"

namespace pier::runtime {
namespace {

using abi::Api;

abi::PJRT_Buffer* handle_of(const Buffer& buffer) { return static_cast<abi::PJRT_Buffer*>(buffer.handle()); }

std::string program_name(const Executable& program) {
  try {
    return program.name();
  } catch (const Error&) {
    return "the program";
  }
}

std::string story(const Executable& program, std::size_t index, const std::string& from, const Order& to) {
  return text("argument {} of {} lies in the order {} on the device, the program wants {}", index, program_name(program), from, order_text(to));
}

[[noreturn]] void refuse(const Executable& program, std::size_t index, const std::string& from, const Order& to, std::string why) {
  throw Error(ErrorCode::failed_precondition, story(program, index, from, to))
      .in_plugin(program.state()->client->table().plugin_text())
      .note(std::move(why))
      .note("give it the result of a program that gives that order, or compile the program without layouts of its own");
}

// Gives its argument back in another order.
std::string code_for(std::string_view element, const Shape& shape, const Order& from, const Order& to) {
  std::string tensor = "tensor<";
  for (const std::int64_t extent : shape) tensor += text("{}x", extent);
  tensor += text("{}>", element);
  return text(
      "module @reorder {{ func.func public @main(%x: {} {{mhlo.layout_mode = \"{}\"}}) -> ({} {{mhlo.layout_mode = \"{}\"}}) {{ "
      "return %x : {} }} }}",
      tensor, order_text(from), tensor, order_text(to), tensor);
}

std::shared_ptr<const ExecutableState> reorder_program(const ExecutableState& state, const std::string& code) {
  const std::lock_guard lock(state.reorder_mutex);
  auto& program = state.reorders[code];
  if (!program) {
    CompileOptions options;
    options.device_ids = {Device(state.client, state.devices.front()).id()};
    program = compile(state.client, Module::from_bytes(code, "a program that puts an argument in order"), options);
  }
  return program;
}

Buffer in_order(const Executable& program, std::size_t index, const Buffer& buffer, const Order& from, const Order& to) {
  const TensorType type = buffer.type();
  // StableHLO has no integers of one bit.
  if (type.dtype == DType::int1 || type.dtype == DType::uint1)
    refuse(program, index, order_text(from), to, text("no program can reorder {}", name(type.dtype)));
  try {
    const auto reorder = reorder_program(*program.state(), code_for(stablehlo_name(type.dtype), type.shape, from, to));
    if ((reorder->argument_orders.empty() ? row_major_order(from.size()) : reorder->argument_orders.front()) != from)
      refuse(program, index, order_text(from), to, "the plugin compiles no program that takes the order it has");
    Results results = Executable(reorder).run({&buffer, 1});
    Buffer made = std::move(results.only());
    if (device_layout(*program.state()->client->plugin, handle_of(made), to.size()).order != to)
      refuse(program, index, order_text(from), to, "the plugin compiles no program that gives the order it wants");
    return made;
  } catch (Error& error) {
    if (error.code() != ErrorCode::failed_precondition) error.note(story(program, index, order_text(from), to));
    throw;
  }
}

}  // namespace

InOrder::InOrder(const Executable& program, std::vector<const Buffer*> arguments)
    : table_(program.state()->client->table()), arguments_(std::move(arguments)) {
  const ExecutableState& state = *program.state();
  // Pointers to them stay valid.
  copies_.reserve(arguments_.size());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Buffer& buffer = *arguments_[i];
    const std::size_t rank = buffer.shape().size();
    if (rank < 2) continue;
    const Order wanted = state.argument_orders.empty() ? row_major_order(rank) : state.argument_orders[i];
    // Another rank is the plugin's to refuse.
    if (wanted.size() != rank) continue;
    const DeviceLayout own = device_layout(*state.client->plugin, handle_of(buffer), rank);
    if (own.order == wanted || (!own.order && is_row_major(wanted))) continue;
    if (!own.order) refuse(program, i, "that the plugin does not tell", wanted, "the plugin tells no order for this buffer");
    copies_.push_back({&buffer, buffer.handle(), in_order(program, i, buffer, *own.order, wanted)});
    arguments_[i] = &copies_.back().made;
  }
}

void InOrder::settle() const {
  for (const Copy& copy : copies_) {
    bool donated = false;
    offered([&] { donated = copy.made.is_deleted(); });
    // The original may have been replaced by a result of the run.
    if (donated && copy.original->handle() == copy.handle) table_.call<&Api::PJRT_Buffer_Delete>({.buffer = handle_of(*copy.original)});
  }
}

}  // namespace pier::runtime
