#pragma once

#include <string>

#include "fake_plugin/ledger.h"
#include "fake_plugin/named.h"
#include "fake_plugin/text.h"

namespace fake {

/// Something that is handed out together with its deleter.
class Holder : public Object {
 public:
  static constexpr Kind its_kind = Kind::holder;
  Holder() : Object(Kind::holder) {}
};

class BytesHolder final : public Holder {
 public:
  explicit BytesHolder(std::string_view bytes) : text(bytes) {}
  const Text text;
};

class NamedHolder final : public Holder {
 public:
  explicit NamedHolder(const std::vector<Named>& values) : list(values) {}
  const NamedList list;
};

class TrackingEvent final : public Object {
 public:
  static constexpr Kind its_kind = Kind::tracking_event;
  explicit TrackingEvent(const void* client) : Object(Kind::tracking_event, client) {}
};

/// Deleters return nothing, so a wrong handle is written down and that is all.
inline void end_holder(const void* handle) noexcept {
  try {
    if (handle == nullptr) misuse("a deleter got a null holder");
    ledger().take<Holder>(handle);
  } catch (const Failure&) {
    return;
  }
}
template <class Handle>
void delete_holder(Handle* handle) {
  end_holder(handle);
}

/// Hands bytes out in the shape that all serializing functions share.
template <class Handle>
void give_bytes(std::string_view bytes, const char*& data, std::size_t& size, Handle*& holder,
                void (*&deleter)(Handle*)) {
  const auto kept = std::make_shared<BytesHolder>(bytes);
  data = kept->text.data();
  size = kept->text.size();
  holder = give<Handle>(kept);
  deleter = delete_holder<Handle>;
}

}  // namespace fake
