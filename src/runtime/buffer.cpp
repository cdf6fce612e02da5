#include <pier/buffer.h>

#include <algorithm>
#include <optional>
#include <vector>

#include <pier/error.h>

#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/event.h"
#include "runtime/layout.h"
#include "runtime/state.h"

namespace pier {
namespace {

using abi::Api;
using runtime::device_layout;
using runtime::DeviceLayout;
using runtime::Order;
using runtime::PluginState;
using runtime::row_major_order;

abi::PJRT_Buffer* buffer_of(void* handle) { return static_cast<abi::PJRT_Buffer*>(handle); }

abi::PJRT_Buffer_MemoryLayout layout_of(const Order& order) {
  abi::PJRT_Buffer_MemoryLayout layout{};
  layout.tiled = abi::PJRT_Buffer_MemoryLayout_Tiled{};
  layout.tiled.minor_to_major = order.data();
  layout.tiled.minor_to_major_size = order.size();
  layout.type = abi::PJRT_Buffer_MemoryLayout_Type_Tiled;
  return layout;
}

// Where a transfer puts the elements, and in which order.
struct ToHost {
  abi::EventHandle event;
  Order order;
};

// Starts to fill the target. Plugins reorder badly on the way: that of PJRT 0.81 ignores the order asked for. So the device's
// own order is asked for where it is known, and row-major order only where it is not.
ToHost start_to_host(const PluginState& plugin, abi::PJRT_Buffer* buffer, std::size_t rank, std::span<std::byte> target) {
  const abi::Table& table = plugin.table;
  abi::PJRT_Buffer_ToHostBuffer_Args args{.src = buffer, .dst = target.data(), .dst_size = target.size()};
  Order order = row_major_order(rank);
  abi::PJRT_Buffer_MemoryLayout layout{};
  bool tiled = false;
  // With one dimension there is one order, and plugins that cannot reorder need not be asked to.
  if (rank > 1) {
    DeviceLayout own = device_layout(plugin, buffer, rank);
    tiled = own.tiled;
    if (own.order && !tiled) order = std::move(*own.order);
    layout = layout_of(order);
    args.host_layout = &layout;
  }
  abi::PJRT_Event* event = nullptr;
  try {
    event = table.call<&Api::PJRT_Buffer_ToHostBuffer>(args).event;
  } catch (const Error& error) {
    // Without a layout a plugin gives the device's order: that is what was asked for, or it is the default of XLA.
    if (error.code() != ErrorCode::unimplemented || !args.host_layout || tiled) throw;
    args.host_layout = nullptr;
    event = table.call<&Api::PJRT_Buffer_ToHostBuffer>(args).event;
  }
  return {{table, table.require_out(event, "PJRT_Buffer_ToHostBuffer", "event")}, std::move(order)};
}

// A dense array as it came from the device, seen in its own shape.
Array in_order(const Array& dense, const Order& order) {
  std::vector<std::int64_t> strides(order.size());
  auto step = static_cast<std::int64_t>(host_bytes(dense.dtype()));
  for (const std::int64_t dimension : order) {
    strides[static_cast<std::size_t>(dimension)] = step;
    step *= std::max<std::int64_t>(dense.shape()[static_cast<std::size_t>(dimension)], 1);
  }
  return Array::view(dense.data(), dense.dtype(), dense.shape(), dense.owner(), std::move(strides)).row_major();
}

}  // namespace

void Buffer::destroy(std::span<Buffer> buffers) noexcept {
  // Zeroing the block takes as long as the rest of pier's part; one serves all.
  abi::Block<abi::PJRT_Buffer_Destroy_Args> block;
  for (Buffer& buffer : buffers) {
    if (!buffer.handle_) continue;
    // In a forked child the plugin's locks may be held by threads that do not exist there.
    if (!buffer.client_->forked()) {
      block.args = {.buffer = buffer_of(buffer.handle_)};
      buffer.client_->table().call_quietly<&Api::PJRT_Buffer_Destroy>(block);
    }
    buffer.handle_ = nullptr;
    buffer.client_.reset();
  }
}

const runtime::ClientState& Buffer::owner() const {
  if (!handle_) [[unlikely]] runtime::refuse_empty("a buffer");
  return *client_;
}

DType Buffer::dtype() const {
  const auto type = owner().usable().call<&Api::PJRT_Buffer_ElementType>({.buffer = buffer_of(handle_)}).type;
  return runtime::checked_dtype(client_->table(), static_cast<int>(type), "PJRT_Buffer_ElementType");
}

Shape Buffer::shape() const {
  const auto args = owner().usable().call<&Api::PJRT_Buffer_Dimensions>({.buffer = buffer_of(handle_)});
  return runtime::checked_shape(client_->table(), args.dims, args.num_dims, "PJRT_Buffer_Dimensions");
}

std::size_t Buffer::device_bytes() const {
  return owner().usable().call<&Api::PJRT_Buffer_OnDeviceSizeInBytes>({.buffer = buffer_of(handle_)}).on_device_size_in_bytes;
}

Device Buffer::device() const {
  const abi::Table& table = owner().usable();
  const auto args = table.call<&Api::PJRT_Buffer_Device>({.buffer = buffer_of(handle_)});
  return Device(client_, table.require_out(args.device, "PJRT_Buffer_Device", "device"));
}

std::optional<Memory> Buffer::memory() const {
  const abi::Table& table = owner().usable();
  std::optional<Memory> out;
  runtime::offered([&] {
    const auto args = table.call<&Api::PJRT_Buffer_Memory>({.buffer = buffer_of(handle_)});
    if (args.memory) out.emplace(client_, args.memory);
  });
  return out;
}

bool Buffer::is_on_cpu() const {
  return owner().usable().call<&Api::PJRT_Buffer_IsOnCpu>({.buffer = buffer_of(handle_)}).is_on_cpu;
}

Event Buffer::ready() const {
  const abi::Table& table = owner().usable();
  const auto args = table.call<&Api::PJRT_Buffer_ReadyEvent>({.buffer = buffer_of(handle_)});
  return runtime::make_event(client_, {table, table.require_out(args.event, "PJRT_Buffer_ReadyEvent", "event")});
}

Event Buffer::to_host(std::span<std::byte> target) const {
  const TensorType type = this->type();
  const std::size_t needed = dense_bytes(type.dtype, type.shape);
  if (target.size() != needed)
    throw Error(ErrorCode::invalid_argument, text("{} takes {} bytes, the target has {}", to_string(type), needed, target.size()));

  // Some plugins take a null target as a question for the size, so an empty array needs an address, too.
  static std::byte nothing{};
  if (!target.data()) target = {&nothing, 0};
  const std::size_t rank = type.shape.size();
  client_->usable();
  const PluginState& plugin = *client_->plugin;
  // The elements of another order can be put right only when they are all here.
  if (const DeviceLayout own = rank > 1 ? device_layout(plugin, buffer_of(handle_), rank) : DeviceLayout{};
      own.order && !own.tiled && *own.order != row_major_order(rank)) {
    const Array array = to_array();
    std::copy_n(array.data(), target.size(), target.data());
    return Event();
  }
  return runtime::make_event(client_, start_to_host(plugin, buffer_of(handle_), rank, target).event);
}

Array Buffer::to_array() const {
  // A deleted buffer is refused here by name; plugins report it from the transfer, some only when it is awaited.
  const abi::Table& table = owner().usable();
  bool deleted = false;
  runtime::offered([&] { deleted = is_deleted(); });
  if (deleted)
    throw Error(ErrorCode::failed_precondition, "the buffer's memory was freed, or given to a program that it was donated to")
        .in_plugin(table.plugin_text())
        .note("put the array again, or keep a copy: buffer.copy_to(buffer.device())");
  Array array = Array::uninitialized(dtype(), shape());
  ToHost transfer = start_to_host(*client_->plugin, buffer_of(handle_), array.shape().size(), array.mutable_bytes());
  runtime::await_transfer(*client_, std::move(transfer.event), array.owner());
  return transfer.order == row_major_order(array.shape().size()) ? array : in_order(array, transfer.order);
}

std::optional<std::span<const std::byte>> Buffer::host_span() const try {
  const abi::Table& table = owner().usable();
  abi::PJRT_Buffer* const buffer = buffer_of(handle_);
  if (!table.has<&Api::PJRT_Buffer_OpaqueDeviceMemoryDataPointer>()) return std::nullopt;
  if (!is_on_cpu() || is_deleted()) return std::nullopt;
  const TensorType type = this->type();
  // Packed types lie several to a byte on the device.
  if (bits(type.dtype) < 8) return std::nullopt;
  const std::size_t bytes = dense_bytes(type.dtype, type.shape);
  if (device_bytes() != bytes) return std::nullopt;
  const std::size_t rank = type.shape.size();
  if (rank > 1) {
    const DeviceLayout own = device_layout(*client_->plugin, buffer, rank);
    if (own.tiled || own.order != row_major_order(rank)) return std::nullopt;
  }
  const auto event = table.call<&Api::PJRT_Buffer_ReadyEvent>({.buffer = buffer}).event;
  const abi::EventHandle ready(table, table.require_out(event, "PJRT_Buffer_ReadyEvent", "event"));
  runtime::await(table, ready.get());
  const auto args = table.call<&Api::PJRT_Buffer_OpaqueDeviceMemoryDataPointer>({.buffer = buffer});
  if (!args.device_memory_ptr && bytes) return std::nullopt;
  return std::span(static_cast<const std::byte*>(args.device_memory_ptr), bytes);
} catch (const Error& error) {
  // A question that the plugin cannot answer leaves the way by a copy.
  if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return std::nullopt;
  throw;
}

Array Buffer::take() && {
  const auto bytes = host_span();
  if (!bytes) {
    Array copy = to_array();
    destroy({this, 1});
    return copy;
  }
  const TensorType type = this->type();
  // The array's memory is the buffer's: it lives in the array's owner from here on.
  return Array::view(bytes->data(), type.dtype, type.shape, std::make_shared<const Buffer>(std::move(*this)));
}

Buffer Buffer::copy_to(const Device& device) const {
  const abi::Table& table = owner().usable();
  if (device.client_state() != client_)
    throw Error(ErrorCode::invalid_argument, "the device belongs to another client")
        .in_plugin(table.plugin_text())
        .note(runtime::other_client_note);
  const auto args = table.call<&Api::PJRT_Buffer_CopyToDevice>(
      {.buffer = buffer_of(handle_), .dst_device = static_cast<abi::PJRT_Device*>(device.handle())});
  return Buffer(client_, table.require_out(args.dst_buffer, "PJRT_Buffer_CopyToDevice", "dst_buffer"));
}

void Buffer::free_memory() { owner().usable().call<&Api::PJRT_Buffer_Delete>({.buffer = buffer_of(handle_)}); }

bool Buffer::is_deleted() const {
  return owner().usable().call<&Api::PJRT_Buffer_IsDeleted>({.buffer = buffer_of(handle_)}).is_deleted;
}

}  // namespace pier
