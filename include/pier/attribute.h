#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <pier/export.h>

namespace pier {

/// A value that plugins take as a create option or give as an attribute. Integers are 64-bit, fractions 32-bit: a plugin
/// that wants another type refuses the option.
using AttributeValue = std::variant<bool, std::int64_t, float, std::string, std::vector<std::int64_t>>;
using Attributes = std::map<std::string, AttributeValue, std::less<>>;

/// The value as text: true, 4, 0.75, cpu, [1, 2].
PIER_API std::string to_string(const AttributeValue& value);

}  // namespace pier
