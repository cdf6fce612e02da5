#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pier {

// Bytes of the well-formed UTF-8 sequence at the front of a text that is not empty (Unicode, table 3-7), or 0.
std::size_t utf8_sequence(std::string_view text);

bool valid_utf8(std::string_view text);

// The text for a message: longer ones are cut at the limit, at a whole character, and how long they were is said.
std::string shortened(std::string_view text, std::size_t limit = 200);

// The text as it may appear on a terminal without acting on it: control characters (ASCII's and U+0080 to U+009F) and bytes
// that are no UTF-8 become \xNN. Those of `kept` stay.
std::string escaped(std::string_view text, std::string_view kept = {});

}  // namespace pier
