#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pier/error.h>
#include <pier/probe.h>

namespace pier::registry {

// What the parent and the child of a probe say to each other, over a socket, so that nothing a plugin prints can be taken for
// it. One message a line: fields with tabs between, in which a backslash marks tab, newline, zero and itself. All other bytes
// stay as they are, for paths and plugins' texts need not be UTF-8.
constexpr int probe_protocol = 3;

struct ProbeRequest {
  std::string library;
  bool create_client = true;
  Attributes create_options;
  std::vector<std::pair<std::string, std::string>> environment;
  std::int64_t time_limit_ms = 0;
  std::vector<std::string> preload;
  // Empty, or a function `int f(int*)` of the library that gives a number and returns 0: the library is no plugin then, and the report has
  // the number among its attributes, under that name.
  std::string ask;
};

// Exactly one of the three is there.
struct ProbeMessage {
  std::string stage;  // What the child is about to do: "loading the library".
  std::optional<ProbeReport> report;
  std::optional<Error> error;
};

// Each ends with a newline.
std::string encode(const ProbeRequest& request);
std::string encode_stage(std::string_view stage);
std::string encode(const ProbeReport& report);
std::string encode(const Error& error);

// The line without its newline. Throw Error (internal) on a line that is not one.
ProbeRequest decode_request(std::string_view line);
ProbeMessage decode_message(std::string_view line);

}  // namespace pier::registry
