#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <pier/error.h>

#include "store/http.h"

namespace pier {

// How an attempt to fetch ended when it did not bring the body.
struct HttpFailure {
  int curl_code = 0;      // libcurl's number, 0 when an answer came
  std::string curl_text;  // what libcurl says about it
  int status = 0;         // of the answer, 0 when none came
  bool stalled = false;
  bool rate_limited = false;  // the answer says so
  std::optional<std::chrono::seconds> retry_after;  // a year at most
  Url url;  // the last one asked, after redirects
};

// The server says that there is no such document (404, 410).
class MissingDocument : public NetworkError {
 public:
  explicit MissingDocument(const NetworkError& error) : NetworkError(error) {}
};

// Whether the same request may work in a moment.
bool worth_retrying(const HttpFailure& failure);

// The error for the caller after the last attempt.
NetworkError network_error(const Url& asked, const HttpFailure& failure, int attempts, const HttpSettings& settings);

}  // namespace pier
