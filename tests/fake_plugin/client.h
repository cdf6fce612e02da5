#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "fake_plugin/ledger.h"
#include "fake_plugin/named.h"
#include "fake_plugin/settings.h"
#include "fake_plugin/text.h"

namespace fake {

/// What a device's memory holds, in bytes.
class Pool {
 public:
  explicit Pool(std::int64_t limit) : limit_(limit) {}

  /// Throws RESOURCE_EXHAUSTED.
  void take(std::int64_t bytes);
  void give_back(std::int64_t bytes);

  struct Figures {
    std::int64_t in_use = 0;
    std::int64_t peak = 0;
    std::int64_t allocations = 0;
    std::int64_t largest = 0;
  };
  Figures figures() const;
  void clear_peak();
  std::int64_t limit() const noexcept { return limit_; }

 private:
  mutable std::mutex mutex_;
  Figures figures_;
  const std::int64_t limit_;
};

class DeviceDescription final : public Object {
 public:
  static constexpr Kind its_kind = Kind::device_description;
  DeviceDescription(const Settings& settings, int id, int process_index, const std::vector<Named>& attributes);
  bool is_counted() const noexcept override { return false; }

  const int id;
  const int process_index;
  const Text kind;
  const Text debug_string;
  const Text to_string;
  const std::vector<Named> named;
  const NamedList attributes;
};

class Device;

class Memory final : public Object {
 public:
  static constexpr Kind its_kind = Kind::memory;
  Memory(int number, std::string_view kind_name, int kind_number, Device& device, const void* client);
  bool is_counted() const noexcept override { return false; }
  const void* handle() const noexcept override { return &head_; }
  void retire() override;

  const int id;
  const Text kind;
  const int kind_id;
  const Text debug_string;
  const Text to_string;
  Device& device;
  abi::PJRT_Device* devices[1];

 private:
  abi::PJRT_Memory head_;
};

class Device final : public Object {
 public:
  static constexpr Kind its_kind = Kind::device;
  Device(const Settings& settings, int ordinal, bool addressable, std::shared_ptr<DeviceDescription> described,
         const void* client);
  bool is_counted() const noexcept override { return false; }

  const std::shared_ptr<DeviceDescription> description;
  const int local_hardware_id;
  const bool is_addressable;
  const std::shared_ptr<Pool> pool;
  std::vector<std::shared_ptr<Memory>> memories;
  std::vector<abi::PJRT_Memory*> memory_handles;
};

class Topology final : public Object {
 public:
  static constexpr Kind its_kind = Kind::topology;
  Topology(const Settings& settings, std::vector<std::shared_ptr<DeviceDescription>> described,
           const std::vector<Named>& options, bool belongs_to_caller, const void* client);
  bool is_counted() const noexcept override { return belongs_to_caller_; }
  void retire() override;

  const Text platform_name;
  const Text platform_version;
  const std::vector<std::shared_ptr<DeviceDescription>> descriptions;
  std::vector<abi::PJRT_DeviceDescription*> handles;
  const NamedList attributes;

 private:
  bool belongs_to_caller_;
};

class Client final : public Object {
 public:
  static constexpr Kind its_kind = Kind::client;
  Client(const Settings& settings, const std::vector<Named>& options);
  void retire() override;

  /// Puts everything that belongs to it into the books.
  void enter_books();

  const Text platform_name;
  const Text platform_version;
  const int process_index;
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<abi::PJRT_Device*> handles;
  std::vector<abi::PJRT_Device*> addressable;
  std::vector<abi::PJRT_Memory*> memories;
  std::shared_ptr<Topology> topology;

  std::mutex mutex;
  std::map<void*, const void*> mappings;
};

/// Host memory that is mapped for direct access.
class Mapping final : public Object {
 public:
  explicit Mapping(const void* client) : Object(Kind::mapping, client) {}
};

/// The descriptions of so many devices, as settings and options want them.
std::vector<std::shared_ptr<DeviceDescription>> describe_devices(const Settings& settings, int addressable,
                                                                 const std::vector<Named>& options);

}  // namespace fake
