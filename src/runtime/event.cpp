#include "runtime/event.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

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

}  // namespace runtime

namespace {

// Shared with the callback, which may run after the event object is gone; it frees the event then.
struct Waiter {
  std::mutex mutex;
  std::condition_variable changed;
  bool happened = false;
  abi::EventHandle orphan;
  const abi::Table* table = nullptr;
  std::shared_ptr<runtime::Owed> owed;
};

void wake(abi::PJRT_Error* error, void* user) noexcept {
  const std::unique_ptr<std::shared_ptr<Waiter>> waiter(static_cast<std::shared_ptr<Waiter>*>(user));
  Waiter& shared = **waiter;
  // The callback owns this error; wait() asks the event for one of its own.
  if (error) {
    abi::Block<abi::PJRT_Error_Destroy_Args> block;
    block.args.error = error;
    shared.table->call_quietly<&abi::Api::PJRT_Error_Destroy>(block);
  }
  {
    const std::lock_guard lock(shared.mutex);
    shared.happened = true;
    shared.orphan.reset();
    shared.changed.notify_all();
  }
  shared.owed->settle();
}

}  // namespace

struct Event::Impl {
  std::shared_ptr<const runtime::ClientState> client;
  abi::EventHandle event;
  std::mutex mutex;
  std::shared_ptr<Waiter> waiter;

  ~Impl() {
    if (client->forked()) {
      event.release();
    } else if (waiter) {
      // Plugins may forget a callback whose event is destroyed, so the callback destroys it.
      const std::lock_guard lock(waiter->mutex);
      if (!waiter->happened) waiter->orphan = std::move(event);
    }
  }

  // The waiter, with its callback given to the plugin.
  std::shared_ptr<Waiter> watch() {
    const std::lock_guard lock(mutex);
    if (waiter) return waiter;
    auto fresh = std::make_shared<Waiter>();
    fresh->table = &client->table();
    fresh->owed = client->owed;
    auto user = std::make_unique<std::shared_ptr<Waiter>>(fresh);
    client->owed->add();
    try {
      runtime::on_ready(client->table(), event.get(), wake, user.get());
    } catch (...) {
      client->owed->settle();
      throw;
    }
    [[maybe_unused]] auto* const taken_by_the_callback = user.release();
    waiter = std::move(fresh);
    return waiter;
  }
};

Event runtime::make_event(std::shared_ptr<const ClientState> client, abi::PJRT_Event* event) {
  auto impl = std::make_unique<Event::Impl>();
  impl->event = abi::EventHandle(client->table(), event);
  impl->client = std::move(client);
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
    const std::shared_ptr<Waiter> waiter = impl_->watch();
    std::unique_lock lock(waiter->mutex);
    // The clock cannot express a wait of centuries.
    const auto longest = std::min<std::chrono::nanoseconds>(limit, std::chrono::hours(24 * 365));
    if (!waiter->changed.wait_for(lock, longest, [&] { return waiter->happened; })) return false;
  }
  wait();
  return true;
}

}  // namespace pier
