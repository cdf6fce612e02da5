#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "abi/pjrt.h"
#include "fake_plugin/text.h"

namespace fake {

using NamedData = std::variant<std::string, std::int64_t, std::vector<std::int64_t>, float, bool>;

/// An option or an attribute, as our own value.
struct Named {
  std::string name;
  NamedData value;
};

/// Copies what a caller gave; refuses values that are no named values.
std::vector<Named> read_named(const pier::abi::PJRT_NamedValue* values, std::size_t count, const char* what);

/// "name=value\n" for each.
std::string describe(const std::vector<Named>& values);

/// What a script may write for a value: true, false, an int64, [1,2,3]; else it is a string.
NamedData parse_named_data(std::string_view text);

/// Named values as they are handed out, with the memory they point to. Never moved.
class NamedList {
 public:
  explicit NamedList(const std::vector<Named>& values);
  NamedList(const NamedList&) = delete;
  NamedList& operator=(const NamedList&) = delete;

  const pier::abi::PJRT_NamedValue* data() const noexcept { return list_.data(); }
  std::size_t size() const noexcept { return list_.size(); }

 private:
  std::vector<Named> values_;
  std::deque<Text> texts_;
  std::vector<pier::abi::PJRT_NamedValue> list_;
};

}  // namespace fake
