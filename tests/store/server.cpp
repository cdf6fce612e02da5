#include "store/server.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pier::test {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

std::optional<Request> read_request(Stream& stream) {
  std::string text;
  char buffer[4096];
  while (text.find("\r\n\r\n") == std::string::npos) {
    const long got = stream.read(buffer, sizeof buffer);
    if (got <= 0 || text.size() > 65536) return std::nullopt;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  Request request;
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  request.method = text.substr(0, first);
  request.path = text.substr(first + 1, second - first - 1);
  std::size_t at = text.find("\r\n") + 2;
  while (at < text.size()) {
    const std::size_t end = text.find("\r\n", at);
    if (end == at || end == std::string::npos) break;
    const std::string line = text.substr(at, end - at);
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) {
      const std::size_t value = line.find_first_not_of(' ', colon + 1);
      request.headers[lower(line.substr(0, colon))] = value == std::string::npos ? "" : line.substr(value);
    }
    at = end + 2;
  }
  return request;
}

}  // namespace

Server::Server(Handler handler, const TlsIdentity* identity) : handler_(std::move(handler)), identity_(identity) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error(std::string("no server for the test: ") + std::strerror(errno));
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_loop(); });
}

Server::~Server() {
  stopping_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  ::close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
  }
  for (std::thread& worker : workers_) worker.join();
}

std::string Server::url(std::string_view path) const {
  return std::string(identity_ ? "https" : "http") + "://127.0.0.1:" + std::to_string(port_) + std::string(path);
}

std::vector<Request> Server::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

int Server::count(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::ranges::count(requests_, path, &Request::path));
}

void Server::accept_loop() {
  while (!stopping_) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return;
    }
    const std::lock_guard lock(mutex_);
    connections_.push_back(connection);
    workers_.emplace_back([this, connection] { serve(connection); });
  }
}

void Server::serve(int connection) {
  // OpenSSL cannot be told MSG_NOSIGNAL. In this thread only: what the client does with the signal is for the tests to see.
  sigset_t pipe{};
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  auto stream = std::make_optional<Stream>(connection, identity_);
  auto request = stream->ready() ? read_request(*stream) : std::nullopt;
  if (request) {
    {
      const std::lock_guard lock(mutex_);
      request->number = static_cast<int>(std::ranges::count(requests_, request->path, &Request::path)) + 1;
      requests_.push_back(*request);
    }
    const Reply reply = handler_(*request);
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Reply\r\nConnection: close\r\n";
    for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
    if (!reply.without_length)
      head += "Content-Length: " + std::to_string(reply.claimed_length.value_or(reply.body.size())) + "\r\n";
    head += "\r\n";
    const std::size_t end = std::min(reply.body.size(), std::min(reply.drop_after.value_or(SIZE_MAX), reply.stall_after.value_or(SIZE_MAX)));
    const std::size_t step = reply.chunk ? reply.chunk : end + 1;
    bool open = stream->write(head);
    for (std::size_t at = 0; open && at < end && !stopping_; at += step) {
      open = stream->write(std::string_view(reply.body).substr(at, std::min(step, end - at)));
      if (reply.pace.count() > 0) std::this_thread::sleep_for(reply.pace);
    }
    while (open && reply.stall_after && !stopping_) {
      char byte;
      // Until the client gives up.
      if (stream->read(&byte, 1) <= 0) break;
    }
  }
  stream.reset();
  const std::lock_guard lock(mutex_);
  std::erase(connections_, connection);
  ::close(connection);
}

Reply with_ranges(const Request& request, const std::string& body, const std::string& etag) {
  Reply reply;
  reply.headers = {{"Content-Type", "application/octet-stream"}, {"Accept-Ranges", "bytes"}, {"ETag", etag}};
  const auto range = request.headers.find("range");
  if (range == request.headers.end() || !range->second.starts_with("bytes=")) {
    reply.body = body;
    return reply;
  }
  std::size_t first = 0;
  std::from_chars(range->second.data() + 6, range->second.data() + range->second.size(), first);
  if (first >= body.size()) {
    reply.status = 416;
    reply.headers.emplace_back("Content-Range", "bytes */" + std::to_string(body.size()));
    return reply;
  }
  reply.status = 206;
  reply.body = body.substr(first);
  reply.headers.emplace_back("Content-Range", "bytes " + std::to_string(first) + "-" + std::to_string(body.size() - 1) + "/" +
                                                  std::to_string(body.size()));
  return reply;
}

}  // namespace pier::test
