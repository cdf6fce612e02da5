#pragma once

#include <span>
#include <vector>

#include <pier/executable.h>

#include "runtime/state.h"

namespace pier::runtime {

// The arguments of a run as its program wants them on the device: the caller's buffers, and copies of those that lie in another
// order. Plugins do not look, and would read them wrong. The device makes the copies, by a program that is compiled once for
// each type and pair of orders.
class InOrder {
 public:
  // The buffers are those of a run that may start: filled, of this client, in the right number.
  InOrder(const Executable& program, std::vector<const Buffer*> arguments);

  std::span<const Buffer* const> arguments() const noexcept { return arguments_; }
  // After the start of the run: what was donated as a copy is donated.
  void settle() const;

 private:
  struct Copy {
    const Buffer* original;
    void* handle;
    Buffer made;
  };

  const abi::Table& table_;
  std::vector<const Buffer*> arguments_;
  std::vector<Copy> copies_;
};

}  // namespace pier::runtime
