#include "abi/extension.h"

#include <algorithm>
#include <cstring>

#include "abi/limits.h"
#include "base/text.h"

namespace pier::abi {
namespace {

// Before this version an entry does not begin with its size.
constexpr int first_sized_minor = 45;

bool seen_before(const std::vector<ExtensionEntry>& entries, const PJRT_Extension_Base* base) noexcept {
  return std::any_of(entries.begin(), entries.end(), [&](const ExtensionEntry& entry) { return entry.base == base; });
}

// How many bytes of an entry to copy: as far as it reaches, without a function of which it holds only a part.
std::size_t whole_members(const ExtensionFact& fact, std::size_t size) noexcept {
  for (const MemberFact& function : fact.functions) {
    if (function.offset < size && function.offset + sizeof(void*) > size) size = function.offset;
  }
  return size;
}

}  // namespace

ExtensionChain extension_chain(const Table& table) {
  ExtensionChain chain;
  if (table.minor() < first_sized_minor) return chain;
  const PJRT_Extension_Base* base = table.api().extension_start;
  while (base != nullptr) {
    if (seen_before(chain.entries, base)) {
      chain.fault = text("the chain of extensions leads back to entry {}", chain.entries.size());
      break;
    }
    if (chain.entries.size() == sane_extensions) {
      chain.fault = text("the chain of extensions has more than {} entries", sane_extensions);
      break;
    }
    if (reinterpret_cast<std::uintptr_t>(base) % alignof(PJRT_Extension_Base) != 0) {
      chain.fault = text("entry {} of the chain of extensions is at an odd address", chain.entries.size() + 1);
      break;
    }
    if (base->struct_size < sizeof(PJRT_Extension_Base) || base->struct_size > sane_table) {
      chain.fault = text("entry {} of the chain of extensions says it has {} bytes", chain.entries.size() + 1,
                         base->struct_size);
      break;
    }
    const int type = base->type;
    const ExtensionFact* fact = find_extension(type);
    chain.entries.push_back({type, base->struct_size, fact == nullptr ? std::string_view() : fact->name, base});
    base = base->next;
  }
  return chain;
}

namespace detail {

bool copy_entry(const Table& table, int type, void* to, std::size_t size) {
  for (const ExtensionEntry& entry : extension_chain(table).entries) {
    if (entry.type != type) continue;
    const ExtensionFact* fact = find_extension(type);
    if (fact == nullptr) return false;
    std::memset(to, 0, size);
    std::memcpy(to, entry.base, whole_members(*fact, std::min(size, entry.struct_size)));
    for (const MemberFact& function : fact->functions) {
      // A slot can have had another function in older versions, with other arguments.
      if (function.since > table.minor() && function.offset + sizeof(void*) <= size) {
        std::memset(static_cast<std::byte*>(to) + function.offset, 0, sizeof(void*));
      }
    }
    return true;
  }
  return false;
}

void refuse_extension(const Table& table, std::string_view name) {
  throw Unsupported(text("the plugin has no extension {}", name))
      .in_plugin(table.plugin_text())
      .note("Extensions are the maker's choice; `pier info PATH` lists those of a plugin, and another build or version may have it.");
}

}  // namespace detail
}  // namespace pier::abi
