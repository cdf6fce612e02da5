#include "abi/table.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <pier/log.h>

#include "abi/limits.h"
#include "base/text.h"

namespace pier::abi {
namespace {

constexpr std::size_t header_size = 40;
// The size that every build from 0.40 to 0.55 reports, however long its table is.
constexpr std::size_t frozen_size = 808;
constexpr int last_frozen_minor = 56;

std::string version_text(int minor) { return text("0.{}", minor); }

// What is no table of a plugin.
[[noreturn]] void refuse_table(std::string message, const std::string& plugin) {
  throw Error(ErrorCode::not_available, std::move(message)).in_plugin(plugin).note("The file is no PJRT plugin, or a broken one.");
}

[[noreturn]] void refuse_version(std::string message, const std::string& plugin, std::string note) {
  throw Unsupported(std::move(message)).in_plugin(plugin).note(std::move(note));
}

struct Header {
  std::size_t struct_size;
  std::int32_t major;
  std::int32_t minor;
};

Header read_header(const void* table, const std::string& plugin) {
  if (table == nullptr) refuse_table("GetPjrtApi returned null", plugin);
  if (reinterpret_cast<std::uintptr_t>(table) % alignof(Api) != 0) {
    refuse_table("GetPjrtApi returned an address that no table can have", plugin);
  }
  const auto* bytes = static_cast<const std::byte*>(table);
  Header header{};
  std::memcpy(&header.struct_size, bytes + offsetof(Api, struct_size), sizeof header.struct_size);
  if (header.struct_size < header_size || header.struct_size > sane_table) {
    refuse_table(text("the plugin's table says it has {} bytes", header.struct_size), plugin);
  }
  const std::byte* version = bytes + offsetof(Api, pjrt_api_version);
  std::memcpy(&header.major, version + offsetof(PJRT_Api_Version, major_version), sizeof header.major);
  std::memcpy(&header.minor, version + offsetof(PJRT_Api_Version, minor_version), sizeof header.minor);
  return header;
}

void check_version(const Header& header, const std::string& plugin) {
  if (header.major != api_major || header.minor < 0) {
    refuse_version(text("the plugin has PJRT {}.{}, pier speaks {}.{} to {}.{}", header.major, header.minor,
                                        api_major, oldest_minor, api_major, api_minor),
           plugin, "Versions with another major number lay out their functions in another way.");
  }
  if (header.minor < oldest_minor) {
    refuse_version(text("the plugin has PJRT {}, pier needs at least {}", version_text(header.minor),
                                        version_text(oldest_minor)),
           plugin, "Install a newer plugin; what older tables hold is not known for certain.");
  }
}

}  // namespace

Table::Table(const void* plugin_table, std::string plugin) : plugin_table_(plugin_table), plugin_(std::move(plugin)) {
  const Header header = read_header(plugin_table, plugin_);
  check_version(header, plugin_);
  minor_ = header.minor;
  reported_size_ = header.struct_size;

  const ShiftedTable& shift = shifted_table();
  std::size_t size = table_size(minor_);
  if (minor_ == shift.minor && reported_size_ != frozen_size && reported_size_ > shift.inserted_at) {
    if (reported_size_ != shift.struct_size) {
      refuse_version(text("the plugin's table says PJRT {} and {} bytes", version_text(minor_), reported_size_),
             plugin_, text("0.56 exists in two layouts, told apart by {} and {} bytes. Use a plugin of another version.",
                           frozen_size, shift.struct_size));
    }
    shifted_ = true;
    size = shift.size;
  } else if (minor_ > last_frozen_minor || reported_size_ < frozen_size) {
    size = std::min(size, reported_size_);
  }
  // A size that ends inside of a slot does not have that slot.
  size = std::min(size - size % sizeof(void*), sizeof(Api) + (shifted_ ? sizeof(void*) : 0));
  used_size_ = size;

  const auto* from = static_cast<const std::byte*>(plugin_table);
  auto* to = reinterpret_cast<std::byte*>(&api_);
  if (!shifted_) {
    std::memcpy(to, from, size);
  } else {
    const std::size_t after = shift.inserted_at + sizeof(void*);
    std::memcpy(to, from, shift.inserted_at);
    std::memcpy(to + shift.inserted_at, from + after, size - after);
    std::memcpy(to + shift.belongs_at, from + shift.inserted_at, sizeof(void*));
  }
  api_.struct_size = sizeof(Api);
}

std::string Table::plugin_text() const { return text("{} (PJRT {})", plugin_, version_text(minor_)); }

std::vector<AbsentFunction> Table::absent() const {
  std::vector<AbsentFunction> out;
  const auto* slots = reinterpret_cast<const std::byte*>(&api_);
  for (const FunctionFact& function : functions()) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, slots + function.offset, sizeof pointer);
    if (pointer == nullptr) out.push_back({function.name, function.since, function.since <= minor_});
  }
  return out;
}

void Table::require_value(const EnumFact& fact, int value) const {
  const ValueFact* known = find_value(fact, value);
  if (known == nullptr) {
    throw Error(ErrorCode::invalid_argument, text("{} has no value {}", fact.name, value)).in_plugin(plugin_text());
  }
  if (minor_ < known->since) refuse_value(known->name, known->since);
}

void Table::require_buffer_type(PJRT_Buffer_Type type) const {
  static const EnumFact& fact = *find_enum("PJRT_Buffer_Type");
  if (type == PJRT_Buffer_Type_INVALID || type == PJRT_Buffer_Type_TOKEN) [[unlikely]] {
    throw Error(ErrorCode::invalid_argument,
                text("{} is not an element type that data can have", find_value(fact, type)->name))
        .in_plugin(plugin_text());
  }
  require_value(fact, type);
}

void Table::require_semantics(PJRT_HostBufferSemantics semantics) const {
  static const EnumFact& fact = *find_enum("PJRT_HostBufferSemantics");
  require_value(fact, semantics);
}

std::pair<std::string, int> Table::slot_fact(const Slot& slot) {
  if (slot.extension.empty()) {
    const FunctionFact* fact = function_at(slot.offset);
    return fact == nullptr ? std::pair(text("function at {}", slot.offset), 0) : std::pair(std::string(fact->name), int{fact->since});
  }
  for (const ExtensionFact& extension : extensions()) {
    if (extension.name != slot.extension) continue;
    for (const MemberFact& member : extension.functions) {
      if (member.offset == slot.offset) return {text("{}.{}", slot.extension, member.name), member.since};
    }
  }
  return {text("{} at {}", slot.extension, slot.offset), 0};
}

void Table::refuse_missing(const Slot& slot) const {
  const auto [name, since] = slot_fact(slot);
  if (minor_ < since) refuse_value(name, since);
  throw Unsupported(text("{} is missing from this plugin, although PJRT has it since {} and the plugin has {}", name,
                         version_text(since), version_text(minor_)))
      .in_function(name)
      .in_plugin(plugin_text())
      .note("The plugin's maker left it out; another build of the plugin may have it.");
}

void Table::refuse_null(std::string_view function, std::string_view member) const {
  refuse_answer(function, text("{} reported success but left {} null", function, member));
}

void Table::refuse_answer(std::string_view function, std::string message) const {
  throw Error(ErrorCode::internal, std::move(message))
      .in_function(std::string(function))
      .in_plugin(plugin_text())
      .note("The plugin is at fault; tell its maker.");
}

void Table::refuse_field(const FieldFact& field) const { refuse_value(field.name, field.since); }

void Table::refuse_value(std::string_view name, int since) const {
  throw Unsupported(text("{} needs PJRT {}, this plugin has {}", name, version_text(since), version_text(minor_)))
      .in_plugin(plugin_text())
      .note(text("Use a plugin of PJRT {} or later.", version_text(since)));
}

void Table::log_failure(const std::exception& error) noexcept { log(LogLevel::warning, error.what()); }

}  // namespace pier::abi
