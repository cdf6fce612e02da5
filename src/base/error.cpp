#include <pier/error.h>

#include <array>

#include "base/text.h"

namespace pier {

struct Error::State {
  ErrorCode code;
  std::string message;
  std::string function;
  std::string plugin;
  std::vector<std::string> notes;
  std::string what;

  void compose() {
    std::string whole = message;
    if (!function.empty()) whole += "\n  in " + function;
    if (!plugin.empty()) whole += "\n  plugin " + plugin;
    for (const std::string& note : notes) whole += "\n  " + note;
    // what() ends at a zero byte; messages may quote some.
    for (std::size_t at = 0; (at = whole.find('\0', at)) != std::string::npos; at += 2) whole.replace(at, 1, "\\0");
    what = std::move(whole);
  }
};

std::string_view name(ErrorCode code) noexcept {
  constexpr std::array<std::string_view, 17> pjrt = {
      "ok",          "cancelled",          "unknown",           "invalid_argument",    "deadline_exceeded", "not_found",
      "already_exists", "permission_denied", "resource_exhausted", "failed_precondition", "aborted",        "out_of_range",
      "unimplemented", "internal",          "unavailable",       "data_loss",           "unauthenticated"};
  const auto number = static_cast<std::int32_t>(code);
  if (number >= 0 && static_cast<std::size_t>(number) < pjrt.size()) return pjrt[static_cast<std::size_t>(number)];
  switch (code) {
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::not_available: return "not_available";
    case ErrorCode::integrity: return "integrity";
    case ErrorCode::network: return "network";
    case ErrorCode::io: return "io";
    default: return "unknown";
  }
}

Error::Error(ErrorCode code, std::string message)
    : state_(std::make_shared<State>(State{code, std::move(message), {}, {}, {}, {}})) {
  state_->compose();
}

ErrorCode Error::code() const noexcept { return state_->code; }
const std::string& Error::message() const noexcept { return state_->message; }
const std::string& Error::function() const noexcept { return state_->function; }
const std::string& Error::plugin() const noexcept { return state_->plugin; }
const std::vector<std::string>& Error::notes() const noexcept { return state_->notes; }
const char* Error::what() const noexcept { return state_->what.c_str(); }

// Copies share their state (copying an exception must not throw), so a copy that is added to gets its own first.
Error::State& Error::own() {
  if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
  return *state_;
}

Error& Error::in_function(std::string function) {
  State& state = own();
  state.function = std::move(function);
  state.compose();
  return *this;
}

Error& Error::in_plugin(std::string plugin) {
  State& state = own();
  state.plugin = std::move(plugin);
  state.compose();
  return *this;
}

Error& Error::note(std::string note) {
  State& state = own();
  state.notes.push_back(std::move(note));
  state.compose();
  return *this;
}

}  // namespace pier
