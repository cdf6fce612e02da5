#include <pier/client.h>

#include <chrono>
#include <mutex>

#include <pthread.h>

#include <pier/log.h>

#include "abi/named_value.h"
#include "base/text.h"
#include "runtime/compile.h"
#include "runtime/state.h"
#include "runtime/transfer.h"

namespace pier {
namespace runtime {

using abi::Api;

std::atomic<unsigned> fork_generation{0};

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, [] { fork_generation.fetch_add(1, std::memory_order_relaxed); });
  });
}

void Owed::add() {
  const std::lock_guard lock(mutex_);
  ++count_;
}

void Owed::settle() {
  const std::lock_guard lock(mutex_);
  --count_;
  changed_.notify_all();
}

bool Owed::wait() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return count_ == 0; });
}

ClientState::~ClientState() {
  if (forked()) {
    client.release();
  } else if (!owed->wait()) {
    log(LogLevel::warning, text("{}: work of a client did not end within 10 s of its last use; the client is left to the end of the process",
                                table().plugin_text()));
    client.release();
  }
}

void ClientState::refuse_fork() const {
  throw Error(ErrorCode::failed_precondition, "this process was forked after the client was made; the plugin's threads stayed behind")
      .in_plugin(table().plugin_text())
      .note("make the client after the fork, or start a new program");
}

}  // namespace runtime

namespace {

using abi::Api;
using runtime::ClientState;

std::vector<Device> views(const std::shared_ptr<const ClientState>& client, abi::PJRT_Device* const* devices, std::size_t count) {
  std::vector<Device> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(client, devices[i]);
  return out;
}

}  // namespace

Client::Client(std::shared_ptr<const ClientState> state) noexcept : state_(std::move(state)) {}

Client Client::create(Plugin plugin, const Attributes& options) {
  runtime::watch_forks();
  const abi::Table& table = plugin.state()->table;
  const abi::NamedValues values(options);
  const auto args = table.call<&Api::PJRT_Client_Create>({.create_options = values.data(), .num_options = values.size()});
  auto* const handle = table.require_out(args.client, "PJRT_Client_Create", "client");
  return Client(std::make_shared<const ClientState>(plugin.state(), handle));
}

Plugin Client::plugin() const noexcept { return Plugin(state_->plugin); }

std::string Client::platform_name() const {
  const auto args = state_->usable().call<&Api::PJRT_Client_PlatformName>({.client = state_->client.get()});
  return {args.platform_name, args.platform_name_size};
}

std::string Client::platform_version() const {
  const auto args = state_->usable().call<&Api::PJRT_Client_PlatformVersion>({.client = state_->client.get()});
  return {args.platform_version, args.platform_version_size};
}

int Client::process_index() const {
  return state_->usable().call<&Api::PJRT_Client_ProcessIndex>({.client = state_->client.get()}).process_index;
}

std::vector<Device> Client::devices() const {
  const auto args = state_->usable().call<&Api::PJRT_Client_Devices>({.client = state_->client.get()});
  return views(state_, args.devices, args.num_devices);
}

std::vector<Device> Client::addressable_devices() const {
  const auto args = state_->usable().call<&Api::PJRT_Client_AddressableDevices>({.client = state_->client.get()});
  return views(state_, args.addressable_devices, args.num_addressable_devices);
}

Device Client::device(int id) const {
  std::string known;
  for (const Device& device : devices()) {
    const int other = device.id();
    if (other == id) return device;
    known += text("{}{}", known.empty() ? "" : ", ", other);
  }
  throw Error(ErrorCode::not_found, text("no device with id {}", id))
      .in_plugin(state_->table().plugin_text())
      .note(text("ids of this client: {}", known.empty() ? "none" : known));
}

Device Client::default_device() const {
  const auto args = state_->usable().call<&Api::PJRT_Client_AddressableDevices>({.client = state_->client.get()});
  if (args.num_addressable_devices == 0)
    throw Error(ErrorCode::not_available, "the plugin sees no device on this machine").in_plugin(state_->table().plugin_text());
  return Device(state_, args.addressable_devices[0]);
}

std::vector<Memory> Client::addressable_memories() const {
  std::vector<Memory> out;
  const abi::Table& table = state_->usable();
  if (!table.has<&Api::PJRT_Client_AddressableMemories>()) return out;
  const auto args = table.call<&Api::PJRT_Client_AddressableMemories>({.client = state_->client.get()});
  for (std::size_t i = 0; i < args.num_addressable_memories; ++i) out.emplace_back(state_, args.addressable_memories[i]);
  return out;
}

Executable Client::compile(const Module& module, const CompileOptions& options) const {
  return Executable(runtime::compile(state_, module, options));
}

Executable Client::compile(const Module& module, const Device& device) const {
  CompileOptions options;
  options.device_ids = {device.id()};
  return compile(module, options);
}

Buffer Client::put(const Array& array, HostSemantics semantics) const { return put(array, default_device(), semantics); }

Buffer Client::put(const Array& array, const Device& device, HostSemantics semantics) const {
  return runtime::put(state_, array, static_cast<abi::PJRT_Device*>(device.handle()), semantics);
}

}  // namespace pier
