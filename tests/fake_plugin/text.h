#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fake {

/// A string as the plugin hands it out: no NUL follows it but words that show up when somebody reads on. Never moved,
/// because pointers into it are out.
class Text {
 public:
  Text() : Text(std::string_view()) {}
  explicit Text(std::string_view text) : bytes_(std::string(text) + "<past the end>"), size_(text.size()) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  const char* data() const noexcept { return bytes_.data(); }
  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.data(), size_}; }

 private:
  std::string bytes_;
  std::size_t size_;
};

}  // namespace fake
