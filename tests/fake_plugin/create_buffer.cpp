#include "fake_plugin/bodies.h"
#include "fake_plugin/buffer.h"
#include "fake_plugin/event.h"
#include "fake_plugin/holder.h"

namespace fake {

void run(abi::PJRT_Client_CreateViewOfDeviceBuffer_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  const ElementType& element = require_element(args.element_type);
  const Dims dims = read_dims(args.dims, args.num_dims);
  const std::vector<std::int64_t> layout = read_layout(args.layout, dims.size());
  const Place place = find_place(*client, args.device, args.memory);
  if (args.device_buffer_ptr == nullptr) refuse("the device buffer is null");
  const auto on_free = [pointer = args.device_buffer_ptr, callback = args.on_delete_callback,
                        user = args.on_delete_callback_arg] {
    if (callback != nullptr) callback(pointer, user);
  };
  SlotPtr slot = make_slot(std::make_shared<Storage>(args.device_buffer_ptr, device_bytes(element, dims), on_free));
  args.buffer = give<abi::PJRT_Buffer>(
      std::make_shared<Buffer>(place, TensorType{element.type, dims}, layout, std::move(slot),
                               delayed({}, call.delay(), call.later())));
}

void run(abi::PJRT_Client_CreateUninitializedBuffer_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  const ElementType& element = require_element(args.shape_element_type);
  const Dims dims = read_dims(args.shape_dims, args.shape_num_dims);
  const std::vector<std::int64_t> layout = read_layout(args.shape_layout, dims.size());
  const Place place = find_place(*client, args.device, args.memory);
  SlotPtr slot = make_slot(std::make_shared<Storage>(place.device->pool, device_bytes(element, dims)));
  args.buffer = give<abi::PJRT_Buffer>(
      std::make_shared<Buffer>(place, TensorType{element.type, dims}, layout, std::move(slot),
                               delayed({}, call.delay(), call.later())));
}

void run(abi::PJRT_Client_CreateErrorBuffer_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  const ElementType& element = require_element(args.shape_element_type);
  const Dims dims = read_dims(args.shape_dims, args.shape_num_dims);
  const std::vector<std::int64_t> layout = read_layout(args.shape_layout, dims.size());
  if (args.error_code == abi::PJRT_Error_Code_OK) refuse("an error buffer needs an error");
  const Place place = find_place(*client, nullptr, args.memory);
  const Failure failure{args.error_code, std::string(args.error_message, args.error_message_size)};
  SlotPtr slot = make_slot(std::make_shared<Storage>(place.device->pool, device_bytes(element, dims)));
  args.buffer = give<abi::PJRT_Buffer>(std::make_shared<Buffer>(place, TensorType{element.type, dims}, layout,
                                                                std::move(slot), delayed({}, call.delay(), failure)));
}

namespace {

/// The promise that an alias buffer will get its memory.
class Fulfillment final : public Holder {
 public:
  Fulfillment(SlotPtr place, SignalPtr ready, TensorType what)
      : slot(std::move(place)), fulfilled(std::move(ready)), type(std::move(what)) {}
  const SlotPtr slot;
  const SignalPtr fulfilled;
  const TensorType type;
};

}  // namespace

void run(abi::PJRT_Client_CreateAliasBuffer_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  const ElementType& element = require_element(args.shape_element_type);
  const Dims dims = read_dims(args.shape_dims, args.shape_num_dims);
  const std::vector<std::int64_t> layout = read_layout(args.shape_layout, dims.size());
  const Place place = find_place(*client, nullptr, args.memory);
  const SlotPtr slot = make_slot(nullptr);
  const auto ready = std::make_shared<Signal>();
  const TensorType type{element.type, dims};
  args.alias_buffer = give<abi::PJRT_Buffer>(std::make_shared<Buffer>(place, type, layout, slot, ready));
  args.fulfill_alias_buffer_cb =
      give<abi::PJRT_FulfillAliasBufferCallback>(std::make_shared<Fulfillment>(slot, ready, type));
}

void run(abi::PJRT_Client_FulfillAliasBuffer_Args& args, Call&) {
  ledger().get<Client>(args.client);
  if (args.status_code != abi::PJRT_Error_Code_OK) {
    const auto promise = std::static_pointer_cast<Fulfillment>(ledger().take<Holder>(args.fulfill_alias_buffer_cb));
    if (!promise) misuse("no callback to fulfill");
    promise->fulfilled->finish(Failure{args.status_code, std::string(args.error_message, args.error_message_size)});
    return;
  }
  const auto buffer = ledger().get<Buffer>(args.buffer);
  const SlotPtr from = buffer->require_slot();
  const auto promise = std::static_pointer_cast<Fulfillment>(ledger().take<Holder>(args.fulfill_alias_buffer_cb));
  if (!promise) misuse("no callback to fulfill");
  if (buffer->type != promise->type) {
    refuse("the alias is " + to_string(promise->type) + ", the buffer " + to_string(buffer->type));
  }
  when_all({buffer->ready}, [from, promise](std::optional<Failure> first) {
    promise->slot->fill(from->storage());
    promise->fulfilled->finish(std::move(first));
  });
}

}  // namespace fake
