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

namespace {

// For callbacks, which own the error that they are given.
void destroy_error(const abi::Table& table, abi::PJRT_Error* error) noexcept {
  if (!error) return;
  abi::Block<abi::PJRT_Error_Destroy_Args> block;
  block.args.error = error;
  table.call_quietly<&abi::Api::PJRT_Error_Destroy>(block);
}

// Memory in use by the device. Holds no client: it ends on a thread of the plugin; the client waits for it instead.
struct Hold {
  std::shared_ptr<const void> memory;
  abi::EventHandle event;
  std::shared_ptr<Owed> owed;
};

void release(abi::PJRT_Error* error, void* user) noexcept {
  const CallbackScope scope;
  std::unique_ptr<Hold> hold(static_cast<Hold*>(user));
  // A transfer that failed shows in the buffer itself, to whoever reads it.
  destroy_error(hold->event.table(), error);
  const std::shared_ptr<Owed> owed = hold->owed;
  hold.reset();
  owed->settle();
}

bool has_happened(const abi::Table& table, abi::PJRT_Event* event) noexcept {
  try {
    return table.call<&abi::Api::PJRT_Event_IsReady>({.event = event}).is_ready;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

void hold_until(const ClientState& client, abi::EventHandle event, std::shared_ptr<const void> memory) {
  auto hold = std::make_unique<Hold>();
  abi::PJRT_Event* const raw = event.get();
  hold->memory = std::move(memory);
  hold->event = std::move(event);
  hold->owed = client.owed;
  client.owed->add();
  // The callback destroys the hold, and may do so before the call returns.
  Hold* const given = hold.release();
  try {
    on_ready(client.table(), raw, release, given);
  } catch (...) {
    hold.reset(given);
    client.owed->settle();
    client.owed->keep(std::move(hold->memory));
    throw;
  }
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
  const runtime::CallbackScope scope;
  const std::unique_ptr<std::shared_ptr<Waiter>> waiter(static_cast<std::shared_ptr<Waiter>*>(user));
  Waiter& shared = **waiter;
  // wait() asks the event for an error of its own.
  runtime::destroy_error(*shared.table, error);
  abi::EventHandle orphan;
  {
    const std::lock_guard lock(shared.mutex);
    shared.happened = true;
    orphan = std::move(shared.orphan);
    shared.changed.notify_all();
  }
  orphan.reset();
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
    auto* const user = new std::shared_ptr<Waiter>(fresh);
    client->owed->add();
    try {
      runtime::on_ready(client->table(), event.get(), wake, user);
    } catch (...) {
      client->owed->settle();
      delete user;
      throw;
    }
    waiter = std::move(fresh);
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
