#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "fake_plugin/client.h"
#include "fake_plugin/element.h"
#include "fake_plugin/ledger.h"
#include "fake_plugin/schedule.h"

namespace fake {

/// Device memory: taken from a device's pool, or somebody else's.
class Storage {
 public:
  Storage(std::shared_ptr<Pool> pool, std::int64_t bytes);
  Storage(void* foreign, std::int64_t bytes, std::function<void()> on_free);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::int64_t bytes() const noexcept { return bytes_; }

 private:
  std::shared_ptr<Pool> pool_;
  std::byte* data_;
  std::int64_t bytes_;
  std::function<void()> on_free_;
};

/// Where a buffer's memory will be: it may come later than the buffer, but before the buffer is ready.
class Slot {
 public:
  explicit Slot(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}
  std::shared_ptr<Storage> storage() const;
  void fill(std::shared_ptr<Storage> storage);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Storage> storage_;
};
using SlotPtr = std::shared_ptr<Slot>;
SlotPtr make_slot(std::shared_ptr<Storage> storage);

/// A place for buffers: a device and, where there are memory spaces, one of its memories.
struct Place {
  std::shared_ptr<Device> device;
  std::shared_ptr<Memory> memory;
};
/// The memory if there is one, else the device; refuses null ones, foreign ones and those of other processes.
Place find_place(const Client& client, abi::PJRT_Device* device, abi::PJRT_Memory* memory);

class Buffer final : public Object {
 public:
  static constexpr Kind its_kind = Kind::buffer;
  Buffer(Place where, TensorType what, std::vector<std::int64_t> layout, SlotPtr slot, SignalPtr happens);
  void retire() override;

  const Place place;
  const TensorType type;
  const std::vector<std::int64_t> minor_to_major;
  const SignalPtr ready;
  std::atomic<std::int64_t> references = 0;

  const ElementType& element() const { return *find_element(type.type); }
  std::size_t host_size() const;

  /// Null after it was deleted or donated.
  SlotPtr slot() const;
  /// The same, but refuses a deleted buffer.
  SlotPtr require_slot() const;
  bool is_deleted() const;
  void erase();
  /// Balances of external references; memory that waits for the last of them goes with it.
  void refer();
  void unrefer();

 private:
  mutable std::mutex mutex_;
  SlotPtr slot_;
  bool deleted_ = false;
};

inline constexpr const char* deleted_message = "Buffer has been deleted or donated.";

/// minor_to_major of a layout that arrives by pointer; row-major for null. Strides and tiles are refused.
std::vector<std::int64_t> read_layout(const abi::PJRT_Buffer_MemoryLayout* layout, std::size_t rank);

Dims read_dims(const std::int64_t* dims, std::size_t count);

/// Host array with byte strides into device memory, and back.
void write_device(const Storage& storage, const ElementType& element, const Dims& dims,
                  const std::vector<std::int64_t>& minor_to_major, const std::byte* host,
                  const std::vector<std::int64_t>& host_strides);
void read_device(const Storage& storage, const ElementType& element, const Dims& dims,
                 const std::vector<std::int64_t>& minor_to_major, std::byte* host,
                 const std::vector<std::int64_t>& host_strides);

}  // namespace fake
