#include "store/url.h"

#include <gtest/gtest.h>

#include <pier/error.h>

namespace pier {
namespace {

TEST(Url, KeepsCredentialsOutOfItsText) {
  const Url url = parse_url("https://user:p%40ss@Host.Example:8443/simple/?q=1#sha256=ab");
  EXPECT_EQ(url.text, "https://host.example:8443/simple/?q=1");
  EXPECT_EQ(url.user, "user");
  EXPECT_EQ(url.password, "p@ss");
  EXPECT_EQ(url.fragment, "sha256=ab");
  EXPECT_EQ(url.origin, "https://host.example:8443");
}

TEST(Url, KnowsTheDefaultPortAsTheSameOrigin) {
  EXPECT_EQ(parse_url("https://h.example/a").origin, parse_url("https://h.example:443/b").origin);
  EXPECT_NE(parse_url("http://h.example/a").origin, parse_url("https://h.example/a").origin);
}

TEST(Url, ResolvesWhatPagesLinkTo) {
  const Url page = parse_url("https://h.example/simple/x/");
  EXPECT_EQ(resolve_url(page, "x-1.whl").text, "https://h.example/simple/x/x-1.whl");
  EXPECT_EQ(resolve_url(page, "../../files/x-1.whl#sha256=00").text, "https://h.example/files/x-1.whl");
  EXPECT_EQ(resolve_url(page, "/files/x 1.whl").text, "https://h.example/files/x%201.whl");
  EXPECT_EQ(resolve_url(page, "//other.example/x.whl").text, "https://other.example/x.whl");
  EXPECT_EQ(resolve_url(page, "https://o.example/a").text, "https://o.example/a");
  EXPECT_EQ(resolve_url(page, "../../../../x").text, "https://h.example/x");
}

TEST(Url, DecodesAFileName) {
  EXPECT_EQ(parse_url("https://h.example/f/a%2Bb-1.whl").file_name(), "a+b-1.whl");
  EXPECT_EQ(percent_decode("a%20b%zz%4"), "a b%zz%4");
}

TEST(Url, RefusesOtherSchemesAndNonsense) {
  for (const char* text : {"ftp://h/x", "javascript:alert(1)", "h.example/x", "", "https://", "gopher://h/", "https:///x"})
    EXPECT_THROW(parse_url(text), Error) << text;
  EXPECT_THROW(parse_url(std::string_view("https://h/\0x", 12)), Error);
}

TEST(Url, NeverShowsAPasswordInMessages) {
  EXPECT_EQ(redact_url("https://user:secret@h.example/x?token=secret#secret"), "https://h.example/x");
  EXPECT_EQ(redact_url("https://user:se/cr@et@h.example/x"), "https://h.example/x");
  EXPECT_EQ(redact_url("user:secret@h.example"), "h.example");
  EXPECT_EQ(redact_url("https://user:se#cr?et@h.example/x"), "https://h.example/x");
  EXPECT_EQ(redact_url("https://user:secret@h.example/a@b/x@1.0.whl?t=secret@z"), "https://h.example/a@b/x@1.0.whl");
  EXPECT_EQ(redact_url("https://h.example/a@b.example/x"), "https://h.example/a@b.example/x");
  EXPECT_EQ(redact_url("git+ssh://user:secret@h.example/a@b"), "git+ssh://h.example/a@b");
  EXPECT_EQ(redact_url("/home/me@work/wheels"), "/home/me@work/wheels");
  try {
    parse_url("ftp://user:secret@h.example/x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace pier
