#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <pier/attribute.h>

#include "abi/table.h"

namespace pier::abi {

/// Create options as a plugin takes them. Points into the attributes, which must outlive it.
class NamedValues {
 public:
  explicit NamedValues(const Attributes& attributes);

  const PJRT_NamedValue* data() const noexcept { return values_.data(); }
  std::size_t size() const noexcept { return values_.size(); }

 private:
  std::vector<PJRT_NamedValue> values_;
};

/// What a plugin gave, copied. Each value is read no further than its own size says. Values of unknown types are logged and
/// left out; of two values with one name the first stays. Throws Error(internal) that names function and plugin for what is malformed.
Attributes read_named_values(const Table& table, const PJRT_NamedValue* values, std::size_t count, std::string_view function);

}  // namespace pier::abi
