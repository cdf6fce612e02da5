#include <pier/client.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <pthread.h>

#include <pier/log.h>

#include "abi/named_value.h"
#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/compile.h"
#include "runtime/state.h"
#include "runtime/transfer.h"

namespace pier {
namespace runtime {

using abi::Api;

std::atomic<unsigned> fork_generation{0};
std::atomic<bool> exiting{false};

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, [] { fork_generation.fetch_add(1, std::memory_order_relaxed); });
  });
}

void watch_exit() {
  // A full table of exit handlers only costs the warning of a plugin's own statics.
  [[maybe_unused]] const int refused = std::atexit([] {
    exiting = true;
    fork_generation.fetch_add(1, std::memory_order_relaxed);
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

void Owed::keep(std::shared_ptr<const void> memory) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(memory));
}

bool Owed::wait() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return count_ == 0; });
}

namespace {

// For destructors: a warning that cannot be made is one less.
template <class Message>
void warn(const Message& message) noexcept {
  try {
    log(LogLevel::warning, message());
  } catch (const std::exception&) {
  }
}

}  // namespace

void Owed::outlive(std::shared_ptr<Owed> self) noexcept { self_ = std::move(self); }

ClientState::~ClientState() {
  if (forked()) {
    client.release();
  } else if (!owed->wait()) {
    // The plugin goes on with it, so what is kept for it stays.
    client.release();
    owed->outlive(owed);
    warn([&] {
      return text("{}: work of a client did not end within 10 s of its last use; the client is left to the end of the process",
                  table().plugin_text());
    });
  }
}

namespace {

thread_local int callback_depth = 0;

void destroy_client(const ClientState* client) noexcept {
  if (callback_depth == 0) {
    delete client;
    return;
  }
  try {
    std::thread([client] { delete client; }).detach();
  } catch (const std::exception& error) {
    warn([&] { return text("a client is left to the end of the process: {}", error.what()); });
  }
}

}  // namespace

CallbackScope::CallbackScope() noexcept { ++callback_depth; }
CallbackScope::~CallbackScope() { --callback_depth; }

std::shared_ptr<const ClientState> share(std::unique_ptr<const ClientState> client) {
  return {client.release(), destroy_client};
}

void ClientState::refuse_fork() const {
  if (exiting)
    throw Error(ErrorCode::failed_precondition, "this process is at its exit; the plugin may be taken down already")
        .in_plugin(table().plugin_text())
        .note("let clients and buffers end before main does");
  throw Error(ErrorCode::failed_precondition, "this process was forked after the client was made; the plugin's threads stayed behind")
      .in_plugin(table().plugin_text())
      .note("make the client after the fork, or start a new program");
}

}  // namespace runtime

namespace {

using abi::Api;
using runtime::ClientState;

std::vector<Device> views(const std::shared_ptr<const ClientState>& client, std::span<abi::PJRT_Device* const> devices) {
  std::vector<Device> out;
  out.reserve(devices.size());
  for (abi::PJRT_Device* const device : devices) out.emplace_back(client, device);
  return out;
}

std::span<abi::PJRT_Device* const> addressable(const ClientState& client) {
  const auto args = client.usable().call<&Api::PJRT_Client_AddressableDevices>({.client = client.client.get()});
  return runtime::checked_handles(client.table(), args.addressable_devices, args.num_addressable_devices,
                                  "PJRT_Client_AddressableDevices", "addressable_devices");
}

// A handle of another client may belong to another plugin altogether.
void require_own(const Device& device, const ClientState& client) {
  if (device.client_state().get() == &client) return;
  throw Error(ErrorCode::invalid_argument, "the device belongs to another client")
      .in_plugin(client.table().plugin_text())
      .note(runtime::other_client_note);
}

}  // namespace

Client::Client(std::shared_ptr<const ClientState> state) noexcept : state_(std::move(state)) {}

Client Client::create(Plugin plugin, const Attributes& options) {
  runtime::watch_forks();
  const abi::Table& table = runtime::held(plugin.state(), "a plugin").table;
  const abi::NamedValues values(options);
  const auto args = [&] {
    try {
      return table.call<&Api::PJRT_Client_Create>({.create_options = values.data(), .num_options = values.size()});
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      // A plugin that lets its own exceptions out: their text alone ("vector::reserve") tells nobody anything.
      throw Error(ErrorCode::internal, text("the plugin failed with a C++ exception: {}", error.what()))
          .in_function("PJRT_Client_Create")
          .in_plugin(table.plugin_text())
          .note("it may not take the create options that it was given");
    }
  }();
  abi::ClientHandle handle(table, table.require_out(args.client, "PJRT_Client_Create", "client"));
  Client client(runtime::share(std::make_unique<const ClientState>(plugin.state(), std::move(handle))));
  runtime::watch_exit();
  return client;
}

const ClientState& Client::own() const { return runtime::held(state_, "a client"); }

Plugin Client::plugin() const { return Plugin(own().plugin); }

std::string Client::platform_name() const {
  const auto args = own().usable().call<&Api::PJRT_Client_PlatformName>({.client = own().client.get()});
  return runtime::checked_text(own().table(), args.platform_name, args.platform_name_size, "PJRT_Client_PlatformName",
                               "platform_name");
}

std::string Client::platform_version() const {
  const auto args = own().usable().call<&Api::PJRT_Client_PlatformVersion>({.client = own().client.get()});
  return runtime::checked_text(own().table(), args.platform_version, args.platform_version_size,
                               "PJRT_Client_PlatformVersion", "platform_version");
}

int Client::process_index() const {
  return own().usable().call<&Api::PJRT_Client_ProcessIndex>({.client = own().client.get()}).process_index;
}

std::vector<Device> Client::devices() const {
  const auto args = own().usable().call<&Api::PJRT_Client_Devices>({.client = own().client.get()});
  return views(state_, runtime::checked_handles(own().table(), args.devices, args.num_devices, "PJRT_Client_Devices", "devices"));
}

std::vector<Device> Client::addressable_devices() const {
  return views(state_, addressable(own()));
}

Device Client::device(int id) const {
  std::string known;
  for (const Device& device : devices()) {
    const int other = device.id();
    if (other == id) return device;
    known += text("{}{}", known.empty() ? "" : ", ", other);
  }
  throw Error(ErrorCode::not_available, text("no device with id {}", id))
      .in_plugin(own().table().plugin_text())
      .note(text("ids of this client: {}", known.empty() ? "none" : known));
}

Device Client::default_device() const {
  const auto devices = addressable(own());
  if (devices.empty())
    throw Error(ErrorCode::not_available, "the plugin sees no device on this machine")
        .in_plugin(own().table().plugin_text())
        .note("see that the device's driver is installed and that no variable hides the device; the plugin's own log may say why");
  return Device(state_, devices.front());
}

std::vector<Memory> Client::addressable_memories() const {
  std::vector<Memory> out;
  runtime::offered([&] {
    const auto args = own().usable().call<&Api::PJRT_Client_AddressableMemories>({.client = own().client.get()});
    for (abi::PJRT_Memory* const memory :
         runtime::checked_handles(own().table(), args.addressable_memories, args.num_addressable_memories,
                                  "PJRT_Client_AddressableMemories", "addressable_memories"))
      out.emplace_back(state_, memory);
  });
  return out;
}

Executable Client::compile(const Module& module, const CompileOptions& options) const {
  own();
  return Executable(runtime::compile(state_, module, options));
}

Executable Client::compile(const Module& module, const Device& device) const {
  require_own(device, own());
  CompileOptions options;
  options.device_ids = {device.id()};
  return compile(module, options);
}

Buffer Client::put(const Array& array, HostSemantics semantics) const { return put(array, default_device(), semantics); }

Buffer Client::put(const Array& array, const Device& device, HostSemantics semantics) const {
  require_own(device, own());
  return runtime::put(state_, array, static_cast<abi::PJRT_Device*>(device.handle()), semantics);
}

}  // namespace pier
