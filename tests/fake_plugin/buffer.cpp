#include "fake_plugin/buffer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "fake_plugin/bodies.h"
#include "fake_plugin/event.h"

namespace fake {
namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

Storage::Storage(std::shared_ptr<Pool> pool, std::int64_t bytes) : pool_(std::move(pool)), data_(nullptr), bytes_(bytes) {
  pool_->take(bytes);
  // An empty buffer has an address too.
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  data_ = static_cast<std::byte*>(::operator new(size, alignment, std::nothrow));
  if (data_ == nullptr) {
    pool_->give_back(bytes);
    refuse(abi::PJRT_Error_Code_RESOURCE_EXHAUSTED, "Out of memory allocating " + std::to_string(bytes) + " bytes");
  }
  // Not zero: reading results that were never computed must show.
  std::fill_n(data_, size, std::byte{0xcd});
}

Storage::Storage(void* foreign, std::int64_t bytes, std::function<void()> on_free)
    : data_(static_cast<std::byte*>(foreign)), bytes_(bytes), on_free_(std::move(on_free)) {}

Storage::~Storage() {
  if (pool_) {
    ::operator delete(data_, alignment);
    pool_->give_back(bytes_);
  }
  if (on_free_) on_free_();
}

std::shared_ptr<Storage> Slot::storage() const {
  const std::lock_guard lock(mutex_);
  return storage_;
}

void Slot::fill(std::shared_ptr<Storage> storage) {
  const std::lock_guard lock(mutex_);
  storage_ = std::move(storage);
}

SlotPtr make_slot(std::shared_ptr<Storage> storage) { return std::make_shared<Slot>(std::move(storage)); }

Place find_place(const Client& client, abi::PJRT_Device* device, abi::PJRT_Memory* memory) {
  Place place;
  if (memory != nullptr) {
    place.memory = ledger().get<Memory>(memory);
    place.device = ledger().get<Device>(place.memory->devices[0]);
  } else if (device != nullptr) {
    place.device = ledger().get<Device>(device);
    if (!place.device->memories.empty()) place.memory = place.device->memories.front();
  } else {
    refuse("neither a device nor a memory");
  }
  if (place.device->owner() != client.handle()) misuse("a device of another client");
  if (!place.device->is_addressable) refuse("the device is not addressable");
  return place;
}

Buffer::Buffer(Place where, TensorType what, std::vector<std::int64_t> layout, SlotPtr slot, SignalPtr happens)
    : Object(Kind::buffer, where.device->owner()),
      place(std::move(where)),
      type(std::move(what)),
      minor_to_major(std::move(layout)),
      ready(std::move(happens)),
      slot_(std::move(slot)) {}

void Buffer::retire() {
  if (references > 0) ledger().violate("a buffer destroyed with " + std::to_string(references) + " external references");
  SlotPtr gone;
  const std::lock_guard lock(mutex_);
  deleted_ = true;
  gone.swap(slot_);
}

std::size_t Buffer::host_size() const {
  return static_cast<std::size_t>(count_elements(type.dims)) * host_bytes(element());
}

SlotPtr Buffer::slot() const {
  const std::lock_guard lock(mutex_);
  return deleted_ ? nullptr : slot_;
}

SlotPtr Buffer::require_slot() const {
  SlotPtr found = slot();
  if (!found) refuse(deleted_message);
  return found;
}

bool Buffer::is_deleted() const {
  const std::lock_guard lock(mutex_);
  return deleted_;
}

void Buffer::erase() {
  SlotPtr gone;
  const std::lock_guard lock(mutex_);
  deleted_ = true;
  if (references == 0) gone.swap(slot_);
}

void Buffer::refer() {
  const std::lock_guard lock(mutex_);
  if (deleted_) refuse(deleted_message);
  ++references;
}

void Buffer::unrefer() {
  SlotPtr gone;
  const std::lock_guard lock(mutex_);
  if (references == 0) misuse("more decreases than increases of the external reference count");
  --references;
  if (references == 0 && deleted_) gone.swap(slot_);
}

std::vector<std::int64_t> read_layout(const abi::PJRT_Buffer_MemoryLayout* layout, std::size_t rank) {
  if (layout == nullptr) return row_major(rank);
  const abi::PJRT_Buffer_MemoryLayout known = nested(layout, "PJRT_Buffer_MemoryLayout", *settings());
  if (known.type == abi::PJRT_Buffer_MemoryLayout_Type_Strides) {
    refuse("PJRT_Buffer_MemoryLayout_Type_Strides is not supported to be converted to a xla::Shape");
  }
  if (known.type != abi::PJRT_Buffer_MemoryLayout_Type_Tiled) misuse("an unknown type of memory layout");
  if (known.tiled.num_tiles != 0) refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "tiled layouts are not supported");
  if (known.tiled.minor_to_major_size != rank) refuse("minor_to_major must have one number for each dimension");
  std::vector<std::int64_t> order(known.tiled.minor_to_major, known.tiled.minor_to_major + rank);
  std::vector<std::int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != column_major(rank)) refuse("minor_to_major is no permutation of the dimensions");
  return order;
}

Dims read_dims(const std::int64_t* dims, std::size_t count) {
  if (count != 0 && dims == nullptr) misuse("dims are null, but there are " + std::to_string(count));
  return {dims, dims + count};
}

void write_device(const Storage& storage, const ElementType& element, const Dims& dims,
                  const std::vector<std::int64_t>& minor_to_major, const std::byte* host,
                  const std::vector<std::int64_t>& host_strides) {
  const std::size_t size = host_bytes(element);
  const std::vector<std::int64_t> strides = dense_strides(dims, minor_to_major, size);
  if (!is_packed(element)) return copy_strided(storage.data(), strides, host, host_strides, dims, size);
  std::vector<std::byte> plain(static_cast<std::size_t>(count_elements(dims)));
  copy_strided(plain.data(), strides, host, host_strides, dims, size);
  pack(storage.data(), plain.data(), plain.size(), element.bits);
}

void read_device(const Storage& storage, const ElementType& element, const Dims& dims,
                 const std::vector<std::int64_t>& minor_to_major, std::byte* host,
                 const std::vector<std::int64_t>& host_strides) {
  const std::size_t size = host_bytes(element);
  const std::vector<std::int64_t> strides = dense_strides(dims, minor_to_major, size);
  if (!is_packed(element)) return copy_strided(host, host_strides, storage.data(), strides, dims, size);
  std::vector<std::byte> plain(static_cast<std::size_t>(count_elements(dims)));
  unpack(plain.data(), storage.data(), plain.size(), element.bits);
  copy_strided(host, host_strides, plain.data(), strides, dims, size);
}

void run(abi::PJRT_Buffer_Destroy_Args& args, Call&) { ledger().take<Buffer>(args.buffer); }

void run(abi::PJRT_Buffer_ElementType_Args& args, Call&) { args.type = ledger().get<Buffer>(args.buffer)->type.type; }

void run(abi::PJRT_Buffer_Dimensions_Args& args, Call&) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  args.dims = buffer->type.dims.data();
  args.num_dims = buffer->type.dims.size();
}

void run(abi::PJRT_Buffer_UnpaddedDimensions_Args& args, Call&) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  args.unpadded_dims = buffer->type.dims.data();
  args.num_dims = buffer->type.dims.size();
}

void run(abi::PJRT_Buffer_DynamicDimensionIndices_Args& args, Call&) {
  ledger().get<Buffer>(args.buffer);
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}

void run(abi::PJRT_Buffer_GetMemoryLayout_Args& args, Call&) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  args.layout = {};
  args.layout.type = abi::PJRT_Buffer_MemoryLayout_Type_Tiled;
  args.layout.tiled.minor_to_major = buffer->minor_to_major.data();
  args.layout.tiled.minor_to_major_size = buffer->minor_to_major.size();
}

void run(abi::PJRT_Buffer_OnDeviceSizeInBytes_Args& args, Call&) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  buffer->require_slot();
  args.on_device_size_in_bytes = static_cast<std::size_t>(device_bytes(buffer->element(), buffer->type.dims));
}

void run(abi::PJRT_Buffer_Device_Args& args, Call&) {
  args.device = handle_of<abi::PJRT_Device>(*ledger().get<Buffer>(args.buffer)->place.device);
}

void run(abi::PJRT_Buffer_Memory_Args& args, Call&) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  if (!buffer->place.memory) refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this plugin has no memory spaces");
  args.memory = handle_of<abi::PJRT_Memory>(*buffer->place.memory);
}

void run(abi::PJRT_Buffer_Delete_Args& args, Call&) { ledger().get<Buffer>(args.buffer)->erase(); }

void run(abi::PJRT_Buffer_IsDeleted_Args& args, Call&) {
  args.is_deleted = ledger().get<Buffer>(args.buffer)->is_deleted();
}

void run(abi::PJRT_Buffer_IsOnCpu_Args& args, Call& call) {
  ledger().get<Buffer>(args.buffer);
  args.is_on_cpu = call.settings().platform == "cpu";
}

void run(abi::PJRT_Buffer_ReadyEvent_Args& args, Call& call) {
  const auto buffer = ledger().get<Buffer>(args.buffer);
  args.event = give_event(delayed({buffer->ready}, call.delay(), call.later()), buffer->owner());
}

namespace {

void* require_pointer(const Buffer& buffer) {
  // The address is known before the data is there: who reads without waiting reads rubbish.
  const std::shared_ptr<Storage> storage = buffer.require_slot()->storage();
  if (!storage) refuse(abi::PJRT_Error_Code_FAILED_PRECONDITION, "the buffer has no memory yet");
  return storage->data();
}

}  // namespace

void run(abi::PJRT_Buffer_UnsafePointer_Args& args, Call&) {
  args.buffer_pointer = reinterpret_cast<std::uintptr_t>(require_pointer(*ledger().get<Buffer>(args.buffer)));
}

void run(abi::PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args, Call&) {
  args.device_memory_ptr = require_pointer(*ledger().get<Buffer>(args.buffer));
}

void run(abi::PJRT_Buffer_IncreaseExternalReferenceCount_Args& args, Call&) {
  ledger().get<Buffer>(args.buffer)->refer();
}

void run(abi::PJRT_Buffer_DecreaseExternalReferenceCount_Args& args, Call&) {
  ledger().get<Buffer>(args.buffer)->unrefer();
}

}  // namespace fake
