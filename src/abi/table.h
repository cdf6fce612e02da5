#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pier/error.h>

#include "abi/call.h"
#include "abi/facts.h"
#include "abi/pjrt.h"
#include "abi/since.h"

namespace pier::abi {

/// A function that a plugin does not offer: since is the minor version that brought it. left_out: the plugin's version has
/// the function, yet its slot is empty or its table ends before it.
struct AbsentFunction {
  std::string_view name;
  int since;
  bool left_out;
};

/// A plugin's functions, copied into a table of our own so that absent is null, whatever the plugin's version.
///
/// How much of the plugin's table is read: up to 0.56 what its minor version had (the size it reports is wrong there, and
/// 0.56 exists in two layouts), from 0.57 what it reports, and never more than its minor version had.
///
/// Tables are neither copied nor moved: handles point to them. All members may be called from any thread.
class Table {
 public:
  /// plugin_table is what GetPjrtApi returned; plugin names the plugin in errors, best by path.
  /// Throws Unsupported for versions that cannot be read, Error(not_available) for what is no table.
  Table(const void* plugin_table, std::string plugin);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const Api& api() const noexcept { return api_; }
  int minor() const noexcept { return minor_; }
  const std::string& plugin() const noexcept { return plugin_; }
  /// "libfoo.so (PJRT 0.54)"
  std::string plugin_text() const;
  const void* plugin_table() const noexcept { return plugin_table_; }
  std::size_t reported_size() const noexcept { return reported_size_; }
  /// Bytes of the plugin's table that were read.
  std::size_t used_size() const noexcept { return used_size_; }
  /// Whether this is the build of 0.56 whose functions stand one slot further up.
  bool shifted() const noexcept { return shifted_; }
  std::vector<AbsentFunction> absent() const;

  template <auto Function>
  bool has() const noexcept {
    return api_.*Function != nullptr;
  }

  /// Calls a function and returns its filled arguments:
  ///   table.call<&Api::PJRT_Client_Compile>({.client = client, .program = &program}).executable
  /// Throws Unsupported if the plugin lacks the function, else Error with the plugin's code and whole message.
  template <auto Function>
  ArgsOf<Function> call(ArgsOf<Function> args) const {
    Block<ArgsOf<Function>> block{args};
    call_into<Function>(block);
    return block.args;
  }

  /// The same in the caller's storage, which it may use again.
  template <auto Function>
  void call_into(Block<ArgsOf<Function>>& block) const {
    static_assert(std::is_same_v<OwnerOf<Function>, Api>);
    call_slot<Function>(api_, block, {});
  }

  /// The same for a function of an extension: entry is the bounded copy that Extension keeps.
  template <auto Function>
  void call_entry(const OwnerOf<Function>& entry, Block<ArgsOf<Function>>& block, std::string_view extension) const {
    call_slot<Function>(entry, block, extension);
  }

  /// For destructors: calls, and logs what goes wrong.
  template <auto Function>
  void call_quietly(Block<ArgsOf<Function>>& block) const noexcept {
    try {
      call_into<Function>(block);
    } catch (const std::exception& error) {
      log_failure(error);
    }
  }

  /// Makes an exception of an error that a plugin handed out, and destroys that error. function is the PJRT function it
  /// came from.
  Error take_error(PJRT_Error* error, std::string_view function) const;

  /// For outputs that must not be null after a success; says which one was. Returns the pointer.
  template <class T>
  T* require_out(T* pointer, std::string_view function, std::string_view member) const {
    if (pointer == nullptr) [[unlikely]] refuse_null(function, member);
    return pointer;
  }

  /// For answers that no sound plugin gives: Error(internal) that names the function and puts the blame.
  [[noreturn]] void refuse_answer(std::string_view function, std::string message) const;

  /// Refuse before a call what this plugin's version does not know: older plugins drop unknown members without a word, and
  /// unknown values end the process. Throw Unsupported (or Error(invalid_argument) for values of no version).
  void require(const FieldFact& field) const {
    if (minor_ < field.since) [[unlikely]] refuse_field(field);
  }
  void require_value(const EnumFact& fact, int value) const;
  /// Also refuses INVALID and TOKEN, which no host data has.
  void require_buffer_type(PJRT_Buffer_Type type) const;
  void require_semantics(PJRT_HostBufferSemantics semantics) const;

 private:
  // Sends a call again with other sizes; 0 leaves a size as it is.
  using Resend = PJRT_Error* (*)(const void* owner, void* args, std::size_t size, std::size_t options_size);

  struct Slot {
    const void* owner;
    std::size_t offset;
    std::string_view extension;  // empty for the table itself
  };

  template <auto Function>
  void call_slot(const OwnerOf<Function>& owner, Block<ArgsOf<Function>>& block, std::string_view extension) const {
    const auto function = owner.*Function;
    if (function == nullptr) [[unlikely]] refuse_missing(slot_of<Function>(owner, extension));
    if constexpr (requires { block.args.struct_size; }) block.args.struct_size = newest_size<ArgsOf<Function>>;
    if constexpr (std::is_same_v<ResultOf<Function>, PJRT_Error*>) {
      if (PJRT_Error* error = function(&block.args)) [[unlikely]] {
        recover(error, slot_of<Function>(owner, extension), &block.args, &resend<Function>);
      }
    } else {
      static_assert(std::is_void_v<ResultOf<Function>>);
      function(&block.args);
    }
  }

  template <auto Function>
  static Slot slot_of(const OwnerOf<Function>& owner, std::string_view extension) noexcept {
    const auto begin = reinterpret_cast<const std::byte*>(&owner);
    const auto slot = reinterpret_cast<const std::byte*>(&(owner.*Function));
    return {&owner, static_cast<std::size_t>(slot - begin), extension};
  }

  template <auto Function>
  static PJRT_Error* resend(const void* owner, void* args, std::size_t size, std::size_t options_size) {
    auto& typed = *static_cast<ArgsOf<Function>*>(args);
    if constexpr (requires { typed.struct_size; }) {
      if (size != 0) typed.struct_size = size;
    }
    const auto function = static_cast<const OwnerOf<Function>*>(owner)->*Function;
    if constexpr (requires { typed.options->struct_size; }) {
      if (options_size != 0 && typed.options != nullptr) {
        const std::size_t kept = typed.options->struct_size;
        typed.options->struct_size = options_size;
        PJRT_Error* error = function(&typed);
        typed.options->struct_size = kept;
        return error;
      }
    }
    return function(&typed);
  }

  void recover(PJRT_Error* error, const Slot& slot, void* args, Resend again) const;
  // A slot's name and the version that brought it, 0 where that is not known.
  static std::pair<std::string, int> slot_fact(const Slot& slot);
  [[noreturn]] void refuse_missing(const Slot& slot) const;
  [[noreturn]] void refuse_null(std::string_view function, std::string_view member) const;
  [[noreturn]] void refuse_field(const FieldFact& field) const;
  [[noreturn]] void refuse_value(std::string_view name, int since) const;
  static void log_failure(const std::exception& error) noexcept;

  Api api_;
  const void* plugin_table_;
  std::string plugin_;
  int minor_ = 0;
  std::size_t reported_size_ = 0;
  std::size_t used_size_ = 0;
  bool shifted_ = false;
};

}  // namespace pier::abi
