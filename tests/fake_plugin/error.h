#pragma once

#include "fake_plugin/ledger.h"
#include "fake_plugin/named.h"
#include "fake_plugin/text.h"

namespace fake {

class Error final : public Object {
 public:
  static constexpr Kind its_kind = Kind::error;
  explicit Error(const Failure& failure);

  const void* handle() const noexcept override { return &head_; }

  int code() const noexcept { return code_; }
  /// Null for an empty message: only the size tells how long it is.
  const char* message() const noexcept { return message_.size() == 0 ? nullptr : message_.data(); }
  std::size_t message_size() const noexcept { return message_.size(); }

 private:
  abi::PJRT_Error head_;
  int code_;
  Text message_;
};

}  // namespace fake
