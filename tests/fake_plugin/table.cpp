#include "fake_plugin/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "abi/facts.h"
#include "fake_plugin/names.h"
#include "fake_plugin/settings.h"
#include "fake_plugin/steering.h"

namespace fake {
namespace {

// What builds up to 0.55, and the regular ones of 0.56, report whatever their size is.
constexpr std::size_t frozen_size = 808;
constexpr int last_frozen_minor = 56;
constexpr std::size_t default_junk_slots = 16;

// Entries of the extension chain had no struct_size before this version.
constexpr int first_minor_with_sized_extensions = 45;
constexpr int unknown_extension_type = 77;

struct OldExtension {
  int type;
  OldExtension* next;
};

/// Memory of exactly that size, so that a sanitizer sees whoever reads past it. Kept for ever.
std::byte* keep_block(std::size_t size) {
  static auto& blocks = *new std::vector<std::unique_ptr<std::byte[]>>;
  blocks.push_back(std::make_unique<std::byte[]>(std::max<std::size_t>(size, 1)));
  return blocks.back().get();
}

abi::PJRT_Error* call_past_the_end(void*) {
  std::fputs("fake_plugin: somebody called a slot behind the end of the table\n", stderr);
  std::abort();
}

/// Copies a table's functions but those that were removed.
template <class Table>
void copy_entry(std::byte* to, const Table& table, std::size_t size, const Settings& settings) {
  std::memcpy(to, &table, std::min(size, sizeof table));
  for (const FunctionId removed : settings.removed) {
    for (std::size_t offset = sizeof(abi::PJRT_Extension_Base); offset + sizeof(void*) <= size; offset += sizeof(void*)) {
      if (extension_function(table.base.type, offset) == removed) std::memset(to + offset, 0, sizeof(void*));
    }
  }
}

std::byte* build_layouts(const Settings& settings) {
  const abi::ExtensionFact* fact = abi::find_extension(abi::PJRT_Extension_Type_Layouts);
  const abi::SizeFact* row = abi::sizes_at(*fact->entry, settings.minor());
  if (row == nullptr) return nullptr;
  abi::PJRT_Layouts_Extension table = layouts_table();
  table.base.struct_size = row->struct_size;
  std::byte* entry = keep_block(row->size);
  copy_entry(entry, table, row->size, settings);
  return entry;
}

std::byte* build_bare(int type) {
  const abi::PJRT_Extension_Base base{.type = static_cast<abi::PJRT_Extension_Type>(type)};
  std::byte* entry = keep_block(sizeof base);
  std::memcpy(entry, &base, sizeof base);
  return entry;
}

abi::PJRT_Extension_Base* build_chain(const Settings& settings) {
  if (settings.extensions.empty()) return nullptr;
  if (settings.minor() < first_minor_with_sized_extensions) {
    const OldExtension old{abi::PJRT_Extension_Type_Profiler, nullptr};
    std::byte* entry = keep_block(sizeof old);
    std::memcpy(entry, &old, sizeof old);
    return reinterpret_cast<abi::PJRT_Extension_Base*>(entry);
  }
  std::vector<abi::PJRT_Extension_Base*> chain;
  bool loops = false;
  for (const std::string& name : settings.extensions) {
    std::byte* entry = nullptr;
    if (name == "layouts") entry = build_layouts(settings);
    if (name == "unknown") entry = build_bare(unknown_extension_type);
    if (name == "short") entry = build_bare(abi::PJRT_Extension_Type_Layouts);
    if (name == "cycle") loops = true;
    if (entry != nullptr) chain.push_back(reinterpret_cast<abi::PJRT_Extension_Base*>(entry));
  }
  if (chain.empty() && loops) chain.push_back(reinterpret_cast<abi::PJRT_Extension_Base*>(build_bare(unknown_extension_type)));
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) chain[i]->next = chain[i + 1];
  if (loops) chain.back()->next = chain.front();
  return chain.empty() ? nullptr : chain.front();
}

/// Where a function stands in the posed table.
std::size_t place(const abi::FunctionFact& function, const FakePose& pose) {
  const abi::ShiftedTable& shift = abi::shifted_table();
  if (!pose.shifted) return function.offset;
  if (function.offset == shift.belongs_at) return shift.inserted_at;
  if (function.offset >= shift.inserted_at && function.offset < shift.belongs_at) return function.offset + sizeof(void*);
  return function.offset;
}

const abi::PJRT_Api* build_table(const Settings& settings) {
  const FakePose& pose = settings.pose;
  const int minor = std::max(pose.minor, abi::oldest_minor);
  const std::size_t regular = pose.shifted ? abi::shifted_table().size : abi::table_size(minor);
  const std::size_t size = pose.table_size < 0 ? regular : static_cast<std::size_t>(pose.table_size);
  const std::size_t junk = pose.junk_slots >= 0 ? static_cast<std::size_t>(pose.junk_slots)
                           : minor <= last_frozen_minor ? default_junk_slots : 0;
  const std::size_t reported = pose.reported_struct_size >= 0 ? static_cast<std::size_t>(pose.reported_struct_size)
                               : pose.shifted                 ? abi::shifted_table().struct_size
                               : minor <= last_frozen_minor   ? frozen_size
                                                              : size;
  std::byte* block = keep_block(size + junk * sizeof(void*));

  abi::PJRT_Api newest = core_table();
  newest.struct_size = reported;
  newest.extension_start = build_chain(settings);
  newest.pjrt_api_version.major_version = pose.major;
  newest.pjrt_api_version.minor_version = pose.minor;
  std::memcpy(block, &newest, std::min(size, std::size_t{abi::functions().front().offset}));
  const auto* functions = reinterpret_cast<const std::byte*>(&newest);
  for (const abi::FunctionFact& function : abi::functions()) {
    const std::size_t to = place(function, pose);
    const bool moved = pose.shifted && function.offset == abi::shifted_table().belongs_at;
    if ((function.since > minor && !moved) || to + sizeof(void*) > size) continue;
    const FunctionId id = core_function(function.offset);
    if (std::find(settings.removed.begin(), settings.removed.end(), id) != settings.removed.end()) continue;
    std::memcpy(block + to, functions + function.offset, sizeof(void*));
  }
  abi::PJRT_Error* (*const trap)(void*) = call_past_the_end;
  for (std::size_t i = 0; i < junk; ++i) std::memcpy(block + size + i * sizeof(void*), &trap, sizeof trap);
  return reinterpret_cast<const abi::PJRT_Api*>(block);
}

/// What a table depends on.
std::string key_of(const Settings& settings) {
  const FakePose& pose = settings.pose;
  std::string key;
  for (const std::int64_t number : {std::int64_t{pose.major}, std::int64_t{pose.minor}, pose.reported_struct_size,
                                    pose.table_size, pose.junk_slots, std::int64_t{pose.shifted}}) {
    key += std::to_string(number) + " ";
  }
  for (const FunctionId id : settings.removed) key += "-" + std::to_string(id);
  for (const std::string& name : settings.extensions) key += "+" + name;
  return key;
}

}  // namespace

const abi::PJRT_Api* posed_table() {
  static std::mutex& mutex = *new std::mutex;
  static auto& tables = *new std::map<std::string, const abi::PJRT_Api*>;
  const auto now = settings();
  const std::lock_guard lock(mutex);
  const abi::PJRT_Api*& table = tables[key_of(*now)];
  if (table == nullptr) table = build_table(*now);
  return table;
}

}  // namespace fake
