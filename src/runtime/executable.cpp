#include <pier/executable.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/event.h"
#include "runtime/hlo.h"
#include "runtime/state.h"

namespace pier {
namespace {

using abi::Api;
using runtime::ExecutableState;

// Arguments and results of a run that need no allocation; programs with more pay for one.
constexpr std::size_t inline_buffers = 64;

// What protocol buffers can hold at most.
constexpr std::size_t largest_program = std::size_t{1} << 31;

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
      .in_plugin(program.state()->client->table().plugin_text());
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_run(const Executable& program, std::size_t room) {
  const std::size_t outputs = program.num_outputs();
  if (room != outputs)
    throw Error(ErrorCode::invalid_argument, text("{} has {} results, room was given for {}", name_or_default(program), outputs, room));
  throw Error(ErrorCode::invalid_argument, text("{} runs on {} devices; one call here gives the arguments of one",
                                                name_or_default(program), program.state()->devices.size()));
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

std::string Executable::name() const {
  const auto args = state_->usable().call<&Api::PJRT_Executable_Name>({.executable = state_->plain.get()});
  return runtime::checked_text(state_->client->table(), args.executable_name, args.executable_name_size,
                               "PJRT_Executable_Name", "executable_name");
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
  const std::size_t count = state_->num_outputs;
  if (types.num_output_types != count || dims.num_outputs != count)
    runtime::refuse_answer(table, "PJRT_Executable_OutputDimensions",
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

std::optional<Signature> Executable::signature() const try {
  const abi::Table& table = state_->usable();
  // Asked twice: first for the sizes, then with room for the bytes.
  abi::PJRT_Program program;
  table.call<&Api::PJRT_Executable_OptimizedProgram>({.executable = state_->plain.get(), .program = &program});
  constexpr std::string_view function = "PJRT_Executable_OptimizedProgram";
  if (program.code_size > largest_program)
    runtime::refuse_answer(table, function, text("{} says that the program has {} bytes", function, program.code_size));
  std::string code(program.code_size, '\0');
  program.code = code.data();
  table.call<&Api::PJRT_Executable_OptimizedProgram>({.executable = state_->plain.get(), .program = &program});
  if (program.code_size > code.size())
    runtime::refuse_answer(table, function, text("{} first told {} bytes of program and then {}", function, code.size(), program.code_size));
  code.resize(program.code_size);
  const std::string format = runtime::checked_text(table, program.format, program.format_size, function, "format");
  if (!format.starts_with("hlo")) return std::nullopt;
  const auto module = runtime::find_hlo_module(code);
  return module ? runtime::hlo_signature(*module) : std::nullopt;
} catch (const Error& error) {
  if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return std::nullopt;
  throw;
}

// `argument(i)` gives a pointer to the buffer; so a list of pointers and one of buffers take the same way without a copy.
template <class Argument>
void Executable::launch(std::size_t count, Argument argument, std::span<Buffer> results, Event* done) const {
  const ExecutableState& state = *state_;
  const abi::Table& table = state.usable();
  if (results.size() != state.num_outputs || state.devices.size() != 1) [[unlikely]] refuse_run(*this, results.size());

  SmallArray<abi::PJRT_Buffer*> inputs(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer* const given = argument(i);
    // A buffer of another client is a pointer into another plugin.
    if (!given || !given->handle_ || given->client_ != state.client) [[unlikely]]
      refuse_argument(*this, i, given && given->handle_);
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
  // Assigned only now, so that a result may be an argument of the same call.
  if (in_use) [[unlikely]] Buffer::destroy(results);
  bool complete_list = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (outputs[i]) {
      results[i].client_ = state.client;
      results[i].handle_ = outputs[i];
    } else {
      complete_list = false;
    }
  }
  if (!complete_list) [[unlikely]]
    table.require_out<void>(nullptr, "PJRT_LoadedExecutable_Execute", "output_lists");
  if (done) {
    table.require_out(complete, "PJRT_LoadedExecutable_Execute", "device_complete_events");
    *done = runtime::make_event(state.client, std::move(finished));
  }
}

Results Executable::run(std::span<const Buffer* const> arguments) const {
  Results results(state_->num_outputs);
  run_into(arguments, {results.begin(), results.size()});
  return results;
}

Results Executable::run(std::span<const Buffer> arguments) const {
  Results results(state_->num_outputs);
  launch(arguments.size(), [arguments](std::size_t i) { return &arguments[i]; }, {results.begin(), results.size()}, nullptr);
  return results;
}

void Executable::run_into(std::span<const Buffer* const> arguments, std::span<Buffer> results, Event* done) const {
  launch(arguments.size(), [arguments](std::size_t i) { return arguments[i]; }, results, done);
}

}  // namespace pier
