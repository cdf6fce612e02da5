#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pier {

// What a JSON text consists of, in its order. Strings are decoded and live during the call; false ends the reading.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual bool boolean(bool value) = 0;
  virtual bool number(std::optional<std::uint64_t> value) = 0;  // nothing for one with a sign, a fraction or too many digits
  virtual bool string(std::string_view value) = 0;
  virtual bool key(std::string_view value) = 0;
  virtual bool start_object() = 0;
  virtual bool end_object() = 0;
  virtual bool start_array() = 0;
  virtual bool end_array() = 0;
};

// Where a text stops to be JSON (RFC 8259, UTF-8, at most 64 levels deep).
struct JsonFault {
  std::size_t position = 0;
  bool too_deep = false;
};

// Reads one JSON value, and nothing after it. Written for the pages of large indexes: several times as fast as a parser that
// copies every character, and holds no more than one string. Nothing when all went well, or an event was answered by false.
std::optional<JsonFault> read_json(std::string_view text, JsonEvents& events);

}  // namespace pier
