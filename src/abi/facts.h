#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pier::abi {

// What each version has, as tables. They are read on error paths and for listings; nothing on a hot path looks here.

/// Sizes of a struct from a minor version on. struct_size is what clients of that version send, size what the struct
/// takes, minimum what its plugins accept at least; 0 where there is no such figure.
struct SizeFact {
  std::uint16_t from;
  std::uint16_t struct_size;
  std::uint16_t size;
  std::uint16_t minimum;
};

struct StructFact {
  std::string_view name;
  std::uint16_t since;
  std::span<const SizeFact> sizes;
};

struct FunctionFact {
  std::string_view name;
  std::uint16_t offset;
  std::uint16_t since;
  const StructFact* args;
};

struct MemberFact {
  std::string_view name;
  std::uint16_t offset;
  std::uint16_t since;
};

struct VersionFact {
  std::uint16_t from;
  std::uint16_t version;
};

/// until is the last minor version whose headers had the extension, 0 if it still exists.
struct ExtensionFact {
  std::string_view name;
  int type;
  std::uint16_t since;
  std::uint16_t until;
  const StructFact* entry;
  std::span<const MemberFact> functions;
  std::span<const VersionFact> versions;
};

struct ValueFact {
  std::string_view name;
  int value;
  std::uint16_t since;
};

struct EnumFact {
  std::string_view name;
  std::span<const ValueFact> values;
};

/// A member of an argument struct that came later than the struct.
struct FieldFact {
  std::string_view name;
  int since;
};

/// The builds of one minor version in which one function stood elsewhere and pushed those after it up by a slot.
struct ShiftedTable {
  int minor;
  std::size_t struct_size;  ///< what those builds report
  std::size_t size;         ///< what their table takes
  std::size_t inserted_at;
  std::size_t belongs_at;
};

std::span<const StructFact> structs() noexcept;
std::span<const FunctionFact> functions() noexcept;
std::span<const ExtensionFact> extensions() noexcept;
std::span<const EnumFact> enums() noexcept;
const ShiftedTable& shifted_table() noexcept;

/// Null where there is none.
const StructFact* find_struct(std::string_view name) noexcept;
const FunctionFact* find_function(std::string_view name) noexcept;
const FunctionFact* function_at(std::size_t offset) noexcept;
const ExtensionFact* find_extension(int type) noexcept;
const EnumFact* find_enum(std::string_view name) noexcept;
const ValueFact* find_value(const EnumFact& fact, int value) noexcept;

/// The row in force at a minor version; null before the struct came. Minors newer than the data give the newest row.
const SizeFact* sizes_at(const StructFact& fact, int minor) noexcept;

/// Bytes of the call table that a regular build of this minor version has. 0 before the oldest version that is known.
std::size_t table_size(int minor) noexcept;

}  // namespace pier::abi
