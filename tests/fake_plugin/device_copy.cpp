#include <cstring>

#include "fake_plugin/bodies.h"
#include "fake_plugin/buffer.h"
#include "fake_plugin/event.h"
#include "fake_plugin/holder.h"

namespace fake {
namespace {

std::shared_ptr<Client> client_of(const Buffer& buffer) { return ledger().get<Client>(buffer.owner()); }

abi::PJRT_Buffer* copy_to(const Buffer& source, Place place, Call& call) {
  const SlotPtr from = source.require_slot();
  const std::int64_t bytes = device_bytes(source.element(), source.type.dims);
  SlotPtr to = make_slot(std::make_shared<Storage>(place.device->pool, bytes));
  auto ready = std::make_shared<Signal>();
  when_all({source.ready}, [=, failure = call.later(), delay = call.delay()](std::optional<Failure> first) {
    later(delay, [=, why = first ? first : failure] {
      if (!why && bytes != 0) {
        std::memcpy(to->storage()->data(), from->storage()->data(), static_cast<std::size_t>(bytes));
      }
      ready->finish(why);
    });
  });
  return give<abi::PJRT_Buffer>(
      std::make_shared<Buffer>(std::move(place), source.type, source.minor_to_major, to, ready));
}

}  // namespace

void run(abi::PJRT_Buffer_CopyToDevice_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  args.dst_buffer = copy_to(*buffer, find_place(*client_of(*buffer), args.dst_device, nullptr), call);
}

void run(abi::PJRT_Buffer_CopyToMemory_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  if (!call.settings().memories) refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this plugin has no memory spaces");
  args.dst_buffer = copy_to(*buffer, find_place(*client_of(*buffer), nullptr, args.dst_memory), call);
}

void run(abi::PJRT_Buffer_Bitcast_Args& args, Call&) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  const ElementType& element = require_element(args.element_type);
  const Dims dims = read_dims(args.dims, args.num_dims);
  if (device_bytes(element, dims) != device_bytes(buffer->element(), buffer->type.dims)) {
    refuse("a bitcast must keep the number of bytes on the device");
  }
  const std::vector<std::int64_t> layout = read_layout(args.device_layout, dims.size());
  args.out_buffer = give<abi::PJRT_Buffer>(std::make_shared<Buffer>(
      buffer->place, TensorType{element.type, dims}, layout, buffer->require_slot(), buffer->ready));
}

namespace {

class Dependency final : public Holder {
 public:
  SignalPtr met = std::make_shared<Signal>();
};

void dependency_is_met(abi::PJRT_Buffer_DonateWithControlDependency_Callback_Args* args) {
  try {
    const auto dependency = std::static_pointer_cast<Dependency>(ledger().take<Holder>(args->callback_data));
    if (!dependency) misuse("the callback got null data");
    std::optional<Failure> failure;
    if (args->error_code != 0) {
      failure = Failure{args->error_code, std::string(args->error_message, args->error_message_size)};
    }
    dependency->met->finish(std::move(failure));
  } catch (const Failure&) {
    return;
  }
}

}  // namespace

void run(abi::PJRT_Buffer_DonateWithControlDependency_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  const SlotPtr slot = buffer->require_slot();
  if (buffer->references > 0) refuse("a buffer with external references cannot be donated");
  const auto dependency = std::make_shared<Dependency>();
  const SignalPtr ready = delayed({buffer->ready, dependency->met}, call.delay(), call.later());
  buffer->erase();
  args.callback_data = give<void>(dependency);
  args.dependency_ready_callback = dependency_is_met;
  args.out_buffer = give<abi::PJRT_Buffer>(
      std::make_shared<Buffer>(buffer->place, buffer->type, buffer->minor_to_major, slot, ready));
}

}  // namespace fake
