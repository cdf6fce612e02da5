#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pier/attribute.h>
#include <pier/export.h>

namespace pier {

namespace runtime {
struct ClientState;
}

/// Figures of a device's memory, in bytes. Plugins give what they know.
struct MemoryStats {
  std::int64_t bytes_in_use = 0;
  std::optional<std::int64_t> peak_bytes_in_use;
  std::optional<std::int64_t> bytes_limit;
  std::optional<std::int64_t> largest_free_block_bytes;
};

/// A place that holds buffers: a device's own memory, pinned host memory and so on. A small view that keeps its client
/// alive. Every use of one that was moved from throws Error (failed_precondition), as with all classes of the runtime.
class PIER_API Memory {
 public:
  /// Number of the memory, unique in its client.
  int id() const;
  /// "device", "pinned_host", "unpinned_host" and so on, as the plugin says.
  std::string kind() const;
  std::string description() const;

  friend bool operator==(const Memory& a, const Memory& b) noexcept { return a.handle_ == b.handle_; }

  Memory(std::shared_ptr<const runtime::ClientState> client, void* handle) noexcept;
  void* handle() const noexcept { return handle_; }

 private:
  const runtime::ClientState& client() const;
  std::shared_ptr<const runtime::ClientState> client_;
  void* handle_;
};

/// A device of a client. A small view that keeps its client alive.
class PIER_API Device {
 public:
  /// Number of the device, unique among all processes of the client.
  int id() const;
  /// Number of the device on its own machine, or -1 where the plugin has none.
  int local_hardware_id() const;
  int process_index() const;
  bool is_addressable() const;
  /// What the vendor calls it: "cpu", "NVIDIA H200".
  std::string kind() const;
  std::string description() const;
  /// Empty for a plugin that tells none.
  Attributes attributes() const;

  /// The memories it can use; empty for a plugin that does not tell.
  std::vector<Memory> memories() const;
  std::optional<Memory> default_memory() const;
  /// Nothing where the plugin does not count.
  std::optional<MemoryStats> memory_stats() const;

  friend bool operator==(const Device& a, const Device& b) noexcept { return a.handle_ == b.handle_; }

  Device(std::shared_ptr<const runtime::ClientState> client, void* handle) noexcept;
  void* handle() const noexcept { return handle_; }
  const std::shared_ptr<const runtime::ClientState>& client_state() const noexcept { return client_; }

 private:
  const runtime::ClientState& client() const;
  void* device_description() const;
  std::shared_ptr<const runtime::ClientState> client_;
  void* handle_;
};

}  // namespace pier
