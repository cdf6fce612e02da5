#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <pier/dtype.h>

#include "abi/table.h"

// What a plugin says about its own memory, checked before it is read: a null pointer, a size that nothing can have, or a value
// of no type becomes an Error (internal) that names the function and the member.

namespace pier::runtime {

/// Far above what any plugin has of devices, memories, dimensions or results.
inline constexpr std::size_t sane_count = std::size_t{1} << 20;
[[noreturn, gnu::cold]] void refuse_empty(std::string_view what);

/// What a value of a public class holds; throws Error (failed_precondition) when it was moved from.
template <class T>
T& held(const std::shared_ptr<T>& state, std::string_view what) {
  if (!state) [[unlikely]] refuse_empty(what);
  return *state;
}

std::string checked_text(const abi::Table& table, const char* text, std::size_t size, std::string_view function,
                         std::string_view member);

std::size_t checked_count(const abi::Table& table, std::size_t count, std::string_view function, std::string_view member);

/// A list that may be null only when it is empty.
template <class T>
std::span<T> checked_list(const abi::Table& table, T* list, std::size_t count, std::string_view function,
                          std::string_view member) {
  checked_count(table, count, function, member);
  if (count > 0) table.require_out(list, function, member);
  return {list, count};
}

/// A list of pointers, none of which may be null.
template <class T>
std::span<T* const> checked_handles(const abi::Table& table, T* const* list, std::size_t count, std::string_view function,
                                    std::string_view member) {
  const std::span<T* const> handles = checked_list(table, list, count, function, member);
  for (T* const handle : handles) table.require_out(handle, function, member);
  return handles;
}

/// What to do about a device or a buffer of another client.
inline constexpr const char* other_client_note =
    "use what this client gave, or carry the data over: client.put(buffer.to_array())";

/// Runs a call that a plugin may lack or may answer with "not implemented"; false for both: the plugin does not tell.
template <class Call>
bool offered(const Call& call) {
  try {
    call();
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unsupported || error.code() == ErrorCode::unimplemented) return false;
    throw;
  }
}

/// The element type that a plugin gave. Throws Unsupported for one that this pier does not know.
DType checked_dtype(const abi::Table& table, int type, std::string_view function);

/// Throws for negative extents and for more than 2^63 bytes.
Shape checked_shape(const abi::Table& table, const std::int64_t* dims, std::size_t rank, std::string_view function);

}  // namespace pier::runtime
