#include "json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace pier::cli {

struct Json::Impl {
  nlohmann::ordered_json value;
};

Json::Json() : impl_(std::make_unique<Impl>()) {}
Json::Json(std::string_view text) : impl_(std::make_unique<Impl>(Impl{std::string(text)})) {}
Json::Json(Bool value) : impl_(std::make_unique<Impl>(Impl{value.value})) {}
Json::Json(Integer value) : impl_(std::make_unique<Impl>(Impl{value.value})) {}
Json::Json(double value) : impl_(std::make_unique<Impl>()) {
  if (std::isfinite(value)) impl_->value = value;
}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json Json::object() {
  Json json;
  json.impl_->value = nlohmann::ordered_json::object();
  return json;
}

Json Json::array() {
  Json json;
  json.impl_->value = nlohmann::ordered_json::array();
  return json;
}

Json& Json::set(std::string_view key, Json value) {
  impl_->value[std::string(key)] = std::move(value.impl_->value);
  return *this;
}

Json& Json::push(Json value) {
  impl_->value.push_back(std::move(value.impl_->value));
  return *this;
}

std::string Json::text() const {
  return impl_->value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace pier::cli
