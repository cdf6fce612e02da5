#include <pier/executable.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/event.h"
#include "runtime/hlo.h"
#include "runtime/state.h"

namespace pier {
namespace {

using abi::Api;
using runtime::ExecutableState;

// Arguments and results of a run that need no allocation; programs with more pay for one.
constexpr std::size_t inline_buffers = 64;

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

ExecutableState::ExecutableState(std::shared_ptr<const ClientState> client_state, abi::PJRT_LoadedExecutable* handle)
    : client(std::move(client_state)), loaded(client->table(), handle) {
  const abi::Table& table = client->table();
  const auto got = table.call<&Api::PJRT_LoadedExecutable_GetExecutable>({.loaded_executable = handle});
  plain = abi::ExecutableHandle(table, table.require_out(got.executable, "PJRT_LoadedExecutable_GetExecutable", "executable"));
  num_outputs = table.call<&Api::PJRT_Executable_NumOutputs>({.executable = plain.get()}).num_outputs;
  const auto addressable = table.call<&Api::PJRT_LoadedExecutable_AddressableDevices>({.executable = handle});
  devices.assign(addressable.addressable_devices, addressable.addressable_devices + addressable.num_addressable_devices);
}

ExecutableState::~ExecutableState() {
  if (client->forked()) {
    plain.release();
    loaded.release();
  }
}

}  // namespace runtime

Results::Results(std::size_t count) : size_(count) {
  if (count > inline_capacity) more_.resize(count);
}

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

std::string Executable::name() const {
  const auto args = state_->usable().call<&Api::PJRT_Executable_Name>({.executable = state_->plain.get()});
  return {args.executable_name, args.executable_name_size};
}

std::size_t Executable::num_outputs() const noexcept { return state_->num_outputs; }

std::vector<Device> Executable::devices() const {
  std::vector<Device> out;
  for (abi::PJRT_Device* device : state_->devices) out.emplace_back(state_->client, device);
  return out;
}

std::optional<std::vector<TensorType>> Executable::output_types() const try {
  const abi::Table& table = state_->usable();
  const auto types = table.call<&Api::PJRT_Executable_OutputElementTypes>({.executable = state_->plain.get()});
  const auto dims = table.call<&Api::PJRT_Executable_OutputDimensions>({.executable = state_->plain.get()});
  if (types.num_output_types != state_->num_outputs || dims.num_outputs != state_->num_outputs) return std::nullopt;
  std::vector<TensorType> out;
  const std::int64_t* next = dims.dims;
  for (std::size_t i = 0; i < state_->num_outputs; ++i) {
    const std::size_t rank = dims.dim_sizes[i];
    out.push_back({static_cast<DType>(types.output_types[i]), Shape(next, next + rank)});
    next += rank;
  }
  return out;
} catch (const Error& error) {
  if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return std::nullopt;
  throw;
}

std::optional<Signature> Executable::signature() const try {
  const abi::Table& table = state_->usable();
  // Asked twice: first for the sizes, then with room for the bytes.
  abi::PJRT_Program program;
  table.call<&Api::PJRT_Executable_OptimizedProgram>({.executable = state_->plain.get(), .program = &program});
  std::string code(program.code_size, '\0');
  program.code = code.data();
  table.call<&Api::PJRT_Executable_OptimizedProgram>({.executable = state_->plain.get(), .program = &program});
  const std::string_view format(program.format, program.format_size);
  if (!format.starts_with("hlo")) return std::nullopt;
  const auto module = runtime::find_hlo_module(code);
  return module ? runtime::hlo_signature(*module) : std::nullopt;
} catch (const Error& error) {
  if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return std::nullopt;
  throw;
}

Results Executable::run(std::span<const Buffer* const> arguments) const {
  Results results(state_->num_outputs);
  run_into(arguments, {results.begin(), results.size()});
  return results;
}

Results Executable::run(std::span<const Buffer> arguments) const {
  SmallArray<const Buffer*> list(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) list[i] = &arguments[i];
  return run({list.data(), arguments.size()});
}

void Executable::run_into(std::span<const Buffer* const> arguments, std::span<Buffer> results, Event* done) const {
  const ExecutableState& state = *state_;
  const abi::Table& table = state.usable();
  if (results.size() != state.num_outputs)
    throw Error(ErrorCode::invalid_argument, text("{} has {} results, room was given for {}", name(), state.num_outputs, results.size()));
  if (state.devices.size() != 1)
    throw Error(ErrorCode::invalid_argument, text("{} runs on {} devices; one call here gives the arguments of one", name(), state.devices.size()));

  SmallArray<abi::PJRT_Buffer*> inputs(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Buffer& argument = *arguments[i];
    // A buffer of another client is a pointer into another plugin.
    if (argument.client_ != state.client) [[unlikely]] {
      argument.owner();
      throw Error(ErrorCode::invalid_argument, text("argument {} of {} belongs to another client", i, name()));
    }
    inputs[i] = static_cast<abi::PJRT_Buffer*>(argument.handle_);
  }
  SmallArray<abi::PJRT_Buffer*> outputs(results.size());
  std::fill_n(outputs.data(), results.size(), nullptr);

  abi::Block<abi::PJRT_ExecuteOptions> options;
  abi::Block<abi::PJRT_LoadedExecutable_Execute_Args> block;
  abi::PJRT_Buffer* const* const input_list = inputs.data();
  abi::PJRT_Buffer** const output_list = outputs.data();
  abi::PJRT_Event* complete = nullptr;
  block.args.executable = state.loaded.get();
  block.args.options = &options.args;
  block.args.argument_lists = &input_list;
  block.args.num_devices = 1;
  block.args.num_args = arguments.size();
  block.args.output_lists = &output_list;
  if (done) block.args.device_complete_events = &complete;
  table.call_into<&Api::PJRT_LoadedExecutable_Execute>(block);

  // Assigned only now, so that a result may be an argument of the same call.
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = outputs[i] ? Buffer(state.client, outputs[i]) : Buffer();
  if (done) *done = runtime::make_event(state.client, table.require_out(complete, "PJRT_LoadedExecutable_Execute", "device_complete_events"));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!results[i]) [[unlikely]] table.require_out(outputs[i], "PJRT_LoadedExecutable_Execute", "output_lists");
}

}  // namespace pier
