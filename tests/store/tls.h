#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace pier::test {

// A key and a certificate for 127.0.0.1 that only who is told of it trusts, made anew each time.
class TlsIdentity {
 public:
  TlsIdentity();
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;
  std::string certificate_pem() const;
  void* context() const { return context_; }  // SSL_CTX

 private:
  void* context_ = nullptr;
};

// The bytes of one accepted connection, encrypted when there is an identity.
class Stream {
 public:
  Stream(int fd, const TlsIdentity* identity);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  bool ready() const { return ready_; }
  long read(char* buffer, std::size_t size);
  bool write(std::string_view bytes);

 private:
  int fd_;
  void* tls_ = nullptr;  // SSL
  bool ready_ = true;
};

}  // namespace pier::test
