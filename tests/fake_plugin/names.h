#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "abi/facts.h"

namespace fake {

/// A function of the table, of an extension, or one of the two moments that are steered like functions.
using FunctionId = std::size_t;

std::size_t function_count();
std::string_view function_name(FunctionId id);
/// With or without the leading PJRT_; nothing for an unknown name.
std::optional<FunctionId> find_function(std::string_view name);

/// The argument struct; null where the data has none.
const pier::abi::StructFact* argument_fact(FunctionId id);
/// Functions that end a handle's life do so even when they fail.
bool is_destroy(FunctionId id);
/// The functions that may be called before PJRT_Plugin_Initialize.
bool is_allowed_early(FunctionId id);

/// By place: offset in the call table, or in the entry of an extension.
FunctionId core_function(std::size_t offset);
FunctionId extension_function(int type, std::size_t offset);

/// "constructor": the library is being loaded; "GetPjrtApi": it is called.
FunctionId constructor_moment();
FunctionId get_api_moment();

}  // namespace fake
