#pragma once

#include <cstddef>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "abi/facts.h"
#include "abi/pjrt.h"

// Call tables made in this process: of any version and size, with functions that record what reaches them.

namespace pier::abi::fake {

struct Failure {
  int code = PJRT_Error_Code_INTERNAL;
  std::string message;
  std::vector<std::pair<std::string, std::string>> payloads;
};

// Errors that are out, so that a leak and a second destroy are both seen.
inline std::set<const void*>& live_errors() {
  static std::set<const void*> errors;
  return errors;
}
inline int& wrong_destroys() {
  static int count = 0;
  return count;
}

inline PJRT_Error* make_error(Failure failure) {
  auto* made = new Failure(std::move(failure));
  live_errors().insert(made);
  return reinterpret_cast<PJRT_Error*>(made);
}

inline const Failure& failure_of(const PJRT_Error* error) { return *reinterpret_cast<const Failure*>(error); }

inline void destroy_error(PJRT_Error_Destroy_Args* args) {
  if (live_errors().erase(args->error) != 1) {
    ++wrong_destroys();
    return;
  }
  delete reinterpret_cast<Failure*>(args->error);
}

inline void error_message(PJRT_Error_Message_Args* args) {
  args->message = failure_of(args->error).message.data();
  args->message_size = failure_of(args->error).message.size();
}

inline PJRT_Error* error_code(PJRT_Error_GetCode_Args* args) {
  args->code = static_cast<PJRT_Error_Code>(failure_of(args->error).code);
  return nullptr;
}

inline PJRT_Error* error_payloads(PJRT_Error_ForEachPayload_Args* args) {
  for (const auto& [key, value] : failure_of(args->error).payloads) {
    args->visitor(key.data(), key.size(), value.data(), value.size(), args->user_arg);
  }
  return nullptr;
}

inline void never_called() {}

// The bytes of a plugin's table: our newest layout, cut to a size and with a version of choice. What lies behind the size
// is junk, as on a real plugin.
class PluginTable {
 public:
  explicit PluginTable(int minor) : PluginTable(minor, reported(minor)) {}

  PluginTable(int minor, std::size_t reported_size) {
    api.struct_size = reported_size;
    api.pjrt_api_version.major_version = api_major;
    api.pjrt_api_version.minor_version = minor;
    auto* slots = reinterpret_cast<std::byte*>(&api);
    void (*function)() = never_called;
    for (const FunctionFact& fact : functions()) std::memcpy(slots + fact.offset, &function, sizeof function);
    api.PJRT_Error_Destroy = destroy_error;
    api.PJRT_Error_Message = error_message;
    api.PJRT_Error_GetCode = error_code;
    api.PJRT_Error_ForEachPayload = error_payloads;
  }

  // What regular builds report: frozen up to 0.55.
  static std::size_t reported(int minor) { return minor <= 56 ? 808 : table_size(minor); }

  const void* get() const { return &api; }

  PJRT_Api api;
  std::byte behind[64] = {};
};

struct ErrorCount {
  ErrorCount() { live_errors().clear(), wrong_destroys() = 0; }
  bool clean() const { return live_errors().empty() && wrong_destroys() == 0; }
};

}  // namespace pier::abi::fake
