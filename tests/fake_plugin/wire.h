#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fake {

/// One field of a protocol-buffer message.
struct WireField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;       ///< Of a varint or a fixed number.
  std::string_view bytes;        ///< Of a length-delimited field.
};

/// All fields of a message, in order; nothing if the bytes are no message.
std::optional<std::vector<WireField>> read_wire(std::string_view message);

/// The varints of a packed field.
std::optional<std::vector<std::uint64_t>> read_packed(std::string_view bytes);

class WireWriter {
 public:
  void number(std::uint32_t field, std::uint64_t value);
  void bytes(std::uint32_t field, std::string_view value);
  /// A packed list; nothing at all when it is empty.
  void packed(std::uint32_t field, const std::vector<std::int64_t>& values);
  const std::string& message() const noexcept { return message_; }

 private:
  void varint(std::uint64_t value);
  std::string message_;
};

}  // namespace fake
