#pragma once

#include <string>
#include <utility>
#include <vector>

#include <pier/attribute.h>
#include <pier/compile_options.h>

#include "json.h"

namespace pier::cli {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Create options: true and false, whole numbers (64-bit), fractions (32-bit), lists of whole numbers [1,2]; all else is
/// text. Double quotes make text of anything: --option 'tag="4"'.
Attributes attributes_from(const Pairs& pairs);

/// XLA debug options: the same without lists, fractions in 64 bits. Leading dashes of a key are dropped.
decltype(CompileOptions::overrides) overrides_from(const Pairs& pairs);

Json attribute_json(const AttributeValue& value);
Json attributes_json(const Attributes& attributes);

}  // namespace pier::cli
