#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "abi/pjrt.h"
#include "fake_plugin/failure.h"
#include "fake_plugin/names.h"
#include "fake_plugin/schedule.h"
#include "fake_plugin/settings.h"
#include "fake_plugin/steering.h"

namespace fake {

/// Name of the function that this thread is in, or "outside of calls".
std::string_view current_function() noexcept;

/// What a function's body may ask about its call.
class Call {
 public:
  Call(FunctionId function, Plan plan, std::shared_ptr<const Settings> settings);

  const Settings& settings() const noexcept { return *settings_; }
  int minor() const noexcept { return settings_->minor(); }
  FunctionId function() const noexcept { return function_; }

  /// Milliseconds by which the work is put off.
  std::int64_t delay() const noexcept { return plan_.delay; }
  /// The failure that what this call gives out must carry.
  const std::optional<Failure>& later() noexcept {
    asked_ = true;
    return plan_.later;
  }

  const Plan& plan() const noexcept { return plan_; }
  /// Aborts if the test asked for something that this function cannot do.
  void check_obeyed(bool outputs_found) const;

 private:
  FunctionId function_;
  Plan plan_;
  std::shared_ptr<const Settings> settings_;
  bool asked_ = false;
};

/// Marks that a thread is in a function. Calls nest: a callback may call the table.
class Frame {
 public:
  explicit Frame(FunctionId function) noexcept;
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  std::string_view outer_;
};

/// Counts the call, crashes or hangs as told, checks the argument block. Throws Failure.
Call begin(FunctionId function, const std::size_t* struct_size);

/// How many bytes of a caller's struct a plugin of the posed version reads and writes.
std::size_t window(const abi::StructFact* fact, const Settings& settings, std::size_t struct_size, std::size_t ours);

/// Refuses sizes that the posed version refuses, and writes down sizes that nobody ever sent.
void check_size(const abi::StructFact& fact, const Settings& settings, std::size_t struct_size);

/// Writes down members that the caller set although the posed version would drop them without a word.
void check_newer_members(const abi::StructFact* fact, const Settings& settings, const void* given, std::size_t struct_size,
                         std::size_t ours);

/// A struct that arrives by pointer, as far as the posed version knows it.
template <class T>
T nested(const T* given, const char* name, const Settings& settings) {
  const abi::StructFact* fact = abi::find_struct(name);
  if (fact == nullptr) std::abort();
  if (given == nullptr) refuse(std::string(name) + " is null");
  check_size(*fact, settings, given->struct_size);
  check_newer_members(fact, settings, given, given->struct_size, sizeof(T));
  T copy{};
  std::memcpy(static_cast<void*>(&copy), given, window(fact, settings, given->struct_size, sizeof(T)));
  return copy;
}

abi::PJRT_Error* give_error(const Failure& failure);

/// Nulls outputs after a call. owned() ones are given back first; everything else is only forgotten.
class OutputEraser {
 public:
  OutputEraser(std::string_view only, bool release) : only_(only), release_(release) {}

  template <class T>
  void owned(std::string_view name, T*& output) {
    if (!picks(name)) return;
    if (release_ && output != nullptr) give_back(output);
    output = nullptr;
  }
  /// An array of ours, of things that are the caller's.
  template <class T>
  void owned_list(std::string_view name, T**& output, std::size_t count) {
    if (!picks(name)) return;
    for (std::size_t i = 0; release_ && output != nullptr && i < count; ++i) give_back(output[i]);
    output = nullptr;
  }
  template <class T>
  void plain(std::string_view name, T& output) {
    if (picks(name)) output = T{};
  }

  bool found() const noexcept { return found_; }

 private:
  bool picks(std::string_view name) {
    const bool picked = only_.empty() || only_ == name;
    found_ = found_ || picked;
    return picked;
  }
  static void give_back(const void* handle);

  std::string_view only_;
  bool release_;
  bool found_ = false;
};

/// One function of the table: the steering around a body `run(Args&, Call&)`.
template <class Args, class Body, class Outputs>
abi::PJRT_Error* enter(FunctionId function, Args* given, Body body, Outputs outputs) noexcept {
  const Frame frame(function);
  try {
    Call call = begin(function, given == nullptr ? nullptr : &given->struct_size);
    const Plan& plan = call.plan();
    if (plan.failure && !is_destroy(function)) throw Failure(*plan.failure);

    // The body works on a copy that ends where the posed version ends: it cannot see or touch newer members.
    const abi::StructFact* fact = argument_fact(function);
    const std::size_t known = window(fact, call.settings(), given->struct_size, sizeof(Args));
    check_newer_members(fact, call.settings(), given, given->struct_size, sizeof(Args));
    Args args{};
    std::memcpy(static_cast<void*>(&args), given, known);
    bool outputs_found = true;
    if (plan.null_all) {
      OutputEraser eraser({}, false);
      outputs(args, eraser);
    } else {
      body(args, call);
      for (const std::string& name : plan.null_outputs) {
        OutputEraser eraser(name, true);
        outputs(args, eraser);
        outputs_found = outputs_found && eraser.found();
      }
      call.check_obeyed(outputs_found);
    }
    std::memcpy(static_cast<void*>(given), &args, known);
    if (plan.failure) throw Failure(*plan.failure);
    return nullptr;
  } catch (const Failure& failure) {
    return give_error(failure);
  } catch (const std::bad_alloc&) {
    return give_error({abi::PJRT_Error_Code_RESOURCE_EXHAUSTED, "the fake plugin is out of host memory"});
  }
}

}  // namespace fake
