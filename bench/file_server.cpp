#include "file_server.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bench {
namespace {

[[noreturn]] void stop(const char* what) {
  std::perror(what);
  std::exit(1);
}

}  // namespace

FileServer::FileServer(std::map<std::string, std::string> files) : files_(std::move(files)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, plain, size) != 0 || ::listen(listener_, 8) != 0 || ::getsockname(listener_, plain, &size) != 0) stop("bench: no server");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] {
    while (true) {
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      serve(connection);
      ::close(connection);
    }
  });
}

FileServer::~FileServer() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::string FileServer::url(const std::string& path) const { return "http://127.0.0.1:" + std::to_string(port_) + path; }

void FileServer::serve(int connection) const {
  std::string request;
  char piece[4096];
  while (request.find("\r\n\r\n") == std::string::npos && request.size() < 65536) {
    const ssize_t count = ::recv(connection, piece, sizeof piece, 0);
    if (count <= 0) return;
    request.append(piece, static_cast<std::size_t>(count));
  }
  const std::size_t begin = request.find(' ') + 1;
  const auto found = files_.find(request.substr(begin, request.find(' ', begin) - begin));
  const int file = found == files_.end() ? -1 : ::open(found->second.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts{};
  if (file < 0 || ::fstat(file, &facts) != 0) {
    constexpr std::string_view answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    ::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
    return;
  }
  const char* const type = found->first.ends_with("/") ? "text/html" : "application/octet-stream";
  const std::string head = std::string("HTTP/1.1 200 OK\r\nContent-Type: ") + type + "\r\nContent-Length: " +
                           std::to_string(facts.st_size) + "\r\nConnection: close\r\n\r\n";
  ::send(connection, head.data(), head.size(), MSG_NOSIGNAL | MSG_MORE);
  off_t offset = 0;
  while (offset < facts.st_size && ::sendfile(connection, file, &offset, static_cast<std::size_t>(facts.st_size - offset)) > 0) {
  }
  ::close(file);
}

}  // namespace bench
