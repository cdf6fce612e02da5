#include "runtime/transfer.h"

#include <algorithm>

#include "base/text.h"

namespace pier::runtime {
namespace {

using abi::Api;

// Keeps host memory alive until the device is done with it. Holds no client: it ends on a thread of the plugin, where the
// last reference to a client must not be dropped; the client waits for it instead.
struct HostHold {
  std::shared_ptr<const void> memory;
  const abi::Table* table;
  abi::PJRT_Event* event;
  std::shared_ptr<Owed> owed;
};

void release(abi::PJRT_Error* error, void* user) noexcept {
  const std::unique_ptr<HostHold> hold(static_cast<HostHold*>(user));
  // A transfer that failed shows in the buffer itself, to whoever reads it.
  if (error) {
    abi::Block<abi::PJRT_Error_Destroy_Args> block;
    block.args.error = error;
    hold->table->call_quietly<&Api::PJRT_Error_Destroy>(block);
  }
  abi::EventHandle(*hold->table, hold->event).reset();
  hold->owed->settle();
}

void release_when_done(const ClientState& client, abi::PJRT_Event* event, std::shared_ptr<const void> memory) {
  const abi::Table& table = client.table();
  abi::EventHandle owned(table, event);
  if (!table.has<&Api::PJRT_Event_OnReady>()) {
    await(table, event);
    return;
  }
  auto hold = std::make_unique<HostHold>(HostHold{std::move(memory), &table, event, client.owed});
  client.owed->add();
  try {
    on_ready(table, event, release, hold.get());
  } catch (...) {
    client.owed->settle();
    // The plugin may still read the memory: it is left to it rather than freed under it.
    [[maybe_unused]] HostHold* const left = hold.release();
    throw;
  }
  [[maybe_unused]] HostHold* const taken_by_the_callback = hold.release();
  owned.release();
}

bool has_backward_strides(const Array& array) {
  return std::any_of(array.strides().begin(), array.strides().end(), [](std::int64_t stride) { return stride <= 0; });
}

}  // namespace

Buffer put(const std::shared_ptr<const ClientState>& client, const Array& array, abi::PJRT_Device* device,
           HostSemantics semantics) {
  const abi::Table& table = client->usable();
  const auto type = static_cast<abi::PJRT_Buffer_Type>(array.dtype());
  table.require_buffer_type(type);
  // Plugins take strides that walk forward only.
  const Array source = !array.is_row_major() && has_backward_strides(array) ? array.row_major() : array;
  const bool share = semantics == HostSemantics::zero_copy && source.owner() != nullptr;

  abi::PJRT_Client_BufferFromHostBuffer_Args args{
      .client = client->client.get(),
      .data = source.data(),
      .type = type,
      .dims = source.shape().data(),
      .num_dims = source.shape().size(),
      .host_buffer_semantics = share ? abi::PJRT_HostBufferSemantics_kImmutableZeroCopy
                                     : abi::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
      .device = device};
  if (!source.is_row_major()) {
    args.byte_strides = source.strides().data();
    args.num_byte_strides = source.strides().size();
  }
  args = table.call<&Api::PJRT_Client_BufferFromHostBuffer>(args);
  Buffer buffer(client, table.require_out(args.buffer, "PJRT_Client_BufferFromHostBuffer", "buffer"));
  // Some plugins give no event when they are done at once.
  if (!args.done_with_host_buffer) return buffer;
  if (share) {
    release_when_done(*client, args.done_with_host_buffer, source.owner());
  } else {
    const abi::EventHandle done(table, args.done_with_host_buffer);
    await(table, done.get());
  }
  return buffer;
}

}  // namespace pier::runtime
