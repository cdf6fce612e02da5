#include <cstdint>
#include <cstring>

#include "fake_plugin/bodies.h"
#include "fake_plugin/buffer.h"
#include "fake_plugin/event.h"
#include "fake_plugin/holder.h"

namespace fake {
namespace {

constexpr std::uintptr_t shared_alignment = 64;

std::vector<std::int64_t> read_strides(const std::int64_t* strides, std::size_t count, const Dims& dims,
                                       const ElementType& element) {
  if (strides == nullptr || count == 0) return dense_strides(dims, row_major(dims.size()), host_bytes(element));
  if (count != dims.size()) refuse("there must be one byte stride for each dimension");
  return {strides, strides + count};
}

void require_semantics(int semantics, const Settings& settings) {
  const int since[] = {40, 40, 47, 48};
  if (semantics >= 0 && semantics <= 3 && settings.minor() >= since[semantics]) return;
  if (settings.abort_on_unknown_enum) std::abort();
  misuse("host buffer semantics " + std::to_string(semantics) + " are unknown to PJRT 0." +
         std::to_string(settings.minor()));
}

bool may_share(const abi::PJRT_Client_BufferFromHostBuffer_Args& args, const ElementType& element, const Dims& dims,
               const std::vector<std::int64_t>& host_strides, const std::vector<std::int64_t>& layout) {
  return args.host_buffer_semantics >= abi::PJRT_HostBufferSemantics_kImmutableZeroCopy && !is_packed(element) &&
         count_elements(dims) != 0 && reinterpret_cast<std::uintptr_t>(args.data) % shared_alignment == 0 &&
         host_strides == dense_strides(dims, layout, host_bytes(element));
}

}  // namespace

void run(abi::PJRT_Client_BufferFromHostBuffer_Args& args, Call& call) {
  const auto client = ledger().get<Client>(args.client);
  const ElementType& element = require_element(args.type);
  require_semantics(args.host_buffer_semantics, call.settings());
  const Dims dims = read_dims(args.dims, args.num_dims);
  const std::int64_t bytes = device_bytes(element, dims);
  const std::vector<std::int64_t> strides = read_strides(args.byte_strides, args.num_byte_strides, dims, element);
  const std::vector<std::int64_t> layout = read_layout(args.device_layout, dims.size());
  const Place place = find_place(*client, args.device, args.memory);
  if (args.data == nullptr && bytes != 0) refuse("the host buffer is null");

  const std::optional<Failure> failure = call.later();
  auto done = std::make_shared<Signal>();
  SignalPtr ready;
  SlotPtr slot;
  if (!failure && may_share(args, element, dims, strides, layout)) {
    slot = make_slot(std::make_shared<Storage>(const_cast<void*>(args.data), bytes, [done] { done->finish(); }));
    ready = delayed({}, call.delay(), {});
  } else {
    slot = make_slot(std::make_shared<Storage>(place.device->pool, bytes));
    ready = std::make_shared<Signal>();
    const auto* host = static_cast<const std::byte*>(args.data);
    const bool now = args.host_buffer_semantics == abi::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
    if (now && !failure) write_device(*slot->storage(), element, dims, layout, host, strides);
    later(call.delay(), [=, &element, storage = slot->storage()]() mutable {
      if (!now && !failure) write_device(*storage, element, dims, layout, host, strides);
      storage.reset();
      ready->finish(failure);
      done->finish(failure);
    });
  }
  args.buffer = give<abi::PJRT_Buffer>(
      std::make_shared<Buffer>(place, TensorType{element.type, dims}, layout, std::move(slot), std::move(ready)));
  args.done_with_host_buffer = give_event(std::move(done), client->handle());
}

namespace {

/// Bytes of device memory, checked against the buffer.
void check_range(const Buffer& buffer, std::int64_t offset, std::int64_t size) {
  const std::int64_t whole = device_bytes(buffer.element(), buffer.type.dims);
  if (offset < 0 || size < 0 || offset > whole || size > whole - offset) {
    refuse("bytes " + std::to_string(offset) + " + " + std::to_string(size) + " of a buffer of " +
           std::to_string(whole));
  }
}

/// An event for work on a buffer's memory once the buffer is ready; a buffer that is gone or failed makes the event fail.
template <class Work>
abi::PJRT_Event* after_ready(const Buffer& buffer, Call& call, Work work) {
  auto done = std::make_shared<Signal>();
  const std::optional<Failure> failure = call.later();
  const SlotPtr slot = buffer.slot();
  if (!slot) {
    done->finish(Failure{abi::PJRT_Error_Code_INVALID_ARGUMENT, deleted_message});
    return give_event(std::move(done), buffer.owner());
  }
  when_all({buffer.ready}, [=, delay = call.delay()](std::optional<Failure> first) {
    later(delay, [=, why = first ? first : failure] {
      if (!why) work(*slot->storage());
      done->finish(why);
    });
  });
  return give_event(std::move(done), buffer.owner());
}

}  // namespace

void run(abi::PJRT_Buffer_ToHostBuffer_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.src);
  const std::vector<std::int64_t> layout =
      args.host_layout == nullptr ? buffer->minor_to_major : read_layout(args.host_layout, buffer->type.dims.size());
  if (args.dst == nullptr) {
    // Only the size is asked for: nothing happens that could fail.
    call.later();
    args.dst_size = buffer->host_size();
    args.event = nullptr;
    return;
  }
  if (args.dst_size < buffer->host_size()) {
    refuse("`dst_size` must be >= " + std::to_string(buffer->host_size()) + ", got " + std::to_string(args.dst_size));
  }
  args.event = after_ready(*buffer, call, [buffer, layout, dst = static_cast<std::byte*>(args.dst)](Storage& storage) {
    read_device(storage, buffer->element(), buffer->type.dims, buffer->minor_to_major, dst,
                dense_strides(buffer->type.dims, layout, host_bytes(buffer->element())));
  });
}

void run(abi::PJRT_Buffer_CopyRawToHost_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  check_range(*buffer, args.offset, args.transfer_size);
  if (args.dst == nullptr && args.transfer_size != 0) refuse("dst is null");
  args.event = after_ready(
      *buffer, call, [dst = args.dst, from = args.offset, size = static_cast<std::size_t>(args.transfer_size)](Storage& storage) {
        if (size != 0) std::memcpy(dst, storage.data() + from, size);
      });
}

namespace {

/// What a raw copy waits for: the caller tells later where the bytes go.
class RawTarget final : public Holder {
 public:
  SignalPtr known = std::make_shared<Signal>();
  void* dst = nullptr;
};

void target_is_known(abi::PJRT_Buffer_CopyRawToHostFuture_Callback_Args* args) {
  try {
    const auto target = std::static_pointer_cast<RawTarget>(ledger().take<Holder>(args->callback_data));
    if (!target) misuse("the callback got null data");
    target->dst = args->dst;
    std::optional<Failure> failure;
    if (args->error_code != 0) {
      failure = Failure{args->error_code, std::string(args->error_message, args->error_message_size)};
    }
    target->known->finish(std::move(failure));
  } catch (const Failure&) {
    return;
  }
}

}  // namespace

void run(abi::PJRT_Buffer_CopyRawToHostFuture_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  check_range(*buffer, args.offset, args.transfer_size);
  const SlotPtr slot = buffer->require_slot();
  const auto target = std::make_shared<RawTarget>();
  auto done = std::make_shared<Signal>();
  when_all({buffer->ready, target->known},
           [=, failure = call.later(), delay = call.delay(), from = args.offset,
            size = static_cast<std::size_t>(args.transfer_size)](std::optional<Failure> first) {
             later(delay, [=, why = first ? first : failure] {
               if (!why && size != 0) std::memcpy(target->dst, slot->storage()->data() + from, size);
               done->finish(why);
             });
           });
  args.callback_data = give<void>(target);
  args.future_ready_callback = target_is_known;
  args.event = give_event(std::move(done), buffer->owner());
}

}  // namespace fake
