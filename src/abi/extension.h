#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/extension_traits.h"
#include "abi/table.h"

namespace pier::abi {

/// One entry of a plugin's extension chain. name is empty for a type that is not known here.
struct ExtensionEntry {
  int type;
  std::size_t struct_size;
  std::string_view name;
  const PJRT_Extension_Base* base;
};

struct ExtensionChain {
  std::vector<ExtensionEntry> entries;
  /// Why the walk ended before the chain did; empty if it did not.
  std::string fault;
};

/// The entries in the plugin's order. Survives cycles, absurd sizes and endless chains. Plugins before 0.45 have entries
/// that do not say their size: none are listed.
ExtensionChain extension_chain(const Table& table);

namespace detail {
bool copy_entry(const Table& table, int type, void* to, std::size_t size);
[[noreturn]] void refuse_extension(const Table& table, std::string_view name);
}

/// An extension of a plugin: a copy of its entry in which functions that the plugin's entry does not reach, or that its
/// version knew under another meaning, are null.
template <class Entry>
class Extension {
 public:
  /// The plugin's entry, or nothing if it has none of this type.
  static std::optional<Extension> find(const Table& table) {
    Extension found(table);
    if (!detail::copy_entry(table, ExtensionTraits<Entry>::type, &found.entry_, sizeof(Entry))) return std::nullopt;
    return found;
  }

  /// Throws Unsupported if the plugin has no such extension.
  static Extension require(const Table& table) {
    if (auto found = find(table)) return *found;
    detail::refuse_extension(table, ExtensionTraits<Entry>::name);
  }

  const Entry& entry() const noexcept { return entry_; }

  template <auto Function>
  bool has() const noexcept {
    return entry_.*Function != nullptr;
  }

  /// As Table::call, for the functions of this extension:
  ///   layouts.call<&PJRT_Layouts_Extension::PJRT_Layouts_PJRT_Buffer_MemoryLayout>({.buffer = buffer}).layout
  template <auto Function>
  ArgsOf<Function> call(ArgsOf<Function> args) const {
    Block<ArgsOf<Function>> block{args};
    table_->template call_entry<Function>(entry_, block, ExtensionTraits<Entry>::name);
    return block.args;
  }

 private:
  explicit Extension(const Table& table) noexcept : table_(&table) {}

  const Table* table_;
  Entry entry_{};
};

}  // namespace pier::abi
