#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pier {

enum class HashKind { sha256, sha384, sha512 };

// "sha256" and its two longer sisters; nothing for weaker or unknown ones.
std::optional<HashKind> parse_hash_kind(std::string_view name);

// A hash of bytes that come piece by piece. OpenSSL's libcrypto is opened on first use.
class Digest {
 public:
  explicit Digest(HashKind kind = HashKind::sha256);
  void update(std::span<const std::byte> bytes);
  // The raw hash; the digest starts anew afterwards.
  std::string finish();
  // The raw hash of what came so far, without ending it.
  std::string current() const;
  // Forgets what came so far.
  void restart();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  HashKind kind_;
  std::unique_ptr<void, Free> context_;
};

// Raw bytes as lower-case hexadecimal digits, and as RECORD writes them: URL-safe base64 without padding.
std::string to_hex(std::string_view raw);
std::string to_base64url(std::string_view raw);

// Whether the text is 64 hexadecimal digits.
bool is_sha256(std::string_view text);

// Of a whole regular file; the hash as hexadecimal digits, or raw for another kind.
std::string file_sha256(const std::filesystem::path& path);
std::string file_hash(const std::filesystem::path& path, HashKind kind);

}  // namespace pier
