#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fake_plugin/client.h"
#include "fake_plugin/ledger.h"
#include "fake_plugin/named.h"
#include "fake_plugin/program.h"
#include "fake_plugin/text.h"
#include "abi/extensions.h"

namespace fake {

/// What compile options say, as far as it matters here.
struct Devices {
  int replicas = 1;
  int partitions = 1;
  /// Replica by replica, each with its partitions; empty: the first devices there are.
  std::vector<std::int64_t> ids;
};
Devices read_compile_options(std::string_view serialized);

/// A compiled program and everything about it that is handed out by pointer.
struct Compiled {
  Compiled(Program what, std::string compile_options, int minor);

  const Program program;
  const std::string options;
  const Devices devices;
  const Text name;
  const Text fingerprint;
  const NamedList cost;
  std::string optimized_format;
  std::string optimized;

  std::vector<abi::PJRT_Buffer_Type> output_types;
  std::vector<std::int64_t> output_dims;
  std::vector<std::size_t> output_ranks;
  std::int64_t argument_bytes = 0;
  std::int64_t output_bytes = 0;
  std::vector<const char*> output_kinds;
  std::vector<std::size_t> output_kind_sizes;
  std::vector<const char*> parameter_kinds;
  std::vector<std::size_t> parameter_kind_sizes;
  const Text device_kind{"device"};
};

class Executable final : public Object {
 public:
  static constexpr Kind its_kind = Kind::executable;
  Executable(std::shared_ptr<const Compiled> what, const void* client)
      : Object(Kind::executable, client), compiled(std::move(what)) {}
  void retire() override;

  const std::shared_ptr<const Compiled> compiled;
  /// Its layouts, made when they are asked for; they go with it.
  std::mutex mutex;
  std::vector<abi::PJRT_Layouts_MemoryLayout*> parameter_layouts;
  std::vector<abi::PJRT_Layouts_MemoryLayout*> output_layouts;
  /// Its loaded executable is gone: real plugins crash when it is used now.
  std::atomic<bool> orphaned = false;
};

class LoadedExecutable final : public Object {
 public:
  static constexpr Kind its_kind = Kind::loaded_executable;
  LoadedExecutable(std::shared_ptr<const Compiled> what, const Client& client);
  void retire() override;

  const std::shared_ptr<const Compiled> compiled;
  /// Ids of all devices, replica by replica; and those of them that are addressable.
  std::vector<std::int64_t> assignment;
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<abi::PJRT_Device*> handles;
  std::vector<abi::PJRT_LogicalDeviceIds> logical_ids;
  std::atomic<bool> deleted = false;

  std::mutex mutex;
  std::vector<std::weak_ptr<Executable>> plain;
};

class ExecuteContext final : public Object {
 public:
  static constexpr Kind its_kind = Kind::execute_context;
  ExecuteContext() : Object(Kind::execute_context) {}
  void retire() override;
  std::atomic<int> executions = 0;
};

/// The program and the options that arrived, understood.
std::shared_ptr<const Compiled> compile(const abi::PJRT_Program* program, const char* options, std::size_t options_size,
                                        const Settings& settings);

/// As a DeviceAssignmentProto.
std::string encode_assignment(const LoadedExecutable& executable);

std::string serialize(const Compiled& compiled);
std::shared_ptr<const Compiled> deserialize(std::string_view bytes, int minor);

}  // namespace fake
