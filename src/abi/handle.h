#pragma once

#include <memory>
#include <utility>

#include "abi/table.h"

namespace pier::abi {

/// Owns one object of a plugin. Destruction never throws: what the plugin answers is logged. The table must outlive the
/// handle, and so must whatever the plugin wants alive while the object is (a client for its buffers).
template <class Object, auto Destroy, auto Member>
class Handle {
 public:
  Handle() noexcept = default;
  Handle(const Table& table, Object* object) noexcept : table_(&table), object_(object) {}
  Handle(Handle&& other) noexcept : table_(other.table_), object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      table_ = other.table_;
      object_ = std::exchange(other.object_, nullptr);
    }
    return *this;
  }
  ~Handle() { reset(); }

  Object* get() const noexcept { return object_; }
  const Table& table() const noexcept { return *table_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

  /// Gives the object up without destroying it.
  Object* release() noexcept { return std::exchange(object_, nullptr); }

  void reset() noexcept {
    if (object_ == nullptr) return;
    Block<ArgsOf<Destroy>> block;
    block.args.*Member = std::exchange(object_, nullptr);
    table_->template call_quietly<Destroy>(block);
  }

 private:
  const Table* table_ = nullptr;
  Object* object_ = nullptr;
};

using ClientHandle = Handle<PJRT_Client, &Api::PJRT_Client_Destroy, &PJRT_Client_Destroy_Args::client>;
using BufferHandle = Handle<PJRT_Buffer, &Api::PJRT_Buffer_Destroy, &PJRT_Buffer_Destroy_Args::buffer>;
using EventHandle = Handle<PJRT_Event, &Api::PJRT_Event_Destroy, &PJRT_Event_Destroy_Args::event>;
using ExecutableHandle = Handle<PJRT_Executable, &Api::PJRT_Executable_Destroy, &PJRT_Executable_Destroy_Args::executable>;
using LoadedExecutableHandle = Handle<PJRT_LoadedExecutable, &Api::PJRT_LoadedExecutable_Destroy,
                                      &PJRT_LoadedExecutable_Destroy_Args::executable>;
using TopologyHandle = Handle<PJRT_TopologyDescription, &Api::PJRT_TopologyDescription_Destroy,
                              &PJRT_TopologyDescription_Destroy_Args::topology>;
using ExecuteContextHandle = Handle<PJRT_ExecuteContext, &Api::PJRT_ExecuteContext_Destroy,
                                    &PJRT_ExecuteContext_Destroy_Args::context>;
using TransferManagerHandle = Handle<PJRT_AsyncHostToDeviceTransferManager,
                                     &Api::PJRT_AsyncHostToDeviceTransferManager_Destroy,
                                     &PJRT_AsyncHostToDeviceTransferManager_Destroy_Args::transfer_manager>;
using CopyToDeviceStreamHandle = Handle<PJRT_CopyToDeviceStream, &Api::PJRT_CopyToDeviceStream_Destroy,
                                        &PJRT_CopyToDeviceStream_Destroy_Args::stream>;
using AsyncTrackingEventHandle = Handle<PJRT_AsyncTrackingEvent, &Api::PJRT_AsyncTrackingEvent_Destroy,
                                        &PJRT_AsyncTrackingEvent_Destroy_Args::event>;

/// What a plugin hands out together with the function that frees it: serialized executables, device assignments,
/// attributes. The bytes live as long as this does.
template <class Holder>
using Held = std::unique_ptr<Holder, void (*)(Holder*)>;

template <class Holder>
Held<Holder> hold(Holder* holder, void (*deleter)(Holder*)) noexcept {
  return Held<Holder>(holder, deleter != nullptr ? deleter : [](Holder*) {});
}

}  // namespace pier::abi
