#include "abi/named_value.h"

#include <cstring>
#include <string>

#include <pier/error.h>
#include <pier/log.h>

#include "abi/limits.h"
#include "base/text.h"

namespace pier::abi {
namespace {

struct Fill {
  PJRT_NamedValue& out;

  void operator()(bool value) const {
    out.type = PJRT_NamedValue_kBool;
    out.bool_value = value;
    out.value_size = 1;
  }
  void operator()(std::int64_t value) const {
    out.type = PJRT_NamedValue_kInt64;
    out.int64_value = value;
    out.value_size = 1;
  }
  void operator()(float value) const {
    out.type = PJRT_NamedValue_kFloat;
    out.float_value = value;
    out.value_size = 1;
  }
  void operator()(const std::string& value) const {
    out.type = PJRT_NamedValue_kString;
    out.string_value = value.c_str();
    out.value_size = value.size();
  }
  void operator()(const std::vector<std::int64_t>& value) const {
    out.type = PJRT_NamedValue_kInt64List;
    out.int64_array_value = value.data();
    out.value_size = value.size();
  }
};

// Where the values come from, for refusals.
struct Source {
  const Table& table;
  std::string_view function;
  [[noreturn]] void refuse(std::string message) const { table.refuse_answer(function, std::move(message)); }
};

std::string read_text(const char* bytes, std::size_t size, std::string_view what, std::size_t index,
                      const Source& source) {
  if (size > sane_text) source.refuse(text("the {} of attribute {} has {} bytes", what, index, size));
  if (size == 0) return {};
  if (bytes == nullptr) source.refuse(text("the {} of attribute {} is null", what, index));
  return std::string(bytes, size);
}

std::vector<std::int64_t> read_list(const PJRT_NamedValue& value, std::size_t index, const Source& source) {
  if (value.value_size > sane_text / sizeof(std::int64_t)) {
    source.refuse(text("the list of attribute {} has {} numbers", index, value.value_size));
  }
  if (value.value_size == 0) return {};
  if (value.int64_array_value == nullptr) source.refuse(text("the list of attribute {} is null", index));
  return {value.int64_array_value, value.int64_array_value + value.value_size};
}

// Fills in the value; false for a type that is not known here.
bool read_value(const PJRT_NamedValue& value, std::size_t index, const Source& source, AttributeValue& out) {
  switch (value.type) {
    case PJRT_NamedValue_kString:
      out = read_text(value.string_value, value.value_size, "text", index, source);
      return true;
    case PJRT_NamedValue_kInt64: out = value.int64_value; return true;
    case PJRT_NamedValue_kInt64List: out = read_list(value, index, source); return true;
    case PJRT_NamedValue_kFloat: out = value.float_value; return true;
    case PJRT_NamedValue_kBool: {
      // Read as a byte: another program's bool may hold any value.
      unsigned char byte = 0;
      std::memcpy(&byte, &value.bool_value, 1);
      out = byte != 0;
      return true;
    }
  }
  return false;
}

}  // namespace

NamedValues::NamedValues(const Attributes& attributes) {
  values_.reserve(attributes.size());
  for (const auto& [name, value] : attributes) {
    PJRT_NamedValue& out = values_.emplace_back();
    out.name = name.c_str();
    out.name_size = name.size();
    std::visit(Fill{out}, value);
  }
}

Attributes read_named_values(const Table& table, const PJRT_NamedValue* values, std::size_t count, std::string_view function) {
  const Source source{table, function};
  Attributes out;
  if (count == 0) return out;
  if (values == nullptr) source.refuse(text("{} attributes were promised, but there is no list of them", count));
  if (count > sane_count) source.refuse(text("the plugin says it has {} attributes", count));

  // A version that grew the struct would also have grown the step from one value to the next.
  std::size_t step = 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  std::memcpy(&step, bytes, sizeof step);
  if (step < sizeof(PJRT_NamedValue) || step > sane_struct) {
    source.refuse(text("attribute 0 says it has {} bytes", step));
  }
  step = (step + alignof(PJRT_NamedValue) - 1) / alignof(PJRT_NamedValue) * alignof(PJRT_NamedValue);

  for (std::size_t index = 0; index < count; ++index) {
    PJRT_NamedValue value;
    std::memcpy(static_cast<void*>(&value), bytes + index * step, sizeof value);
    if (value.struct_size < sizeof(PJRT_NamedValue) || value.struct_size > step) {
      source.refuse(text("attribute {} says it has {} bytes", index, value.struct_size));
    }
    std::string name = read_text(value.name, value.name_size, "name", index, source);
    AttributeValue read;
    if (read_value(value, index, source, read)) {
      out.try_emplace(std::move(name), std::move(read));
    } else {
      log(LogLevel::warning, text("{}: {}: attribute {} has an unknown type, {}, and is left out", table.plugin_text(), function,
                                  name, static_cast<int>(value.type)));
    }
  }
  return out;
}

}  // namespace pier::abi
