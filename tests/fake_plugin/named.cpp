#include "fake_plugin/named.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "fake_plugin/failure.h"
#include "fake_plugin/ledger.h"

namespace fake {
namespace {

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string show(const NamedData& data) {
  if (const auto* text = std::get_if<std::string>(&data)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&data)) return std::to_string(*number);
  if (const auto* real = std::get_if<float>(&data)) return std::to_string(*real);
  if (const auto* truth = std::get_if<bool>(&data)) return *truth ? "true" : "false";
  std::string list = "[";
  for (const std::int64_t number : std::get<std::vector<std::int64_t>>(data)) {
    if (list.size() > 1) list += ',';
    list += std::to_string(number);
  }
  return list + "]";
}

NamedData read_data(const abi::PJRT_NamedValue& value) {
  switch (value.type) {
    case abi::PJRT_NamedValue_kString:
      return std::string(value.string_value, value.value_size);
    case abi::PJRT_NamedValue_kInt64:
      return value.int64_value;
    case abi::PJRT_NamedValue_kInt64List:
      return std::vector<std::int64_t>(value.int64_array_value, value.int64_array_value + value.value_size);
    case abi::PJRT_NamedValue_kFloat:
      return value.float_value;
    case abi::PJRT_NamedValue_kBool:
      return value.bool_value;
  }
  misuse("a named value of the unknown type " + std::to_string(static_cast<int>(value.type)));
}

}  // namespace

std::vector<Named> read_named(const abi::PJRT_NamedValue* values, std::size_t count, const char* what) {
  std::vector<Named> read;
  if (count != 0 && values == nullptr) misuse(std::string(what) + " are null, but there are " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i) {
    const abi::PJRT_NamedValue& value = values[i];
    if (value.struct_size != 56) {
      misuse(std::string(what) + ": Unexpected PJRT_NamedValue size: expected 56, got " +
             std::to_string(value.struct_size));
    }
    if (value.name == nullptr) misuse(std::string(what) + ": a named value without a name");
    read.push_back({std::string(value.name, value.name_size), read_data(value)});
  }
  return read;
}

std::string describe(const std::vector<Named>& values) {
  std::string text;
  for (const Named& value : values) text += value.name + "=" + show(value.value) + "\n";
  return text;
}

NamedData parse_named_data(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  if (const auto number = parse_int(text)) return *number;
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
    std::vector<std::int64_t> numbers;
    std::string_view rest = text.substr(1, text.size() - 2);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto number = parse_int(rest.substr(0, comma));
      if (!number) return std::string(text);
      numbers.push_back(*number);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return numbers;
  }
  return std::string(text);
}

NamedList::NamedList(const std::vector<Named>& values) : values_(values) {
  for (const Named& value : values_) {
    abi::PJRT_NamedValue entry;
    const Text& name = texts_.emplace_back(value.name);
    entry.name = name.data();
    entry.name_size = name.size();
    entry.value_size = 1;
    if (const auto* text = std::get_if<std::string>(&value.value)) {
      const Text& kept = texts_.emplace_back(*text);
      entry.type = abi::PJRT_NamedValue_kString;
      entry.string_value = kept.data();
      entry.value_size = kept.size();
    } else if (const auto* number = std::get_if<std::int64_t>(&value.value)) {
      entry.type = abi::PJRT_NamedValue_kInt64;
      entry.int64_value = *number;
    } else if (const auto* real = std::get_if<float>(&value.value)) {
      entry.type = abi::PJRT_NamedValue_kFloat;
      entry.float_value = *real;
    } else if (const auto* truth = std::get_if<bool>(&value.value)) {
      entry.type = abi::PJRT_NamedValue_kBool;
      entry.bool_value = *truth;
    } else {
      const auto& numbers = std::get<std::vector<std::int64_t>>(value.value);
      entry.type = abi::PJRT_NamedValue_kInt64List;
      entry.int64_array_value = numbers.data();
      entry.value_size = numbers.size();
    }
    list_.push_back(entry);
  }
}

}  // namespace fake
