#pragma once

#include <cstdint>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pier::cli {

/// A JSON value to be written: keys keep the order in which they were set.
class Json {
 public:
  Json();  // null
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(std::same_as<bool> auto value) : Json(Bool{value}) {}
  Json(std::integral auto value) requires(!std::same_as<decltype(value), bool>) : Json(Integer{static_cast<std::int64_t>(value)}) {}
  /// Infinities and NaN become null: JSON has no word for them.
  Json(double value);
  Json(Json&&) noexcept;
  Json& operator=(Json&&) noexcept;
  ~Json();

  /// The text, or null where it is empty: what is not known.
  static Json known(std::string_view text) { return text.empty() ? Json() : Json(text); }
  static Json object();
  static Json array();
  template <class Range>
  static Json array_of(const Range& range) {
    Json list = array();
    for (const auto& item : range) list.push(item);
    return list;
  }

  Json& set(std::string_view key, Json value);
  Json& push(Json value);

  /// Indented by two spaces, with a newline at the end. Bytes that are not UTF-8 are replaced.
  std::string text() const;

 private:
  struct Bool { bool value; };
  struct Integer { std::int64_t value; };
  explicit Json(Bool value);
  explicit Json(Integer value);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pier::cli
