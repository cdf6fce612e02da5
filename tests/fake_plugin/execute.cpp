#include <algorithm>
#include <cstring>
#include <set>

#include "fake_plugin/bodies.h"
#include "fake_plugin/buffer.h"
#include "fake_plugin/event.h"
#include "fake_plugin/executable.h"

namespace fake {
namespace {

/// An argument as the execution holds it: its memory lives on even if the buffer is destroyed meanwhile.
struct Input {
  std::shared_ptr<Buffer> buffer;
  SlotPtr slot;
};

struct Output {
  TensorType type;
  std::vector<std::int64_t> layout;
  SlotPtr slot;
};

/// What one device has to do.
struct Work {
  std::shared_ptr<const Compiled> compiled;
  Place place;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

std::vector<Input> collect(const Program& program, abi::PJRT_Buffer* const* list, std::size_t count,
                           const Device& device) {
  if (count != 0 && list == nullptr) misuse("an argument list is null");
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    auto buffer = ledger().get<Buffer>(list[i]);
    const std::string which = "argument " + std::to_string(i);
    if (buffer->place.device.get() != &device) {
      refuse(which + " is on device " + std::to_string(buffer->place.device->description->id) +
             ", the program runs on device " + std::to_string(device.description->id));
    }
    if (program.signature && buffer->type != program.signature->arguments[i]) {
      refuse(which + " is " + to_string(buffer->type) + ", the program wants " +
             to_string(program.signature->arguments[i]));
    }
    if (program.verb == Verb::add_one && buffer->type.type != abi::PJRT_Buffer_Type_F32) {
      refuse(which + " is " + to_string(buffer->type) + ", fake.add_one takes f32");
    }
    SlotPtr slot = buffer->slot();
    if (!slot) refuse(which + ": " + deleted_message);
    inputs.push_back({std::move(buffer), std::move(slot)});
  }
  return inputs;
}

void check_donation(const std::vector<Input>& inputs, const std::set<std::size_t>& donated) {
  for (const std::size_t donor : donated) {
    if (inputs[donor].buffer->references > 0) {
      refuse("argument " + std::to_string(donor) + " is to be donated but has external references");
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (i != donor && inputs[i].slot == inputs[donor].slot) {
        refuse("argument " + std::to_string(donor) + " is donated and used again as argument " + std::to_string(i));
      }
    }
  }
}

std::vector<Output> allocate(const Program& program, const std::vector<Input>& inputs, const Place& place) {
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < program.num_outputs; ++i) {
    Output output;
    output.type = program.verb == Verb::constants ? TensorType{abi::PJRT_Buffer_Type_F32, {}}
                                                  : inputs[program.source_of(i)].buffer->type;
    output.layout = program.output_layout(i, output.type.dims.size());
    output.slot = make_slot(
        std::make_shared<Storage>(place.device->pool, device_bytes(*find_element(output.type.type), output.type.dims)));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

void compute(const Work& work) {
  const Program& program = work.compiled->program;
  for (std::size_t i = 0; i < work.outputs.size(); ++i) {
    const Output& output = work.outputs[i];
    const ElementType& element = *find_element(output.type.type);
    const std::size_t size = host_bytes(element);
    std::vector<std::byte> values(static_cast<std::size_t>(count_elements(output.type.dims)) * size);
    const auto strides = dense_strides(output.type.dims, row_major(output.type.dims.size()), size);
    if (program.verb == Verb::constants) {
      const auto value = static_cast<float>(i);
      std::memcpy(values.data(), &value, sizeof value);
    } else {
      // As real plugins do: in the order that the program was compiled for, whatever order the buffer is in.
      const std::size_t source = program.source_of(i);
      read_device(*work.inputs[source].slot->storage(), element, output.type.dims,
                  program.argument_layout(source, output.type.dims.size()), values.data(), strides);
    }
    if (program.verb == Verb::add_one) {
      for (std::size_t at = 0; at < values.size(); at += sizeof(float)) {
        float value = 0;
        std::memcpy(&value, values.data() + at, sizeof value);
        value += 1;
        std::memcpy(values.data() + at, &value, sizeof value);
      }
    }
    write_device(*output.slot->storage(), element, output.type.dims, output.layout, values.data(), strides);
  }
}

/// Starts the work; the signal is done when it is.
SignalPtr start(Work work, const std::shared_ptr<ExecuteContext>& context, std::int64_t delay,
                const std::optional<Failure>& failure) {
  auto done = std::make_shared<Signal>();
  std::vector<SignalPtr> inputs;
  for (const Input& input : work.inputs) inputs.push_back(input.buffer->ready);
  if (context) ++context->executions;
  when_all(inputs, [=, shared = std::make_shared<Work>(std::move(work))](std::optional<Failure> first) {
    later(delay, [=, why = first ? first : failure] {
      if (!why) compute(*shared);
      // Donated and shared memory is free before anybody hears that the execution is over.
      shared->inputs.clear();
      if (context) --context->executions;
      done->finish(why);
    });
  });
  return done;
}

std::set<std::size_t> donated_now(const Program& program, const abi::PJRT_ExecuteOptions& options) {
  std::set<std::size_t> donated = program.donated;
  for (std::size_t i = 0; i < options.num_non_donatable_input_indices; ++i) {
    donated.erase(static_cast<std::size_t>(options.non_donatable_input_indices[i]));
  }
  return donated;
}

std::string describe(const abi::PJRT_ExecuteOptions& options) {
  std::string text = "launch_id=" + std::to_string(options.launch_id) + "\n";
  if (options.call_location != nullptr) text += "call_location=" + std::string(options.call_location) + "\n";
  text += describe(read_named(options.custom_options, options.num_custom_options, "custom options"));
  return text;
}

std::vector<std::shared_ptr<Device>> devices_for(const LoadedExecutable& loaded,
                                                 const abi::PJRT_LoadedExecutable_Execute_Args& args) {
  std::vector<std::shared_ptr<Device>> devices = loaded.devices;
  if (args.execute_device != nullptr) devices = {ledger().get<Device>(args.execute_device)};
  if (args.num_devices != devices.size()) {
    refuse("the program runs on " + std::to_string(devices.size()) + " addressable devices, arguments came for " +
           std::to_string(args.num_devices));
  }
  return devices;
}

}  // namespace

void run(abi::PJRT_LoadedExecutable_Execute_Args& args, Call& call) {
  const auto loaded = ledger().get<LoadedExecutable>(args.executable);
  const Program& program = loaded->compiled->program;
  const abi::PJRT_ExecuteOptions options = nested(args.options, "PJRT_ExecuteOptions", call.settings());
  steering().remember("execute", describe(options));
  if (options.num_send_ops != 0 || options.num_recv_ops != 0) {
    refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "the fake plugin has no send and receive");
  }
  std::shared_ptr<ExecuteContext> context;
  if (options.context != nullptr) context = ledger().get<ExecuteContext>(options.context);
  const std::vector<std::shared_ptr<Device>> devices = devices_for(*loaded, args);
  if (args.num_args != program.num_arguments) {
    refuse("the program takes " + std::to_string(program.num_arguments) + " arguments, got " +
           std::to_string(args.num_args));
  }
  if (args.num_args != 0 && args.argument_lists == nullptr) misuse("argument_lists is null");
  if (program.num_outputs != 0 && args.output_lists == nullptr) misuse("output_lists is null");
  const std::set<std::size_t> donated = donated_now(program, options);

  // Everything that can be refused is refused before anything is changed.
  std::vector<Work> works;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    Work work;
    work.compiled = loaded->compiled;
    work.place = find_place(*ledger().get<Client>(loaded->owner()), handle_of<abi::PJRT_Device>(*devices[d]), nullptr);
    work.inputs = collect(program, args.num_args == 0 ? nullptr : args.argument_lists[d], args.num_args, *devices[d]);
    check_donation(work.inputs, donated);
    work.outputs = allocate(program, work.inputs, work.place);
    works.push_back(std::move(work));
  }
  for (std::size_t d = 0; d < devices.size(); ++d) {
    for (const std::size_t donor : donated) works[d].inputs[donor].buffer->erase();
    const std::vector<Output> outputs = works[d].outputs;
    const Place place = works[d].place;
    const SignalPtr done = start(std::move(works[d]), context, call.delay(), call.later());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      args.output_lists[d][i] = give<abi::PJRT_Buffer>(
          std::make_shared<Buffer>(place, outputs[i].type, outputs[i].layout, outputs[i].slot, done));
    }
    if (args.device_complete_events != nullptr) args.device_complete_events[d] = give_event(done, loaded->owner());
  }
}

std::size_t outputs_of(const abi::PJRT_LoadedExecutable* executable) {
  return ledger().get<LoadedExecutable>(executable)->compiled->program.num_outputs;
}

}  // namespace fake
