#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <pier/error.h>

#include "abi/extension.h"
#include "abi/handle.h"
#include "abi/table.h"

namespace pier::runtime {

// One loaded library. Lives for the rest of the process once it is registered, so plugin threads may use it at any time.
struct PluginState {
  PluginState(const void* pjrt_api, std::string path_text)
      : table(pjrt_api, path_text), path(std::move(path_text)), layouts(abi::Extension<abi::PJRT_Layouts_Extension>::find(table)) {}
  abi::Table table;
  std::string path;
  std::optional<abi::Extension<abi::PJRT_Layouts_Extension>> layouts;
};

// Counts the forks this process descends from since the first client: what a plugin's threads hold is lost in a child.
// The end of the process counts as one more: then the plugin's own statics may be gone already.
extern std::atomic<unsigned> fork_generation;
extern std::atomic<bool> exiting;
void watch_forks();
// To be called after a client was made: what is registered last at exit runs first, so a client in a static variable hears
// of the exit before its own destructor runs.
void watch_exit();

// Callbacks that a plugin still owes to one client: a client must not be destroyed while events of it are alive. Also keeps
// memory that the plugin may use as long as the client lives.
class Owed {
 public:
  void add();
  void settle();
  // Waits a bounded time; false when some are still owed.
  bool wait();
  void keep(std::shared_ptr<const void> memory);
  // Holds itself, and with it what it keeps, to the end of the process.
  void outlive(std::shared_ptr<Owed> self) noexcept;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_ = 0;
  std::vector<std::shared_ptr<const void>> kept_;
  std::shared_ptr<Owed> self_;
};

// Marks that this thread is in a callback from a plugin, whose threads must not wait for themselves.
class CallbackScope {
 public:
  CallbackScope() noexcept;
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;
  ~CallbackScope();
};

struct ClientState {
  ClientState(std::shared_ptr<const PluginState> plugin_state, abi::ClientHandle handle)
      : plugin(std::move(plugin_state)), client(std::move(handle)), generation(fork_generation.load()) {}
  ClientState(const ClientState&) = delete;
  ClientState& operator=(const ClientState&) = delete;
  ~ClientState();

  const abi::Table& table() const noexcept { return plugin->table; }
  bool forked() const noexcept { return fork_generation.load(std::memory_order_relaxed) != generation; }
  // Every public call passes here first: in a forked child the plugin would wait for threads that are not there.
  const abi::Table& usable() const {
    if (forked()) [[unlikely]] refuse_fork();
    return plugin->table;
  }
  [[noreturn]] void refuse_fork() const;

  std::shared_ptr<const PluginState> plugin;
  // Shared with the callbacks, the last of which may end after the client's own destruction has begun. Before the client's
  // handle, so that what it keeps goes after the client.
  std::shared_ptr<Owed> owed = std::make_shared<Owed>();
  abi::ClientHandle client;
  unsigned generation;
  // Whether a program of this client takes or gives arrays in another order than row-major: only then can a buffer lie in
  // another order than a program wants, and runs look.
  mutable std::atomic<bool> orders_differ{false};
};

// The client may be let go of anywhere, in a callback of its own plugin too: there another thread destroys it.
std::shared_ptr<const ClientState> share(std::unique_ptr<const ClientState> client);

// An order of dimensions as PJRT spells it: from the fastest to the slowest.
using Order = std::vector<std::int64_t>;

struct ExecutableState {
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

  ExecutableState(std::shared_ptr<const ClientState> client_state, abi::LoadedExecutableHandle handle);
  ExecutableState(const ExecutableState&) = delete;
  ExecutableState& operator=(const ExecutableState&) = delete;
  ~ExecutableState();

  const abi::Table& usable() const { return client->usable(); }

  std::shared_ptr<const ClientState> client;
  // In this order: the plain executable must go before the loaded one (measured to crash otherwise).
  abi::LoadedExecutableHandle loaded;
  abi::ExecutableHandle plain;
  std::size_t num_outputs = 0;
  // Where it can be had without asking for the whole compiled program.
  std::size_t num_arguments = unknown;
  // How each argument must lie on the device; empty when all lie in row-major order, or the plugin does not tell.
  std::vector<Order> argument_orders;
  std::vector<abi::PJRT_Device*> devices;
  // Programs that bring arguments into another order, by their text; made when they are needed.
  mutable std::mutex reorder_mutex;
  mutable std::map<std::string, std::shared_ptr<const ExecutableState>, std::less<>> reorders;
};

// Gives the event a task for when it has happened: `then` gets the failure, which it owns, or null. Runs on a thread of the
// plugin, or at once.
void on_ready(const abi::Table& table, abi::PJRT_Event* event, void (*then)(abi::PJRT_Error* error, void* user), void* user);

// Blocks until the event has happened; throws the failure it carries.
void await(const abi::Table& table, abi::PJRT_Event* event);

}  // namespace pier::runtime
