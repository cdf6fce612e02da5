#pragma once

#include <map>
#include <string>
#include <thread>

namespace bench {

// Serves files of this disk over HTTP/1.1 on 127.0.0.1 with sendfile, one connection at a time: the fastest source there is.
class FileServer {
 public:
  // From path ("/files/x.whl") to the file that is served there.
  explicit FileServer(std::map<std::string, std::string> files);
  ~FileServer();
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;
  std::string url(const std::string& path) const;

 private:
  void serve(int connection) const;

  std::map<std::string, std::string> files_;
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace bench
