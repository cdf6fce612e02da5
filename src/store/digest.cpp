#include "store/digest.h"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/late.h"

namespace pier {
namespace {

struct Crypto {
  decltype(&::EVP_MD_CTX_new) context_new;
  decltype(&::EVP_MD_CTX_free) context_free;
  decltype(&::EVP_MD_CTX_copy_ex) context_copy;
  decltype(&::EVP_DigestInit_ex) init;
  decltype(&::EVP_DigestUpdate) update;
  decltype(&::EVP_DigestFinal_ex) final;
  decltype(&::EVP_sha256) sha256;
  decltype(&::EVP_sha384) sha384;
  decltype(&::EVP_sha512) sha512;
};

Crypto load() {
  const LateLibrary library({PIER_CRYPTO_NAMES}, "OpenSSL (Debian, Ubuntu: libssl3)");
  return {
      .context_new = library.symbol<decltype(&::EVP_MD_CTX_new)>("EVP_MD_CTX_new"),
      .context_free = library.symbol<decltype(&::EVP_MD_CTX_free)>("EVP_MD_CTX_free"),
      .context_copy = library.symbol<decltype(&::EVP_MD_CTX_copy_ex)>("EVP_MD_CTX_copy_ex"),
      .init = library.symbol<decltype(&::EVP_DigestInit_ex)>("EVP_DigestInit_ex"),
      .update = library.symbol<decltype(&::EVP_DigestUpdate)>("EVP_DigestUpdate"),
      .final = library.symbol<decltype(&::EVP_DigestFinal_ex)>("EVP_DigestFinal_ex"),
      .sha256 = library.symbol<decltype(&::EVP_sha256)>("EVP_sha256"),
      .sha384 = library.symbol<decltype(&::EVP_sha384)>("EVP_sha384"),
      .sha512 = library.symbol<decltype(&::EVP_sha512)>("EVP_sha512"),
  };
}

const Crypto& crypto() {
  static const Crypto functions = load();
  return functions;
}

void check(int good, const char* function) {
  if (good != 1) throw Error(ErrorCode::internal, "OpenSSL cannot compute a hash").in_function(function);
}

EVP_MD_CTX* of(void* context) { return static_cast<EVP_MD_CTX*>(context); }

}  // namespace

std::optional<HashKind> parse_hash_kind(std::string_view name) {
  if (name == "sha256") return HashKind::sha256;
  if (name == "sha384") return HashKind::sha384;
  if (name == "sha512") return HashKind::sha512;
  return std::nullopt;
}

void Digest::Free::operator()(void* context) const { crypto().context_free(of(context)); }

Digest::Digest(HashKind kind) : kind_(kind), context_(crypto().context_new()) {
  if (!context_) throw Error(ErrorCode::resource_exhausted, "no memory for a hash").in_function("EVP_MD_CTX_new");
  restart();
}

void Digest::restart() {
  const EVP_MD* kind = nullptr;
  switch (kind_) {
    case HashKind::sha256: kind = crypto().sha256(); break;
    case HashKind::sha384: kind = crypto().sha384(); break;
    case HashKind::sha512: kind = crypto().sha512(); break;
  }
  check(crypto().init(of(context_.get()), kind, nullptr), "EVP_DigestInit_ex");
}

void Digest::update(std::span<const std::byte> bytes) {
  check(crypto().update(of(context_.get()), bytes.data(), bytes.size()), "EVP_DigestUpdate");
}

std::string Digest::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned size = 0;
  check(crypto().final(of(context_.get()), raw.data(), &size), "EVP_DigestFinal_ex");
  restart();
  return std::string(reinterpret_cast<const char*>(raw.data()), size);
}

std::string Digest::current() const {
  Digest copy(kind_);
  check(crypto().context_copy(of(copy.context_.get()), of(context_.get())), "EVP_MD_CTX_copy_ex");
  return copy.finish();
}

std::string to_hex(std::string_view raw) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(raw.size() * 2);
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string to_base64url(std::string_view raw) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0;
  int held = 0;
  for (const char c : raw) {
    bits = (bits << 8) | static_cast<unsigned char>(c);
    held += 8;
    while (held >= 6) {
      held -= 6;
      out += digits[(bits >> held) & 63];
    }
  }
  if (held > 0) out += digits[(bits << (6 - held)) & 63];
  return out;
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::string file_hash(const std::filesystem::path& path, HashKind kind) {
  const Fd fd = open_file(path, O_RDONLY);
  Digest digest(kind);
  std::vector<std::byte> buffer(std::size_t{1} << 18);
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno(errno, "read", path);
    if (got == 0) return digest.finish();
    digest.update(std::span(buffer).first(static_cast<std::size_t>(got)));
  }
}

std::string file_sha256(const std::filesystem::path& path) { return to_hex(file_hash(path, HashKind::sha256)); }

}  // namespace pier
