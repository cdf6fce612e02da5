#include "abi/facts.h"

#include <algorithm>

#include "abi/pjrt.h"

namespace pier::abi {
namespace {

template <class Fact>
const Fact* find_named(std::span<const Fact> facts, std::string_view name) noexcept {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.name == name; });
  return found == facts.end() ? nullptr : &*found;
}

}  // namespace

const StructFact* find_struct(std::string_view name) noexcept { return find_named(structs(), name); }
const FunctionFact* find_function(std::string_view name) noexcept { return find_named(functions(), name); }
const EnumFact* find_enum(std::string_view name) noexcept { return find_named(enums(), name); }

const FunctionFact* function_at(std::size_t offset) noexcept {
  const std::span<const FunctionFact> all = functions();
  if (offset < all.front().offset || (offset - all.front().offset) % sizeof(void*) != 0) return nullptr;
  const std::size_t index = (offset - all.front().offset) / sizeof(void*);
  return index < all.size() ? &all[index] : nullptr;
}

const ExtensionFact* find_extension(int type) noexcept {
  for (const ExtensionFact& fact : extensions()) {
    if (fact.type == type) return &fact;
  }
  return nullptr;
}

const ValueFact* find_value(const EnumFact& fact, int value) noexcept {
  // Nearly every enum counts from zero without a gap.
  const auto index = static_cast<std::size_t>(value);
  if (value >= 0 && index < fact.values.size() && fact.values[index].value == value) return &fact.values[index];
  for (const ValueFact& known : fact.values) {
    if (known.value == value) return &known;
  }
  return nullptr;
}

const SizeFact* sizes_at(const StructFact& fact, int minor) noexcept {
  const SizeFact* found = nullptr;
  for (const SizeFact& row : fact.sizes) {
    if (row.from <= minor) found = &row;
  }
  return found;
}

std::size_t table_size(int minor) noexcept {
  if (minor < oldest_minor) return 0;
  std::size_t size = functions().front().offset;
  for (const FunctionFact& function : functions()) {
    if (function.since <= minor) size = function.offset + sizeof(void*);
  }
  return size;
}

}  // namespace pier::abi
