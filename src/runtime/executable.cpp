#include <pier/executable.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/event.h"
#include "runtime/hlo.h"
#include "runtime/optimized.h"
#include "runtime/reorder.h"
#include "runtime/state.h"

namespace pier {
namespace {

using abi::Api;
using runtime::ExecutableState;

// Arguments and results of a run that need no allocation; programs with more pay for one.
constexpr std::size_t inline_buffers = 64;

// For messages about another fault, which must not be lost because the name cannot be had.
std::string name_or_default(const Executable& program) {
  try {
    return program.name();
  } catch (const Error&) {
    return "the program";
  }
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_argument(const Executable& program, std::size_t index, bool holds) {
  throw Error(holds ? ErrorCode::invalid_argument : ErrorCode::failed_precondition,
              text("argument {} of {} {}", index, name_or_default(program),
                   holds ? "belongs to another client" : "holds nothing; it was moved from or never filled"))
      .in_plugin(program.state()->client->table().plugin_text())
      .note(holds ? runtime::other_client_note : "put an array, or give the buffer that it was moved to");
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_run(const Executable& program, std::size_t count, std::size_t room) {
  const ExecutableState& state = *program.state();
  const std::string name = name_or_default(program);
  if (room != state.num_outputs)
    throw Error(ErrorCode::invalid_argument, text("{} has {} results, room was given for {}", name, state.num_outputs, room));
  if (state.devices.size() != 1)
    throw Error(ErrorCode::invalid_argument,
                text("{} runs on {} devices; one call here gives the arguments of one", name, state.devices.size()))
        .note("compile it for one device: one replica, one partition, one device id");
  throw Error(ErrorCode::invalid_argument, text("{} takes {} arguments, {} were given", name, state.num_arguments, count))
      .note("its signature() lists them");
}

template <class T>
class SmallArray {
 public:
  explicit SmallArray(std::size_t size) {
    if (size > inline_buffers) more_.resize(size);
  }
  T* data() { return more_.empty() ? few_ : more_.data(); }
  T& operator[](std::size_t i) { return data()[i]; }

 private:
  T few_[inline_buffers];
  std::vector<T> more_;
};

}  // namespace

namespace runtime {

ExecutableState::ExecutableState(std::shared_ptr<const ClientState> client_state, abi::LoadedExecutableHandle handle)
    : client(std::move(client_state)), loaded(std::move(handle)) {
  const abi::Table& table = client->table();
  const auto got = table.call<&Api::PJRT_LoadedExecutable_GetExecutable>({.loaded_executable = loaded.get()});
  plain = abi::ExecutableHandle(table, table.require_out(got.executable, "PJRT_LoadedExecutable_GetExecutable", "executable"));
  num_outputs = checked_count(table, table.call<&Api::PJRT_Executable_NumOutputs>({.executable = plain.get()}).num_outputs,
                              "PJRT_Executable_NumOutputs", "num_outputs");
  const auto addressable = table.call<&Api::PJRT_LoadedExecutable_AddressableDevices>({.executable = loaded.get()});
  const auto list = checked_handles(table, addressable.addressable_devices, addressable.num_addressable_devices,
                                    "PJRT_LoadedExecutable_AddressableDevices", "addressable_devices");
  devices.assign(list.begin(), list.end());
}

ExecutableState::~ExecutableState() {
  if (client->forked()) {
    plain.release();
    loaded.release();
  }
}

}  // namespace runtime

Buffer& Results::operator[](std::size_t index) {
  return const_cast<Buffer&>(std::as_const(*this)[index]);
}

const Buffer& Results::operator[](std::size_t index) const {
  if (index >= size_) throw Error(ErrorCode::out_of_range, text("result {} of a program with {}", index, size_));
  return data()[index];
}

Buffer& Results::only() { return const_cast<Buffer&>(std::as_const(*this).only()); }

const Buffer& Results::only() const {
  if (size_ != 1)
    throw Error(ErrorCode::invalid_argument, text("the program gave {} results where one was wanted", size_))
        .note("take them by number: results[0]");
  return *data();
}

Executable::Executable(std::shared_ptr<const ExecutableState> state) noexcept : state_(std::move(state)) {}

const ExecutableState& Executable::own() const { return runtime::held(state_, "an executable"); }

std::string Executable::name() const {
  const auto args = own().usable().call<&Api::PJRT_Executable_Name>({.executable = state_->plain.get()});
  return runtime::checked_text(state_->client->table(), args.executable_name, args.executable_name_size,
                               "PJRT_Executable_Name", "executable_name");
}

std::size_t Executable::num_outputs() const { return own().num_outputs; }

std::vector<Device> Executable::devices() const {
  std::vector<Device> out;
  for (abi::PJRT_Device* device : own().devices) out.emplace_back(state_->client, device);
  return out;
}

std::optional<std::vector<TensorType>> Executable::output_types() const try {
  const abi::Table& table = own().usable();
  const auto types = table.call<&Api::PJRT_Executable_OutputElementTypes>({.executable = state_->plain.get()});
  const auto dims = table.call<&Api::PJRT_Executable_OutputDimensions>({.executable = state_->plain.get()});
  const std::size_t count = state_->num_outputs;
  if (types.num_output_types != count || dims.num_outputs != count)
    table.refuse_answer("PJRT_Executable_OutputDimensions",
                           text("the plugin gave {} types and {} shapes of {} results", types.num_output_types, dims.num_outputs, count));
  const auto type_list = runtime::checked_list(table, types.output_types, count, "PJRT_Executable_OutputElementTypes", "output_types");
  const auto ranks = runtime::checked_list(table, dims.dim_sizes, count, "PJRT_Executable_OutputDimensions", "dim_sizes");
  std::vector<TensorType> out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t rank = runtime::checked_count(table, ranks[i], "PJRT_Executable_OutputDimensions", "dim_sizes");
    const std::int64_t* const extents = dims.dims ? dims.dims + used : nullptr;
    out.push_back({runtime::checked_dtype(table, static_cast<int>(type_list[i]), "PJRT_Executable_OutputElementTypes"),
                   runtime::checked_shape(table, extents, rank, "PJRT_Executable_OutputDimensions")});
    used += rank;
  }
  return out;
} catch (const Error& error) {
  if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return std::nullopt;
  throw;
}

std::optional<Signature> Executable::signature() const {
  const auto code = runtime::optimized_hlo(own());
  return code ? runtime::hlo_signature(*code) : std::nullopt;
}

// `argument(i)` gives a pointer to the buffer; so a list of pointers and one of buffers take the same way without a copy.
template <class Argument>
void Executable::launch(std::size_t count, Argument argument, std::span<Buffer> results, Event* done) const {
  const ExecutableState& state = own();
  state.usable();
  if (results.size() != state.num_outputs || state.devices.size() != 1 ||
      (count != state.num_arguments && state.num_arguments != ExecutableState::unknown)) [[unlikely]]
    refuse_run(*this, count, results.size());
  if (!state.client->orders_differ.load(std::memory_order_relaxed)) [[likely]]
    return execute(count, argument, results, done, nullptr);

  std::vector<const Buffer*> given(count);
  for (std::size_t i = 0; i < count; ++i) {
    given[i] = argument(i);
    check_argument(given[i], i);
  }
  const runtime::InOrder in_order(*this, std::move(given));
  execute(count, [&](std::size_t i) { return in_order.arguments()[i]; }, results, done, &in_order);
}

inline void Executable::check_argument(const Buffer* given, std::size_t index) const {
  // A buffer of another client is a pointer into another plugin.
  if (!given || !given->handle_ || given->client_ != state_->client) [[unlikely]]
    refuse_argument(*this, index, given && given->handle_);
}

template <class Argument>
void Executable::execute(std::size_t count, Argument argument, std::span<Buffer> results, Event* done,
                         const runtime::InOrder* in_order) const {
  const ExecutableState& state = *state_;
  const abi::Table& table = state.client->table();
  SmallArray<abi::PJRT_Buffer*> inputs(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer* const given = argument(i);
    check_argument(given, i);
    inputs[i] = static_cast<abi::PJRT_Buffer*>(given->handle_);
  }
  SmallArray<abi::PJRT_Buffer*> outputs(results.size());
  bool in_use = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    outputs[i] = nullptr;
    in_use |= bool(results[i]);
  }

  abi::Block<abi::PJRT_ExecuteOptions> options;
  abi::Block<abi::PJRT_LoadedExecutable_Execute_Args> block;
  abi::PJRT_Buffer* const* const input_list = inputs.data();
  abi::PJRT_Buffer** const output_list = outputs.data();
  abi::PJRT_Event* complete = nullptr;
  block.args.executable = state.loaded.get();
  block.args.options = &options.args;
  block.args.argument_lists = &input_list;
  block.args.num_devices = 1;
  block.args.num_args = count;
  block.args.output_lists = &output_list;
  if (done) block.args.device_complete_events = &complete;
  table.call_into<&Api::PJRT_LoadedExecutable_Execute>(block);

  abi::EventHandle finished(table, complete);
  bool whole = !done || complete;
  for (std::size_t i = 0; i < results.size(); ++i) whole &= outputs[i] != nullptr;
  if (!whole) [[unlikely]] {
    // What the caller keeps stays as it was.
    for (std::size_t i = 0; i < results.size(); ++i) [[maybe_unused]] const Buffer lost(state.client, outputs[i]);
    table.require_out<void>(nullptr, "PJRT_LoadedExecutable_Execute", done && !complete ? "device_complete_events" : "output_lists");
  }
  std::optional<Event> event;
  if (done) event = runtime::make_event(state.client, std::move(finished));
  if (in_order) [[unlikely]] in_order->settle();
  // Assigned only now, so that a result may be an argument of the same call.
  if (in_use) [[unlikely]] Buffer::destroy(results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].client_ = state.client;
    results[i].handle_ = outputs[i];
  }
  if (done) *done = std::move(*event);
}

Results Executable::run(std::span<const Buffer* const> arguments) const {
  Results results(own().num_outputs);
  run_into(arguments, {results.begin(), results.size()});
  return results;
}

Results Executable::run(std::span<const Buffer> arguments) const {
  Results results(own().num_outputs);
  launch(arguments.size(), [arguments](std::size_t i) { return &arguments[i]; }, {results.begin(), results.size()}, nullptr);
  return results;
}

void Executable::run_into(std::span<const Buffer* const> arguments, std::span<Buffer> results, Event* done) const {
  launch(arguments.size(), [arguments](std::size_t i) { return arguments[i]; }, results, done);
}

}  // namespace pier
