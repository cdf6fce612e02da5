#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <pier/array.h>
#include <pier/device.h>
#include <pier/dtype.h>
#include <pier/event.h>
#include <pier/export.h>

namespace pier {

namespace runtime {
struct ClientState;
}

/// Data on a device. Move-only; it keeps its client alive, so no order of destruction is wrong. Every read waits for the
/// computation that makes the data and throws that computation's failure.
class PIER_API Buffer {
 public:
  /// Holds nothing; every use but assignment and destruction throws Error (failed_precondition).
  Buffer() noexcept = default;
  Buffer(Buffer&& other) noexcept
      : client_(std::move(other.client_)), handle_(std::exchange(other.handle_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      if (handle_) destroy({this, 1});
      client_ = std::move(other.client_);
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Buffer() {
    if (handle_) destroy({this, 1});
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }

  DType dtype() const;
  Shape shape() const;
  TensorType type() const { return {dtype(), shape()}; }
  /// Bytes it takes on the device, padding and packing included.
  std::size_t device_bytes() const;
  Device device() const;
  /// Nothing for a plugin without memory spaces.
  std::optional<Memory> memory() const;
  /// Whether its device memory is ordinary host memory.
  bool is_on_cpu() const;

  /// Happens when the data is there, or the computation that makes it has failed.
  Event ready() const;

  /// A row-major copy in host memory. Sub-byte types take one byte each there.
  Array to_array() const;
  /// The same into memory of the caller: exactly type().size * host_bytes bytes. The event tells when it is filled; the memory
  /// must live until then. Waits itself where the device keeps another order than row-major.
  Event to_host(std::span<std::byte> target) const;
  /// The device memory itself, without a copy, where that is host memory in row-major order; else nothing. Valid while this
  /// buffer lives and is not donated; not to be written.
  std::optional<std::span<const std::byte>> host_span() const;
  /// Turns the buffer into an array: its own memory where host_span() gives it, else a copy. The buffer is empty then.
  Array take() &&;

  /// A copy on another device of the same client.
  Buffer copy_to(const Device& device) const;

  /// Frees the device memory now; later reads throw. Does nothing the second time.
  void free_memory();
  bool is_deleted() const;

  Buffer(std::shared_ptr<const runtime::ClientState> client, void* handle) noexcept
      : client_(std::move(client)), handle_(handle) {}
  void* handle() const noexcept { return handle_; }

 private:
  friend class Executable;
  friend class Results;
  const runtime::ClientState& owner() const;
  // Leaves them empty.
  static void destroy(std::span<Buffer> buffers) noexcept;

  std::shared_ptr<const runtime::ClientState> client_;
  void* handle_ = nullptr;
};

}  // namespace pier
