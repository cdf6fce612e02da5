#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/export.h>

namespace pier {

/// What went wrong, in kinds a caller can act on. 1 to 16 are the codes of PJRT (the same numbers as absl::StatusCode);
/// from 100 on they are pier's own.
enum class ErrorCode : std::int32_t {
  cancelled = 1,
  unknown = 2,
  invalid_argument = 3,
  deadline_exceeded = 4,
  not_found = 5,
  already_exists = 6,
  permission_denied = 7,
  resource_exhausted = 8,
  failed_precondition = 9,
  aborted = 10,
  out_of_range = 11,
  unimplemented = 12,
  internal = 13,
  unavailable = 14,
  data_loss = 15,
  unauthenticated = 16,
  unsupported = 100,    ///< The plugin is too old for the call, or lacks it.
  not_available = 101,  ///< This machine has no such plugin or device, or cannot load the one named.
  integrity = 102,      ///< Bytes are not what their hash, record or header says.
  network = 103,        ///< The network, a proxy or an index failed.
  io = 104,             ///< The operating system refused a file operation.
};

/// The code's name as PJRT spells it, in lower case: "invalid_argument".
PIER_API std::string_view name(ErrorCode code) noexcept;

/// The one exception type of pier. what() is the whole story: message, function, plugin and notes, each on its own line.
class PIER_API Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message);
  // Copies share their text and cannot fail; a move would leave an error without any.
  Error(const Error&) noexcept = default;
  Error& operator=(const Error&) noexcept = default;

  ErrorCode code() const noexcept;
  const std::string& message() const noexcept;
  /// The PJRT or system function that failed, or empty.
  const std::string& function() const noexcept;
  /// The plugin's path and version, or empty.
  const std::string& plugin() const noexcept;
  /// What to do next, and what else was tried; in the order they were added.
  const std::vector<std::string>& notes() const noexcept;

  const char* what() const noexcept override;

  /// Add to the error while it travels up; each returns the error itself.
  Error& in_function(std::string function);
  Error& in_plugin(std::string plugin);
  Error& note(std::string note);

 private:
  struct State;
  State& own();
  std::shared_ptr<State> state_;
};

/// Error with a class of its own, for what a caller handles apart. Adding to one keeps its class:
/// `throw Unsupported("...").note("...")` throws an Unsupported.
template <class Kind, ErrorCode fixed_code>
class PIER_API ErrorKind : public Error {
 public:
  explicit ErrorKind(std::string message) : Error(fixed_code, std::move(message)) {}

  Kind& in_function(std::string function) { return as_kind(Error::in_function(std::move(function))); }
  Kind& in_plugin(std::string plugin) { return as_kind(Error::in_plugin(std::move(plugin))); }
  Kind& note(std::string note) { return as_kind(Error::note(std::move(note))); }

 private:
  static Kind& as_kind(Error& error) { return static_cast<Kind&>(error); }
};

/// A function, field or type that this plugin's version does not have. Names both versions.
class PIER_API Unsupported : public ErrorKind<Unsupported, ErrorCode::unsupported> {
 public:
  using ErrorKind::ErrorKind;
};

/// Bytes that do not match their hash, their record or their header. Retrying does not help.
class PIER_API IntegrityError : public ErrorKind<IntegrityError, ErrorCode::integrity> {
 public:
  using ErrorKind::ErrorKind;
};

/// The network failed after the retries that make sense. Trying later may help.
class PIER_API NetworkError : public ErrorKind<NetworkError, ErrorCode::network> {
 public:
  using ErrorKind::ErrorKind;
};

}  // namespace pier
