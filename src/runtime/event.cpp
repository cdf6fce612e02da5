#include "runtime/event.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>

#include <pier/error.h>

namespace pier {
namespace runtime {

void on_ready(const abi::Table& table, abi::PJRT_Event* event, void (*then)(abi::PJRT_Error*, void*), void* user) {
  table.call<&abi::Api::PJRT_Event_OnReady>({.event = event, .callback = then, .user_arg = user});
}

void await(const abi::Table& table, abi::PJRT_Event* event) {
  table.call<&abi::Api::PJRT_Event_Await>({.event = event});
  // Some plugins answer a wait for an event that has already failed with success; the failure is in the event.
  if (table.has<&abi::Api::PJRT_Event_Error>()) table.call<&abi::Api::PJRT_Event_Error>({.event = event});
}

namespace {

// For callbacks, which own the error that they are given.
void destroy_error(const abi::Table& table, abi::PJRT_Error* error) noexcept {
  if (!error) return;
  abi::Block<abi::PJRT_Error_Destroy_Args> block;
  block.args.error = error;
  table.call_quietly<&abi::Api::PJRT_Error_Destroy>(block);
}

// What the plugin was asked to do when an event has happened. A plugin may do it and then say that it failed, so whoever comes
// first settles it, and the other leaves it alone. Holds no client: it may end on a thread of the plugin; the client waits
// for it instead.
class Task {
 public:
  explicit Task(const ClientState& client) : table_(client.table()), owed_(client.owed) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  static void give(const std::shared_ptr<Task>& task, abi::PJRT_Event* event) {
    const std::shared_ptr<Owed> owed = task->owed_;
    owed->add();
    task->self_ = task;
    try {
      on_ready(task->table_, event, run, task.get());
    } catch (...) {
      if (!task->settled_.exchange(true)) {
        task->give_up();
        // It may be run all the same, so it stays as long as the client.
        task->owed_.reset();
        task->self_.reset();
        try {
          owed->keep(task);
        } catch (...) {
          [[maybe_unused]] const auto* const left = new (std::nothrow) std::shared_ptr<Task>(task);
        }
        owed->settle();
      }
      throw;
    }
  }

 private:
  virtual void happened() noexcept = 0;
  virtual void give_up() noexcept {}

  static void run(abi::PJRT_Error* error, void* user) noexcept {
    const CallbackScope scope;
    Task& task = *static_cast<Task*>(user);
    // Whoever waits asks the event itself for its failure.
    destroy_error(task.table_, error);
    if (task.settled_.exchange(true)) return;
    const std::shared_ptr<Owed> owed = task.owed_;
    std::shared_ptr<Task> last = std::move(task.self_);
    task.happened();
    last.reset();
    owed->settle();
  }

  const abi::Table& table_;
  std::shared_ptr<Owed> owed_;
  std::shared_ptr<Task> self_;
  std::atomic<bool> settled_ = false;
};

// Memory in use by the device.
class Hold final : public Task {
 public:
  Hold(const ClientState& client, abi::EventHandle event, std::shared_ptr<const void> memory)
      : Task(client), memory_(std::move(memory)), event_(std::move(event)) {}

 private:
  // A transfer that failed shows in the buffer itself, to whoever reads it.
  void happened() noexcept override {
    event_.reset();
    memory_.reset();
  }
  void give_up() noexcept override { event_.reset(); }

  std::shared_ptr<const void> memory_;
  abi::EventHandle event_;
};

bool has_happened(const abi::Table& table, abi::PJRT_Event* event) noexcept {
  try {
    return table.call<&abi::Api::PJRT_Event_IsReady>({.event = event}).is_ready;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

void hold_until(const ClientState& client, abi::EventHandle event, std::shared_ptr<const void> memory) {
  abi::PJRT_Event* const raw = event.get();
  Task::give(std::make_shared<Hold>(client, std::move(event), std::move(memory)), raw);
}

void await_transfer(const ClientState& client, abi::EventHandle event, const std::shared_ptr<const void>& memory) {
  try {
    await(client.table(), event.get());
  } catch (...) {
    if (!has_happened(client.table(), event.get())) {
      try {
        hold_until(client, std::move(event), memory);
      } catch (const std::exception&) {
        // The first failure is the one to tell.
      }
    }
    throw;
  }
}

namespace {

// Shared with the callback, which may run after the event object is gone; it frees the event then.
class Waiter final : public Task {
 public:
  explicit Waiter(const ClientState& client) : Task(client) {}

  bool wait_for(std::chrono::nanoseconds limit) {
    std::unique_lock lock(mutex_);
    // The clock cannot express a wait of centuries.
    return changed_.wait_for(lock, std::min<std::chrono::nanoseconds>(limit, std::chrono::hours(24 * 365)), [&] { return happened_; });
  }
  // Plugins may forget a callback whose event is destroyed, so the callback destroys it.
  void adopt(abi::EventHandle& event) {
    const std::lock_guard lock(mutex_);
    if (!happened_) orphan_ = std::move(event);
  }

 private:
  void happened() noexcept override {
    abi::EventHandle orphan;
    const std::lock_guard lock(mutex_);
    happened_ = true;
    orphan = std::move(orphan_);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool happened_ = false;
  abi::EventHandle orphan_;
};

}  // namespace
}  // namespace runtime

struct Event::Impl {
  std::shared_ptr<const runtime::ClientState> client;
  abi::EventHandle event;
  std::mutex mutex;
  std::shared_ptr<runtime::Waiter> waiter;

  ~Impl() {
    if (client->forked()) event.release();
    else if (waiter) waiter->adopt(event);
  }

  // The waiter, with its callback given to the plugin.
  std::shared_ptr<runtime::Waiter> watch() {
    const std::lock_guard lock(mutex);
    if (!waiter) {
      auto fresh = std::make_shared<runtime::Waiter>(*client);
      runtime::Task::give(fresh, event.get());
      waiter = std::move(fresh);
    }
    return waiter;
  }
};

Event runtime::make_event(std::shared_ptr<const ClientState> client, abi::EventHandle event) {
  auto impl = std::make_unique<Event::Impl>();
  impl->client = std::move(client);
  impl->event = std::move(event);
  return Event(std::move(impl));
}

Event::Event() noexcept = default;
Event::Event(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;
Event::~Event() = default;

bool Event::ready() const {
  if (!impl_) return true;
  return impl_->client->usable().call<&abi::Api::PJRT_Event_IsReady>({.event = impl_->event.get()}).is_ready;
}

void Event::wait() const {
  if (impl_) runtime::await(impl_->client->usable(), impl_->event.get());
}

bool Event::wait_for(std::chrono::nanoseconds limit) const {
  if (!ready()) {
    if (!impl_->watch()->wait_for(limit)) return false;
  }
  wait();
  return true;
}

}  // namespace pier
