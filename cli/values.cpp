#include "values.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <variant>

#include "base/ascii.h"

namespace pier::cli {
namespace {

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::vector<std::int64_t>> list_of(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 2) return std::nullopt;
  text = trim(text.substr(1, text.size() - 2), " ");
  std::vector<std::int64_t> list;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const auto number = whole_text<std::int64_t>(trim(text.substr(0, comma), " "));
    if (!number) return std::nullopt;
    list.push_back(*number);
    if (comma == std::string_view::npos) return list;
    text.remove_prefix(comma + 1);
    // A comma promises another number.
    if (trim(text, " ").empty()) return std::nullopt;
  }
  return list;
}

std::variant<bool, std::int64_t, double, std::string> scalar_of(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  if (const auto number = whole_text<std::int64_t>(text)) return *number;
  if (const auto number = whole_text<double>(text); number && std::isfinite(*number)) return *number;
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
  return std::string(text);
}

}  // namespace

Attributes attributes_from(const Pairs& pairs) {
  Attributes attributes;
  for (const auto& [key, text] : pairs) {
    if (auto list = list_of(text)) {
      attributes[key] = std::move(*list);
      continue;
    }
    auto scalar = scalar_of(text);
    if (const bool* flag = std::get_if<bool>(&scalar)) attributes[key] = *flag;
    else if (const std::int64_t* number = std::get_if<std::int64_t>(&scalar)) attributes[key] = *number;
    else if (const double* fraction = std::get_if<double>(&scalar)) attributes[key] = static_cast<float>(*fraction);
    else attributes[key] = std::get<std::string>(std::move(scalar));
  }
  return attributes;
}

decltype(CompileOptions::overrides) overrides_from(const Pairs& pairs) {
  decltype(CompileOptions::overrides) overrides;
  for (const auto& [key, text] : pairs) overrides[key.substr(std::min(key.find_first_not_of('-'), key.size()))] = scalar_of(text);
  return overrides;
}

Json attribute_json(const AttributeValue& value) {
  struct Writer {
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(float fraction) const { return static_cast<double>(fraction); }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const std::vector<std::int64_t>& list) const { return Json::array_of(list); }
  };
  return std::visit(Writer{}, value);
}

Json attributes_json(const Attributes& attributes) {
  Json object = Json::object();
  for (const auto& [key, value] : attributes) object.set(key, attribute_json(value));
  return object;
}

}  // namespace pier::cli
