#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace pier {

// Formats through fmt behind one non-template call, so that only text.cpp pays for fmt's headers.
using TextArg = std::variant<std::int64_t, std::uint64_t, double, bool, char, std::string_view>;

std::string format_text(std::string_view format, std::span<const TextArg> args);

template <class T>
TextArg text_arg(const T& value) {
  if constexpr (std::same_as<T, bool> || std::same_as<T, char>) return value;
  else if constexpr (std::signed_integral<T>) return static_cast<std::int64_t>(value);
  else if constexpr (std::unsigned_integral<T>) return static_cast<std::uint64_t>(value);
  else if constexpr (std::floating_point<T>) return static_cast<double>(value);
  else return std::string_view(value);
}

template <class... Args>
class TextFormat {
 public:
  template <std::size_t N>
  consteval TextFormat(const char (&format)[N]) : format_(format, N - 1) {
    std::size_t fields = 0;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      if (format[i] != '{') continue;
      if (format[i + 1] == '{') ++i;
      else ++fields;
    }
    if (fields != sizeof...(Args)) throw "the format does not have one field for each argument";
  }
  std::string_view get() const { return format_; }

 private:
  std::string_view format_;
};

/// text("{} of {}", 1, 2): fmt's syntax; the number of fields is checked when compiling. Paths go in as path.native().
template <class... Args>
std::string text(TextFormat<std::type_identity_t<Args>...> format, const Args&... args) {
  const TextArg packed[sizeof...(Args) + 1] = {text_arg(args)...};
  return format_text(format.get(), {packed, sizeof...(Args)});
}

/// "63.2 MB": decimal units, as package indexes show sizes.
std::string bytes_text(std::uint64_t bytes);

}  // namespace pier
