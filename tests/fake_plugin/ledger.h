#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "fake_plugin/control.h"
#include "fake_plugin/failure.h"

namespace fake {

enum class Kind {
  client,
  device,
  device_description,
  memory,
  topology,
  buffer,
  event,
  executable,
  loaded_executable,
  error,
  transfer_manager,
  execute_context,
  tracking_event,
  layout,
  holder,
  mapping,
};

/// Anything that a handle stands for.
class Object {
 public:
  explicit Object(Kind kind, const void* owner = nullptr) noexcept : kind_(kind), owner_(owner) {}
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  Kind kind() const noexcept { return kind_; }
  /// The client that it belongs to.
  const void* owner() const noexcept { return owner_; }
  /// The address that callers know it by.
  virtual const void* handle() const noexcept { return this; }
  /// Whether the caller must give it back.
  virtual bool is_counted() const noexcept { return true; }
  /// Lets go of what it holds; the shell stays for a while, so that later use is noticed.
  virtual void retire() {}

 private:
  Kind kind_;
  const void* owner_;
};

/// The books: every handle that is out or was, and everything that was done wrong with one.
class Ledger {
 public:
  void add(std::shared_ptr<Object> object);

  /// The living object behind a handle. Anything else is written down and refused.
  std::shared_ptr<Object> find(const void* handle, Kind kind);
  template <class T>
  std::shared_ptr<T> get(const void* handle) {
    return std::static_pointer_cast<T>(find(handle, T::its_kind));
  }

  /// Ends a handle's life. Null for a null handle, which may be destroyed at any time.
  std::shared_ptr<Object> take(const void* handle, Kind kind);
  template <class T>
  std::shared_ptr<T> take(const void* handle) {
    return std::static_pointer_cast<T>(take(handle, T::its_kind));
  }
  /// Ends the life of something that is known to be alive, whatever it is.
  void drop(const void* handle);

  /// Living things that belong to a client and would be left without it, in words; empty when there are none.
  std::string orphans_of(const void* client);

  FakeLive live();

  void violate(const std::string& text);
  std::vector<std::string> violations();
  std::size_t violation_count();
  void forget_violations();

 private:
  struct Entry {
    std::shared_ptr<Object> object;
    bool alive = true;
  };
  std::shared_ptr<Object> bury(Entry& entry);

  std::mutex mutex_;
  std::unordered_map<const void*, Entry> entries_;
  std::deque<std::shared_ptr<Object>> dead_;
  std::vector<std::string> violations_;
  std::size_t violation_count_ = 0;
};

Ledger& ledger();

/// Writes the violation down, with the function it happened in, and refuses the call.
[[noreturn]] void misuse(const std::string& text);

/// Puts a new object into the books and gives its handle.
template <class Handle, class T>
Handle* give(const std::shared_ptr<T>& object) {
  ledger().add(object);
  return static_cast<Handle*>(const_cast<void*>(object->handle()));
}
template <class Handle>
Handle* handle_of(const Object& object) noexcept {
  return static_cast<Handle*>(const_cast<void*>(object.handle()));
}

}  // namespace fake
