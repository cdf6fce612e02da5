#include <cstring>
#include <exception>

#include "abi/limits.h"
#include "abi/table.h"
#include "base/text.h"

// From a plugin's error to an exception.

namespace pier::abi {
namespace {

void destroy(const Api& api, PJRT_Error* error) noexcept {
  if (error == nullptr || api.PJRT_Error_Destroy == nullptr) return;
  Block<PJRT_Error_Destroy_Args> block;
  block.args.error = error;
  api.PJRT_Error_Destroy(&block.args);
}

// Destroys the error once, also when memory runs out on the way.
class Owned {
 public:
  Owned(const Api& api, PJRT_Error* error) noexcept : api_(api), error_(error) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { destroy(api_, error_); }

 private:
  const Api& api_;
  PJRT_Error* error_;
};

struct Story {
  ErrorCode code = ErrorCode::unknown;
  std::string message;
  std::vector<std::string> notes;
};

void read_code(const Api& api, const PJRT_Error* error, Story& story) {
  if (api.PJRT_Error_GetCode == nullptr) {
    story.notes.push_back("The plugin has no function that tells the error's code.");
    return;
  }
  Block<PJRT_Error_GetCode_Args> block;
  block.args.error = error;
  if (PJRT_Error* second = api.PJRT_Error_GetCode(&block.args)) {
    destroy(api, second);
    story.notes.push_back("The plugin failed to tell the error's code.");
    return;
  }
  const int code = block.args.code;
  if (code >= PJRT_Error_Code_CANCELLED && code <= PJRT_Error_Code_UNAUTHENTICATED) {
    story.code = static_cast<ErrorCode>(code);
  } else {
    story.notes.push_back(text("The plugin's code for the error, {}, is not one of PJRT's.", code));
  }
}

void read_message(const Api& api, const PJRT_Error* error, Story& story) {
  if (api.PJRT_Error_Message != nullptr) {
    Block<PJRT_Error_Message_Args> block;
    block.args.error = error;
    api.PJRT_Error_Message(&block.args);
    const std::size_t size = block.args.message_size;
    if (size > sane_text) {
      story.notes.push_back(text("The plugin says its message has {} bytes; it was not read.", size));
    } else if (block.args.message != nullptr) {
      story.message.assign(block.args.message, size);
    }
  }
  if (story.message.empty()) story.message = text("the plugin failed with {} and gave no message", name(story.code));
}

std::string payload_text(std::string_view value) {
  bool printable = true;
  for (const char c : value) printable = printable && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  if (printable) return std::string(value);
  constexpr char digits[] = "0123456789abcdef";
  std::string hex = "0x";
  for (const char c : value) {
    hex += digits[static_cast<unsigned char>(c) >> 4];
    hex += digits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

struct Payloads {
  std::vector<std::string>* notes;
  std::size_t count;
};

// Called by the plugin, through which no exception may pass.
void visit_payload(const char* key, std::size_t key_size, const char* value, std::size_t value_size, void* user) noexcept {
  auto& payloads = *static_cast<Payloads*>(user);
  if (++payloads.count > sane_payloads || key_size > sane_text || value_size > sane_text) return;
  try {
    const std::string_view name = key == nullptr ? std::string_view() : std::string_view(key, key_size);
    const std::string_view bytes = value == nullptr ? std::string_view() : std::string_view(value, value_size);
    payloads.notes->push_back(text("{}: {}", name, payload_text(bytes)));
  } catch (const std::exception&) {
    // Out of memory: the error itself matters more than this note.
  }
}

void read_payloads(const Api& api, const PJRT_Error* error, Story& story) {
  if (api.PJRT_Error_ForEachPayload == nullptr) return;
  Payloads payloads{&story.notes, 0};
  Block<PJRT_Error_ForEachPayload_Args> block;
  block.args.error = error;
  block.args.visitor = visit_payload;
  block.args.user_arg = &payloads;
  destroy(api, api.PJRT_Error_ForEachPayload(&block.args));
}

Story read_error(const Api& api, PJRT_Error* error) {
  const Owned owned(api, error);
  Story story;
  read_code(api, error, story);
  read_message(api, error, story);
  read_payloads(api, error, story);
  return story;
}

// "Unexpected PJRT_Foo_Args size: expected 24, got 32. ..." gives PJRT_Foo_Args; anything else nothing.
std::string_view refused_struct(const Story& story) {
  constexpr std::string_view before = "Unexpected ";
  const std::string_view message = story.message;
  if (story.code != ErrorCode::invalid_argument || !message.starts_with(before)) return {};
  const std::size_t end = message.find(" size", before.size());
  const std::string_view name = message.substr(before.size(), end == message.npos ? 0 : end - before.size());
  return name.find_first_of(" \n") == name.npos ? name : std::string_view();
}

std::size_t size_then(const StructFact* fact, int minor) {
  const SizeFact* row = fact == nullptr ? nullptr : sizes_at(*fact, minor);
  return row == nullptr ? 0 : row->struct_size;
}

Error make_error(Story story, std::string function, std::string plugin) {
  Error error(story.code, std::move(story.message));
  error.in_function(std::move(function)).in_plugin(std::move(plugin));
  for (std::string& note : story.notes) error.note(std::move(note));
  return error;
}

}  // namespace

Error Table::take_error(PJRT_Error* error, std::string_view function) const {
  if (error == nullptr) {
    return Error(ErrorCode::internal, "a failure was reported without an error")
        .in_function(std::string(function))
        .in_plugin(plugin_text());
  }
  return make_error(read_error(api_, error), std::string(function), plugin_text());
}

void Table::recover(PJRT_Error* error, const Slot& slot, void* args, Resend again) const {
  Story story = read_error(api_, error);
  const std::string_view refused = refused_struct(story);
  if (!refused.empty()) {
    // A plugin may insist on exactly the size of its own version. It refused before it did anything, so a second try is safe.
    const FunctionFact* fact = slot.extension.empty() ? function_at(slot.offset) : nullptr;
    const StructFact* outer = fact != nullptr ? fact->args : nullptr;
    const bool nested = refused == "PJRT_ExecuteOptions";
    const StructFact* wanted = nested ? find_struct(refused) : outer;
    const std::size_t then = size_then(wanted, minor_);
    if (then != 0 && then != size_then(wanted, api_minor)) {
      PJRT_Error* second = nested ? again(slot.owner, args, 0, then) : again(slot.owner, args, then, 0);
      if (second == nullptr) return;
      story = read_error(api_, second);
      story.notes.push_back(text("Sent once with the size of PJRT 0.{} and once with that of 0.{}.", api_minor, minor_));
    } else if (minor_ > api_minor) {
      story.notes.push_back(text("The plugin has PJRT 0.{}, this pier knows up to 0.{}: a newer pier may serve it.", minor_,
                                 api_minor));
    }
  }
  throw make_error(std::move(story), slot_fact(slot).first, plugin_text());
}

}  // namespace pier::abi
