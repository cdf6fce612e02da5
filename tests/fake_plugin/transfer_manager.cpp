#include <cstring>

#include "fake_plugin/bodies.h"
#include "fake_plugin/buffer.h"
#include "fake_plugin/event.h"

namespace fake {
namespace {

struct Pending {
  std::shared_ptr<Buffer> buffer;
  SignalPtr ready;
  SlotPtr slot;
  bool retrieved = false;
  std::size_t running = 0;
  bool last_asked = false;
};

class TransferManager final : public Object {
 public:
  static constexpr Kind its_kind = Kind::transfer_manager;
  TransferManager(Place where, const void* client) : Object(Kind::transfer_manager, client), place(std::move(where)) {}

  Pending& at(int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= pending.size()) {
      refuse("there is no buffer " + std::to_string(index) + " of " + std::to_string(pending.size()));
    }
    return pending[static_cast<std::size_t>(index)];
  }

  const Place place;
  std::mutex mutex;
  std::vector<Pending> pending;
};

/// One transfer of a buffer: counted, so that the buffer is ready when the last one has ended and none is running.
template <class Work>
abi::PJRT_Event* start_transfer(const std::shared_ptr<TransferManager>& manager, int index, bool last, Call& call,
                                Work work) {
  SlotPtr slot;
  {
    const std::lock_guard lock(manager->mutex);
    Pending& pending = manager->at(index);
    if (pending.last_asked) refuse("the last transfer of this buffer was asked for already");
    ++pending.running;
    pending.last_asked = last;
    slot = pending.slot;
  }
  auto done = std::make_shared<Signal>();
  later(call.delay(), [=, failure = call.later()] {
    if (!failure) work(*slot->storage());
    SignalPtr ready;
    {
      const std::lock_guard lock(manager->mutex);
      Pending& pending = manager->at(index);
      --pending.running;
      if (failure || (pending.last_asked && pending.running == 0)) ready = pending.ready;
    }
    if (ready) ready->finish(failure);
    done->finish(failure);
  });
  return give_event(std::move(done), manager->owner());
}

}  // namespace

void run(abi::PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args, Call&) {
  const auto client = ledger().get<Client>(args.client);
  if (args.num_shape_specs != 0 && args.shape_specs == nullptr) misuse("shape_specs is null");
  if (args.num_device_layouts != 0 && args.num_device_layouts != args.num_shape_specs) {
    refuse("there must be one layout for each shape, or none");
  }
  const Place place = find_place(*client, nullptr, args.memory);
  const auto manager = std::make_shared<TransferManager>(place, client->handle());
  for (std::size_t i = 0; i < args.num_shape_specs; ++i) {
    const abi::PJRT_ShapeSpec& spec = args.shape_specs[i];
    const ElementType& element = require_element(spec.element_type);
    const Dims dims = read_dims(spec.dims, spec.num_dims);
    const std::vector<std::int64_t> layout =
        read_layout(args.num_device_layouts == 0 ? nullptr : args.device_layouts[i], dims.size());
    Pending pending;
    pending.slot = make_slot(std::make_shared<Storage>(place.device->pool, device_bytes(element, dims)));
    pending.ready = std::make_shared<Signal>();
    pending.buffer =
        std::make_shared<Buffer>(place, TensorType{element.type, dims}, layout, pending.slot, pending.ready);
    manager->pending.push_back(std::move(pending));
  }
  args.transfer_manager = give<abi::PJRT_AsyncHostToDeviceTransferManager>(manager);
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_Destroy_Args& args, Call&) {
  const auto manager = ledger().take<TransferManager>(args.transfer_manager);
  if (!manager) return;
  std::vector<SignalPtr> unfinished;
  {
    const std::lock_guard lock(manager->mutex);
    for (const Pending& pending : manager->pending) {
      if (!pending.last_asked) unfinished.push_back(pending.ready);
    }
  }
  for (const SignalPtr& ready : unfinished) {
    ready->finish(Failure{abi::PJRT_Error_Code_INTERNAL, "the transfer manager was destroyed before the last transfer"});
  }
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args, Call& call) {
  const auto manager = ledger().get<TransferManager>(args.transfer_manager);
  std::int64_t whole = 0;
  {
    const std::lock_guard lock(manager->mutex);
    const Buffer& buffer = *manager->at(args.buffer_index).buffer;
    whole = device_bytes(buffer.element(), buffer.type.dims);
  }
  if (args.offset < 0 || args.transfer_size < 0 || args.offset > whole || args.transfer_size > whole - args.offset) {
    refuse("the transfer leaves the buffer of " + std::to_string(whole) + " bytes");
  }
  if (args.data == nullptr && args.transfer_size != 0) refuse("data is null");
  const auto size = static_cast<std::size_t>(args.transfer_size);
  args.done_with_h2d_transfer = start_transfer(manager, args.buffer_index, args.is_last_transfer, call,
                                               [data = args.data, at = args.offset, size](Storage& storage) {
                                                 if (size != 0) std::memcpy(storage.data() + at, data, size);
                                               });
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args, Call& call) {
  const auto manager = ledger().get<TransferManager>(args.transfer_manager);
  const ElementType& element = require_element(args.shape_element_type);
  const TensorType type{element.type, read_dims(args.shape_dims, args.shape_num_dims)};
  const std::vector<std::int64_t> host = read_layout(args.shape_layout, type.dims.size());
  std::vector<std::int64_t> layout;
  {
    const std::lock_guard lock(manager->mutex);
    const Buffer& buffer = *manager->at(args.buffer_index).buffer;
    if (buffer.type != type) refuse("the buffer is " + to_string(buffer.type) + ", the literal " + to_string(type));
    layout = buffer.minor_to_major;
  }
  if (args.data == nullptr && count_elements(type.dims) != 0) refuse("data is null");
  args.done_with_h2d_transfer = start_transfer(
      manager, args.buffer_index, true, call,
      [=, &element, data = static_cast<const std::byte*>(args.data)](Storage& storage) {
        write_device(storage, element, type.dims, layout, data, dense_strides(type.dims, host, host_bytes(element)));
      });
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args, Call&) {
  const auto manager = ledger().get<TransferManager>(args.transfer_manager);
  const std::lock_guard lock(manager->mutex);
  Pending& pending = manager->at(args.buffer_index);
  if (pending.retrieved) refuse("this buffer was retrieved before");
  pending.retrieved = true;
  args.buffer_out = give<abi::PJRT_Buffer>(pending.buffer);
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_Device_Args& args, Call&) {
  args.device_out = handle_of<abi::PJRT_Device>(*ledger().get<TransferManager>(args.transfer_manager)->place.device);
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args& args, Call&) {
  args.buffer_count = ledger().get<TransferManager>(args.transfer_manager)->pending.size();
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args& args, Call&) {
  const auto manager = ledger().get<TransferManager>(args.transfer_manager);
  const std::lock_guard lock(manager->mutex);
  const Buffer& buffer = *manager->at(args.buffer_index).buffer;
  args.buffer_size = static_cast<std::size_t>(device_bytes(buffer.element(), buffer.type.dims));
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args& args, Call&) {
  const auto manager = ledger().get<TransferManager>(args.transfer_manager);
  SignalPtr ready;
  {
    const std::lock_guard lock(manager->mutex);
    Pending& pending = manager->at(args.buffer_index);
    pending.last_asked = true;
    ready = pending.ready;
  }
  ready->finish(Failure{args.error_code, std::string(args.error_message, args.error_message_size)});
}

void run(abi::PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args& args, Call&) {
  ledger().get<TransferManager>(args.transfer_manager);
  read_named(args.transfer_metadata, args.num_metadata, "metadata");
}

}  // namespace fake
