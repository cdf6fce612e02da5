#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

nlohmann::json value_at(const std::string& text, const std::string& pointer) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    ADD_FAILURE() << "no JSON: " << text;
    return {};
  }
  const nlohmann::json::json_pointer place(pointer);
  if (!document.contains(place)) {
    ADD_FAILURE() << "no " << pointer << " in " << text;
    return {};
  }
  return document.at(place);
}

}  // namespace

std::string json_at(const std::string& text, const std::string& pointer) {
  const nlohmann::json value = value_at(text, pointer);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> json_keys(const std::string& text, const std::string& pointer) {
  std::vector<std::string> keys;
  const nlohmann::json value = value_at(text, pointer);
  for (const auto& item : value.items()) keys.push_back(item.key());
  return keys;
}

std::size_t json_size(const std::string& text, const std::string& pointer) { return value_at(text, pointer).size(); }

}  // namespace pier::cli_test
