#pragma once

#include <cstddef>

#include "fake_plugin/bodies.h"
#include "fake_plugin/call.h"
#include "fake_plugin/outputs.h"

namespace fake {

// From a member of a table to the function that stands in it: the steering around run().

template <class Member>
struct SlotTraits;
template <class Table, class Result, class Arguments>
struct SlotTraits<Result (*Table::*)(Arguments*)> {
  using Owner = Table;
  using Args = Arguments;
};

template <auto Slot>
using SlotArgs = typename SlotTraits<decltype(Slot)>::Args;

template <auto Slot>
std::size_t slot_offset() noexcept {
  static const typename SlotTraits<decltype(Slot)>::Owner probe{};
  return static_cast<std::size_t>(reinterpret_cast<const char*>(&(probe.*Slot)) - reinterpret_cast<const char*>(&probe));
}

/// Which function it is; one for each kind of table.
template <auto Slot>
FunctionId slot_function() noexcept {
  using Owner = typename SlotTraits<decltype(Slot)>::Owner;
  if constexpr (requires(Owner owner) { owner.base; }) {
    static const FunctionId id = extension_function(Owner{}.base.type, slot_offset<Slot>());
    return id;
  } else {
    static const FunctionId id = core_function(slot_offset<Slot>());
    return id;
  }
}

template <auto Slot>
abi::PJRT_Error* enter_slot(SlotArgs<Slot>* args) noexcept {
  return enter(
      slot_function<Slot>(), args, [](SlotArgs<Slot>& known, Call& call) { run(known, call); },
      [](SlotArgs<Slot>& known, OutputEraser& erase) { outputs(known, erase); });
}

template <auto Slot>
abi::PJRT_Error* refuse_slot(SlotArgs<Slot>* args) noexcept {
  return enter(
      slot_function<Slot>(), args,
      [](SlotArgs<Slot>&, Call& call) {
        refuse(abi::PJRT_Error_Code_UNIMPLEMENTED,
               std::string(function_name(call.function())) + " is not implemented by the fake plugin");
      },
      [](SlotArgs<Slot>& known, OutputEraser& erase) { outputs(known, erase); });
}

/// For functions that return nothing: whatever they have to complain about is dropped, as real plugins only log it.
template <auto Slot>
void enter_void_slot(SlotArgs<Slot>* args) noexcept {
  abi::PJRT_Error* error = enter_slot<Slot>(args);
  if (error != nullptr) ledger().drop(error);
}

template <auto Slot>
void fill(typename SlotTraits<decltype(Slot)>::Owner& table) {
  table.*Slot = &enter_slot<Slot>;
}
template <auto Slot>
void fill_void(typename SlotTraits<decltype(Slot)>::Owner& table) {
  table.*Slot = &enter_void_slot<Slot>;
}
template <auto Slot>
void refuse_all(typename SlotTraits<decltype(Slot)>::Owner& table) {
  table.*Slot = &refuse_slot<Slot>;
}

}  // namespace fake
