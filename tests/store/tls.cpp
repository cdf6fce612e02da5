#include "store/tls.h"

#include <cerrno>
#include <stdexcept>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

namespace pier::test {
namespace {

void require(bool good) {
  if (!good) throw std::runtime_error("OpenSSL cannot make a certificate for the test");
}

void add_extension(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  require(extension != nullptr);
  require(X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

SSL_CTX* of(void* context) { return static_cast<SSL_CTX*>(context); }
SSL* tls_of(void* tls) { return static_cast<SSL*>(tls); }

}  // namespace

TlsIdentity::TlsIdentity() {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  require(key && certificate);
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* const name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("pier test"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate, NID_subject_alt_name, "IP:127.0.0.1");
  require(X509_sign(certificate, key, EVP_sha256()) > 0);
  context_ = SSL_CTX_new(TLS_server_method());
  require(context_ && SSL_CTX_use_certificate(of(context_), certificate) == 1 && SSL_CTX_use_PrivateKey(of(context_), key) == 1);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

TlsIdentity::~TlsIdentity() { SSL_CTX_free(of(context_)); }

std::string TlsIdentity::certificate_pem() const {
  BIO* const out = BIO_new(BIO_s_mem());
  require(out && PEM_write_bio_X509(out, SSL_CTX_get0_certificate(of(context_))) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(out);
  return pem;
}

Stream::Stream(int fd, const TlsIdentity* identity) : fd_(fd) {
  if (!identity) return;
  tls_ = SSL_new(of(identity->context()));
  ready_ = tls_ && SSL_set_fd(tls_of(tls_), fd) == 1 && SSL_accept(tls_of(tls_)) == 1;
}

Stream::~Stream() {
  if (!tls_) return;
  if (ready_) SSL_shutdown(tls_of(tls_));
  SSL_free(tls_of(tls_));
}

long Stream::read(char* buffer, std::size_t size) {
  if (tls_) return SSL_read(tls_of(tls_), buffer, static_cast<int>(size));
  for (;;) {
    const ssize_t got = ::recv(fd_, buffer, size, 0);
    if (got >= 0 || errno != EINTR) return got;
  }
}

bool Stream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const long done = tls_ ? SSL_write(tls_of(tls_), bytes.data(), static_cast<int>(bytes.size()))
                           : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (done < 0 && !tls_ && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace pier::test
