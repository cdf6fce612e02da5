#include "runtime/transfer.h"

#include <algorithm>

#include "runtime/event.h"

namespace pier::runtime {
namespace {

using abi::Api;

bool has_backward_strides(const Array& array) {
  return std::any_of(array.strides().begin(), array.strides().end(), [](std::int64_t stride) { return stride <= 0; });
}

abi::PJRT_Client_BufferFromHostBuffer_Args start(const ClientState& client, const Array& source, abi::PJRT_Device* device,
                                                 abi::PJRT_HostBufferSemantics semantics) {
  // An empty array may have no memory, and a plugin need not take a null pointer.
  static constexpr std::byte nothing{};
  abi::PJRT_Client_BufferFromHostBuffer_Args args{.client = client.client.get(),
                                                  .data = source.data() ? source.data() : &nothing,
                                                  .type = static_cast<abi::PJRT_Buffer_Type>(source.dtype()),
                                                  .dims = source.shape().data(),
                                                  .num_dims = source.shape().size(),
                                                  .host_buffer_semantics = semantics,
                                                  .device = device};
  if (!source.is_row_major()) {
    args.byte_strides = source.strides().data();
    args.num_byte_strides = source.strides().size();
  }
  return client.table().call<&Api::PJRT_Client_BufferFromHostBuffer>(args);
}

Buffer copy(const std::shared_ptr<const ClientState>& client, const Array& source, abi::PJRT_Device* device) {
  const abi::Table& table = client->table();
  const auto args = start(*client, source, device, abi::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall);
  const abi::EventHandle done(table, args.done_with_host_buffer);
  Buffer buffer(client, table.require_out(args.buffer, "PJRT_Client_BufferFromHostBuffer", "buffer"));
  // The memory was read during the call; without an event there is nothing to wait for.
  if (done) await(table, done.get());
  return buffer;
}

}  // namespace

Buffer put(const std::shared_ptr<const ClientState>& client, const Array& array, abi::PJRT_Device* device,
           HostSemantics semantics) {
  const abi::Table& table = client->usable();
  table.require_buffer_type(static_cast<abi::PJRT_Buffer_Type>(array.dtype()));
  // Plugins take strides that walk forward only.
  const Array source = !array.is_row_major() && has_backward_strides(array) ? array.row_major() : array;
  const bool can_share = source.owner() != nullptr && table.has<&Api::PJRT_Event_OnReady>();
  if (semantics == HostSemantics::copy || !can_share) return copy(client, source, device);

  const auto args = start(*client, source, device, abi::PJRT_HostBufferSemantics_kImmutableZeroCopy);
  abi::EventHandle done(table, args.done_with_host_buffer);
  Buffer buffer(client, table.require_out(args.buffer, "PJRT_Client_BufferFromHostBuffer", "buffer"));
  if (!done) {
    // Nothing tells when this memory is free, so the plugin gets a copy instead, once it has read what it was given.
    buffer.ready().wait();
    return copy(client, source, device);
  }
  hold_until(*client, std::move(done), source.owner());
  return buffer;
}

}  // namespace pier::runtime
