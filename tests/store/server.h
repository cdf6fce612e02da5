#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "store/tls.h"

namespace pier::test {

struct Request {
  std::string method;
  std::string path;  // with query
  std::map<std::string, std::string> headers;  // names in lower case
  int number = 0;                              // of requests for this path so far, this one included
};

// An answer, and the ways in which it can go wrong.
struct Reply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::optional<std::uint64_t> claimed_length;  // Content-Length, if not that of the body
  bool without_length = false;                  // the end of the connection is the end of the body
  std::optional<std::size_t> drop_after;        // body bytes after which the connection ends
  std::optional<std::size_t> stall_after;       // body bytes after which nothing more comes
  std::size_t chunk = 0;                        // bytes sent at once, with a pause of `pace` after each; 0: all at once
  std::chrono::milliseconds pace{0};
};

// An HTTP/1.1 server on 127.0.0.1 for tests, over TLS when it has an identity; one connection for each request.
class Server {
 public:
  using Handler = std::function<Reply(const Request&)>;
  explicit Server(Handler handler, const TlsIdentity* identity = nullptr);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string url(std::string_view path = "") const;
  std::vector<Request> requests() const;
  int count(std::string_view path) const;

 private:
  void accept_loop();
  void serve(int connection);

  Handler handler_;
  const TlsIdentity* identity_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::vector<std::thread> workers_;
  std::vector<int> connections_;
  std::thread acceptor_;
};

// The body, or the part that a Range header asks for, with ETag and Content-Range.
Reply with_ranges(const Request& request, const std::string& body, const std::string& etag = "\"v1\"");

}  // namespace pier::test
