#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pier/array.h>
#include <pier/attribute.h>
#include <pier/buffer.h>
#include <pier/compile_options.h>
#include <pier/device.h>
#include <pier/executable.h>
#include <pier/export.h>
#include <pier/module.h>
#include <pier/plugin.h>

namespace pier {

/// Who may touch the host memory of an array while the device uses it.
enum class HostSemantics {
  copy,       ///< Copied before the call returns.
  zero_copy,  ///< The device may read the array's own memory; pier keeps it alive, nobody may write it.
};

/// A connection to a plugin's devices. A value that shares one client with its copies; it lives until the last buffer,
/// executable or device of it is gone.
class PIER_API Client {
 public:
  /// Throws the plugin's own error when it cannot start. Options are named as the plugin names them: cpu_device_count,
  /// memory_fraction, preallocate, visible_devices.
  static Client create(Plugin plugin, const Attributes& options = {});

  Plugin plugin() const;
  /// "cpu", "cuda", "METAL" and so on.
  std::string platform_name() const;
  std::string platform_version() const;
  int process_index() const;

  /// All devices, those of other processes included; and those of this process.
  std::vector<Device> devices() const;
  std::vector<Device> addressable_devices() const;
  /// The device of that id; throws Error (not_available) that lists the ids there are.
  Device device(int id) const;
  /// The first addressable device. Throws Error (not_available) when there is none.
  Device default_device() const;
  std::vector<Memory> addressable_memories() const;

  /// Compiles for the devices that the options name. `device` selects the one device of a program for one device. Throws the
  /// plugin's own Error with the module's name, and Error (internal) when the plugin compiled for other devices than those.
  Executable compile(const Module& module, const CompileOptions& options = {}) const;
  Executable compile(const Module& module, const Device& device) const;

  /// Puts an array on a device. The default is zero-copy: the array's memory is shared where the plugin can (a CPU plugin
  /// and 64-byte aligned memory), and kept alive until the device is done with it; the last hold on it may be dropped on a
  /// thread of the plugin. An array that has no owner is copied, and so is every one by a plugin that cannot tell when it is
  /// done. Throws Error: invalid_argument for a type without data or a device of another client, Unsupported for a type that the
  /// plugin's version does not know, and the plugin's own.
  Buffer put(const Array& array, HostSemantics semantics = HostSemantics::zero_copy) const;
  Buffer put(const Array& array, const Device& device, HostSemantics semantics = HostSemantics::zero_copy) const;

  explicit Client(std::shared_ptr<const runtime::ClientState> state) noexcept;
  const std::shared_ptr<const runtime::ClientState>& state() const noexcept { return state_; }

 private:
  const runtime::ClientState& own() const;
  std::shared_ptr<const runtime::ClientState> state_;
};

}  // namespace pier
