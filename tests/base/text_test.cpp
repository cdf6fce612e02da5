#include "base/text.h"

#include <gtest/gtest.h>

#include "base/ascii.h"
#include "base/utf8.h"

namespace pier {
namespace {

TEST(Text, PutsArgumentsIntoTheirFields) {
  EXPECT_EQ(text("{} of {}", 1, "two"), "1 of two");
  EXPECT_EQ(text("{{{}}}", true), "{true}");
  EXPECT_EQ(text("{:02x} {:.3f} {}", std::uint8_t{10}, 0.5, 'c'), "0a 0.500 c");
  EXPECT_EQ(text("{} {}", std::int64_t{-5}, ~std::uint64_t{0}), "-5 18446744073709551615");
  EXPECT_EQ(text("{}", std::string("with {} braces")), "with {} braces");
  EXPECT_EQ(text("no fields"), "no fields");
}

TEST(BytesText, UsesDecimalUnits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(999'949), "999.9 kB");
  EXPECT_EQ(bytes_text(999'950), "1.0 MB");
  EXPECT_EQ(bytes_text(63'210'000), "63.2 MB");
  EXPECT_EQ(bytes_text(~std::uint64_t{0}), "18.4 EB");
}

TEST(LowerAscii, ChangesTheLettersOfAsciiAndNothingElse) {
  EXPECT_EQ(lower_ascii("AZaz09@[`{ \xC3\x89"), "azaz09@[`{ \xC3\x89");
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    EXPECT_EQ(lower_ascii(c), i >= 'A' && i <= 'Z' ? static_cast<char>(i + 32) : c) << i;
  }
}

TEST(Trim, TakesBlanksFromBothEnds) {
  EXPECT_EQ(trim(" \t\r\na b\n "), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\n a ", " "), "\n a");
}

TEST(Utf8, IsWhatUnicodeCallsWellFormed) {
  for (const char* good : {"", "a", "\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(valid_utf8(good)) << escaped(good);
  for (const char* bad : {"\x80", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                          "\xE2\x82", "\xFF", "a\xC3(", "\xF0\x90\x80" "a"})
    EXPECT_FALSE(valid_utf8(bad)) << escaped(bad);
}

TEST(Escaped, LetsNothingThroughThatActsOnATerminal) {
  EXPECT_EQ(escaped("caf\xC3\xA9 \xF0\x9F\x99\x82 \xC2\xA0"), "caf\xC3\xA9 \xF0\x9F\x99\x82 \xC2\xA0");
  EXPECT_EQ(escaped("\x1b[2J\r\n\t\x7f"), "\\x1b[2J\\x0d\\x0a\\x09\\x7f");
  // U+009B is the introducer of control sequences in one character, 9B in one byte.
  EXPECT_EQ(escaped("\xC2\x9B" "2J \x9B" "2J"), "\\xc2\\x9b2J \\x9b2J");
  EXPECT_EQ(escaped("cut \xE2\x82"), "cut \\xe2\\x82");
  EXPECT_EQ(escaped("a\n\tb\r", "\n\t"), "a\n\tb\\x0d");
}

}  // namespace
}  // namespace pier
