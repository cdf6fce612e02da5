#include "fake_plugin/ledger.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "fake_plugin/buffer.h"
#include "fake_plugin/call.h"
#include "fake_plugin/steering.h"

namespace fake {
namespace {

// Dead handles that are still recognised; beyond that the oldest are forgotten, so that long runs stay small.
constexpr std::size_t remembered_dead = 20000;
constexpr std::size_t remembered_violations = 200;

const char* name(Kind kind) {
  switch (kind) {
    case Kind::client: return "client";
    case Kind::device: return "device";
    case Kind::device_description: return "device description";
    case Kind::memory: return "memory";
    case Kind::topology: return "topology";
    case Kind::buffer: return "buffer";
    case Kind::event: return "event";
    case Kind::executable: return "executable";
    case Kind::loaded_executable: return "loaded executable";
    case Kind::error: return "error";
    case Kind::transfer_manager: return "transfer manager";
    case Kind::execute_context: return "execute context";
    case Kind::tracking_event: return "tracking event";
    case Kind::layout: return "layout";
    case Kind::holder: return "holder";
    case Kind::mapping: return "mapping";
  }
  return "thing";
}

}  // namespace

Ledger& ledger() {
  // Never destroyed: threads of the plugin may still run while the process exits.
  static Ledger& books = *new Ledger;
  return books;
}

void Ledger::add(std::shared_ptr<Object> object) {
  const std::lock_guard lock(mutex_);
  const void* handle = object->handle();
  entries_.insert_or_assign(handle, Entry{std::move(object)});
}

std::shared_ptr<Object> Ledger::find(const void* handle, Kind kind) {
  std::string wrong;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(handle); handle == nullptr) {
      wrong = std::string("a null ") + name(kind);
    } else if (found == entries_.end()) {
      wrong = std::string("a ") + name(kind) + " that was never given out";
    } else if (found->second.object->kind() != kind) {
      wrong = std::string("a ") + name(found->second.object->kind()) + " in the place of a " + name(kind);
    } else if (!found->second.alive) {
      wrong = std::string("use of a destroyed ") + name(kind);
    } else {
      return found->second.object;
    }
  }
  misuse(wrong);
}

std::shared_ptr<Object> Ledger::take(const void* handle, Kind kind) {
  if (handle == nullptr) return nullptr;
  std::shared_ptr<Object> object;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(handle);
    if (found != entries_.end() && found->second.object->kind() == kind && found->second.alive) {
      object = bury(found->second);
    }
  }
  if (!object) find(handle, kind);
  object->retire();
  return object;
}

void Ledger::drop(const void* handle) {
  std::shared_ptr<Object> object;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(handle);
    if (found == entries_.end() || !found->second.alive) return;
    object = bury(found->second);
  }
  object->retire();
}

std::shared_ptr<Object> Ledger::bury(Entry& entry) {
  entry.alive = false;
  std::shared_ptr<Object> object = entry.object;
  dead_.push_back(object);
  if (dead_.size() > remembered_dead) {
    const void* oldest = dead_.front()->handle();
    if (const auto found = entries_.find(oldest); found != entries_.end() && found->second.object == dead_.front()) {
      entries_.erase(found);
    }
    dead_.pop_front();
  }
  return object;
}

std::string Ledger::orphans_of(const void* client) {
  std::map<Kind, std::size_t> counts;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, entry] : entries_) {
      if (entry.alive && entry.object->owner() == client && entry.object->is_counted()) ++counts[entry.object->kind()];
    }
  }
  std::string words;
  for (const auto& [kind, count] : counts) {
    words += (words.empty() ? "" : ", ") + std::to_string(count) + " " + name(kind);
  }
  return words;
}

FakeLive Ledger::live() {
  FakeLive live;
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, entry] : entries_) {
    if (!entry.alive || !entry.object->is_counted()) continue;
    ++live.total;
    switch (entry.object->kind()) {
      case Kind::client: ++live.clients; break;
      case Kind::topology: ++live.topologies; break;
      case Kind::buffer: {
        ++live.buffers;
        const std::int64_t references = static_cast<const Buffer&>(*entry.object).references.load();
        live.external_references += references;
        live.total += references;
        break;
      }
      case Kind::event: ++live.events; break;
      case Kind::executable: ++live.executables; break;
      case Kind::loaded_executable: ++live.loaded_executables; break;
      case Kind::error: ++live.errors; break;
      case Kind::transfer_manager: ++live.transfer_managers; break;
      case Kind::execute_context: ++live.execute_contexts; break;
      case Kind::tracking_event: ++live.tracking_events; break;
      case Kind::layout: ++live.layouts; break;
      case Kind::holder: ++live.holders; break;
      case Kind::mapping: ++live.mappings; break;
      case Kind::device:
      case Kind::device_description:
      case Kind::memory: break;
    }
  }
  return live;
}

void Ledger::violate(const std::string& text) {
  const std::string line = std::string(current_function()) + ": " + text;
  if (settings()->abort_on_violation) {
    std::fprintf(stderr, "fake_plugin: violation: %s\n", line.c_str());
    std::abort();
  }
  const std::lock_guard lock(mutex_);
  ++violation_count_;
  if (violations_.size() < remembered_violations) violations_.push_back(line);
}

std::vector<std::string> Ledger::violations() {
  const std::lock_guard lock(mutex_);
  return violations_;
}

std::size_t Ledger::violation_count() {
  const std::lock_guard lock(mutex_);
  return violation_count_;
}

void Ledger::forget_violations() {
  const std::lock_guard lock(mutex_);
  violations_.clear();
  violation_count_ = 0;
}

void misuse(const std::string& text) {
  ledger().violate(text);
  refuse(std::string(current_function()) + ": " + text);
}

}  // namespace fake
