#include "store/digest.h"

#include <gtest/gtest.h>

#include <pier/error.h>

#include "store/home.h"

namespace pier::test {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Digest, GivesTheHashesOfFips180) {
  Digest digest;
  digest.update(bytes("abc"));
  EXPECT_EQ(to_hex(digest.finish()), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Digest longer(HashKind::sha512);
  longer.update(bytes("abc"));
  EXPECT_EQ(to_hex(longer.finish()).substr(0, 32), "ddaf35a193617abacc417349ae204131");
}

TEST(Digest, IsTheSameHoweverTheBytesAreCut) {
  const std::string text(100'000, 'x');
  Digest whole;
  whole.update(bytes(text));
  Digest pieces;
  for (std::size_t at = 0; at < text.size(); at += 777) pieces.update(bytes(std::string_view(text).substr(at, 777)));
  EXPECT_EQ(whole.finish(), pieces.finish());
}

TEST(Digest, CanBeReadWithoutEndingIt) {
  Digest digest;
  digest.update(bytes("ab"));
  const std::string before = digest.current();
  digest.update(bytes("c"));
  EXPECT_NE(digest.current(), before);
  const std::string all = digest.current();
  EXPECT_EQ(all, digest.finish());
}

TEST(Digest, StartsAnewAfterFinishAndRestart) {
  Digest digest;
  digest.update(bytes("junk"));
  digest.restart();
  digest.update(bytes("abc"));
  const std::string first = digest.finish();
  digest.update(bytes("abc"));
  EXPECT_EQ(digest.finish(), first);
}

TEST(Digest, WritesBase64AsRecordDoes) {
  EXPECT_EQ(to_base64url(""), "");
  EXPECT_EQ(to_base64url("f"), "Zg");
  EXPECT_EQ(to_base64url("fo"), "Zm8");
  EXPECT_EQ(to_base64url("foo"), "Zm9v");
  EXPECT_EQ(to_base64url("\xff\xfe\xfd"), "__79");
}

TEST(Digest, HashesAFileAndRefusesAFolder) {
  const Home home;
  write_text(home.path() / "f", "abc");
  EXPECT_EQ(file_sha256(home.path() / "f").substr(0, 8), "ba7816bf");
  EXPECT_THROW(file_sha256(home.path()), Error);
}

}  // namespace
}  // namespace pier::test
