#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/url.h"

namespace pier {

struct HttpSettings {
  std::string ca;       // file or folder of trusted authorities; empty: what libcurl was built with
  std::string ca_from;  // the variable or file that named it, for messages
  std::string proxy;    // empty: the environment, as libcurl reads it
  std::vector<std::string> trusted_hosts;  // hosts (or host:port) whose certificates are not checked
  std::chrono::milliseconds connect_timeout{15'000};
  std::chrono::milliseconds stall_timeout{30'000};   // without any byte
  std::chrono::milliseconds backoff{500};            // before the second attempt; doubles
  std::chrono::milliseconds longest_wait{60'000};    // a Retry-After beyond this is not waited for
  int attempts = 5;   // in a row without getting further
  int redirects = 10;
};

// The headers of an answer with status 200 or 206.
struct HttpHead {
  int status = 0;
  Url url;  // where it came from after redirects
  std::string content_type;      // lower case, without parameters
  std::string content_encoding;  // lower case
  std::string etag;
  std::string last_modified;
  std::optional<std::uint64_t> length;       // Content-Length: of this body
  std::optional<std::uint64_t> range_first;  // Content-Range of a 206
  std::optional<std::uint64_t> range_total;
};

// Where a body goes. The functions may throw; that ends the exchange, and the exception reaches the caller of get().
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  // Bytes that are there already; the next attempt asks for what follows.
  virtual std::uint64_t have() const = 0;
  // An answer begins: what follows have() (206), or the whole body (200), for which the sink drops what is there once it has
  // judged the answer. False, for a 206 only: what is there does not belong to it, so the whole body is asked for.
  virtual bool begin(const HttpHead& head) = 0;
  virtual void write(std::span<const std::byte> bytes) = 0;
  // Every byte is there although the exchange did not end well; no further attempt is made.
  virtual bool complete() const { return false; }
  // The exchange ended well, yet bytes are missing: a server that only closes the connection looks like that.
  virtual bool wants_more() const { return false; }
};

struct HttpRequest {
  std::string accept = "*/*";
  bool compressed = false;     // let the transfer be compressed; never for files whose bytes are hashed
  std::function<void()> tick;  // called about every second while nothing arrives, and between attempts; may throw
};

struct HttpDocument {
  Url url;  // after redirects
  std::string content_type;
  std::string body;
};

// Gets from http:// and https:// with retries. For one thread at a time.
class HttpClient {
 public:
  explicit HttpClient(HttpSettings settings);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Tries again after broken connections, 408, 429 and 5xx, with growing pauses or as Retry-After says, and goes on where
  // the last attempt ended. Throws NetworkError that names URL, status, number of attempts and what to do.
  void get(const Url& url, const HttpRequest& request, HttpSink& sink);

  // A whole document of at most `limit` bytes; nothing when the server says that there is none (404, 410).
  std::optional<HttpDocument> get_document(const Url& url, std::string accept, std::uint64_t limit);

  // Called as HttpRequest::tick while a document is waited for; may throw.
  void on_wait(std::function<void()> tick) { tick_ = std::move(tick); }

  // A URL's user and password count for every URL of the same origin.
  void remember_credentials(const Url& url);

 private:
  struct Exchange;
  struct Outcome;
  void renew();
  struct FreeEasy {
    void operator()(void* easy) const;
  };
  // `from`: the byte to go on from, or 0 for the whole body.
  Outcome attempt(const Url& url, const HttpRequest& request, HttpSink& sink, std::uint64_t from);
  Outcome perform(const Url& url, const HttpRequest& request, HttpSink& sink, std::uint64_t from);
  void prepare(Exchange& exchange, const Url& url, const HttpRequest& request, std::uint64_t from);
  void pause(std::chrono::milliseconds time, const HttpRequest& request) const;

  HttpSettings settings_;
  std::unique_ptr<void, FreeEasy> easy_;
  std::function<void()> tick_;
  bool failed_ = false;  // the last transfer did
  std::map<std::string, std::pair<std::string, std::string>> credentials_;
};

}  // namespace pier
