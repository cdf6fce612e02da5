#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pier/buffer.h>
#include <pier/device.h>
#include <pier/event.h>
#include <pier/export.h>
#include <pier/module.h>

namespace pier {

namespace runtime {
struct ExecutableState;
class InOrder;
}

/// What a run gave: its buffers in order. Up to sixteen need no allocation.
class PIER_API Results {
 public:
  static constexpr std::size_t inline_capacity = 16;

  explicit Results(std::size_t count) : size_(count) {
    if (count > inline_capacity) more_.resize(count);
    else std::uninitialized_default_construct_n(few_.buffers, count);
  }
  Results(Results&& other) noexcept { take(other); }
  Results& operator=(Results&& other) noexcept {
    if (this != &other) {
      Buffer::destroy({data(), size_});
      take(other);
    }
    return *this;
  }
  ~Results() { Buffer::destroy({data(), size_}); }

  std::size_t size() const noexcept { return size_; }
  Buffer* begin() noexcept { return data(); }
  Buffer* end() noexcept { return data() + size_; }
  const Buffer* begin() const noexcept { return data(); }
  const Buffer* end() const noexcept { return data() + size_; }
  /// Throws Error (out_of_range).
  Buffer& operator[](std::size_t index);
  const Buffer& operator[](std::size_t index) const;

  /// The one result of a program with one. Throws Error (invalid_argument) when there are none or several.
  Buffer& only();
  const Buffer& only() const;
  /// For `auto y = program(x); y.to_array()` and for feeding one program's result to the next.
  Array to_array() const { return only().to_array(); }
  operator const Buffer&() const { return only(); }

 private:
  // Only the first size_ are alive: clearing sixteen takes as long as the rest of the call.
  union Few {
    Few() noexcept {}
    ~Few() {}
    Buffer buffers[inline_capacity];
  };

  Buffer* data() noexcept { return more_.empty() ? few_.buffers : more_.data(); }
  const Buffer* data() const noexcept { return more_.empty() ? few_.buffers : more_.data(); }
  void take(Results& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    more_ = std::move(other.more_);
    if (more_.empty()) std::uninitialized_move_n(other.few_.buffers, size_, few_.buffers);
  }

  std::size_t size_ = 0;
  Few few_;
  std::vector<Buffer> more_;
};

/// A compiled program on its devices. A value that shares one executable with its copies.
class PIER_API Executable {
 public:
  /// Name that the module gave itself.
  std::string name() const;
  std::size_t num_outputs() const;
  /// Devices that one call runs on.
  std::vector<Device> devices() const;

  /// Types of the results; nothing where the plugin does not tell.
  std::optional<std::vector<TensorType>> output_types() const;
  /// Types of arguments and results as the compiled program states them; nothing where the plugin does not give the
  /// optimized program as HLO.
  std::optional<Signature> signature() const;

  /// Runs on one device. A donated argument is left deleted, as the module decided when it was compiled. Returns before the
  /// work is done: failures of the device come when a result is read. Throws at once on an argument that holds nothing or belongs
  /// to another client, and on a wrong number of them: by pier where the plugin (from PJRT 0.93 on) or the module tells the
  /// number, else by the plugin.
  /// An argument that lies in another order on the device than the program wants (a module may state layouts) is reordered on
  /// the device first, by a program that is compiled for that once. Where the plugin cannot, throws Error (failed_precondition)
  /// that names the argument and both orders.
  template <std::convertible_to<const Buffer&>... Args>
  Results operator()(const Args&... arguments) const {
    const std::array<const Buffer*, sizeof...(Args)> list = {&static_cast<const Buffer&>(arguments)...};
    return run(list);
  }
  Results run(std::span<const Buffer* const> arguments) const;
  Results run(std::span<const Buffer> arguments) const;
  /// The same into buffers that the caller keeps: no allocation on pier's side for up to 64 arguments and 64 results, one list
  /// for each of the two that is longer, and one event more with `done`, which happens when the whole execution has finished.
  /// What `results` held is released after a successful call, so a result may be an argument too; a failed call leaves it.
  void run_into(std::span<const Buffer* const> arguments, std::span<Buffer> results, Event* done = nullptr) const;

  explicit Executable(std::shared_ptr<const runtime::ExecutableState> state) noexcept;
  const std::shared_ptr<const runtime::ExecutableState>& state() const noexcept { return state_; }

 private:
  const runtime::ExecutableState& own() const;
  void check_argument(const Buffer* given, std::size_t index) const;
  template <class Argument>
  void launch(std::size_t count, Argument argument, std::span<Buffer> results, Event* done) const;
  template <class Argument>
  void execute(std::size_t count, Argument argument, std::span<Buffer> results, Event* done, const runtime::InOrder* in_order) const;

  std::shared_ptr<const runtime::ExecutableState> state_;
};

}  // namespace pier
